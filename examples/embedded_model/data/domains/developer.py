"""Issue trackers, git hosting, builds, code execution and file systems."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "create_pull_request",
        "Open a new pull request in a GitHub repository",
        "repo=repo title=title head=branch base?=branch draft?=boolean",
        'open a pull request "{title}" in {repo} from {head} / {head} is ready in {repo}, make a PR called "{title}" / '
        'we want to merge {head}: create the PR "{title}" on {repo} / pls open a PR on {repo}, branch {head}, titled '
        '"{title}" / propose the changes of {head} to {repo} under the title "{title}"',
        base="into {base}",
        draft="as a draft|ready for review",
        result="number=count url=url",
        answer="Pull request {number} is open at {url}.",
    ),
    tool(
        "merge_pull_request",
        "Merge a pull request",
        "repo=repo pull_number=count merge_method?=merge|squash|rebase",
        "merge PR {pull_number} of {repo} / the pull request {pull_number} in {repo} is approved, merge it / merge "
        "pull request #{pull_number} on {repo} / in {repo}, number {pull_number} can go in / pls merge "
        "{repo}#{pull_number}",
        merge_method="with the {merge_method} method",
        answer="Pull request {pull_number} is merged.",
    ),
    tool(
        "list_pull_requests",
        "Lists the pull requests of a repository.",
        "repo=repo state?=open|closed|all author?=user",
        "which pull requests does {repo} have / show the PRs of {repo} / what is waiting for review in {repo} / list "
        "all PRs on {repo} / I want to see the merge requests in {repo}",
        state="in state {state}",
        author="written by {author}",
    ),
    tool(
        "request_review",
        "Ask people to review a pull request",
        "repo=repo pull_number=count reviewers=[user]",
        "ask {reviewers} to review PR {pull_number} in {repo} / {reviewers} should look at pull request {pull_number} "
        "of {repo} / add {reviewers} as reviewers to {repo} number {pull_number} / we need eyes on {repo} "
        "#{pull_number}, from {reviewers} / for {repo} pull request {pull_number}, get a review by {reviewers}",
    ),
    tool(
        "add_issue_comment",
        "Add a comment to an existing issue",
        "repo=repo issue_number=count body=message",
        'comment "{body}" on issue {issue_number} of {repo} / on {repo} issue {issue_number}, reply: {body} / leave a '
        'note under issue {issue_number} in {repo} that says: {body} / in {repo}, answer #{issue_number} with "{body}" '
        "/ add to issue {issue_number} ({repo}) the comment: {body}",
    ),
    tool(
        "close_issue",
        "Close an issue, optionally with a reason",
        "repo=repo issue_number=count reason?=completed|not_planned|duplicate",
        "close issue {issue_number} in {repo} / the bug {issue_number} of {repo} is done, close it / the issue "
        "{issue_number} on {repo} can be closed / we no longer need {repo}#{issue_number}, close it / pls close {repo} "
        "issue {issue_number}",
        reason="as {reason}",
    ),
    tool(
        "jira_create_issue",
        "Create an issue in a Jira project",
        "project_key=ticker summary=title issue_type=bug|story|task|epic assignee?=person labels?=[hashtag]",
        'file a {issue_type} "{summary}" in {project_key} / we need a {issue_type} in project {project_key}: '
        '"{summary}" / for project {project_key}, write a {issue_type} named "{summary}" / the {project_key} board '
        'lacks a {issue_type} called "{summary}", add it / new jira {issue_type} for {project_key}, summary '
        '"{summary}"',
        assignee="for {assignee} to work on",
        labels="labelled {labels}",
        result="key=code",
        answer="I created {key} in {project_key}.",
    ),
    tool(
        "jira_transition_issue",
        "Move a Jira issue to another status of its workflow",
        "issue_key=code status=to_do|in_progress|in_review|done",
        "move {issue_key} to {status} / {issue_key} is {status} now, update jira / put {issue_key} into {status} / I "
        "consider {issue_key} {status}, please move it / transition {issue_key} to {status} / the status of "
        "{issue_key} should be {status}",
        answer="{issue_key} is {status} now.",
    ),
    tool(
        "assign_issue",
        "Assign someone to an issue",
        "issue_key=code assignee=person",
        "give {issue_key} to {assignee} / {assignee} takes over {issue_key} / assign {issue_key} to {assignee} / the "
        "issue {issue_key} belongs to {assignee} from now on / let {assignee} handle {issue_key} / {issue_key} -> "
        "{assignee}",
    ),
    tool(
        "log_work",
        "Log time spent on an issue",
        "issue_key=code hours=hours date?=day",
        "I worked {hours} on {issue_key} / book {hours} on {issue_key} / log {hours} of work for {issue_key} / "
        "{issue_key} took me {hours}, log it / add a worklog of {hours} to {issue_key}",
        date="on {date}",
        answer="I logged {hours} hours on {issue_key}.",
    ),
    tool(
        "plan_sprint",
        "Creates a sprint with its period and goal",
        "name=title period=range goal?=topic",
        'plan the sprint "{name}" for {period} / the next sprint is called "{name}" and runs {period} / create sprint '
        '"{name}", {period} / we sprint from {period}, name it "{name}" / for {period}, set up a sprint named "{name}"',
        goal='with the goal "{goal}"',
    ),
    tool(
        "create_branch",
        "Create a git branch",
        "repo=repo branch=branch from_branch?=branch",
        "create the branch {branch} in {repo} / I need a branch {branch} on {repo} / in {repo}, start {branch} / "
        "branch {repo} as {branch} / make a new branch named {branch} for the repository {repo}",
        from_branch="starting from {from_branch}",
    ),
    tool(
        "delete_branch",
        "Delete a branch from the remote",
        "repo=repo branch=branch",
        "delete {branch} from {repo} / we are through with {branch} in {repo}, remove it / drop branch {branch} of "
        "{repo} / in {repo}, the branch {branch} can go / pls clean up {branch} on {repo}",
    ),
    tool(
        "fork_repository",
        "Fork a repository to your account or to an organization",
        "repo=repo organization?=word",
        "fork {repo} / make a fork of {repo} / I want my own copy of {repo} / fork the project {repo} / the project "
        "{repo} needs a fork",
        organization="under {organization}",
        result="full_name=repo",
        answer="The fork is {full_name}.",
    ),
    tool(
        "list_commits",
        "Get the commits of a branch, newest first",
        "repo=repo branch?=branch author?=person since?=day limit?=small",
        "what was committed to {repo} / show the commits of {repo} / git log of {repo} / which changes went into "
        "{repo} / I want to see the history of {repo}",
        branch="on branch {branch}",
        author="by {author}",
        since="since {since}",
        limit=", at most {limit}",
    ),
    tool(
        "get_file_contents",
        "Get the contents of a file in a repository",
        "repo=repo path=path ref?=branch",
        "show {path} from {repo} / what is in {path} of {repo} / open the file {path} in the repository {repo} / I "
        "want to read {repo}'s {path} / fetch {path} out of {repo}",
        ref="as of {ref}",
    ),
    tool(
        "create_release",
        "Publish a release",
        "repo=repo tag=version notes?=topic prerelease?=boolean",
        "release {tag} of {repo} / publish {repo} {tag} / {repo} is ready for {tag}, make the release / cut a release "
        "of {repo} with tag {tag} / we ship {tag} of {repo}",
        notes='with notes "{notes}"',
        prerelease="as a prerelease|as a full release",
    ),
    tool(
        "trigger_workflow",
        "Starts a CI workflow run on a branch",
        "repo=repo workflow=file branch=branch",
        "run {workflow} of {repo} on {branch} / start the workflow {workflow} on branch {branch} in {repo} / kick off "
        "{workflow} for {branch} ({repo}) / {branch} of {repo} needs a run of {workflow} / in {repo}, trigger "
        "{workflow} against {branch}",
        result="run_id=big",
        answer="Run {run_id} has started.",
    ),
    tool(
        "get_build_status",
        "Status of a CI build",
        "pipeline=slug build_number=count",
        "did build {build_number} of {pipeline} pass / is {pipeline} #{build_number} green / what became of build "
        "{build_number} in {pipeline} / how is build {build_number} of pipeline {pipeline} doing / check the state of "
        "{pipeline} build {build_number}",
        result="status=passed|failed|running",
        answer="Build {build_number} of {pipeline} has {status}.",
    ),
    tool(
        "cancel_build",
        "Abort a running build",
        "pipeline=slug build_number=count",
        "abort build {build_number} of {pipeline} / stop {pipeline} #{build_number} / kill the running build "
        "{build_number} in {pipeline} / {pipeline} number {build_number} hangs, cancel it / we do not need {pipeline} "
        "build {build_number} any more, stop it",
    ),
    tool(
        "run_tests",
        "Run the test suite, or a part of it",
        "path=path marker?=word verbose?=boolean timeout_seconds?=seconds",
        "run the tests in {path} / do the tests of {path} pass / test {path} / execute the test file {path} / I "
        "changed {path}, run its tests",
        marker="marked {marker}",
        verbose="with verbose output|with short output",
        timeout_seconds="for at most {timeout_seconds}",
        result="passed=small failed=small",
        answer="{passed} tests passed, {failed} failed.",
    ),
    tool(
        "run_python",
        "Execute Python code in a sandbox and return its output",
        "code=snippet",
        "run {code} / what does {code} give / execute this Python: {code} / evaluate {code} in Python / I want to know "
        "the output of {code} / python: {code}",
    ),
    tool(
        "run_shell_command",
        "Runs a command in a terminal",
        "command=ls|pwd|df|uptime|whoami working_directory?=path",
        "run {command} / execute {command} in the shell / what does {command} print / type {command} into the terminal "
        "/ I need the output of {command}",
        working_directory="in the folder {working_directory}",
    ),
    tool(
        "install_package",
        "Install a package with a package manager",
        "package=slug manager=pip|npm|cargo|apt version?=version",
        "install {package} with {manager} / {manager} install {package} / we need the {manager} package {package} / "
        "use {manager} to get {package} / my project depends on {package}, install it through {manager}",
        version="in version {version}",
        answer="{package} is installed.",
    ),
    tool(
        "search_code",
        "Search code across repositories",
        "query=snippet language?=python|go|rust|java repo?=repo",
        "where is `{query}` used / find `{query}` in our code / search the code for `{query}` / which files contain "
        "`{query}` / grep for `{query}`",
        language="in {language} files",
        repo="within {repo}",
    ),
    tool(
        "format_code",
        "Format source code according to the project's style",
        "path=path line_length?=percent check_only?=boolean",
        "format {path} / reformat the file {path} / {path} looks messy, format it / tidy the source in {path} / bring "
        "{path} into shape",
        line_length="with lines of {line_length} characters",
        check_only="only checking|changing it in place",
    ),
    tool(
        "list_directory",
        "Get a listing of all files and directories in a path",
        "path=path show_hidden?=boolean",
        "what is in {path} / list {path} / which files does {path} contain / ls {path} / show me everything below "
        "{path}",
        show_hidden="with hidden files|without hidden files",
        result="entries=[file]",
        answer="There are {entries}.",
    ),
    tool(
        "move_file",
        "Move or rename files",
        "source=path destination=path",
        "move {source} to {destination} / rename {source} to {destination} / {source} should be {destination} / put "
        "{source} where {destination} is meant to be / mv {source} {destination} / the file {source} belongs at "
        "{destination}",
        answer="{source} is now {destination}.",
    ),
    tool(
        "copy_file",
        "Copy a file",
        "source=path destination=path overwrite?=boolean",
        "copy {source} to {destination} / duplicate {source} as {destination} / I need a copy of {source} at "
        "{destination} / cp {source} {destination} / make {destination} from {source} by copying",
        overwrite="overwriting what is there|without overwriting anything",
    ),
    tool(
        "edit_file",
        "Make a text replacement in a file",
        "path=path old_text=title new_text=title",
        'replace "{old_text}" by "{new_text}" in {path} / in {path}, change "{old_text}" to "{new_text}" / {path} says '
        '"{old_text}" where it should say "{new_text}", mend it / put "{new_text}" in place of "{old_text}" in the '
        'file {path} / the text "{old_text}" in {path} must read "{new_text}"',
    ),
    tool(
        "set_file_permissions",
        "Change who may read and write a file",
        "path=path mode=644|600|755|700 owner?=user",
        "chmod {mode} {path} / set {path} to {mode} / give {path} the permissions {mode} / {path} needs mode {mode} / "
        "the rights of {path} have to be {mode}",
        owner="and make {owner} the owner",
    ),
    tool(
        "compress_files",
        "Pack files into an archive",
        "files=[file] archive_name=file format?=zip|tar|7z",
        "pack {files} into {archive_name} / compress {files} as {archive_name} / make the archive {archive_name} out "
        "of {files} / I want {files} bundled in {archive_name} / put {files} together into one archive {archive_name}",
        format="in {format} format",
    ),
    tool(
        "set_feature_flag",
        "Turn a feature flag on or off",
        "flag=slug enabled=boolean environment?=production|staging|test",
        "change the feature flag {flag} / the feature flag {flag} has to change / set the toggle {flag} / update the "
        "flag called {flag} / pls flip {flag}",
        enabled="so that it is on|so that it is off",
        environment="in {environment}",
    ),
)
