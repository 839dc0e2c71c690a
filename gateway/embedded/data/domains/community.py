"""Tools of friends, clubs and feasts, and of the games, music, series and books that they share."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "pin_chat_message",
        "Fix a message to the top of a group chat",
        "chat=title message_id=code notify_members?=boolean",
        'pin message {message_id} in the chat "{chat}" / everybody in {chat} keeps missing message {message_id}, fix '
        "it to the top / message {message_id} should stay at the top of the {chat} group / in {chat}, stick "
        "{message_id} to the top of the conversation / the address is in message {message_id}, make it the pinned one "
        "in {chat} / chat {chat}: put message {message_id} up where nobody can overlook it / can message number "
        "{message_id} always be the first thing we see in {chat} / {chat} group, {message_id} on top pls",
        notify_members="and let the members know|without notifying anyone",
    ),
    tool(
        "unpin_chat_message",
        "Take a message off the top of a group chat",
        "chat=title message_id=code",
        'unpin message {message_id} in the chat "{chat}" / message {message_id} at the top of {chat} is old news, '
        "take it off there / message {message_id} needn't be stuck to the top of {chat} any more / in the {chat} "
        "group, let {message_id} go from the top / remove the pin from message {message_id} in {chat} / the party's "
        "over, so loosen message {message_id} from the top of the {chat} chat / chat {chat}: {message_id} no longer "
        "on top / could you free the top of {chat} from message {message_id}",
    ),
    tool(
        "set_disappearing_messages",
        "Let the messages of a chat vanish after a while",
        "chat_with=first_name vanish_after=hours include_photos?=boolean",
        "messages in my chat with {chat_with} should vanish after {vanish_after} / after {vanish_after}, wipe "
        "whatever {chat_with} and I write to each other / turn on disappearing messages with {chat_with}, timer "
        "{vanish_after} / I don't want my texts with {chat_with} to last longer than {vanish_after} / {vanish_after}, "
        "then everything in the conversation with {chat_with} should be gone by itself / self-deleting chat with "
        "{chat_with}: {vanish_after} / disappearing texts between {chat_with} and me, gone {vanish_after} later / "
        "{chat_with} and I want our messages to fade away after {vanish_after}",
        include_photos=", photos too|, but leave the photos",
    ),
    tool(
        "keep_chat_history",
        "Stop the vanishing of messages in a chat",
        "chat_with=first_name",
        "messages in my chat with {chat_with} should no longer vanish / stop wiping what {chat_with} and I write to "
        "each other / from now on keep everything in the chat with {chat_with} / turn off the disappearing messages "
        "with {chat_with} / I want to be able to reread my talks with {chat_with}, so don't let them vanish / "
        "{chat_with}: keep our chat history / no more self-deleting texts between {chat_with} and me / the chat with "
        "{chat_with} keeps emptying itself, put an end to that",
    ),
    tool(
        "forward_voice_message",
        "Pass a voice message on to somebody",
        "voice_message_id=code to=person",
        "forward voice message {voice_message_id} to {to} / let {to} hear voice message {voice_message_id} too / {to} "
        "should get the voice note {voice_message_id} / voice note {voice_message_id}, pass it on to {to} / the "
        "recording {voice_message_id} in my chat is for {to} as well, send it along / could {to} have a listen to the "
        "audio message {voice_message_id} / {to} missed the spoken message {voice_message_id}, hand it on / pass "
        "audio {voice_message_id} along to {to}",
    ),
    tool(
        "react_to_post",
        "Put a reaction under somebody's post",
        "post_id=code reaction=heart|laugh|wow|sad|angry",
        'react to post {post_id} with {reaction} / give the post {post_id} a "{reaction}" / put the {reaction} icon '
        'under post {post_id} / I feel like leaving "{reaction}" on what she posted, it\'s post {post_id} / post '
        '{post_id}: {reaction} from me / my reaction to {post_id} is "{reaction}", click it for me / under the post '
        '{post_id} I want to show "{reaction}" / "{reaction}" is what I want on post number {post_id}',
    ),
    tool(
        "withdraw_reaction",
        "Take back one's reaction to a post",
        "post_id=code",
        "take back my reaction to post {post_id} / I clicked on a heart under post {post_id} by mistake, undo that / "
        "remove the smiley that I left on post {post_id} / nobody should see that I reacted to {post_id} / post "
        "{post_id}: withdraw my reaction / I don't want my laugh under the post {post_id} any more / oops, that angry "
        "face on post {post_id} was an accident, get rid of it / clear what I clicked under post number {post_id}",
    ),
    tool(
        "tag_people_in_photo",
        "Mark who can be seen in a photo",
        "photo=file people=[person]",
        "tag {people} in the photo {photo} / {photo} shows {people}, mark them / in the picture {photo} you can see "
        "{people}, put their names on it / the people in {photo} are {people}, label them / write on {photo} who is "
        "there: {people} / {people} are in the snapshot {photo}, link their names / photo {photo}, tags: {people} / "
        "could you add the names of {people} to the picture {photo}",
    ),
    tool(
        "untag_person_from_photo",
        "Remove somebody's name from a photo",
        "photo=file person=person",
        "untag {person} from the photo {photo} / {person} isn't in {photo} at all, remove the tag / the photo {photo} "
        "must not show the name of {person} any more / {person} doesn't want to be found by the picture {photo}, take "
        "the name off / remove the name {person} from the picture {photo} / photo {photo}: no tag for {person} any "
        "longer / somebody labelled the wrong face as {person} in {photo}, delete that label / take the tag with "
        "{person} off {photo}",
    ),
    tool(
        "create_shared_album",
        "Start a photo album that several people fill",
        "album_name=title contributors=[first_name] expires_on?=day sort_order?=newest|oldest|favorites",
        'start a shared album called "{album_name}" with {contributors} / {contributors} and I took lots of pictures, '
        "make an album {album_name} where we all can put them / open a common photo album for {contributors}, name: "
        "{album_name} / we need one place for everyone's snapshots, call it {album_name}, with {contributors} as "
        "contributors / album {album_name}, to be filled by {contributors} / set up the album {album_name} so that "
        "{contributors} can add their photos / let {contributors} contribute photos to a new album by the name of "
        "{album_name} / I'd like to collect pictures from {contributors} in an album titled {album_name}",
        expires_on=", available until {expires_on}",
        sort_order=", with the {sort_order} first",
    ),
    tool(
        "unfriend_person",
        "Remove somebody from one's list of friends",
        "person=person hide_my_posts?=boolean",
        "unfriend {person} / {person} and I aren't friends any more, remove the contact from my friends list / strike "
        "{person} off my list of friends / I've had enough of {person}, end our friendship on here / {person} doesn't "
        "belong among my friends any more / drop {person} from my friends pls / after that quarrel I no longer want "
        "{person} as a friend online / can you take {person} out of my circle of friends",
        hide_my_posts="and hide my posts from them|and leave my posts visible",
    ),
    tool(
        "list_mutual_friends",
        "Friends that two people have in common",
        "first_person=person second_person=person",
        "which friends do {first_person} and {second_person} have in common / list the mutual friends of "
        "{first_person} and {second_person} / whom do both {first_person} and {second_person} know / {first_person} "
        "and {second_person}: common acquaintances / how come {first_person} knows {second_person}, who is friends "
        "with both / show who's connected to {first_person} as well as to {second_person} / I wonder who the shared "
        "buddies of {first_person} and {second_person} are / is there anybody who is friends with {first_person} and "
        "also with {second_person}",
    ),
    tool(
        "uninvite_guest",
        "Take back the invitation of a guest",
        "guest=person event=occasion apology?=message",
        "{guest} should not come to {event} after all, take back the invitation / uninvite {guest} from {event} / "
        "withdraw the invitation to {event} that {guest} got / we can't have {guest} at {event}, cancel that "
        "invitation / {event}: {guest} is no longer invited / tell {guest} that the invitation to {event} doesn't "
        "stand any more / strike {guest} off the guest list of {event} / {guest} quarrelled with the host, so no "
        "{event} for this guest",
        apology=', apologise with the words "{apology}"',
    ),
    tool(
        "bring_dish_to_potluck",
        "Say which food somebody brings to a potluck",
        "contributor=first_name dish=dish servings=several vegetarian?=boolean",
        "{contributor} brings {dish} for {servings} people to the potluck / put {contributor} down for {dish} at the "
        "potluck, {servings} servings / for the shared buffet {contributor} makes {dish}, enough for {servings} / "
        "potluck: {dish} from {contributor}, {servings} portions / {dish} will be {contributor}'s contribution to the "
        "potluck, it serves {servings} / write on the potluck list that {contributor} comes with {servings} servings "
        "of {dish} / everyone brings something to eat, {contributor} chose {dish} and will have {servings} portions / "
        "{servings} portions of {dish} are what {contributor} contributes to the buffet",
        vegetarian=", it's vegetarian|, it isn't vegetarian",
    ),
    tool(
        "start_date_poll",
        "Ask a group which date suits them",
        "event=occasion dates=[date] deadline?=day",
        "start a poll on when to have {event}: {dates} / when shall we hold {event}, let everybody choose between "
        "{dates} / ask the group which date suits them for {event}, the options are {dates} / we can't agree on a "
        "date for {event}, put {dates} to the vote / open a date poll with {dates} for {event} / {event}: {dates}, "
        "let the others say what suits them / propose {dates} to everyone as possible dates for {event} / I want a "
        "doodle with {dates}, it's about {event}",
        deadline=", answers are due by {deadline}",
    ),
    tool(
        "vote_in_date_poll",
        "Give one's answer to a date in a group's poll",
        "voter=first_name event=occasion date=date vote=good|unsure|impossible",
        'in the poll for {event}, {voter} votes "{vote}" on {date} / {voter} says {date} is "{vote}", enter that in '
        'the date poll of {event} / date poll for {event}: {date}, vote {vote}, from {voter} / put "{vote}" for '
        "{voter} in the {event} poll, it's about {date} / mark {date} as {vote} for {voter} in the poll about {event} "
        "/ as for {event}, {voter} finds the proposed {date} {vote}, tick that / the answer of {voter} to the "
        "proposed date {date} for {event} is {vote} / {voter}'s vote in the poll on {event}: {date} {vote}",
    ),
    tool(
        "plan_surprise_party",
        "Plan a secret party for somebody",
        "celebrated=first_name venue=restaurant date=day accomplices=[first_name] budget?=amount",
        "plan a surprise party for {celebrated} at {venue} on {date}, accomplices: {accomplices} / {celebrated} "
        "mustn't know, but we're having a party at {venue} on {date} with the help of {accomplices} / on {date} we "
        "want to surprise {celebrated} at {venue}, accomplices: {accomplices} / secret party: {celebrated}, {date}, "
        "{venue}, helpers {accomplices} / together with {accomplices} I'd like to throw a secret bash for "
        "{celebrated} on {date} at {venue} / lure {celebrated} to {venue} on {date}, a surprise party is waiting "
        "there, my accomplices: {accomplices} / {venue}, {date}: that's where {celebrated} gets surprised, with "
        "{accomplices} keeping the secret / let {accomplices} help with the surprise celebration for {celebrated}, "
        "place {venue}, on {date}",
        budget="with a budget of {budget}",
    ),
    tool(
        "draw_secret_santa",
        "Draw lots for who gives a present to whom",
        "participants=[first_name] price_limit=amount",
        "draw secret santa among {participants}, gifts up to {price_limit} / who gives whom a present, "
        "{participants}, draw lots, limit {price_limit} / we'd like to play secret santa with presents of at most "
        "{price_limit}, taking part: {participants} / for our secret gift exchange with {participants}, draw the "
        "names, price limit {price_limit} / christmas at the office: let chance decide who of {participants} buys for "
        "whom, nothing above {price_limit} / price limit {price_limit}, secret santa, {participants} / put "
        "{participants} in the hat and draw the names for the gift exchange, max {price_limit} a present / instead of "
        "everyone buying for everyone, each gives one secret gift of no more than {price_limit}, participants "
        "{participants}",
    ),
    tool(
        "lend_item_to_neighbor",
        "Note that a neighbor has borrowed something",
        "item=ladder|drill|wheelbarrow|lawnmower|tent neighbor=last_name return_by=day",
        "lend the {item} to our neighbor {neighbor} until {return_by} / {neighbor} from next door borrows my {item} "
        "and brings it back by {return_by} / note that the {item} is with the neighbor {neighbor}, due back "
        "{return_by} / I've given the {item} to {neighbor} across the street, back on {return_by} / the {neighbor}s "
        "need our {item}, they can have it until {return_by} / {item} goes to neighbor {neighbor}, return by "
        "{return_by} / until {return_by} the {item} is on loan to the {neighbor} family next door / the family "
        "{neighbor} on the second floor asked for the {item}, lent till {return_by}",
    ),
    tool(
        "reclaim_lent_item",
        "Ask a neighbor to give back what was borrowed",
        "item=ladder|drill|wheelbarrow|lawnmower|tent neighbor=last_name",
        "ask {neighbor} next door to give back the {item} / {neighbor} still has our {item}, I want it back / remind "
        "the neighbor {neighbor} that the borrowed {item} is mine / I need my {item} again, it's at the {neighbor}s' "
        "/ when does {neighbor} return the {item}, ask for it / get the {item} back from the neighbor {neighbor} / "
        "the {item} that {neighbor} borrowed is overdue, claim it back / neighbor {neighbor}, {item}: please bring it "
        "back",
    ),
    tool(
        "offer_neighbor_help",
        "Offer help to the people of one's street",
        "helper=first_name kind=shopping|gardening|babysitting|repairs|rides street=street weekday=weekday "
        "hours_free?=several",
        "{helper} can help the neighbors at {street} with {kind} on {weekday} / offer {kind} to people around "
        "{street}, {helper} has time on {weekday} / let everybody near {street} know that {helper} is glad to do "
        "{kind} on a {weekday} / {weekday}: {helper} offers {kind}, street {street} / I'm {helper}, I live at "
        "{street} and on {weekday} I've time to help with {kind} / whoever at {street} needs {kind} on {weekday} can "
        "count on {helper} / if a neighbor at {street} could use a hand with {kind}, {helper} is free on {weekday} / "
        "on {weekday} put {helper} on the board of {street} as a helper, kind of help: {kind}",
        hours_free="for {hours_free} hours",
    ),
    tool(
        "request_neighbor_help",
        "Ask the people of one's street for help",
        "requester=first_name kind=shopping|gardening|babysitting|repairs|rides street=street needed_on=day "
        "urgent?=boolean",
        "{requester} at {street} needs help from the neighbors with {kind} on {needed_on} / ask around {street} who "
        "could do {kind} for {requester} on {needed_on} / who near {street} can lend {requester} a hand with {kind} "
        "on {needed_on} / I'm {requester}, on {needed_on} I can't manage the {kind} alone, ask the people at {street} "
        "/ neighbors at {street}, {requester} is looking for somebody to help with {kind}, needed on {needed_on} / "
        "{kind} needed on {needed_on} by {requester}, {street} / could somebody living by {street} assist {requester} "
        "with {kind}, it's for {needed_on} / {requester} has broken a leg, request {kind} from the folks at {street} "
        "for {needed_on}",
        urgent=", it's urgent|, it's not urgent",
    ),
    tool(
        "sign_up_volunteer",
        "Put somebody down for a volunteer shift",
        "volunteer=person project=soup_kitchen|food_bank|shelter|beach_cleanup|charity_shop date=day "
        "shift=morning|afternoon|evening",
        "put {volunteer} down for the {shift} shift of the {project} on {date} / {volunteer} wants to volunteer at "
        "the {project} on {date} in the {shift} / sign {volunteer} up as a helper, project {project}, {date}, {shift} "
        "shift / on {date} {volunteer} can do unpaid work for the {project}, {shift} shift / {volunteer} has time for "
        "a good cause on {date}: {project}, {shift} shift / the {project} is short of hands on {date} and {volunteer} "
        "is willing to come in the {shift} / {shift} shift, {project}, {date}: {volunteer} will lend a hand / I'd "
        "like {volunteer} to join the volunteers of the {project} for the {shift} of {date}",
    ),
    tool(
        "swap_volunteer_shift",
        "Let another volunteer take over a shift",
        "from_volunteer=person to_volunteer=person date=day",
        "{from_volunteer} can't do the volunteer shift on {date}, {to_volunteer} takes over / swap the volunteer "
        "shift of {date} from {from_volunteer} to {to_volunteer} / let {to_volunteer} stand in for {from_volunteer}, "
        "who was to volunteer on {date} / give {to_volunteer} the volunteering duty that {from_volunteer} had on "
        "{date} / instead of {from_volunteer}, {to_volunteer} helps at the volunteer shift on {date} / volunteers, "
        "{date}: out goes {from_volunteer}, in comes {to_volunteer} / on {date} {to_volunteer} replaces "
        "{from_volunteer} among the volunteers / {from_volunteer} is ill and hands the volunteer shift of {date} over "
        "to {to_volunteer}",
    ),
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
