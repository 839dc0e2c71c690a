"""Documents, tables, code hosting, the web."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "summarize_text",
        "Summarise a text",
        "source=url sentences?=handful",
        "summarize {source} / give me the gist of {source} / can you sum up what {source} says / "
        "what are the main points of {source} / {source}: tl;dr / "
        "I have no time to read all of {source}, what does it boil down to / "
        "please give me a short version of {source} / {source} in brief",
        sentences="in {sentences} sentences",
        result="summary=message",
        answer="In short: {summary}.",
    ),
    tool(
        "translate_file",
        "Translate a file into another language",
        "file=file language=language",
        "translate {file} into {language} / I need {file} in {language} / can you turn {file} into {language} / "
        "my colleague only reads {language}, make {file} fit for them / {file} -> {language} / "
        "please make a {language} version of {file} / what would {file} be in {language} / "
        "render the file {file} in {language}",
        answer="{file} is translated into {language}.",
    ),
    tool(
        "export_document",
        "Export a document to a file format",
        "name=title format=pdf|docx|html|csv",
        "export {name} as {format} / save {name} as {format} / can I have {name} as {format} / "
        "they only take {format}, give me {name} like that / {name}: export, {format} / "
        "please turn the document {name} into a {format} file / I need a {format} of {name} / "
        "get {name} out as {format}",
        result="file=file",
        answer="It is exported as {file}.",
    ),
    tool(
        "import_document",
        "Import a file into the documents",
        "file=file title?=title",
        "import {file} / import the file {file} into my documents / can you take {file} into my documents / "
        "I want to go on working on {file} in here / {file}: import / please load {file} as a new document / "
        "bring {file} in among my documents / make an editable document out of {file}",
        title="under the title {title}",
        answer="{file} is imported.",
    ),
    tool(
        "print_document",
        "Print a document",
        "name=file copies?=small",
        "print {name} / print out {name} / can you send {name} to the printer / I need {name} on paper / "
        "{name}: print / please put {name} on paper for me / I'd like to hold {name} in my hands / "
        "run {name} through the printer",
        copies=", {copies} copies",
        answer="{name} is being printed.",
    ),
    tool(
        "lock_document",
        "Lock a document against changes",
        "name=file",
        "lock {name} / lock the document {name} / can you make {name} read-only / "
        "nobody should change anything in {name} from now on / {name}: lock / "
        "please protect {name} against changes / freeze {name} as it is / "
        "{name} is final, keep people from editing it",
        answer="{name} is locked.",
    ),
    tool(
        "unlock_document",
        "Allow changes to a locked document",
        "name=file",
        "unlock {name} / unlock the document {name} / can you make {name} editable again / "
        "people have to be able to change {name} again / {name}: unlock / please lift the protection of {name} / "
        "I need to fix a mistake in {name} but it is read-only / open {name} up for editing again",
        answer="{name} is unlocked.",
    ),
    tool(
        "sum_column",
        "Add up a column of a spreadsheet",
        "column=word file=file",
        "sum the column {column} in {file} / add up {column} in {file} / "
        "what is the total of {column} in {file} / how much is all of {column} in {file} together / "
        "{file}: sum of {column} / please total the column {column} of {file} / "
        "I need the grand total under {column} in the sheet {file} / "
        "what do the values of {column} in {file} come to",
        result="total=measure",
        answer="The total of {column} is {total}.",
    ),
    tool(
        "average_column",
        "Average a column of a spreadsheet",
        "column=word file=file",
        "average the column {column} in {file} / what is the mean of {column} in {file} / "
        "how high is {column} on average in {file} / {file}: average of {column} / "
        "please compute the average of {column} in {file} / "
        "what is a typical value of {column} in the sheet {file} / "
        "I need the arithmetic mean of {column} from {file} / work out the mean value under {column} in {file}",
        result="average=measure",
        answer="The average of {column} is {average}.",
    ),
    tool(
        "filter_rows",
        "Show only the rows of a sheet that hold a value",
        "file=file column=word value=word",
        "filter {file} for rows where {column} is {value} / "
        "show only the rows of {file} with {value} in {column} / "
        "can you hide all in {file} except where {column} is {value} / "
        "I only care about those in {file} whose {column} is {value} / {file}: {column} = {value} only / "
        "please narrow {file} down to {column} {value} / which lines of {file} have {column} {value} / "
        "in {file} keep just what has {value} under {column}",
        result="rows=count",
        answer="{rows} rows are left.",
    ),
    tool(
        "clear_filter",
        "Show all rows of a sheet again",
        "file=file",
        "clear the filter of {file} / show all rows of {file} again / can you remove the filters from {file} / "
        "some lines of {file} are hidden, I want to see everything / {file}: no filter / "
        "please reset the filter in {file} / let me see the complete sheet {file} again / "
        "stop narrowing down {file}",
        answer="All rows of {file} are there again.",
    ),
    tool(
        "delete_column",
        "Delete a column of a spreadsheet",
        "column=word file=file",
        "delete the column {column} from {file} / remove {column} from the sheet {file} / "
        "can you drop the column {column} in {file} / {column} is of no use in {file}, get rid of it / "
        "{file}: minus column {column} / please take the column {column} out of {file} / "
        "we don't need {column} in {file} any more / {file} without the column {column} please",
        answer="{file} has no column {column} any more.",
    ),
    tool(
        "drop_table",
        "Delete a database table",
        "table=word database=slug",
        "drop the table {table} in {database} / delete the table {table} from the database {database} / "
        "can you get rid of the table {table} in {database} / "
        "nothing uses {table} in {database} any more, it can go / {database}: drop {table} / "
        "please remove {table} from {database} altogether / "
        "the whole table {table} of {database} is obsolete, away with it / "
        "erase {table} and its data from {database}",
        answer="The table {table} is gone.",
    ),
    tool(
        "export_table",
        "Export a database table to a file",
        "table=word file=file",
        "export the table {table} to {file} / dump {table} into {file} / can I get the table {table} as {file} / "
        "I want to look at {table} outside the database, put it into {file} / {table} -> {file} / "
        "please write the rows of {table} to {file} / "
        "save the contents of the database table {table} as {file} / "
        "get {table} out of the database and into {file}",
        answer="{table} is in {file}.",
    ),
    tool(
        "reopen_issue",
        "Open a closed issue again",
        "repo=repo number=big",
        "reopen issue {number} in {repo} / open {repo} issue {number} again / "
        "can you reopen number {number} in {repo} / bug {number} of {repo} is back, it wasn't fixed after all / "
        "{repo} #{number}: reopen / please undo the closing of issue {number} in {repo} / "
        "issue {number} in {repo} was closed too early / "
        "ticket {number} of {repo} still happens, make it active again",
        answer="Issue {number} is open again.",
    ),
    tool(
        "resolve_issue",
        "Close an issue as fixed or not",
        "repo=repo number=big resolution=fixed|duplicate|wontfix",
        "resolve issue {number} in {repo} as {resolution} / close {repo} issue {number} as {resolution} / "
        "can you set number {number} in {repo} to {resolution} / {repo} #{number}: {resolution} / "
        "please mark issue {number} of {repo} as {resolution} and be done with it / "
        "we are through with {number} in {repo}, it is {resolution} / "
        "bug {number} in {repo} counts as {resolution} / the ticket {number} of {repo} can be shut, {resolution}",
        answer="Issue {number} is closed.",
    ),
    tool(
        "merge_branch",
        "Merge a branch into another",
        "branch=branch into=branch repo?=repo",
        "merge {branch} into {into} / bring the changes of {branch} into {into} / "
        "can you merge the branch {branch} with {into} as the target / "
        "the work on {branch} is finished, {into} should have it / git: {branch} -> {into} / "
        "please integrate {branch} into {into} / I want all the commits from {branch} on {into} / "
        "{into} needs what is on {branch}",
        repo="in {repo}",
        answer="{branch} is merged.",
    ),
    tool(
        "revert_commit",
        "Undo a commit",
        "commit=id repo?=repo",
        "revert the commit {commit} / undo commit {commit} / can you back out {commit} / "
        "{commit} broke everything, take it back / revert {commit} / please roll the commit {commit} back / "
        "we have to get rid of the changes in {commit} / what was done in {commit} should be undone",
        repo="in {repo}",
        answer="{commit} is reverted.",
    ),
    tool(
        "rename_branch",
        "Rename a branch",
        "branch=branch new_name=branch",
        "rename the branch {branch} to {new_name} / call {branch} {new_name} from now on / "
        "can you change the branch name {branch} to {new_name} / "
        "{branch} is misleading, it should be {new_name} / git: {branch} renamed {new_name} / "
        "please give {branch} the new name {new_name} / the branch {branch} ought to be named {new_name} / "
        "turn the name {branch} into {new_name}",
        answer="{branch} is now {new_name}.",
    ),
    tool(
        "restore_branch",
        "Bring a deleted branch back",
        "branch=branch repo=repo",
        "restore the branch {branch} in {repo} / bring back {branch} in {repo} / "
        "can you undelete {branch} in {repo} / someone removed {branch} from {repo}, we still need it / "
        "{repo}: restore {branch} / please recover the deleted branch {branch} of {repo} / "
        "{branch} is missing in {repo}, get it back / I deleted {branch} in {repo} by mistake, undo that",
        answer="{branch} is back in {repo}.",
    ),
    tool(
        "close_pull_request",
        "Close a pull request without merging",
        "repo=repo number=big",
        "close pull request {number} in {repo} / close PR {number} of {repo} without merging / "
        "can you reject pull request {number} in {repo} / we won't take the changes in PR {number} of {repo} / "
        "{repo} PR {number}: close / please turn down pull request {number} in {repo} / "
        "PR {number} in {repo} is abandoned, shut it / pull request {number} of {repo} leads nowhere, end it",
        answer="Pull request {number} is closed.",
    ),
    tool(
        "approve_pull_request",
        "Approve a pull request",
        "repo=repo number=big",
        "approve pull request {number} in {repo} / give PR {number} of {repo} my okay / "
        "can you approve PR {number} in {repo} / PR {number} in {repo} looks good to me / "
        "{repo} PR {number}: approve / please sign off pull request {number} of {repo} / "
        "I have no objections to PR {number} in {repo}, let them know / "
        "thumbs up for pull request {number} in {repo}",
        answer="Pull request {number} is approved.",
    ),
    tool(
        "open_page",
        "Open a web page in the browser",
        "url=url",
        "open {url} / open the page {url} / can you go to {url} / take me to {url} / "
        "I want to see {url} in the browser / {url} in a new tab please / please load {url} / "
        "navigate to {url} / visit {url}",
        answer="{url} is open.",
    ),
    tool(
        "close_tab",
        "Close a browser tab",
        "url=url",
        "close the tab with {url} / close {url} / can you shut the {url} tab / "
        "I'm through reading {url}, it need not stay open / tab {url}: close / "
        "please get rid of the browser tab showing {url} / leave the page {url} / "
        "{url} is taking up memory, close that tab",
        answer="The tab is closed.",
    ),
    tool(
        "reload_page",
        "Load a web page again",
        "url=url",
        "reload {url} / refresh the page {url} / can you load {url} again / what I see at {url} is out of date / "
        "{url}: refresh / please hit reload on {url} / get the latest state of {url}, it is still the old one / "
        "{url} looks stuck, try it once more",
        answer="{url} is loaded again.",
    ),
    tool(
        "take_screenshot",
        "Take a screenshot of a web page",
        "url=url file?=file full_page?=boolean",
        "take a screenshot of {url} / screenshot {url} / can you capture how {url} looks / "
        "I need a picture of the page {url} / {url}: screenshot / "
        "please make an image of {url} as it looks right now / "
        "show my boss what {url} looks like, so grab it as a picture / snap the page at {url}",
        file="and save it as {file}",
        full_page=", the full page|, only the visible part",
        answer="The screenshot is taken.",
    ),
    tool(
        "add_bookmark",
        "Bookmark a web page",
        "url=url label?=title",
        "bookmark {url} / add a bookmark for {url} / can you bookmark the page {url} / "
        "I want to find {url} again later / {url}: bookmark / please keep {url} among my favourites / "
        "remember the page {url} for me / save {url} in my bookmarks",
        label="under the name {label}",
        answer="{url} is bookmarked.",
    ),
    tool(
        "remove_bookmark",
        "Remove a bookmark",
        "url=url",
        "remove the bookmark for {url} / unbookmark {url} / can you delete {url} from my bookmarks / "
        "I never go to {url} any more, it need not be among my favourites / bookmark {url}: remove / "
        "please drop {url} from my favourites / take {url} off the bookmark list / forget the saved page {url}",
        answer="{url} is no longer bookmarked.",
    ),
)
