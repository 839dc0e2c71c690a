"""Music, podcasts, films, pictures."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "play_album",
        "Play a whole album",
        "album=work artist?=artist",
        "play the album {album} / put on the record {album} from start to finish / I feel like hearing all of "
        "{album} / album {album} / could you play {album}, the whole album / let's listen to {album}, every track "
        "in order / start the LP {album} please / spin {album} for me, all sides",
        artist="by {artist}",
        answer="Playing the album {album}.",
    ),
    tool(
        "pause_playback",
        "Pause what is playing on a device",
        "device=speaker|tv|phone|headphones|radio",
        "pause the {device} / somebody's at the door, hold the music on the {device} / {device} pause / please "
        "stop the {device} for a moment / freeze what's on the {device}, I'll be right back / could you halt the "
        "{device} while I take this call / quiet on the {device} for a second, I'll go on listening later / I need "
        "a short break from the {device}, keep my place",
        answer="Paused.",
    ),
    tool(
        "resume_playback",
        "Go on playing what was paused on a device",
        "device=speaker|tv|phone|headphones|radio",
        "resume the {device} / I'm back, go on with what was on the {device} / {device} continue / carry on "
        "playing on the {device} / unpause the {device} please / where were we, let the {device} go on / could the "
        "{device} pick up where it stopped / the call is over, let me hear the rest on the {device}",
    ),
    tool(
        "previous_track",
        "Go back some tracks",
        "steps=handful",
        "go back {steps} tracks / play what was on {steps} songs ago / back {steps} / I liked the one {steps} "
        "songs before, play that again / jump {steps} tracks backwards / could we hear the one from {steps} tracks "
        "earlier / rewind by {steps} songs please / return {steps} titles in the list",
    ),
    tool(
        "raise_volume",
        "Make a device louder by some percent",
        "device=speaker|tv|phone|headphones|radio percent=percentage",
        "turn the {device} up by {percent} / {device} {percent} louder / I can hardly hear the {device}, give it "
        "{percent} more / please raise the volume of the {device} by {percent} / crank the {device} up another "
        "{percent} / could you make the {device} {percent} louder / {device} vol +{percent} / the {device} is too "
        "quiet, add {percent}",
    ),
    tool(
        "lower_volume",
        "Make a device quieter by some percent",
        "device=speaker|tv|phone|headphones|radio percent=percentage",
        "turn the {device} down by {percent} / {device} {percent} quieter / the {device} hurts my ears, take off "
        "{percent} / please lower the volume of the {device} by {percent} / the baby is asleep, {percent} less on "
        "the {device} / could you make the {device} {percent} softer / {device} vol -{percent} / the {device} is "
        "too loud, reduce it by {percent}",
    ),
    tool(
        "mute_sound",
        "Switch the sound of a device off",
        "device=tv|speaker|phone|laptop|radio",
        "mute the {device} / no sound from the {device} please / {device} silent / I want to see but not hear the "
        "{device} / shut the {device} up / could you make the {device} completely silent / cut the sound on the "
        "{device} / the {device} should not make a noise now",
    ),
    tool(
        "unmute_sound",
        "Switch the sound of a device on again",
        "device=tv|speaker|phone|laptop|radio",
        "unmute the {device} / give me the sound of the {device} back / {device} sound on again / why is the "
        "{device} silent, I want to hear it / you may let the {device} make noise again / please end the silence "
        "of the {device} / the {device} is on mute, change that / could I hear the {device} again",
    ),
    tool(
        "queue_song",
        "Play a song after the current one",
        "song=work artist?=artist position?=next|last",
        "queue {song} / play {song} after this one / {song} in the queue / don't interrupt, but {song} should come "
        "up soon / line up {song} please / could {song} be among the upcoming songs / I'd like to hear {song} when "
        "this is over / add {song} to what plays next",
        artist="by {artist}",
        position=", place it {position}",
        answer="{song} is in the queue.",
    ),
    tool(
        "remove_from_queue",
        "Take a song out of the play queue",
        "song=work",
        "take {song} out of the queue / I don't want {song} to come up, drop it / queue without {song} / {song} is "
        "lined up, but nobody wants it / please remove {song} from the upcoming songs / could you strike {song} "
        "from the play queue / don't play {song} later / unqueue {song}",
    ),
    tool(
        "remove_song_from_playlist",
        "Delete a song from a playlist",
        "song=work playlist=title",
        "remove {song} from the playlist {playlist} / {song} doesn't fit into {playlist}, throw it out / playlist "
        "{playlist} minus {song} / I'm sick of {song}, it has to leave my list {playlist} / could you take {song} "
        "off {playlist} / delete the track {song} in my playlist {playlist} / I never want to hear {song} in "
        "{playlist} again / please clean up the playlist {playlist}, {song} goes",
    ),
    tool(
        "rename_playlist",
        "Give a playlist a new name",
        "playlist=title new_name=title",
        "rename the playlist {playlist} to {new_name} / call my playlist {playlist} {new_name} from now on / "
        "playlist {playlist} -> {new_name} / the name {playlist} is silly for a playlist, make it {new_name} / "
        "please change the name of the playlist {playlist} to {new_name} / could {playlist}, my list of songs, be "
        "called {new_name} / I'd like the playlist {playlist} to have the title {new_name}",
    ),
    tool(
        "delete_playlist",
        "Delete a playlist",
        "playlist=title",
        "delete the playlist {playlist} / I never listen to my list {playlist}, get rid of it / playlist "
        "{playlist} delete / please throw away the whole playlist {playlist} / could you erase my song list "
        "{playlist} / the playlist {playlist} may go, all of it / wipe the playlist {playlist} from my account / I "
        "don't need the songs in {playlist} as a list any more, bin it",
    ),
    tool(
        "subscribe_podcast",
        "Get every new episode of a podcast",
        "podcast=podcast notify?=boolean",
        "subscribe to {podcast} / I want every new episode of {podcast} / podcast {podcast} subscribe / I don't "
        "want to miss {podcast} any more / please follow the podcast {podcast} for me / could {podcast} be among "
        "my regular podcasts / keep me supplied with {podcast} / new shows of {podcast} should land in my feed",
        notify=", and tell me about new episodes|, but without notifications",
    ),
    tool(
        "unsubscribe_podcast",
        "Stop getting the episodes of a podcast",
        "podcast=podcast",
        "unsubscribe from {podcast} / no more episodes of {podcast} please / podcast {podcast} unsubscribe / I got "
        "bored of {podcast}, it needn't land in my feed / please stop following the podcast {podcast} / could you "
        "get {podcast} out of my regular podcasts / my phone is full of {podcast}, don't fetch any new ones / I'm "
        "through with {podcast}",
    ),
    tool(
        "like_song",
        "Mark a song as a favourite",
        "song=work",
        "like {song} / {song} is great, remember that / heart {song} / I love {song}, mark it / please put a like "
        "on {song} / {song} belongs to my favourites / could you give {song} a thumbs up / more like {song}, "
        "that's one of my favourite songs",
    ),
    tool(
        "unlike_song",
        "Take a song off the favourites",
        "song=work",
        "unlike {song} / I don't love {song} any more / take the heart off {song} / {song} is no longer a "
        "favourite of mine / please withdraw my like from {song} / I liked {song} by mistake, undo that / could "
        "you drop {song} from my favourites / {song}: no like from me any longer",
    ),
    tool(
        "unfollow_artist",
        "Stop following an artist",
        "artist=artist",
        "unfollow {artist} / I'm no longer interested in news from {artist} / artist {artist} unfollow / stop "
        "following {artist} / please don't tell me about new releases by {artist} any longer / could you take "
        "{artist} off the artists I follow / I've had enough of {artist}, no updates / I don't care any more what "
        "{artist} brings out",
    ),
    tool(
        "remove_from_watchlist",
        "Take a title off the watch list",
        "title=show",
        "take {title} off my watchlist / I've seen {title} already, it can leave the list / watchlist minus "
        "{title} / no need to keep {title} for later, I won't watch it / please remove {title} from the things I "
        "want to watch / could you delete {title} from my watch list / {title} is boring, cross it off what I plan "
        "to watch / I gave up on {title}, strike it from the watchlist",
    ),
    tool(
        "crop_image",
        "Cut an image to a size in pixels",
        "file=file width=big height=big",
        "crop {file} to {width} by {height} / cut {file} down to {width} x {height} pixels / {file} crop "
        "{width}x{height} / I only need a part of {file}, {width} wide and {height} high / trim the edges of "
        "{file} so that {width} by {height} is left / could you cut out {width} by {height} pixels of {file} / "
        "please make a {width} x {height} cutout from {file} / the borders of {file} have to go, keep {width} by "
        "{height}",
        answer="The crop of {file} is saved.",
    ),
    tool(
        "rotate_image",
        "Turn an image",
        "file=file angle=90|180|270 direction?=left|right",
        "rotate {file} by {angle} degrees / {file} is lying on its side, turn it {angle} degrees / turn {file} "
        "{angle} / rotate {angle}: {file} / could you spin the picture {file} {angle} degrees / I held the camera "
        "wrong, {file} needs a turn of {angle} degrees / please turn the photo {file} around by {angle} degrees / "
        "{file} looks wrong unless you turn it by {angle} degrees",
        direction="to the {direction}",
    ),
    tool(
        "mirror_image",
        "Flip an image",
        "file=file axis=horizontal|vertical",
        "mirror {file}, {axis} / flip the picture {file}, {axis} axis / {file} {axis} flip / the text in my selfie "
        "{file} reads backwards, do a {axis} flip / please give me the mirror image of {file}, {axis} / could you "
        "flip {file} in {axis} direction / I need {file} the other way round, {axis} / make a {axis} mirror "
        "picture out of {file}",
    ),
    tool(
        "shrink_image",
        "Make an image smaller by some percent",
        "file=file percent=percentage",
        "shrink {file} by {percent} / make the picture {file} {percent} smaller / {file} is too big to upload, "
        "take off {percent} / {file} size -{percent} / please scale {file} down by {percent} / could you reduce "
        "the photo {file} by {percent} / I need {file} {percent} smaller / bring {file} down in size, {percent} "
        "less",
    ),
    tool(
        "enlarge_image",
        "Make an image bigger by some percent",
        "file=file percent=percentage",
        "enlarge {file} by {percent} / make the picture {file} {percent} bigger / {file} is tiny, add {percent} to "
        "its size / {file} size +{percent} / please scale {file} up by {percent} / could you blow up the photo "
        "{file} by {percent} / I need {file} {percent} larger for the poster / nobody can see anything on {file}, "
        "give it {percent} more size",
    ),
)
