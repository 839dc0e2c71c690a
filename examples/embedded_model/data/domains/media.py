"""Tools for music, films, games and people's networks."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "play_artist",
        "Play songs of an artist on a speaker",
        "artist=artist room?=place shuffle?=boolean",
        "play something by {artist} / put some {artist} on / I'm in the mood for {artist} / I want to listen to "
        "{artist} / let's hear {artist} / could we have music of {artist}",
        room="in the {room}",
        shuffle="in random order|in the usual order",
        answer="Here is {artist}.",
    ),
    tool(
        "play_genre",
        "Play music of a genre",
        "genre=genre minutes?=minutes",
        "play {genre} / I feel like {genre} / we have guests, some {genre} would be nice / give me a bit of {genre} "
        "/ can you put {genre} on / some {genre} pls",
        minutes="for {minutes}",
    ),
    tool(
        "skip_track",
        "Go to another track in the queue",
        "direction=next|previous",
        "go to the {direction} track / I don't like this, {direction} song / {direction} one pls / play the "
        "{direction} song / jump to the {direction} title / take me to the {direction} piece in the queue",
    ),
    tool(
        "get_song_lyrics",
        "Words of a song",
        "song_title=work performer=artist",
        "show the lyrics of {song_title} by {performer} / what are the words of {song_title}, the song by "
        "{performer} / how does {performer} sing {song_title}, I want to read it / {performer} has a song "
        "{song_title}, what's the text / I'd like to sing along to {song_title} by {performer}, get me the lyrics / "
        "lyrics {song_title} {performer} pls",
    ),
    tool(
        "identify_song",
        "Recognise the song that is playing",
        "seconds?=small source?=microphone|radio|video",
        "what song is this / which song is playing / I know this tune but not its name / tell me what I'm hearing / "
        "who sings this / recognise the music",
        seconds="after listening for {seconds} seconds",
        source="from the {source}",
        result="song=work artist=artist",
        answer="This is {song} by {artist}.",
    ),
    tool(
        "add_song_to_playlist",
        "Put a song on a playlist",
        "playlist=work track=work artist?=artist",
        "add {track} to the playlist {playlist} / put {track} on my list {playlist} / the playlist {playlist} still "
        "lacks {track} / I'd like to have the song {track} in {playlist} / {playlist} should contain {track} / save "
        "the track {track} under {playlist}",
        artist="by {artist}",
        answer="{track} is on {playlist}.",
    ),
    tool(
        "find_concerts",
        "Live music in a city",
        "city=city when?=today|tomorrow|weekend genre?=genre max_price?=price",
        "who plays live in {city} / looking for concerts in {city} / I'm in {city} and want to hear live music / "
        "are there any gigs in {city} / which bands perform in {city} / show me what concerts {city} has to offer",
        when=", time: {when}",
        genre=", I like {genre}",
        max_price="for up to {max_price}",
        result="band=artist venue=title",
        answer="{band} play at {venue}.",
    ),
    tool(
        "buy_concert_tickets",
        "Buy tickets for a band's show",
        "band=artist city=city tickets=several category?=standing|seated|vip",
        "{tickets} tickets for {band} in {city} / I want to see {band} in {city}, we are {tickets} / get {tickets} "
        "tickets when {band} come to {city} / {band} play in {city} and {tickets} of us would love to go / can you "
        "buy me {tickets} seats for the show of {band} in {city} / {city} {band} {tickets} tix pls",
        category=", category {category}",
        result="order=code",
        answer="The tickets for {band} are order {order}.",
    ),
    tool(
        "follow_artist",
        "Get news when an artist releases something",
        "artist_name=artist notify_by?=email|push|none",
        "follow {artist_name} / I don't want to miss anything new by {artist_name} / tell me whenever {artist_name} "
        "release a record / keep me up to date about {artist_name} / I'm a fan of {artist_name}, add them to those "
        "I follow / subscribe me to {artist_name}",
        notify_by=", notifications: {notify_by}",
    ),
    tool(
        "play_podcast",
        "Play an episode of a podcast",
        "podcast=podcast episode?=big speed?=slow|normal|fast",
        "play the podcast {podcast} / I'd like to hear {podcast} on my way to work / put {podcast} on, it's podcast "
        "time / start the latest {podcast} / let me listen to {podcast} / continue with {podcast}",
        episode=", episode {episode}",
        speed="at {speed} speed",
    ),
    tool(
        "play_radio_station",
        "Tune in to a radio station",
        "station=company volume?=percentage",
        "tune in to {station} / turn on {station} on the radio / what are they saying on {station}, switch the "
        "radio to it / I'd like the radio, station {station} / radio {station} pls / let the radio play {station}",
        volume="at {volume}",
    ),
    tool(
        "get_showtimes",
        "When a cinema shows a film",
        "movie=work city=city date?=day language?=language",
        "when does {movie} run in {city} / I need showtimes for {movie} in {city} / I want to see {movie}, I live "
        "in {city} / is {movie} in the cinema in {city} / which cinemas in {city} show {movie} / at what time can "
        "we watch {movie} in {city}",
        date="on {date}",
        language="in {language}",
        result="cinema=title time=clock",
        answer="{movie} runs at {time} in {cinema}.",
    ),
    tool(
        "buy_cinema_tickets",
        "Reserve seats for a film",
        "film=work seats=several showtime=clock row?=small theater?=company",
        "{seats} seats for {film} at {showtime} / book {film} at {showtime} for {seats} people / we are {seats} and "
        "want to watch {film} at {showtime} / at {showtime} they show {film}, reserve {seats} seats / my friends "
        "and I, {seats} in all, want to see the film {film}, the showing at {showtime} / {seats} tickets {film} "
        "{showtime} pls",
        row="in row {row}",
        theater="at {theater}",
        result="booking=code",
        answer="Your seats for {film} are booked as {booking}.",
    ),
    tool(
        "search_movies",
        "Find films by what they are like",
        "genre=comedy|thriller|drama|horror|western|documentary released_after?=year starring?=person "
        "max_minutes?=minutes",
        "find a {genre} to watch / I feel like a {genre} / which {genre} can you recommend / suggest a film, I'm "
        "thinking of a {genre} / we want to watch a {genre} / a good {genre} pls",
        released_after="made after {released_after}",
        starring="with {starring}",
        max_minutes="not longer than {max_minutes}",
        result="film=work",
        answer="How about {film}?",
    ),
    tool(
        "get_movie_cast",
        "Who acts in a film",
        "title=work role?=person",
        "who plays in {title} / I want the cast of {title} / which actors are in {title} / I just watched {title}, "
        "who was in it / tell me who stars in the film {title} / {title}: names of the actors please",
        role=", I mean the role of {role}",
    ),
    tool(
        "rate_movie",
        "Give a film stars",
        "movie_title=work stars=five comment?=message",
        "I give {movie_title} {stars} stars / {movie_title} deserves {stars} stars / rate the film {movie_title} "
        "with {stars} / {stars} out of 5 for {movie_title} / we saw {movie_title} and found it worth {stars} stars "
        "/ put down {stars} stars for {movie_title}",
        comment="and write: {comment}",
        answer="{movie_title} has {stars} stars from you.",
    ),
    tool(
        "add_to_watchlist",
        "Remember a series or film for later",
        "show_name=show priority?=low|high",
        "I want to watch {show_name} some day / add {show_name} to my watchlist / everybody talks about "
        "{show_name}, keep it for later / remember {show_name} for the weekend / put the series {show_name} on the "
        "list of what I want to see / watch later: {show_name} pls",
        priority="with {priority} priority",
    ),
    tool(
        "resume_show",
        "Go on with a series on a screen",
        "show=show season=handful episode=handful screen?=TV|tablet|projector|phone",
        "play {show}, season {season}, episode {episode} / let us go on with {show}, we are at episode {episode} of "
        "season {season} / I want to see episode {episode} of the season {season} of {show} / {show} season "
        "{season} ep {episode} pls / we stopped {show} in season {season} before episode {episode}, continue there "
        "/ put on episode {episode}, season {season}, the series is {show}",
        screen="on the {screen}",
    ),
    tool(
        "record_program",
        "Record a TV programme",
        "channel=company program=show start_time=clock end_time=clock",
        "record {program} on {channel} from {start_time} to {end_time} / {channel} shows {program} from "
        "{start_time} until {end_time} and I'm not home, record it / I'll miss {program}, it's on {channel}, "
        "{start_time} to {end_time} / from {start_time} until {end_time} record what {channel} shows, it's "
        "{program} / tape {program} for me: {channel}, start {start_time}, end {end_time}",
        answer="{program} will be recorded.",
    ),
    tool(
        "set_sleep_timer",
        "Stop playback after some time",
        "after=minutes",
        "stop the music in {after} / I'm going to sleep, turn it all off after {after} / sleep timer {after} pls / "
        "let it play for {after} and then be silent / in {after} I'll be asleep, end the playback then / only "
        "{after} more, then switch off the sound",
    ),
    tool(
        "search_games",
        "Find games to play",
        "players=several kind=board|card|video|party max_minutes?=minutes min_age?=age",
        "a {kind} game for {players} players / we are {players} and want to play a {kind} game / which {kind} games "
        "can {players} people play / {players} of us are bored, find us a {kind} game / suggest a {kind} game that "
        "works with {players} / I need a {kind} game, there will be {players} of us",
        max_minutes="that takes at most {max_minutes}",
        min_age="from {min_age} years on",
        result="game=game",
        answer="Try {game}.",
    ),
    tool(
        "record_game_score",
        "Write down who got how many points in a game",
        "game=game player=first_name points=big won?=boolean",
        "{player} got {points} points in {game} / write down {points} points for {player}, we're playing {game} / "
        "in {game} {player} reached {points} / the score for {game}: {player} {points} / we played {game} and "
        "{player} ended with {points} points / note the result of {player} in {game}, it is {points}",
        won="and won|and did not win",
        answer="{points} points for {player}.",
    ),
    tool(
        "get_game_price",
        "Price of a video game in a shop",
        "game_title=game platform=pc|switch|playstation|xbox",
        "what does {game_title} cost on {platform} / I need the price of {game_title} for {platform} / my nephew "
        "wants {game_title} for his {platform}, how expensive is it / how much is {game_title} if I play on "
        "{platform} / {platform} {game_title} price / I have a {platform}, is {game_title} cheap at the moment",
        result="price=price",
        answer="{game_title} costs {price}.",
    ),
    tool(
        "invite_to_game",
        "Ask friends to join an online game",
        "game=game friends=[user] start=clock voice_chat?=boolean",
        "invite {friends} to play {game} at {start} / ask {friends} if they want to join me in {game} at {start} / "
        "at {start} I play {game}, get {friends} to come / {game} at {start} with {friends} / I'd like to play "
        "{game} together with {friends}, say at {start} / round of {game}, {start}, players {friends} pls",
        voice_chat="with voice chat|without voice chat",
    ),
    tool(
        "post_status",
        "Publish a status on a social network",
        "text=message visibility?=public|friends|private",
        'post this: {text} / share with my followers: {text} / tell my timeline {text} / I want to publish "{text}" '
        '/ put "{text}" up as my status / my new status: {text}',
        visibility=", visible as {visibility}",
    ),
    tool(
        "upload_photo",
        "Upload a picture with a caption to an album",
        "file=file album=title caption?=message tagged?=[first_name]",
        "upload {file} to the album {album} / put the picture {file} into {album} / the photo {file} belongs into "
        "the album {album} / {file} should go in album {album} / I took {file} yesterday, add it to the album named "
        "{album} / publish the image {file}, album {album}",
        caption='with the caption "{caption}"',
        tagged="and tag {tagged}",
    ),
    tool(
        "follow_account",
        "Follow somebody on a social network",
        "username=user notifications?=boolean",
        "follow {username} / I want to see what {username} posts / add {username} to the accounts I follow / "
        "{username} is funny, follow that account / start following the user {username} / subscribe to the posts of "
        "{username}",
        notifications="with notifications|without notifications",
    ),
    tool(
        "mute_account",
        "Hide the posts of somebody for some days",
        "account=user days=several",
        "mute {account} for {days} days / I don't want to see anything from {account} for {days} days / {account} "
        "gets on my nerves, hide them for {days} days / keep {account} quiet for {days} days / no posts of "
        "{account} in my feed for the next {days} days / for {days} days leave out what {account} writes",
    ),
    tool(
        "send_friend_request",
        "Ask a person to connect on a social network",
        "full_name=person message?=message met_at?=occasion",
        "send {full_name} a friend request / I'd like to be friends with {full_name} / add {full_name} to my "
        "friends / ask {full_name} to connect with me / I just got to know {full_name}, make us friends here / "
        "befriend {full_name}",
        message="and write: {message}",
        met_at=", we met at: {met_at}",
        answer="The request to {full_name} is sent.",
    ),
)
