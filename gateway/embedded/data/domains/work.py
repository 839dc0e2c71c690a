"""Mail, messaging, documents, tickets and people tools."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "send_email",
        "Send an email",
        "to=email subject=title body=message cc?=[email]",
        "send an email to {to} with subject {subject} and text {body} / "
        "email {to} about {subject}: {body} / write to {to}, subject {subject}, saying {body}",
        cc="with copy to {cc}",
        result="message_id=code",
        answer="The email to {to} is sent.",
    ),
    tool(
        "send_message",
        "Send a chat message",
        "recipient=first_name text=message",
        "send {recipient} a message saying {text} / tell {recipient}: {text} / "
        "message {recipient}: {text} / text {recipient} that says {text}",
        answer="I have told {recipient}.",
    ),
    tool(
        "send_sms",
        "Send a text message to a phone",
        "phone=phone text=message",
        "send an SMS to {phone}: {text} / text {phone} saying {text}",
    ),
    tool(
        "search_contacts",
        "Find a contact",
        "name=person company?=company",
        "find the contact {name} / look up {name} in my contacts / who is {name}",
        company="at {company}",
        result="email=email phone=phone",
        answer="{name} has the email {email}.",
    ),
    tool(
        "create_contact",
        "Store a contact",
        "name=person email=email phone?=phone",
        "save {name} with email {email} / add the contact {name}, {email}",
        phone="and phone {phone}",
    ),
    tool(
        "create_ticket",
        "Open a support ticket",
        "title=title priority=low|medium|high|urgent assignee?=user",
        "open a {priority} priority ticket called {title} / create a ticket {title} with priority {priority}",
        assignee="assigned to {assignee}",
        result="ticket=code",
        answer="Ticket {ticket} is open.",
    ),
    tool(
        "update_ticket",
        "Change the status of a ticket",
        "ticket_id=code status=open|pending|solved|closed",
        "set ticket {ticket_id} to {status} / mark {ticket_id} as {status} / "
        "change the status of {ticket_id} to {status}",
    ),
    tool(
        "get_ticket",
        "Read a ticket",
        "ticket_id=code",
        "show me ticket {ticket_id} / what is the state of ticket {ticket_id} / open {ticket_id}",
        result="title=title status=open|pending|solved",
        answer="Ticket {ticket_id}, {title}, is {status}.",
    ),
    tool(
        "create_document",
        "Create a document",
        "name=title folder?=title template?=letter|report|memo|blank",
        "create a document named {name} / start a new document called {name}",
        folder="in folder {folder}",
        template="from the {template} template",
    ),
    tool(
        "share_document",
        "Share a file with people",
        "file=file users=[email] permission=read|write|comment",
        "share {file} with {users} for {permission} access / give {users} {permission} access to {file}",
    ),
    tool(
        "search_files",
        "Search files by words",
        "query=product extension?=pdf|docx|txt|csv limit?=small",
        "find files about {query} / search my files for {query} / which files mention {query}",
        extension="of type {extension}",
        limit="at most {limit}",
        result="files=[file]",
        answer="I found {files}.",
    ),
    tool("read_file", "Read a file", "path=path", "read {path} / show me the content of {path} / open the file {path}"),
    tool(
        "write_file",
        "Write text to a file",
        "path=path content=message append?=boolean",
        "write {content} to {path} / save the text {content} in {path}",
        append="appending to it|replacing what is there",
    ),
    tool("delete_file", "Delete a file", "path=path", "delete {path} / remove the file {path}"),
    tool(
        "schedule_meeting",
        "Plan a meeting",
        "topic=topic participants=[first_name] date=date duration_minutes?=percent",
        "schedule a meeting about {topic} with {participants} on {date} / "
        "plan a {topic} meeting on {date} with {participants}",
        duration_minutes="for {duration_minutes} minutes",
    ),
    tool(
        "get_employee",
        "Look up an employee",
        "employee_id=big",
        "who is employee {employee_id} / show employee {employee_id} / get the data of employee number {employee_id}",
        result="name=person department=sales|legal|finance|research",
        answer="Employee {employee_id} is {name} in {department}.",
    ),
    tool(
        "request_leave",
        "Ask for days off",
        "start_date=date end_date=date reason?=vacation|sick|family",
        "I want leave from {start_date} to {end_date} / request days off from {start_date} until {end_date}",
        reason="because of {reason}",
    ),
    tool(
        "post_job",
        "Publish a job opening",
        "title=title salary=big remote?=boolean",
        "post a job for {title} with a salary of {salary} / publish the opening {title} paying {salary}",
        remote=", remote work possible|, on site",
    ),
    tool(
        "invite_user",
        "Invite users to a team",
        "team=word guests=[guest]",
        "invite {guests} to team {team} / add {guests} to the team {team}",
    ),
    tool(
        "create_task",
        "Create a task",
        "title=title due?=date tags?=[hashtag] priority?=low|normal|high",
        "create a task {title} / add the task {title} / new task: {title}",
        due="due {due}",
        tags="tagged {tags}",
        priority="with {priority} priority",
    ),
)
