"""Mail, conversations, meetings."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "archive_email",
        "Move an email out of the inbox into the archive",
        "subject=title sender?=person",
        "archive the email {subject} / can you archive the mail about {subject} / "
        "please put the message {subject} into the archive / "
        "{subject} is dealt with, I just want it out of my inbox but not lost / mail {subject}: archive / "
        "get {subject} off my inbox and keep it for later reference / "
        "I don't need to see the {subject} thread any more, store it away / "
        "would you mind archiving {subject} for me",
        sender="from {sender}",
        answer="I have archived {subject}.",
    ),
    tool(
        "unarchive_email",
        "Bring an archived email back into the inbox",
        "subject=title",
        "unarchive the email {subject} / bring the mail {subject} back into my inbox / "
        "I archived {subject} too early, put it back / could you move {subject} from the archive to the inbox / "
        "{subject} out of the archive please / "
        "I need to deal with {subject} again, it should be among my new mails / "
        "take the message {subject} out of the archive / can {subject} be back in my inbox",
        answer="{subject} is in the inbox again.",
    ),
    tool(
        "mark_email_read",
        "Mark an email as read",
        "subject=title",
        "mark {subject} as read / mark the email {subject} read please / "
        "I know what {subject} says, it shouldn't count as new any more / can you set {subject} to read / "
        "{subject}: read / stop showing the mail {subject} in bold, I have seen it / "
        "please flag {subject} as already read / tick off the message {subject}, I went through it",
        answer="{subject} is marked as read.",
    ),
    tool(
        "mark_email_unread",
        "Mark an email as unread",
        "subject=title",
        "mark {subject} as unread / set the mail {subject} back to unread / "
        "could you make {subject} unread again / I only skimmed {subject}, let it show up as new again / "
        "{subject}: unread / please flag the email {subject} as not read yet / "
        "I opened {subject} by accident, make it look untouched / "
        "the message {subject} should be bold in my list again",
        answer="{subject} is unread again.",
    ),
    tool(
        "snooze_email",
        "Hide an email until a later day",
        "subject=title until=day",
        "snooze {subject} until {until} / hide the mail {subject} till {until} / "
        "can you snooze the email {subject} to {until} / "
        "I can't deal with {subject} now, show it to me again on {until} / {subject}: snooze, {until} / "
        "please let {subject} come back on {until} / "
        "bring {subject} up again on {until}, I don't want to see it before / "
        "not now with {subject}, {until} is better",
        answer="{subject} comes back on {until}.",
    ),
    tool(
        "star_email",
        "Put a star on an email",
        "subject=title",
        "star the email {subject} / put a star on {subject} / can you star {subject} for me / "
        "{subject} is important, highlight it in my inbox / star on {subject} please / "
        "I want to spot the mail {subject} at a glance / please give the message {subject} a star / "
        "make {subject} stand out among my mails",
        answer="{subject} has a star.",
    ),
    tool(
        "unstar_email",
        "Take the star off an email",
        "subject=title",
        "unstar the email {subject} / remove the star from {subject} / can you take the star off {subject} / "
        "{subject} isn't important any more, it need not stand out / no star on {subject} please / "
        "unstar {subject} / please unmark the mail {subject} as a favourite / "
        "the message {subject} should look like any other again",
        answer="{subject} has no star any more.",
    ),
    tool(
        "report_spam",
        "Report mails of a sender as spam",
        "sender=email",
        "report {sender} as spam / mark the mail from {sender} as spam / "
        "{sender} keeps sending me junk, tell the filter / can you flag {sender} as a spammer / {sender}: spam / "
        "everything from {sender} belongs in the junk folder / "
        "please report the mail I got from {sender} as junk / "
        "I never signed up for anything from {sender}, treat it as rubbish",
        answer="I have reported {sender}.",
    ),
    tool(
        "draft_email",
        "Write an email and keep it as a draft",
        "to=email subject=title body=message",
        "draft an email to {to} about {subject}: {body} / "
        "prepare a mail to {to}, subject {subject}, text {body}, but don't send it yet / "
        "can you write a draft to {to} with the subject {subject} saying {body} / "
        "new draft: {to}, {subject}, {body} / "
        "I want to look over it before it goes out: to {to}, subject {subject}, body {body} / "
        "please save a draft for {to} titled {subject} with the text {body} / "
        "get a message for {to} ready, subject {subject}, it should say {body}, I'll send it myself / "
        'draft to {to} with subject "{subject}" and text "{body}"',
        answer="The draft to {to} is saved.",
    ),
    tool(
        "discard_draft",
        "Throw away a draft",
        "subject=title",
        "discard the draft {subject} / throw away my draft about {subject} / can you bin the draft {subject} / "
        "I won't send {subject} after all, get rid of what I wrote / draft {subject}: discard / "
        "please drop the unsent mail {subject} / forget the message {subject} that I had started / "
        "what I began writing about {subject} can go",
        answer="The draft {subject} is gone.",
    ),
    tool(
        "schedule_email",
        "Send a draft at a later day and time",
        "subject=title date=day time=clock",
        "schedule the email {subject} for {date} at {time} / send my draft {subject} on {date} at {time} / "
        "can the mail {subject} go out on {date} at {time} / {subject} shouldn't leave before {date}, {time} / "
        "mail {subject}: send later, {date} {time} / please have {subject} delivered on {date} at {time} / "
        "hold {subject} back and let it go on {date} at {time} / "
        "at {time} on {date} the email {subject} has to be sent",
        answer="{subject} goes out on {date}.",
    ),
    tool(
        "recall_message",
        "Take back a message that was sent",
        "recipient=first_name",
        "recall my last message to {recipient} / unsend what I just wrote to {recipient} / "
        "can I take back the message to {recipient} / oops, {recipient} shouldn't have got that, pull it back / "
        "message to {recipient}: recall / please undo sending to {recipient} / "
        "I wrote to {recipient} by mistake, make it disappear on their side / take back what I sent {recipient}",
        answer="The message to {recipient} is recalled.",
    ),
    tool(
        "mute_conversation",
        "Stop notifications of a chat",
        "chat=title hours?=hours",
        "mute {chat} / mute the conversation {chat} / can you silence the chat {chat} / "
        "{chat} keeps pinging, I need some peace / no notifications from {chat} please / "
        "turn off the alerts of {chat} / I can't focus with {chat} beeping all the time / chat {chat}: mute",
        hours="for {hours}",
        answer="{chat} is muted.",
    ),
    tool(
        "unmute_conversation",
        "Let a chat notify again",
        "chat=title",
        "unmute {chat} / unmute the conversation {chat} / can you turn the notifications of {chat} back on / "
        "I want to hear from {chat} again / {chat} has been silent long enough, let it ping me / "
        "chat {chat}: unmute / please let {chat} make a sound again / don't keep {chat} quiet any longer",
        answer="{chat} is no longer muted.",
    ),
    tool(
        "unpin_message",
        "Remove a pinned message from a channel",
        "message=title channel=hashtag",
        "unpin {message} in {channel} / take the pin off {message} in the {channel} channel / "
        "can you unpin the message {message} from {channel} / "
        "{message} need not stay at the top of {channel} any more / {channel}: unpin {message} / "
        "please remove the pinned post {message} from {channel} / "
        "people in {channel} don't need {message} stuck up there / "
        "the note {message} in #{channel} is outdated, it shouldn't be fixed on top",
        answer="{message} is no longer pinned.",
    ),
    tool(
        "join_channel",
        "Join a chat channel",
        "channel=hashtag",
        "join the channel {channel} / join #{channel} / can you add me to {channel} / "
        "I want to follow what they discuss in {channel} / let me into the {channel} channel / "
        "channel {channel}: join / sign me up for the {channel} chat please / I should be a member of {channel}",
        answer="You are in {channel} now.",
    ),
    tool(
        "leave_channel",
        "Leave a chat channel",
        "channel=hashtag",
        "leave the channel {channel} / leave #{channel} / can you take me out of {channel} / "
        "I no longer work on that, I don't need to be in {channel} / get me out of the {channel} channel / "
        "channel {channel}: leave / please drop me from the {channel} chat / "
        "I'm done with {channel}, remove me there",
        answer="You have left {channel}.",
    ),
    tool(
        "edit_message",
        "Change the text of a message that was sent",
        "recipient=first_name text=message",
        "edit my last message to {recipient} so that it says {text} / "
        "change what I wrote to {recipient} to {text} / "
        "can you correct the message to {recipient}, it should read {text} / "
        "there's a typo in what I sent {recipient}, make it {text} / "
        "message to {recipient}, new wording: {text} / "
        "please replace the text of my message to {recipient} with {text} / "
        "what I told {recipient} was wrong, let it say {text} instead / edit: {recipient} should see {text}",
        answer="The message to {recipient} is changed.",
    ),
    tool(
        "cancel_event",
        "Cancel a calendar event",
        "title=occasion date=day reason?=message",
        "cancel {title} on {date} / call off {title} on {date} / can you cancel the {date} event {title} / "
        "{title} won't take place on {date}, let everybody know / {date}, {title}: cancel / "
        "please take {title} on {date} off the calendar / we don't need {title} on {date} after all / "
        "strike {title} from my calendar for {date}",
        reason=", the reason is: {reason}",
        answer="{title} is cancelled.",
    ),
    tool(
        "restore_event",
        "Put a cancelled event back into the calendar",
        "title=occasion date=day",
        "restore the event {title} on {date} / put {title} on {date} back into the calendar / "
        "can you undo the cancellation of {title} on {date} / {title} takes place on {date} after all / "
        "{title}, {date}: restore / please bring back {title} that was cancelled for {date} / "
        "I removed {title} on {date} by mistake, I want it back / reinstate {title} for {date}",
        answer="{title} is back in the calendar.",
    ),
    tool(
        "postpone_event",
        "Move an event back by some days",
        "title=occasion days=days",
        "postpone {title} by {days} / push {title} back by {days} / can {title} be {days} later / "
        "we aren't ready for {title}, give us {days} more / {title}: plus {days} / "
        "please delay {title} by {days} / put {title} off for {days} / "
        "let's have {title} {days} after the planned day",
        answer="{title} is {days} days later.",
    ),
    tool(
        "accept_invitation",
        "Accept the invitation to an event",
        "title=occasion",
        "accept the invitation to {title} / say yes to {title} / can you accept {title} for me / "
        "tell them I'll be at {title} / {title}: accept / please confirm that I am coming to {title} / "
        "count me in for {title} / I'd love to be there for {title}, let the host know",
        answer="You have accepted {title}.",
    ),
    tool(
        "decline_invitation",
        "Decline the invitation to an event",
        "title=occasion message?=message",
        "decline the invitation to {title} / say no to {title} / can you decline {title} for me / "
        "tell them I can't make it to {title} / {title}: decline / please turn down {title} / "
        "count me out for {title} / I won't have time for {title}, let the host know",
        message="with the note {message}",
        answer="You have declined {title}.",
    ),
    tool(
        "add_attendee",
        "Add a person to a calendar event",
        "name=person title=occasion",
        "add {name} to {title} / invite {name} to the event {title} / "
        "can you put {name} on the list for {title} / {name} should be at {title} too / {title}: plus {name} / "
        "please include {name} in {title} / I forgot {name} when I set up {title} / "
        "make {name} a participant of {title}",
        answer="{name} is invited to {title}.",
    ),
    tool(
        "remove_attendee",
        "Take a person off a calendar event",
        "name=person title=occasion",
        "remove {name} from {title} / uninvite {name} from the event {title} / "
        "can you take {name} off the list for {title} / {name} need not be at {title} / "
        "{title}: without {name} / please drop {name} from {title} / "
        "we can do {title} without {name}, take them off / {name} is no longer a participant of {title}",
        answer="{name} is off {title}.",
    ),
    tool(
        "block_time",
        "Keep a time in the calendar free of meetings",
        "date=day start=clock end=clock",
        "block {start} to {end} on {date} / block my calendar on {date} from {start} to {end} / "
        "can you keep {date} free for me between {start} and {end} / "
        "I need to concentrate on {date} from {start} to {end}, nobody should book me / "
        "{date}, {start} - {end}: blocked / please reserve {start} to {end} on {date} for focused work / "
        "no meetings on {date} between {start} and {end} / mark me as busy from {start} until {end} on {date}",
        answer="The time on {date} is blocked.",
    ),
    tool(
        "list_meetings",
        "List the meetings of a day",
        "date=day",
        "list my meetings on {date} / what meetings do I have on {date} / what is on my calendar for {date} / "
        "am I busy on {date} / agenda {date} / could you tell me who I am seeing on {date} / "
        "show me my schedule for {date} / how does my {date} look",
        result="count=small first=occasion",
        answer="There are {count} meetings, the first is {first}.",
    ),
)
