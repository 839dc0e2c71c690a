"""Software teams' tools: repositories, releases, queues and tables."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "archive_repository",
        "Make a repository read-only",
        "repo=repo reason?=abandoned|replaced|merged|finished",
        "archive {repo} / nobody should push to {repo} any more, make it read-only / please put the repository {repo} "
        "into the archive / can you mothball {repo} / {repo} is dead code, set it to read only / we won't maintain "
        "{repo} from now on, close it for writing / {repo}: read-only, pls / the repo {repo} should be kept for "
        "reading but take no more commits",
        reason=", the reason is {reason}",
    ),
    tool(
        "unarchive_repository",
        "Make an archived repository writable again",
        "repo=repo maintainer?=user",
        "unarchive {repo} / {repo} is read-only but we need to push to it again / take the repository {repo} out of "
        "the archive / bring {repo} back to life, it was archived / could {repo} be made writable again / we're going "
        "to develop {repo} further, lift its read-only state / {repo} out of the archive pls / let people commit to "
        "{repo} again, it's been archived too long",
        maintainer=", with {maintainer} as the maintainer",
    ),
    tool(
        "protect_branch",
        "Forbid direct pushes to a branch",
        "repo=repo branch=branch approvals=handful allow_force_push?=boolean",
        "protect {branch} of {repo}, with {approvals} approvals needed / no direct pushes to {branch} in {repo}, "
        "{approvals} people have to approve first / in {repo}, the branch {branch} needs {approvals} approvals before "
        "anything lands / someone pushed straight to {branch} again, guard it in {repo} with {approvals} approvals / "
        "add a protection rule in {repo}: branch {branch}, required approvals {approvals} / {repo}, {branch}: "
        "protected, {approvals} approvals / could you make {approvals} approvals mandatory on {branch}, repository "
        "{repo} / {branch} must be shielded from direct commits, it's in {repo}, approvals: {approvals}",
        allow_force_push=", force pushes are allowed|, no force pushes",
    ),
    tool(
        "unprotect_branch",
        "Remove the protection rule of a branch",
        "repo=repo branch=branch",
        "unprotect {branch} in {repo} / let everybody push directly to {branch} of {repo} again / drop the protection "
        "rule for {branch}, the repository is {repo} / in {repo} the branch {branch} no longer needs any approvals / "
        "the guard on {branch} is in our way, take it off in {repo} / {repo}: no more protection for {branch} / can "
        "we push to {branch} in {repo} without approvals from now on / remove the push restrictions from {branch} at "
        "{repo}, pls",
    ),
    tool(
        "approve_merge_request",
        "Accept a merge request after review",
        "request_number=count comment?=message",
        "approve merge request {request_number} / !{request_number} looks good to me / I've read through merge "
        "request {request_number} and I'm happy with it / give MR {request_number} a thumbs up / request "
        "{request_number} has my blessing / lgtm for number {request_number} / sign off on the changes in merge "
        "request {request_number} / my review of {request_number} is done, it's a yes",
        comment=', comment "{comment}"',
    ),
    tool(
        "reject_merge_request",
        "Turn down a merge request after review",
        "request_number=count reason=tests|style|security|scope blocking?=boolean",
        "reject merge request {request_number} because of {reason} / !{request_number} can't go in like this, reason: "
        "{reason} / turn down MR {request_number} for {reason} / I've reviewed {request_number} and it's a no, the "
        "problem is {reason} / thumbs down for merge request {request_number}, {reason} / send number "
        "{request_number} back to its author, {reason} isn't good enough / with {reason} as the reason, decline merge "
        "request {request_number} / my verdict on request {request_number}: not acceptable, {reason}",
        blocking=", block it|, don't block it",
    ),
    tool(
        "swap_reviewer",
        "Replace one reviewer of a change by another",
        "change_id=code old_reviewer=user new_reviewer=user notify?=boolean",
        "on {change_id}, replace the reviewer {old_reviewer} with {new_reviewer} / {old_reviewer} is on leave, so "
        "{new_reviewer} should review {change_id} instead / swap reviewers on {change_id}: {old_reviewer} out, "
        "{new_reviewer} in / let {new_reviewer} take over the review of {change_id} from {old_reviewer} / {change_id} "
        "has {old_reviewer} as its reviewer, I want {new_reviewer} there / the review of {change_id} passes from "
        "{old_reviewer} to {new_reviewer} / could {new_reviewer} look at {change_id} in place of {old_reviewer} / "
        "reviewer change for {change_id}, old {old_reviewer}, new {new_reviewer}",
        notify=", tell both of them|, without notifying anybody",
    ),
    tool(
        "cherry_pick_commit",
        "Copy a single commit onto another branch",
        "commit=id target_branch=branch sign_off?=boolean",
        "cherry-pick {commit} onto {target_branch} / we need the commit {commit} on {target_branch} too / copy commit "
        "{commit} over to {target_branch} / {target_branch} lacks the fix from {commit}, bring just that one over / "
        "backport {commit} to {target_branch} / put {commit} on top of {target_branch}, only that commit / could "
        "{target_branch} get commit {commit} as well / {commit} to {target_branch}, nothing else pls",
        sign_off=", with a sign-off line|, without a sign-off line",
    ),
    tool(
        "bisect_regression",
        "Find the change that broke something between two versions",
        "good_version=version bad_version=version test_command?=path",
        "bisect between {good_version}, which is good, and {bad_version}, which is bad / it worked in {good_version} "
        "and it's broken in {bad_version}, find the change that did it / which commit after {good_version} broke "
        "{bad_version} / {bad_version} has the bug, {good_version} didn't, track down the culprit / hunt the "
        "regression, last good version {good_version}, first bad one {bad_version} / somewhere from {good_version} on "
        "things went wrong, {bad_version} fails, where was it / bad: {bad_version}, good: {good_version}, who broke "
        "it / everything was fine with {good_version}, since {bad_version} it crashes, look for the guilty commit",
        test_command=", test with {test_command}",
    ),
    tool(
        "draft_release_notes",
        "Write the notes for a version",
        "version=version audience=customers|developers|press since_version?=version language?=language",
        "draft release notes of {version} for {audience} / what's new in {version}, write it up for {audience} / we "
        "ship {version} today and the {audience} need to read what has changed / I need a changelog text for "
        "{version}, the audience is {audience} / put together the notes on {version}, readers are {audience} / "
        "{version} notes, {audience} / write something that tells the {audience} about the changes in {version} / can "
        "you sum up version {version} for the {audience}",
        since_version=", covering all changes since {since_version}",
        language=", written in {language}",
    ),
    tool(
        "yank_release",
        "Withdraw a published version from the registry",
        "package=word version=version reason?=security|broken|license|mistake replacement?=version",
        "yank {version} of {package} / {version} of {package} should never have been published, withdraw it / pull "
        "{package} {version} from the registry / nobody should be able to install {version} of {package} any more / "
        "we published {package} {version} by accident, take it down / remove version {version} of the package "
        "{package} from the index / {package}: withdraw {version} / can {version} be retracted, the package is "
        "{package}",
        reason=", reason: {reason}",
        replacement=", point people to {replacement}",
    ),
    tool(
        "ramp_up_flag",
        "Show a flagged feature to more users",
        "flag=slug percentage=percentage segment?=beta|staff|free|paid",
        "ramp up {flag} to {percentage} / more users should see {flag}, raise it to {percentage} / increase the "
        "rollout of {flag}, {percentage} of the users may have it now / {flag} is stable, so widen it to {percentage} "
        "/ turn the feature {flag} up until {percentage} have it / {flag} looks good in the metrics, expand to "
        "{percentage} / go up to {percentage} with the flag {flag} / can we open {flag} to a larger share, "
        "{percentage}",
        segment=", within the {segment} segment",
    ),
    tool(
        "ramp_down_flag",
        "Show a flagged feature to fewer users",
        "flag=slug percentage=percentage segment?=beta|staff|free|paid",
        "ramp down {flag} to {percentage} / fewer users should get {flag}, reduce it to {percentage} / lower the "
        "rollout of {flag}, only {percentage} may keep it / {flag} causes errors, shrink its share to {percentage} / "
        "cut the feature {flag} back to {percentage} of the users / too many people see {flag}, no more than "
        "{percentage} pls / go back down to {percentage} with the flag {flag} / can we narrow {flag} to a smaller "
        "group, {percentage}",
        segment=", within the {segment} segment",
    ),
    tool(
        "freeze_deployments",
        "Forbid deployments for a period",
        "environment=staging|production|sandbox start=day end=day exempt_teams?=[team]",
        "freeze deployments to {environment} from {start} to {end} / nobody may ship to {environment} between {start} "
        "and {end} / code freeze on {environment}, it starts on {start} and ends on {end} / until {end} there shall "
        "be no rollouts to {environment}, starting {start} / no releases to {environment}, first day {start}, last "
        "day {end} / holidays are coming: block all deploys on {environment} from {start} until {end} / {environment} "
        "freeze, {start} to {end} / as of {start} keep {environment} as it is, through {end}, no deploys",
        exempt_teams=", except for {exempt_teams}",
    ),
    tool(
        "lift_deployment_freeze",
        "Allow deployments again",
        "environment=staging|production|sandbox announce_in?=hashtag",
        "lift the deployment freeze on {environment} / we can ship to {environment} again / end the code freeze for "
        "{environment} / allow rollouts to {environment} from now on, the freeze is over / unfreeze {environment} / "
        "the holidays are over, teams may deploy to {environment} again / {environment}: deploys are fine again / "
        "could you unblock releases to {environment}",
        announce_in=", announce it in #{announce_in}",
    ),
    tool(
        "purge_queue",
        "Delete all messages that wait in a queue",
        "queue=slug older_than?=hours",
        "purge {queue} / throw away everything that waits in the queue {queue} / delete all messages from {queue} / "
        "{queue} is full of garbage, wipe it clean / flush the queue {queue}, none of those messages matter / empty "
        "out {queue} completely / the messages in {queue} can all go to the bin / queue {queue}: clear the backlog "
        "for good",
        older_than=", only what is older than {older_than}",
    ),
    tool(
        "peek_queue",
        "Look at the next messages without taking them",
        "queue=slug limit=several",
        "peek at the next {limit} messages in {queue} / what are the first {limit} messages in {queue}, leave them "
        "there / show me {limit} messages waiting in the queue {queue} / look into {queue} without consuming "
        "anything, {limit} messages are enough / {queue}, next {limit}, just looking / I'm curious what's at the head "
        "of {queue}, let me see {limit} / without taking them out, print {limit} messages of {queue} / give me a "
        "glimpse of {queue}, {limit} entries",
    ),
    tool(
        "replay_dead_letters",
        "Send failed messages to their queue again",
        "queue=slug max_messages=count failed_since?=date",
        "replay up to {max_messages} dead letters of {queue} / the failed messages of {queue} should be tried again, "
        "{max_messages} at most / put {max_messages} messages from the dead letter box back into {queue} / bug is "
        "fixed, so reprocess what failed in {queue}, no more than {max_messages} / retry at most {max_messages} "
        "failed messages from {queue} / {queue}: redeliver the failures, maximum {max_messages} / can {queue} get its "
        "failed messages once more, limit {max_messages} / requeue dead letters, {max_messages} tops, into {queue}",
        failed_since=", only those that failed since {failed_since}",
    ),
    tool(
        "attach_consumer",
        "Let a worker read from a queue",
        "worker=word queue=slug concurrency?=several",
        "attach the consumer {worker} to {queue} / let the worker {worker} read from {queue} / {worker} should start "
        "consuming messages of the queue {queue} / hook {worker} up to {queue} so that it takes messages / {queue} "
        "has a backlog, have {worker} work on it too / subscribe worker {worker} to the queue {queue} / one more "
        "consumer for {queue} please, it's {worker} / from now on {worker} drains {queue}",
        concurrency=", {concurrency} messages at once",
    ),
    tool(
        "detach_consumer",
        "Stop a worker from reading a queue",
        "worker=word queue=slug finish_current?=boolean",
        "detach the consumer {worker} from {queue} / the worker {worker} must no longer read from {queue} / {worker} "
        "should stop consuming messages of the queue {queue} / unhook {worker} from {queue} / {worker} chokes on the "
        "messages of {queue}, take that worker off / unsubscribe worker {worker} from the queue {queue} / one "
        "consumer fewer for {queue}, {worker} goes / keep {worker} away from {queue} from now on",
        finish_current=", after its current message|, right away, even mid-message",
    ),
    tool(
        "add_table_column",
        "Add a column to a database table",
        "table=word column=word data_type=text|number|boolean|timestamp|json nullable?=boolean",
        "add a {data_type} column {column} to the table {table} / the table {table} needs a new field called {column} "
        "of type {data_type} / extend {table} with {column}, type {data_type} / we have to store one more thing in "
        "{table}: a {data_type} column named {column} / new column {column} in table {table}, {data_type} / can "
        "{table} get another column, name {column}, data type {data_type} / alter {table} so that it has a "
        "{data_type} field by the name of {column} / put a field {column} into {table}, it holds a {data_type}",
        nullable=", nulls allowed|, nulls not allowed",
    ),
    tool(
        "rename_table_column",
        "Give a column of a table another name",
        "table=word old_name=word new_name=word",
        "in the table {table}, rename the column {old_name} to {new_name} / the column {old_name} of {table} should "
        "be called {new_name} / {table} has a field with the silly name {old_name}, make it {new_name} / call "
        "{old_name} in table {table} {new_name} from now on / column rename in {table}: old name {old_name}, new name "
        "{new_name} / I want {new_name} as the new name of column {old_name} in {table} / change the heading "
        "{old_name} of {table} into {new_name} / {table}: {old_name} becomes {new_name}, only the column's name",
    ),
    tool(
        "mask_column",
        "Hide personal data in a column",
        "table=word column=word technique=hash|redact|shuffle|truncate visible_to?=[user]",
        "mask the column {column} of {table}, technique {technique} / {column} in the table {table} holds personal "
        "data, {technique} it / anonymize {column} in {table} by the technique {technique} / for privacy, {technique} "
        "the values of {column}, they're in the table {table} / nobody should be able to read {column} in {table} in "
        "the clear, apply {technique} / GDPR says {column} of the table {table} must be hidden, {technique} please / "
        "make {column} unreadable in table {table}: {technique} / table {table}, sensitive field {column}, {technique}",
        visible_to=", visible to {visible_to}",
    ),
    tool(
        "profile_table",
        "Statistics on the contents of a table",
        "table=word columns?=[word] sample_rows?=count",
        "profile the table {table} / how many nulls and distinct values are there in {table} / give me statistics on "
        "the contents of {table} / what does the data in table {table} look like, minimum, maximum and so on / I got "
        "{table} from a client and need a feel for its data quality / overview of the values in the table {table} pls "
        "/ compute the distributions for {table} / is the data in {table} any good",
        columns=", just for {columns}",
        sample_rows=", on a sample of {sample_rows} rows",
    ),
)
