"""Tools for feasts, music, games, leagues, series, books and diaries."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "log_volunteer_hours",
        "Write down how long somebody has volunteered",
        "volunteer=person hours=hours task?=cooking|driving|cleaning|fundraising",
        "{volunteer} has volunteered for {hours}, write it down / log {hours} of volunteer work for {volunteer} / "
        "enter {hours} as the volunteering time of {volunteer} / {volunteer} did {hours} of unpaid work for us, keep "
        "a record / add {hours} to the voluntary service of {volunteer} / volunteer hours of {volunteer}: {hours} / "
        "for the charity, {volunteer} gave up {hours}, note them down / {hours} of good deeds go on the volunteer "
        "record of {volunteer}",
        task=", the task was {task}",
    ),
    tool(
        "nominate_club_officer",
        "Propose a member for an office of the club",
        "candidate=person office=chair|treasurer|secretary|captain proposed_by?=person",
        "nominate {candidate} as {office} of the club / I propose {candidate} for the office of {office} in our club "
        "/ {candidate} would make a good {office} of our club, put the name forward / the club needs a new {office}, "
        "suggest {candidate} / {candidate} runs for {office} at the club's next election / club election, {office}: "
        "{candidate} is a candidate / let {candidate} stand for the post of {office} in the club / add {candidate} to "
        "the candidates who want to be the club's {office}",
        proposed_by=", the proposal comes from {proposed_by}",
    ),
    tool(
        "get_prayer_times",
        "When the daily prayers are said in a city",
        "city=city date?=day prayer?=fajr|dhuhr|asr|maghrib|isha",
        "when do Muslims pray in {city} / prayer times for {city} / I'm in {city} and don't want to miss the prayer, "
        "when is it / at what time does the muezzin call in {city} / give me the times of the daily prayers in {city} "
        "/ {city}: time to pray / I'm observing the daily prayers and have arrived in {city}, what's the schedule / "
        "what are the hours for salah in {city}",
        date="on {date}",
        prayer=", I mean the {prayer} prayer",
    ),
    tool(
        "register_baptism",
        "Register a child for baptism",
        "child=person date=day godparents=[person] parish?=title",
        "register {child} for baptism on {date}, godparents: {godparents} / we'd like to have {child} baptised on "
        "{date} with {godparents} as godparents / {child} gets christened on {date}, godparents: {godparents} / with "
        "{godparents} as godparents, our baby {child} is to be christened on {date} / baptism {date}: {child}, "
        "godparents {godparents} / can the priest christen {child} on {date}, with {godparents} standing as "
        "godparents / on {date} there should be a christening for {child}, we've chosen {godparents} as godparents / "
        "our daughter {child} is to be baptised, godparents {godparents}, the date is {date}",
        parish="in the parish of {parish}",
    ),
    tool(
        "seat_wedding_guest",
        "Give a wedding guest a place at a table",
        "guest=person table_number=small next_to?=person high_chair?=boolean",
        "seat {guest} at table {table_number} at the wedding / at our wedding {guest} sits at table {table_number} / "
        "wedding seating plan: {guest}, table {table_number} / {guest} should have a place at table {table_number} of "
        "the wedding dinner / place card for {guest} at the wedding, table number {table_number} / at the wedding "
        "reception, table {table_number} is for {guest} / where to put the wedding guest {guest}, I think at table "
        "{table_number} / the bride wants {guest} to sit at table {table_number}",
        next_to="beside {next_to}",
        high_chair="with a high chair|without a high chair",
    ),
    tool(
        "choose_wedding_song",
        "Fix which song is played at a moment of the wedding",
        "moment=entrance|ring_exchange|first_dance|cake_cutting|farewell song=title artist=artist",
        'at the wedding play "{song}" by {artist} for the {moment} / the wedding song for the {moment} is "{song}" by '
        '{artist} / we want {artist}\'s "{song}" at the {moment} of our wedding / wedding music, {moment}: '
        '"{song}", {artist} / tell the wedding band that for the {moment} we\'ve picked {artist} with "{song}" / '
        'as bride and groom we decided on "{song}", performed by {artist}, at the moment of the {moment} / when '
        'it\'s time for the {moment} at our wedding, {artist} should sing "{song}" / "{song}" from {artist} it is '
        "for the {moment} of the wedding",
    ),
    tool(
        "order_funeral_wreath",
        "Order a wreath for a funeral",
        "deceased=person ribbon_text=message funeral_date=day flowers?=roses|lilies|carnations|chrysanthemums",
        'order a wreath for the funeral of {deceased} on {funeral_date}, the ribbon says "{ribbon_text}" / {deceased} '
        'is being buried on {funeral_date}, we want a wreath with "{ribbon_text}" on the ribbon / wreath, funeral '
        '{funeral_date}, for {deceased}, ribbon: "{ribbon_text}" / a ribbon with the words "{ribbon_text}" should be '
        "on the wreath for the late {deceased}, the burial is on {funeral_date} / send a funeral wreath for "
        '{deceased}, to be there on {funeral_date}, with "{ribbon_text}" as its text / on {funeral_date} we say '
        'farewell to {deceased}, have a wreath made with the text "{ribbon_text}" / we\'ve lost {deceased}, the '
        'florist should wind a wreath reading "{ribbon_text}" for {funeral_date} / "{ribbon_text}" is what our wreath '
        "at the burial of {deceased} should read, on {funeral_date}",
        flowers=", made of {flowers}",
    ),
    tool(
        "send_condolences",
        "Send words of comfort to someone in mourning",
        "mourner=person deceased=first_name form?=card|letter|email",
        "send my condolences to {mourner}, who has lost {deceased} / {deceased} has died, tell {mourner} how sorry I "
        "am / express my sympathy to {mourner} on the death of {deceased} / {mourner} is mourning for {deceased}, "
        "write some words of comfort / condolences to {mourner}, the deceased is {deceased} / let {mourner} know that "
        "I feel for them after the loss of {deceased} / offer {mourner} my deepest sympathy, {deceased} has passed "
        "away / I heard {deceased} passed away, console the widow {mourner} on my behalf",
        form=", send it by {form}",
    ),
    tool(
        "start_metronome",
        "Let the metronome beat for practising",
        "beats_per_minute=age meter?=2/4|3/4|4/4|6/8 accent_first?=boolean",
        "start the metronome at {beats_per_minute} beats per minute / metronome on, {beats_per_minute} bpm / I want "
        "to practise the scale, give me a steady beat of {beats_per_minute} a minute / tick at {beats_per_minute} so "
        "that I stay in time / let the click go at {beats_per_minute} beats a minute while I'm practising / tempo "
        "{beats_per_minute} beats per minute, tick for me / I always rush this piece, so beat time for me at "
        "{beats_per_minute} per minute / can you click along at {beats_per_minute} bpm",
        meter="in {meter} time",
        accent_first="with a stress on the first beat|with all beats alike",
    ),
    tool(
        "stop_metronome",
        "Silence the metronome",
        "",
        "stop the metronome / that ticking drives me mad, make it stop / metronome off / no more clicks, I'm through "
        "with practising / I've played enough scales, the beat can be quiet now / silence the ticking please / could "
        "you end the beat, I've put my violin away / enough of the click track of my practice",
    ),
    tool(
        "transpose_song",
        "Put a song into another key",
        "song=title from_key=C|D|E|F|G to_key=A|B|Bb|Eb|Ab instrument?=instrument",
        'transpose "{song}" from {from_key} to {to_key} / "{song}" is written in {from_key}, I need it in {to_key} / '
        'our singer can\'t reach the high notes of "{song}", move it from {from_key} to {to_key} / rewrite the '
        'chords of "{song}" for the key of {to_key}, so far it\'s in {from_key} / key change for "{song}", old key '
        '{from_key}, new key {to_key} / can we have "{song}" in {to_key} instead of {from_key} / to {to_key} from '
        '{from_key}: put "{song}" into the new key / I\'d like to play "{song}" in the key of {to_key}, my sheet '
        "music says {from_key}",
        instrument="for the {instrument}",
    ),
    tool(
        "roll_dice",
        "Throw dice for a game",
        "dice=several sides=4|6|8|10|12|20",
        "roll {dice} dice with {sides} sides / throw {dice} dice, each of them has {sides} sides / it's my turn and "
        "we've lost the dice, throw {dice} of the {sides} sided ones / shake {dice} dice, {sides} faces on each / "
        "{dice} dice pls, number of sides {sides} / we need chance to decide: {dice} dice, {sides} sides / my wizard "
        "attacks, that makes {dice} dice of {sides} sides / what do I get when I cast {dice} dice having {sides} faces",
    ),
    tool(
        "explain_game_rule",
        "Answer a question about the rules of a board game",
        "game=game question=topic",
        "explain the rules of {game} about {question} / we're arguing over {game}, what do the rules say on "
        '{question} / {game} rules, question: {question} / in {game}, how does it work with "{question}", according '
        "to the rulebook / my sister says I'm cheating at {game}, what's the rule for \"{question}\" / look "
        '"{question}" up in the rules of {game} / nobody has read the rulebook of {game}, clear up this point for us: '
        '{question} / about "{question}": is that allowed in {game}',
    ),
    tool(
        "kick_player",
        "Throw a player out of an online game",
        "player=user lobby=code reason?=cheating|insults|idling|spam ban_days?=days",
        "kick {player} out of lobby {lobby} / throw the player {player} out of the game in lobby {lobby} / {player} "
        "ruins the match in lobby {lobby} for us all, out with this player / lobby {lobby}, remove player {player} / "
        "I host lobby {lobby} and don't want {player} to go on playing there / we'd rather play without {player}, "
        "expel this account from the lobby {lobby} / show {player} the door, it's about lobby {lobby} / can the gamer "
        "{player} be ejected from {lobby}",
        reason="because of {reason}",
        ban_days="and ban the account for {ban_days}",
    ),
    tool(
        "trade_game_items",
        "Offer a player a swap of things in an online game",
        "partner=user give=sword|shield|potion|mount|bow receive=armor|amulet|scroll|crystal|helmet extra_gold?=count",
        "offer {partner} my {give} for the {receive} / I'd swap my {give} for the {receive} of the player {partner} / "
        "in the game, trade with {partner}: I give the {give}, I receive the {receive} / {partner} has got the "
        "{receive} that my hero lacks, propose my {give} in exchange / ask player {partner} for the {receive}, I'd "
        "give away the {give} / trade: give {give}, receive {receive}, partner {partner} / would {partner} take a "
        "{give} and let me have the {receive} / barter my hero's {give} for a {receive}, the other player is {partner}",
        extra_gold="and put {extra_gold} gold on top",
    ),
    tool(
        "get_league_table",
        "Standings of a league",
        "league=title scope?=home|away",
        "show the table of the league {league} / who is leading in the {league} league / standings of {league} / "
        "which clubs are at the bottom in {league} / I want to see the ranking in the league {league}, with all "
        "points / has our team climbed in {league}, give me the whole table / how many points does each team in "
        "{league} have / league table {league} pls",
        scope=", counting the {scope} games only",
    ),
    tool(
        "forfeit_match",
        "Give up a match of the league without playing",
        "team=team opponent=team match_date=day reason?=injuries|weather|travel|illness",
        "{team} forfeits the match against {opponent} on {match_date} / on {match_date} {team} can't play against "
        "{opponent}, the points go to the opponent / we of {team} don't have enough players, so we give up the match "
        "of {match_date}, the opponent is {opponent} / {team} won't show up to play {opponent} on {match_date}, let "
        "the opponent win without a game / give the match of {match_date} to the opponent {opponent} because {team} "
        "stays away / match {match_date}: {team} concedes without playing, opponent {opponent} / tell the league that "
        "{opponent} wins by default on {match_date}, as {team} withdraws / {team} hands a walkover to {opponent}, "
        "date {match_date}",
        reason=", the reason is {reason}",
    ),
    tool(
        "mark_episode_watched",
        "Note that an episode of a series has been seen",
        "series=show season=small episode=small rating?=five",
        "I've seen {series} season {season}, episode {episode} / mark episode {episode} from season {season} of "
        "{series} as watched / tick off {series}, season {season}, episode {episode} / yesterday we watched episode "
        "{episode} of {series}, that's in season {season} / {series}: season {season} episode {episode} is done / "
        "just finished episode {episode} in the season {season} of {series}, note it / set {series} to seen, season "
        "{season}, episode {episode} / no need to show me season {season} episode {episode} of {series} again, I know "
        "it",
        rating=", I'd give it {rating} out of 5",
    ),
    tool(
        "mark_episode_unwatched",
        "Note that an episode of a series is still to be seen",
        "series=show season=small episode=small",
        "I haven't seen {series} season {season}, episode {episode} yet / mark episode {episode} from season {season} "
        "of {series} as unwatched / I fell asleep during {series}, so episode {episode} of season {season} counts as "
        "not seen / take the tick off {series}, season {season}, episode {episode} / {series}: season {season} "
        "episode {episode} still to be watched / my brother used my account, I never watched season {season}, episode "
        "{episode} of {series} / set episode {episode} in season {season} of {series} back to unseen / season "
        "{season} of {series} has an episode {episode} that's wrongly shown as watched, change that",
    ),
    tool(
        "log_pages_read",
        "Note how far somebody has read in a book",
        "book=work pages=age reader?=first_name finished?=boolean",
        'I\'ve read {pages} pages of "{book}" / log {pages} pages for the book "{book}" / reading progress of '
        '"{book}": {pages} pages more / on the train I got through {pages} pages of the novel "{book}" / note down '
        '{pages} read pages, book "{book}" / "{book}", {pages} pages tonight / add {pages} pages to what\'s been '
        'read of "{book}" / last night it was {pages} pages from "{book}", write that in the reading log',
        reader=", the reader is {reader}",
        finished="and the book is finished|and the book isn't finished yet",
    ),
    tool(
        "set_reading_goal",
        "Fix how many books somebody wants to read",
        "reader=first_name books=several period=week|month|year genre?=crime|fantasy|romance|biography|poetry",
        "{reader} wants to read {books} books a {period} / set a reading goal for {reader}: {books} books per "
        "{period} / {reader} has promised to get through {books} books each {period} / the aim of {reader} is {books} "
        "books every {period} / {books} books a {period}, that's what {reader} plans to read / {reader} should read "
        "more, make {books} novels a {period} the target / reading target, {reader}, {books} per {period} / make "
        "{books} books in a {period} the goal for {reader}",
        genre=", genre {genre}",
    ),
    tool(
        "write_travel_diary",
        "Write an entry in the diary of a journey",
        "place=city date=date entry=message mood?=mood photos?=[file]",
        'travel diary, {date}, {place}: "{entry}" / on {date} we were in {place}, put "{entry}" in the diary of our '
        'journey / write "{entry}" in my travel diary under {date}, place {place} / add to the trip\'s journal that '
        "on {date} in {place} this was so: {entry} / we're in {place}, and for {date} the travel journal should say "
        '"{entry}" / I don\'t want to forget our day in {place}, note "{entry}" on {date} in the travel diary / '
        'the diary of our holiday gets an entry for {date}, from {place}, which reads "{entry}" / "{entry}" goes in '
        "our travel diary, in {place}, dated {date}",
        mood=", mood: {mood}",
        photos="with the photos {photos}",
    ),
    tool(
        "set_dating_filter",
        "Choose which singles a dating app proposes",
        "max_distance=kilometers looking_for=relationship|friendship|adventure|marriage languages?=[language] "
        "non_smokers_only?=boolean",
        "on the dating app show me people within {max_distance} who want {looking_for} / I'm single and looking for "
        "{looking_for}, propose nobody who lives more than {max_distance} away / dating filter: {looking_for}, up to "
        "{max_distance} / my matches should live no farther than {max_distance} from here and be after {looking_for} "
        "/ no more profiles from beyond {max_distance}, and only singles who are looking for {looking_for} / set the "
        "purpose of my dating profile to {looking_for} and the radius to {max_distance} / {max_distance} is as far as "
        "I'd go for a date, what I'm looking for is {looking_for} / swiping brings me the wrong matches, I want "
        "{looking_for} and at most {max_distance} between us",
        languages=", they should speak {languages}",
        non_smokers_only=", only non-smokers|, smokers or not",
    ),
    tool(
        "find_language_partner",
        "Find somebody to practise languages with",
        "native_language=language target_language=language level?=beginner|intermediate|advanced "
        "meet?=online|cafe|phone",
        "find me a language partner, I speak {native_language} and learn {target_language} / my mother tongue is "
        "{native_language}, who would swap it for {target_language} practice / tandem: I offer {native_language}, I'm "
        "learning {target_language} / I'm a native speaker of {native_language} and need someone to chat with in "
        "{target_language} / I want to practise my {target_language} with somebody who wants to learn "
        "{native_language}, my native language / who speaks {target_language} and would like conversations in "
        "{native_language}, which is my own language / looking for a tandem partner for {target_language}, in return "
        "I help with my native {native_language} / to improve my {target_language} I seek an exchange with someone, I "
        "grew up with {native_language}",
        level=", my level is {level}",
        meet=", preferred way of meeting: {meet}",
    ),
)
