"""Mail, calendars, documents, spreadsheets, translation, search and law."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "gmail_search",
        "Search the mailbox",
        "query=topic from_address?=email after?=day unread_only?=boolean",
        'find mails about "{query}" / which messages in my inbox mention "{query}" / search gmail for "{query}" / I '
        'once got a mail on "{query}", where is it / look through my mail for "{query}"',
        from_address="from {from_address}",
        after="received after {after}",
        unread_only=", unread ones only|, read or not",
        result="subjects=[title]",
        answer="I found {subjects}.",
    ),
    tool(
        "reply_to_email",
        "Answer a mail",
        "message_id=id body=message reply_all?=boolean",
        'reply "{body}" to the mail {message_id} / answer {message_id} with "{body}" / the mail {message_id} needs the '
        'answer "{body}" / to message {message_id}, write back "{body}" / respond to {message_id} by saying "{body}"',
        reply_all="to everybody on it|to the sender alone",
        answer="I have answered the mail.",
    ),
    tool(
        "forward_email",
        "Forwards a mail to other people.",
        "message_id=id recipients=[email] note?=title",
        "forward {message_id} to {recipients} / {recipients} should get the mail {message_id} / pass {message_id} on "
        "to {recipients} / let {recipients} read message {message_id} / send {recipients} the mail {message_id} I "
        "received",
        note='with the note "{note}"',
    ),
    tool(
        "create_mail_filter",
        "Sort incoming mail automatically",
        "sender=email folder=word mark_read?=boolean",
        "mails from {sender} belong in the folder {folder} / put everything {sender} sends me into {folder} / filter "
        "{sender} to {folder} / as often as {sender} writes, file it under {folder} / my folder {folder} is for mail "
        "by {sender}",
        mark_read="marked as read|left unread",
    ),
    tool(
        "set_out_of_office",
        "Set an automatic reply while you are away",
        "start=day end=day message=message",
        'I am away from {start} to {end}, answer my mail with "{message}" / auto-reply "{message}" between {start} and '
        '{end} / from {start} until {end}, tell people who write: "{message}" / set my out of office to "{message}", '
        '{start} to {end} / to those who write to me from {start} to {end}, say "{message}"',
        answer="Your automatic reply is set from {start} to {end}.",
    ),
    tool(
        "unsubscribe",
        "Stop a newsletter",
        "sender=email",
        "no more newsletters from {sender} / unsubscribe me from {sender} / I do not want mail by {sender} any longer "
        "/ get me off the list of {sender} / {sender} keeps sending ads, make it stop",
    ),
    tool(
        "find_free_slot",
        "Find a time when everybody is free",
        "attendees=[person] day=day duration_minutes=minutes",
        "when are {attendees} free for {duration_minutes} on {day} / on {day}, find {duration_minutes} that suit "
        "{attendees} / {attendees} need to talk for {duration_minutes} on {day}, when can they / look for a gap of "
        "{duration_minutes} on {day} in the calendars of {attendees} / we want {duration_minutes} with {attendees} on "
        "{day}, what time works",
        result="slot=time",
        answer="All are free at {slot}.",
    ),
    tool(
        "reschedule_event",
        "Move an event to another time",
        "event=occasion new_date=day new_time=clock",
        'move "{event}" to {new_date} at {new_time} / "{event}" is now on {new_date} at {new_time} / put "{event}" off '
        'to {new_time} on {new_date} / the new time of "{event}" is {new_time} on {new_date} / we cannot make it, '
        'shift "{event}" to {new_date}, {new_time}',
        answer="{event} is on {new_date} at {new_time}.",
    ),
    tool(
        "respond_to_invitation",
        "Accept or decline an invitation",
        "event_id=id response=accept|decline|tentative note?=title",
        "{response} the invitation {event_id} / my answer to {event_id} is {response} / answer invitation {event_id} "
        "with {response} / as to {event_id}, {response} / set my response for the event {event_id} to {response}",
        note='with the note "{note}"',
    ),
    tool(
        "create_recurring_event",
        "Create an event that repeats",
        "title=occasion weekday=weekday time=clock until?=day duration_minutes?=minutes",
        '"{title}" takes place every {weekday} at {time} / every {weekday} at {time} we have "{title}" / put "{title}" '
        'into the calendar each {weekday}, {time} / repeat "{title}" on {weekday} at {time} / I want "{title}" in my '
        "week: {weekday}, {time}",
        until="until {until}",
        duration_minutes="for {duration_minutes}",
    ),
    tool(
        "notion_create_page",
        "Create a page in Notion",
        "title=title parent=word tags?=[hashtag]",
        'make a page "{title}" under {parent} / in {parent}, start a Notion page called "{title}" / add "{title}" as a '
        'page to {parent} / we keep notes on "{title}", open a page below {parent} / new notion page "{title}" in '
        "{parent}",
        tags="tagged {tags}",
    ),
    tool(
        "append_to_document",
        "Add a paragraph at the end of a document",
        "document=file text=message",
        'add "{text}" to the end of {document} / the document {document} should end with "{text}" / write "{text}" '
        'below what {document} says / {document} lacks a paragraph: "{text}" / append to {document} the line "{text}"',
    ),
    tool(
        "summarize_document",
        "Summarize a document",
        "file=file max_words?=count language?=language style?=bullets|prose|headline",
        "summarize {file} / what does {file} say in short / give me the gist of {file} / I have no time to read "
        "{file}, shorten it / boil {file} down to the main points",
        max_words="in {max_words} words at most",
        language="in {language}",
        style="as {style}",
    ),
    tool(
        "convert_document",
        "Convert a document to another format",
        "file=file target_format=pdf|docx|html|txt|odt",
        "convert {file} to {target_format} / I need {file} as {target_format} / make {target_format} out of {file} / "
        "{file} should be {target_format} / export {file} in {target_format} format",
        result="file_id=code",
        answer="The {target_format} is {file_id}.",
    ),
    tool(
        "merge_pdfs",
        "Merge PDF files into one",
        "files=[file] output=file",
        "merge {files} into {output} / {output} should hold the pages of {files} / join {files} and save it as "
        "{output} / I want {files} in one file called {output} / make one PDF {output} from {files}",
    ),
    tool(
        "sign_document",
        "Request a signature",
        "document=file signers=[email] deadline?=day",
        "{signers} must sign {document} / get {document} signed by {signers} / send {document} to {signers} for "
        "signature / we need the signature of {signers} under {document} / ask {signers} to sign {document}",
        deadline="by {deadline}",
        answer="The request for {document} is sent.",
    ),
    tool(
        "ocr_image",
        "Read the text of a scanned image",
        "image=url language?=language",
        "what is written on {image} / read the text in the scan {image} / extract the words of {image} / turn the "
        "picture {image} into text / I cannot copy the text of {image}, read it out",
        language="which is in {language}",
    ),
    tool(
        "sheets_update_values",
        "Set the values of cells in a spreadsheet",
        "spreadsheet=title range=cells value=big",
        'write {value} into {range} of "{spreadsheet}" / cells {range} in "{spreadsheet}" should be {value} / in '
        '"{spreadsheet}", fill {range} with {value} / set {range} to {value} in the sheet "{spreadsheet}" / the sheet '
        '"{spreadsheet}" needs {value} in {range}',
        answer="{range} holds {value} now.",
    ),
    tool(
        "sheets_read_range",
        "Get the values in a range of cells",
        "spreadsheet=title range=cells sheet?=word",
        'what is in {range} of "{spreadsheet}" / read {range} from "{spreadsheet}" / show the cells {range} of the '
        'table "{spreadsheet}" / in "{spreadsheet}", look at {range} / I need the numbers from {range} in '
        '"{spreadsheet}"',
        sheet="on the sheet {sheet}",
    ),
    tool(
        "excel_add_formula",
        "Put a formula over a range of cells",
        "file=file function=sum|average|min|max|count source_range=cells",
        "put the {function} of {source_range} into {file} / {file} should show the {function} over {source_range} / in "
        "{file}, compute {function} for {source_range} / add a {function} formula over {source_range} to {file} / we "
        "want the {function} of cells {source_range} in {file}",
    ),
    tool(
        "sort_sheet",
        "Sort a sheet by a column",
        "file=file column=word descending?=boolean",
        "sort {file} by {column} / order the rows of {file} by the column {column} / {file} is a mess, arrange it by "
        "{column} / the rows in {file} should follow {column} / by {column}, sort {file}",
        descending="from high to low|from low to high",
    ),
    tool(
        "create_pivot_table",
        "Creates a pivot table",
        "file=file rows=word values=word aggregate=sum|mean|count columns?=word",
        "pivot {file}: {rows} against the {aggregate} of {values} / from {file}, show the {aggregate} of {values} per "
        "{rows} / make a pivot table of {file} with rows {rows} and the {aggregate} of {values} / for each {rows} in "
        "{file} I want the {aggregate} of {values} / group {file} by {rows} with the {aggregate} over {values}",
        columns="with columns by {columns}",
    ),
    tool(
        "create_presentation",
        "Create slides",
        "title=title slide_count?=small theme?=light|dark|corporate",
        'make slides called "{title}" / I have to present "{title}", prepare a deck / create a presentation named '
        '"{title}" / put together a slide deck on "{title}" / we need slides for "{title}"',
        slide_count="with {slide_count} slides",
        theme="in the {theme} theme",
    ),
    tool(
        "deepl_translate_document",
        "Translate a whole document, formally or informally",
        "document=file target_lang=language source_lang?=language formality?=formal|informal",
        "translate {document} into {target_lang} / I need {document} in {target_lang} / {document} should be "
        "{target_lang} in the end / make a {target_lang} version of {document} / our partners read {target_lang} only, "
        "translate {document} / put the document {document} into {target_lang}",
        source_lang=", the original is {source_lang}",
        formality=", {formality} tone",
        result="file=file",
        answer="The {target_lang} version is {file}.",
    ),
    tool(
        "detect_language",
        "Find out which language a text is in",
        "text=message",
        'what language is "{text}" / in which language is "{text}" written / tell the language of "{text}" / I cannot '
        'read "{text}", what language could that be / detect the language: "{text}"',
        result="language=language",
        answer="It is {language}.",
    ),
    tool(
        "proofread",
        "Correct the spelling and grammar of a text",
        "file=file dialect?=british|american|australian keep_style?=boolean",
        "check the spelling in {file} / are there mistakes in {file} / proofread {file} / {file} goes to print, "
        "correct it first / I wrote {file} in a hurry, look for typos",
        dialect="in {dialect} English",
        keep_style="keeping my style|changing the style where needed",
    ),
    tool(
        "search_images",
        "Find pictures on the web. Returns their addresses",
        "query=topic count?=small color?=color license?=free|commercial|any",
        'find pictures of "{query}" / what does "{query}" look like / I need an image that shows "{query}" / photos of '
        '"{query}" / get me some images for "{query}" / show me "{query}" in pictures',
        count=", {count} results",
        color=", mostly {color}",
        license="with a {license} license",
        result="pictures=[url]",
        answer="I found {pictures}.",
    ),
    tool(
        "search_wikipedia",
        "Look up an article in Wikipedia",
        "article=topic language?=language section?=word",
        'what does Wikipedia say about "{article}" / get the wikipedia article on "{article}" / look "{article}" up in '
        'Wikipedia / I need the encyclopedia entry for "{article}" / open Wikipedia at "{article}"',
        language="in {language}",
        section="and go to the section {section}",
    ),
    tool(
        "search_scholar",
        "Search scientific papers",
        "query=topic author?=person since_year?=year max_results?=small",
        'which papers treat "{query}" / find studies on "{query}" / search the literature for "{query}" / I am writing '
        'about "{query}" and need sources / get articles from journals about "{query}"',
        author="by {author}",
        since_year="since {since_year}",
        max_results=", no more than {max_results}",
    ),
    tool(
        "cite_source",
        "Format a citation",
        "doi=id style=apa|mla|chicago|ieee",
        "cite {doi} in {style} style / how do I cite {doi} in {style} / I need the {style} reference for {doi} / {doi} "
        "as {style} citation / make the {style} entry of the paper {doi}",
    ),
    tool(
        "search_case_law",
        "Search court decisions",
        "query=topic court?=supreme|appeals|district from_year?=year jurisdiction?=country",
        'find rulings on "{query}" / has a court decided about "{query}" / search case law for "{query}" / which '
        'judgments deal with "{query}" / my client sues over "{query}", find precedents',
        court="from {court} courts",
        from_year="since {from_year}",
        jurisdiction="in {jurisdiction}",
    ),
    tool(
        "draft_contract",
        "Draft a contract between two parties",
        "kind=lease|sale|employment|loan first_party=company second_party=person start_date=day",
        "draft the {kind} contract between {first_party} and {second_party}, starting {start_date} / {first_party} and "
        "{second_party} need an agreement ({kind}) as of {start_date} / from {start_date}, one {kind} contract shall "
        "bind {first_party} and {second_party} / write up the {kind} contract of {first_party} with {second_party}, "
        "effective {start_date} / the {kind} contract that {first_party} signs with {second_party} begins on "
        "{start_date}, write it",
        result="document=file",
        answer="The draft is in {document}.",
    ),
    tool(
        "add_court_date",
        "Enter a hearing into the case file",
        "case_number=code hearing=day time=clock judge?=person",
        "the hearing in {case_number} is on {hearing} at {time} / the case {case_number} is heard on {hearing}, {time} "
        "/ note the court date of {case_number}: {hearing} at {time} / on {hearing} at {time} we are in court for "
        "{case_number} / enter {hearing}, {time} as hearing of {case_number}",
        judge="before judge {judge}",
    ),
    tool(
        "redact_document",
        "Black out sensitive data in a document",
        "file=file categories=[names|addresses|phones|amounts|dates]",
        "black out the {categories} in {file} / {file} must not show {categories} / redact {categories} from {file} / "
        "before we publish {file}, hide the {categories} / make {categories} unreadable in {file}",
    ),
)
