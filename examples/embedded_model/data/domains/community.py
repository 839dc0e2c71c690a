"""Social tools: chats, photos, friends, invitations, neighbours and clubs."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
