"""Notes, tasks, files and folders, contacts."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "create_note",
        "Create a note",
        "title=title text=message folder?=word",
        "create a note {title}: {text} / note under {title}: {text} / "
        "can you take a note called {title} that says {text} / write down {text} under the title {title} / "
        "new note, {title}, {text} / I must not forget this about {title}: {text} / "
        "please jot down {text} and call it {title} / keep this for me as {title}: {text}",
        folder="in the folder {folder}",
        answer="The note {title} is saved.",
    ),
    tool(
        "delete_note",
        "Delete a note",
        "title=title",
        "delete the note {title} / delete my note about {title} / can you erase the note {title} / "
        "what I jotted down about {title} is of no use any more / note {title}: delete / "
        "please throw the note {title} away / get rid of my note {title} / "
        "I don't need the note {title} any longer",
        answer="The note {title} is deleted.",
    ),
    tool(
        "search_notes",
        "Search the notes",
        "query=topic limit?=small",
        "search my notes for {query} / what did I write down about {query} / find {query} in my notes / "
        "do I have any note on {query} / notes with {query} / "
        "I jotted something down about {query}, where is it / look through my notes for {query} please / "
        "which of my notes mention {query}",
        limit=", at most {limit} of them",
        result="note=title",
        answer="I found {note}.",
    ),
    tool(
        "complete_task",
        "Mark a task as done",
        "task=title",
        "complete the task {task} / mark {task} as done / can you tick off {task} / I have finished {task} / "
        "task {task}: done / please check {task} off my list / {task} is taken care of, no need to remind me / "
        "cross {task} off my to-dos",
        answer="{task} is done.",
    ),
    tool(
        "reopen_task",
        "Mark a finished task as open again",
        "task=title",
        "reopen the task {task} / mark {task} as not done / can you untick {task} / "
        "{task} isn't finished after all / task {task}: open again / "
        "please put {task} back on my list of open things / "
        "I checked off {task} too soon, I still have to do it / uncheck {task} in my to-dos",
        answer="{task} is open again.",
    ),
    tool(
        "remove_from_list",
        "Remove an item from a list",
        "item=thing list=word",
        "remove {item} from the list {list} / take {item} off the {list} list / "
        "can you delete {item} from {list} / we already have {item}, it need not be on {list} / "
        "{list}: minus {item} / please strike {item} from my {list} list / no {item} on {list} any more / "
        "scratch {item} from {list}",
        answer="{item} is off the list {list}.",
    ),
    tool(
        "clear_list",
        "Remove all items from a list",
        "list=word",
        "clear the list {list} / empty the {list} list / can you wipe everything from {list} / "
        "I want to start over with {list}, nothing should be on it / list {list}: clear / "
        "please remove all the items of {list} / make the list {list} blank / "
        "throw out all that is on {list}, but keep the list",
        answer="The list {list} is empty.",
    ),
    tool(
        "set_due_date",
        "Set the day by which a task is due",
        "task=title date=day",
        "set the due date of {task} to {date} / make {task} due on {date} / "
        "can you put {date} as the deadline for {task} / {task} has to be finished by {date} / "
        "{task}: due {date} / please give {task} the deadline {date} / "
        "I promised to have {task} ready on {date}, put that in / {date} is the last day for {task}",
        answer="{task} is due on {date}.",
    ),
    tool(
        "clear_due_date",
        "Remove the due date of a task",
        "task=title",
        "clear the due date of {task} / remove the deadline from {task} / can you take the date off {task} / "
        "there's no hurry with {task}, it can be done whenever / {task}: no due date / "
        "please drop the deadline of {task} / {task} isn't due on any day any more / "
        "make {task} a task without a deadline",
        answer="{task} has no due date.",
    ),
    tool(
        "set_task_priority",
        "Set the priority of a task",
        "task=title priority=low|medium|high",
        "set the priority of {task} to {priority} / give {task} {priority} priority / "
        "can you make {task} {priority} priority / {task}: {priority} / please rank {task} as {priority} / "
        "how urgent is {task}? I'd say {priority}, put that in / change {task} to {priority} importance / "
        "treat {task} as {priority} from now on",
        answer="{task} has {priority} priority.",
    ),
    tool(
        "add_tag",
        "Put a tag on an item",
        "item=title tag=hashtag",
        "add the tag {tag} to {item} / tag {item} with {tag} / can you label {item} as {tag} / "
        "I want to find {item} under {tag} / {item}: plus #{tag} / please put the tag {tag} on {item} / "
        "file {item} under the keyword {tag} / {item} belongs to {tag}, label it",
        answer="{item} has the tag {tag}.",
    ),
    tool(
        "remove_tag",
        "Take a tag off an item",
        "item=title tag=hashtag",
        "remove the tag {tag} from {item} / untag {item}, {tag} is wrong / "
        "can you take the label {tag} off {item} / {item} shouldn't show up under {tag} / {item}: minus #{tag} / "
        "please delete the tag {tag} on {item} / {item} has nothing to do with {tag}, drop that label / "
        "I don't want {item} labelled {tag} any more",
        answer="{item} no longer has the tag {tag}.",
    ),
    tool(
        "rename_file",
        "Rename a file",
        "old_name=file new_name=file",
        "rename {old_name} to {new_name} / call the file {old_name} {new_name} from now on / "
        "can you change the name of {old_name} to {new_name} / "
        "{old_name} is a silly name, it should be {new_name} / rename {old_name} -> {new_name} / "
        "please give {old_name} the new name {new_name} / the file {old_name} ought to be called {new_name} / "
        "make {old_name} into {new_name}, the contents stay the same",
        answer="{old_name} is now {new_name}.",
    ),
    tool(
        "duplicate_document",
        "Make a copy of a document under another name",
        "name=file copy_name=file",
        "duplicate {name} as {copy_name} / make a copy of {name} called {copy_name} / "
        "can I have a second {name} under the name {copy_name} / "
        "I want to try something without touching {name}, work on a twin named {copy_name} / "
        "duplicate: {name}, name {copy_name} / please clone the document {name} and call it {copy_name} / "
        "copy {name} to {copy_name} / use {name} as the basis for a new document {copy_name}",
        answer="{copy_name} is a copy of {name}.",
    ),
    tool(
        "restore_file",
        "Bring a deleted file back from the trash",
        "name=file",
        "restore the file {name} / get {name} back from the trash / can you undelete {name} / "
        "I threw away {name} by accident, I need it again / trash, {name}: restore / "
        "please bring back {name} that I deleted / is {name} still in the bin? if so put it back where it was / "
        "recover the deleted {name}",
        answer="{name} is back.",
    ),
    tool(
        "move_to_trash",
        "Put a file into the trash",
        "name=file",
        "move {name} to the trash / put the file {name} into the bin / can you trash {name} / "
        "nobody needs {name} any more / {name}: trash / please throw {name} away / "
        "bin {name}, I may want it back some day / get rid of {name} for me",
        answer="{name} is in the trash.",
    ),
    tool(
        "empty_trash",
        "Delete for good what has been in the trash for some days",
        "older_than_days=days",
        "empty the trash of everything older than {older_than_days} / "
        "clean out of the bin what has been there for {older_than_days} / "
        "can you purge the trash of things older than {older_than_days} / "
        "what I threw away over {older_than_days} ago can go for good / "
        "trash: purge, older than {older_than_days} / "
        "please wipe deleted files for good after {older_than_days} in the bin / "
        "the bin takes up too much space, drop all that is older than {older_than_days} / "
        "permanently erase what was deleted more than {older_than_days} ago",
        answer="The trash is emptied.",
    ),
    tool(
        "create_folder",
        "Create a folder",
        "name=word parent?=word",
        "create a folder {name} / make a new folder called {name} / can you set up a directory {name} / "
        "I need some place for my files on {name} / mkdir {name} / new folder {name} / "
        "please add a folder with the name {name} / let's have a separate folder for {name}",
        parent="inside {parent}",
        answer="The folder {name} is there.",
    ),
    tool(
        "delete_folder",
        "Delete a folder with all that is in it",
        "name=word",
        "delete the folder {name} / remove the directory {name} and all that is in it / "
        "can you delete {name} with everything inside / the whole folder {name} is outdated, get rid of it / "
        "rm -r {name} / folder {name}: delete / please wipe out the folder {name} / "
        "I don't need anything that is in the folder {name}",
        answer="The folder {name} is gone.",
    ),
    tool(
        "share_folder",
        "Give a person access to a folder",
        "folder=word with=email access?=view|edit",
        "share the folder {folder} with {with} / give {with} access to {folder} / "
        "can {with} get into the folder {folder} / {with} should be able to see what is in {folder} / "
        "folder {folder}: share, {with} / please let {with} into {folder} / "
        "{with} needs the things in my folder {folder} / open the folder {folder} up to {with}",
        access="with the right to {access}",
        answer="{with} has access to {folder}.",
    ),
    tool(
        "unshare_folder",
        "Take a person's access to a folder away",
        "folder=word with=email",
        "unshare the folder {folder} with {with} / stop sharing {folder} with {with} / "
        "can you take away the access of {with} to {folder} / "
        "{with} shouldn't be able to see what is in {folder} any more / folder {folder}: unshare, {with} / "
        "please shut {with} out of {folder} / "
        "{with} has left the team, the folder {folder} is none of their business now / "
        "remove {with} from the people who can open {folder}",
        answer="{with} has no access to {folder} any more.",
    ),
    tool(
        "zip_folder",
        "Pack a folder into a zip archive",
        "folder=word archive_name=word",
        "zip the folder {folder} as {archive_name} / pack {folder} into {archive_name}.zip / "
        "can you compress the folder {folder} into an archive called {archive_name} / "
        "I want to mail all of {folder} in one piece named {archive_name} / zip {folder} -> {archive_name} / "
        "please make a zip {archive_name} out of {folder} / bundle everything in {folder} as {archive_name} / "
        "turn {folder} into a single compressed file {archive_name}",
        answer="{archive_name} is packed.",
    ),
    tool(
        "unzip_archive",
        "Unpack a zip archive into a folder",
        "archive_name=word folder=word",
        "unzip {archive_name} into {folder} / unpack {archive_name}.zip to the folder {folder} / "
        "can you extract the archive {archive_name} to {folder} / "
        "I need what is in the zip {archive_name}, put it into {folder} / unzip {archive_name} -> {folder} / "
        "please decompress {archive_name} and put the contents into {folder} / "
        "open up the zip file {archive_name} in {folder} / "
        "get the files out of {archive_name}.zip and into {folder}",
        answer="{archive_name} is unpacked.",
    ),
    tool(
        "upload_file",
        "Upload a local file to the cloud drive",
        "path=path folder?=word",
        "upload {path} / upload the file {path} to my drive / can you put {path} on the cloud drive / "
        "{path} is only on this machine, I want it online too / {path}: upload / "
        "please send {path} up to the cloud / store {path} online for me / "
        "I'd like to reach {path} from everywhere, put it on the drive",
        folder="into the folder {folder}",
        answer="{path} is uploaded.",
    ),
    tool(
        "download_file",
        "Download a file from the cloud drive or the web",
        "source=url save_as?=file",
        "download {source} / download the file at {source} / can you get {source} onto my computer / "
        "I want {source} here so that I can read it offline / {source}: download / "
        "please fetch the file from {source} and keep it on disk / save {source} locally / "
        "pull down {source} for me",
        save_as="as {save_as}",
        answer="{source} is downloaded.",
    ),
    tool(
        "star_folder",
        "Add a folder to the favourites",
        "folder=word",
        "star the folder {folder} / add {folder} to my favourite folders / "
        "can you put {folder} among my favourites / "
        "I use the folder {folder} all the time, it should be one click away / folder {folder}: favourite / "
        "please pin the folder {folder} to quick access / mark the directory {folder} with a star / "
        "keep {folder} at the top of my folder list",
        answer="{folder} is a favourite.",
    ),
    tool(
        "update_contact_phone",
        "Change the phone number of a contact",
        "name=person phone=phone",
        "update the phone number of {name} to {phone} / {name} has a new number, {phone} / "
        "can you change the number of {name} to {phone} / "
        "I can't reach {name} the old way any more, use {phone} / contact {name}, new phone: {phone} / "
        "please set the phone of {name} to {phone} / from now on {name} is at {phone} / "
        "correct the number I have for {name}, it is {phone}",
        answer="{name} has the number {phone}.",
    ),
    tool(
        "delete_contact",
        "Delete a contact",
        "name=person",
        "delete the contact {name} / remove {name} from my contacts / "
        "can you take {name} out of my address book / "
        "I won't call {name} ever again, no need to keep the number / contact {name}: delete / "
        "please erase the entry of {name} / strike {name} from the address book / "
        "{name} need not be among my contacts any longer",
        answer="{name} is deleted.",
    ),
    tool(
        "block_contact",
        "Block calls and messages of a person",
        "name=person",
        "block {name} / block the contact {name} / can you stop {name} from calling me / "
        "I never want to hear from {name} again / contact {name}: block / "
        "please don't let any message of {name} through / put {name} on the block list / "
        "keep {name} from reaching me",
        answer="{name} is blocked.",
    ),
    tool(
        "unblock_contact",
        "Let a blocked person call and write again",
        "name=person",
        "unblock {name} / unblock the contact {name} / can {name} call me again / "
        "we made up, {name} may write to me again / contact {name}: unblock / "
        "please take {name} off the block list / let the messages of {name} through again / "
        "lift the block on {name}",
        answer="{name} is no longer blocked.",
    ),
)
