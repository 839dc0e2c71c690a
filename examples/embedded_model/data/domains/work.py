"""Mail, messaging, documents, tickets and people tools."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "send_email",
        "Send an email",
        "to=email subject=title body=message cc?=[email]",
        "send an email to {to} with subject {subject} and text {body} / email {to} about {subject}: {body} / write "
        "to {to}, subject {subject}, saying {body} / let {to} have this in writing, subject {subject}: {body} / to "
        "{to}, re {subject}: {body} / could you mail {to} under the heading {subject} that {body} / {to} should find "
        "a mail titled {subject} in the inbox, reading {body} / drop {to} a line, subject {subject}, it should say "
        "{body}",
        cc="with copy to {cc}",
        result="message_id=code",
        answer="The email to {to} is sent.",
    ),
    tool(
        "send_message",
        "Send a chat message",
        "recipient=first_name text=message",
        "send {recipient} a message saying {text} / tell {recipient}: {text} / message {recipient}: {text} / text "
        "{recipient} that says {text} / let {recipient} know: {text} / {recipient} needs to hear this: {text} / "
        "could you pass this on to {recipient}: {text} / ping {recipient}: {text} / drop {recipient} a line that "
        "reads {text}",
        answer="I have told {recipient}.",
    ),
    tool(
        "send_sms",
        "Send a text message to a phone",
        "phone=phone text=message",
        "send an SMS to {phone}: {text} / text {phone} saying {text} / let the person with the number {phone} know: "
        "{text} / to {phone}: {text} / could you have {phone} receive these words: {text} / whoever has {phone} must "
        "read this: {text} / write to the mobile {phone} that {text}",
    ),
    tool(
        "search_contacts",
        "Find a contact",
        "name=person company?=company",
        "find the contact {name} / look up {name} in my contacts / who is {name} / how can I reach {name} / I need "
        "the number of {name} / do I have the details of {name} / could you dig out where I can reach {name} / do I "
        "have an entry for {name}",
        company="at {company}",
        result="email=email phone=phone",
        answer="{name} has the email {email}.",
    ),
    tool(
        "create_contact",
        "Store a contact",
        "name=person email=email phone?=phone",
        "save {name} with email {email} / add the contact {name}, {email} / I met {name} today, the address is "
        "{email}, keep it / {name} can be reached at {email}, note that / remember {name}: {email} / could you put "
        "{name}, {email}, in my address book / address book entry pls: {name}, {email}",
        phone="and phone {phone}",
    ),
    tool(
        "create_ticket",
        "Open a support ticket",
        "title=title priority=low|medium|high|urgent assignee?=user",
        "open a {priority} priority ticket called {title} / create a ticket {title} with priority {priority} / "
        "something is wrong, tell support: {title}, it is {priority} / could support look into {title}, the urgency "
        "is {priority} / I need help with {title}, rank it {priority} / {title}, {priority}, for the helpdesk pls / "
        "report the problem {title} to the helpdesk as {priority}",
        assignee="assigned to {assignee}",
        result="ticket=code",
        answer="Ticket {ticket} is open.",
    ),
    tool(
        "update_ticket",
        "Change the status of a ticket",
        "ticket_id=code status=open|pending|solved|closed",
        "set ticket {ticket_id} to {status} / mark {ticket_id} as {status} / change the status of {ticket_id} to "
        "{status} / {ticket_id} is now {status} / put {ticket_id} down as {status} / {ticket_id}: {status} pls / "
        "could you make {ticket_id} {status} / from now on the case {ticket_id} counts as {status}",
    ),
    tool(
        "get_ticket",
        "Read a ticket",
        "ticket_id=code",
        "show me ticket {ticket_id} / what is the state of ticket {ticket_id} / open {ticket_id} / what is "
        "{ticket_id} about / how far are they with my case {ticket_id} / has anybody dealt with {ticket_id} yet / "
        "let me see the case {ticket_id} / I reported a problem as {ticket_id}, any news",
        result="title=title status=open|pending|solved",
        answer="Ticket {ticket_id}, {title}, is {status}.",
    ),
    tool(
        "create_document",
        "Create a document",
        "name=title folder?=title template?=letter|report|memo|blank",
        "create a document named {name} / start a new document called {name} / I need an empty page headed {name} / "
        "let me write something called {name} / I want to start writing {name} / could you set up {name} so that I "
        "can begin to write / new doc {name} pls",
        folder="in folder {folder}",
        template="from the {template} template",
    ),
    tool(
        "share_document",
        "Share a file with people",
        "file=file users=[email] permission=read|write|comment",
        "share {file} with {users} for {permission} access / give {users} {permission} access to {file} / {users} "
        "should be able to open {file}, their right is {permission} / let {users} have {file} with {permission} "
        "rights / {file} for {users}, {permission} pls / could you let {users} into {file}, {permission} only / I "
        "work on {file} with {users}, who need {permission} rights",
    ),
    tool(
        "search_files",
        "Search files by words",
        "query=product extension?=pdf|docx|txt|csv limit?=small",
        "find files about {query} / search my files for {query} / which files mention {query} / where did I write "
        "about {query} / I once saved something about {query}, which one was it / do I have anything on {query} on "
        "the disk / could you dig out what I've stored about {query} / I can't remember where I put my notes on "
        "{query}, find them",
        extension="of type {extension}",
        limit="at most {limit}",
        result="files=[file]",
        answer="I found {files}.",
    ),
    tool(
        "read_file",
        "Read a file",
        "path=path",
        "read {path} / show me the content of {path} / open the file {path} / what does {path} say / let me see "
        "what's inside {path} / could you display {path} / {path}, contents pls / I'd like to know what is written "
        "in {path}",
    ),
    tool(
        "write_file",
        "Write text to a file",
        "path=path content=message append?=boolean",
        "write {content} to {path} / save the text {content} in {path} / {path} should hold {content} / let {path} "
        "say {content} / could you store {content} under {path} / I want to find the words {content} in {path} / "
        "{content} goes into {path}",
        append="appending to it|replacing what is there",
    ),
    tool(
        "delete_file",
        "Delete a file",
        "path=path",
        "delete {path} / remove the file {path} / I don't need {path} any more / get rid of {path} / {path} can go / "
        "could you erase {path} from the disk / throw {path} away",
    ),
    tool(
        "schedule_meeting",
        "Plan a meeting",
        "topic=topic participants=[first_name] date=date duration_minutes?=percent",
        "schedule a meeting about {topic} with {participants} on {date} / plan a {topic} meeting on {date} with "
        "{participants} / {participants} and I have to talk about {topic} on {date} / get {participants} together on "
        "{date} to discuss {topic} / {date}, {topic}, with {participants} pls / could you find a slot on {date} for "
        "{topic} with {participants} / on {date} I want to sit down with {participants} about {topic}",
        duration_minutes="for {duration_minutes} minutes",
    ),
    tool(
        "get_employee",
        "Look up an employee",
        "employee_id=big",
        "who is employee {employee_id} / show employee {employee_id} / get the data of employee number {employee_id} "
        "/ whose staff number is {employee_id} / who works here under the number {employee_id} / staff number "
        "{employee_id}, who is it / could you tell me which colleague has the number {employee_id} / a badge with "
        "the number {employee_id} was found, which colleague does it belong to",
        result="name=person department=sales|legal|finance|research",
        answer="Employee {employee_id} is {name} in {department}.",
    ),
    tool(
        "request_leave",
        "Ask for days off",
        "start_date=date end_date=date reason?=vacation|sick|family",
        "I want leave from {start_date} to {end_date} / request days off from {start_date} until {end_date} / I "
        "won't be at work from {start_date} to {end_date} / could I stay at home from {start_date} until {end_date} "
        "/ I'd like to be off from {start_date} through {end_date} / time off pls, {start_date} to {end_date} / tell "
        "my boss that I'm away between {start_date} and {end_date}",
        reason="because of {reason}",
    ),
    tool(
        "post_job",
        "Publish a job opening",
        "title=title salary=big remote?=boolean",
        "post a job for {title} with a salary of {salary} / publish the opening {title} paying {salary} / we're "
        "hiring: {title}, pay {salary} / we need new staff, {title}, and offer {salary} / let applicants know that "
        "we have {title} for {salary} / could you advertise {title}, we pay {salary} / vacancy: {title}, {salary}",
        remote=", remote work possible|, on site",
    ),
    tool(
        "invite_user",
        "Invite users to a team",
        "team=word guests=[guest]",
        "invite {guests} to team {team} / add {guests} to the team {team} / {guests} should work with us in {team} / "
        "let {guests} join {team} / could you bring {guests} into {team} / {guests} will be part of {team} from now "
        "on, let them in / new members for {team}: {guests}",
    ),
    tool(
        "create_task",
        "Create a task",
        "title=title due?=date tags?=[hashtag] priority?=low|normal|high",
        "create a task {title} / add the task {title} / new task: {title} / don't let me forget that I have to do "
        "{title} / it needs doing, write down {title} / to do: {title} / could you put {title} on my plate / "
        "somebody has to take care of {title}",
        due="due {due}",
        tags="tagged {tags}",
        priority="with {priority} priority",
    ),
)
