"""Tools of software teams and of those who work with their data."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

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
    tool(
        "freeze_panes",
        "Keep the top rows or left columns of a sheet in view",
        "sheet=title rows=several columns?=handful",
        'freeze the top {rows} rows of "{sheet}" / when I scroll in "{sheet}", the first {rows} rows should stay in '
        'view / keep {rows} header rows visible in the sheet "{sheet}" / pin {rows} rows at the top of the sheet '
        '"{sheet}" / I always lose sight of the headings in "{sheet}", lock the first {rows} rows in place / the '
        'sheet is "{sheet}", fix the upper {rows} rows / "{sheet}": {rows} rows that don\'t scroll away / make the '
        'upper {rows} rows of "{sheet}" sticky',
        columns=", columns to freeze: {columns}",
    ),
    tool(
        "split_text_to_columns",
        "Break the text of cells at a separator into several columns",
        "cell_range=cells separator=comma|semicolon|tab|space|pipe trim?=boolean",
        "split the text in {cell_range} at every {separator} / break {cell_range} apart into columns, the separator "
        "is a {separator} / first and last names are all in {cell_range}, put them in columns of their own, divided "
        "by {separator} / {cell_range} has several values per cell, separate them by {separator} / spread the "
        "contents of {cell_range} over more columns, delimiter {separator} / text to columns on {cell_range}, "
        "{separator} / with {separator} as the separator, take the texts of {cell_range} apart / at each {separator}, "
        "cut the values in {cell_range} into separate columns",
        trim=", trim the blanks|, keep all blanks",
    ),
    tool(
        "highlight_cells",
        "Color the cells that meet a condition",
        "cell_range=cells condition=above|below|equal_to threshold=measure color?=red|green|yellow|orange",
        "highlight the values of {cell_range} that are {condition} {threshold} / in {cell_range}, mark everything "
        "{condition} {threshold} / make the numbers in {cell_range} stand out if they're {condition} {threshold} / "
        "conditional format on {cell_range}: {condition} {threshold} / whatever is {condition} {threshold} in "
        "{cell_range} should catch my eye / color all cells of {cell_range} with a number {condition} {threshold} / I "
        "can't see which figures in {cell_range} are {condition} {threshold}, shade them / if a number is {condition} "
        "{threshold}, tint its cell, range {cell_range}",
        color=", colored {color}",
    ),
    tool(
        "deduplicate_rows",
        "Remove rows that occur twice",
        "sheet=title key_columns=[word] keep?=first|last|newest",
        'deduplicate "{sheet}" by {key_columns} / remove duplicate rows from "{sheet}", compare {key_columns} / the '
        'sheet "{sheet}" lists people twice, rows with the same {key_columns} are doubles, drop them / there should '
        'be just one row in "{sheet}" for each {key_columns} / two rows with equal {key_columns} are one too many, '
        'clean "{sheet}" / by {key_columns}, find the repeats in the sheet "{sheet}" and delete them / "{sheet}", get '
        'rid of doubles, key columns {key_columns} / make the rows of "{sheet}" unique in {key_columns}',
        keep=", keep the {keep} one",
    ),
    tool(
        "annotate_chart",
        "Write a remark at a date of a chart",
        "chart=title label=message at_date=day arrow?=boolean",
        'annotate the chart "{chart}" on {at_date} with "{label}" / at {at_date} in the chart "{chart}" write '
        '"{label}" / the dip on {at_date} in "{chart}" needs an explanation, note "{label}" in the chart / put the '
        'remark "{label}" into the chart "{chart}", at {at_date} / label {at_date} in the graph "{chart}" as '
        '"{label}" / chart "{chart}", {at_date}: "{label}" / everybody asks what happened on {at_date}, so "{label}" '
        'should stand there in the chart "{chart}" / "{label}" as a note at {at_date} on the chart "{chart}"',
        arrow=", with an arrow|, without an arrow",
    ),
    tool(
        "rescale_axis",
        "Change the limits of an axis",
        "chart=title axis=x|y|secondary minimum=small maximum=big scale?=linear|logarithmic",
        'rescale the {axis} axis of "{chart}" to go from {minimum} to {maximum} / in the chart "{chart}", the {axis} '
        "axis should start at {minimum} and end at {maximum} / let the {axis} axis run between {minimum} and "
        '{maximum} in "{chart}" / "{chart}": axis {axis}, minimum {minimum}, maximum {maximum} / the points are '
        'squeezed together in "{chart}", make the {axis} axis reach from {minimum} up to {maximum} / up to {maximum}, '
        'down to {minimum}, that\'s what the {axis} axis in "{chart}" should show / set the limits of the {axis} '
        'axis to {minimum} and {maximum}, the chart is "{chart}" / the graph "{chart}" needs another range on its '
        "{axis} axis, lowest {minimum}, highest {maximum}",
        scale=", on a {scale} scale",
    ),
    tool(
        "launch_training_run",
        "Train a model on a data set",
        "model=slug dataset=word epochs=small gpus?=several early_stopping?=boolean",
        "launch a training run of {model} on {dataset} for {epochs} epochs / train {model} for {epochs} epochs, the "
        "data set is {dataset} / let {model} learn from the data set {dataset}, {epochs} epochs / fit {model} to the "
        "data in {dataset}, {epochs} passes / {epochs} epochs of {model} on {dataset} please / use the data set "
        "{dataset} to train the model {model}, number of epochs {epochs} / the labels in {dataset} are ready, so "
        "start teaching {model}, {epochs} epochs / model {model}, data {dataset}, epochs {epochs}, go",
        gpus=", on {gpus} GPUs",
        early_stopping=", with early stopping|, without early stopping",
    ),
    tool(
        "abort_training_run",
        "Stop a training run before its end",
        "run_id=code save_checkpoint?=boolean",
        "abort the training run {run_id} / the loss of run {run_id} has gone to nan, stop it / kill training {run_id} "
        "/ run {run_id} isn't learning anything, end it now / no need to let {run_id} train any longer / cancel the "
        "model training with the id {run_id} / {run_id} is wasting our GPUs, halt the training / break off {run_id} "
        "before it gets to the last epoch",
        save_checkpoint=", save a checkpoint|, don't keep a checkpoint",
    ),
    tool(
        "compare_training_runs",
        "Compare the results of training runs",
        "run_ids=[code] metric=accuracy|loss|recall|precision split?=train|validation|test",
        "compare {run_ids} by {metric} / which of {run_ids} was trained best, going by {metric} / put the {metric} of "
        "the runs {run_ids} side by side / the trainings {run_ids} are done, how do they differ in {metric} / "
        "{metric} of {run_ids}, next to each other / I can't decide between the models from {run_ids}, {metric} is "
        "what counts / rank the runs {run_ids}, metric {metric} / show how {metric} developed in the runs {run_ids}",
        split=", on the {split} data",
    ),
    tool(
        "blur_faces",
        "Make faces or plates in a picture unrecognizable",
        "image=file strength=light|medium|strong also_plates?=boolean",
        "blur the faces in {image}, {strength} / nobody should be recognized in {image}, the effect should be "
        "{strength} / the people in the picture {image} haven't agreed, so make their faces fuzzy, {strength} / "
        "{strength} face blur on {image} / pixelate everyone's face in the photo {image}, strength {strength} / "
        "{image}: hide who's in it, {strength} / with {strength} strength, obscure the faces shown in {image} / can "
        "you anonymize the passers-by in {image}, {strength} please",
        also_plates=", number plates too|, but leave number plates",
    ),
    tool(
        "remove_image_background",
        "Cut out the subject of a picture",
        "image=file fill?=transparent|white|black feather_pixels?=small",
        "remove the background of {image} / cut out the person in {image} / I only need what's in front in {image}, "
        "take away everything behind it / {image} has an ugly wall behind the product, get rid of that wall / isolate "
        "the subject of the picture {image} / clear the backdrop from {image} / make a cutout from {image} / {image} "
        "without its background pls",
        fill=", fill: {fill}",
        feather_pixels=", soften the edge by {feather_pixels} pixels",
    ),
    tool(
        "extract_keywords",
        "Most important terms of a text file",
        "document=path top_n=several language?=language include_phrases?=boolean",
        "extract {top_n} keywords from {document} / what are the {top_n} most important terms in {document} / give me "
        "{top_n} key terms of the text {document} / which {top_n} words describe {document} best / I have to tag "
        "{document} for our search, pick {top_n} terms out of it / {document}: top {top_n} terms / pull the {top_n} "
        "main terms out of the file {document} / find {top_n} catchwords in {document}",
        language=", the text is in {language}",
        include_phrases=", with phrases of several words|, single words only",
    ),
    tool(
        "add_translation_key",
        "Add a string to the translation files",
        "key=word source_text=message namespace=common|errors|emails|settings max_length?=count",
        'add the translation key {key} with the text "{source_text}" to {namespace} / there\'s a new string to be '
        'translated in {namespace}, "{source_text}", its key is {key} / put "{source_text}" under the key {key} into '
        'the {namespace} strings / new i18n entry, namespace {namespace}, key {key}, text "{source_text}" / '
        '"{source_text}" is still hard-coded, make it a translatable string named {key} in {namespace} / in the '
        '{namespace} translation file, {key} should read "{source_text}" / translators need "{source_text}" as {key}, '
        'namespace {namespace} / create a string {key} for localization in {namespace}, it says "{source_text}"',
        max_length=", at most {max_length} characters",
    ),
    tool(
        "list_missing_translations",
        "Strings that a language still lacks",
        "target_language=language namespace?=common|errors|emails|settings include_outdated?=boolean",
        "list the missing translations for {target_language} / which strings haven't been translated into "
        "{target_language} yet / what does the {target_language} version of our app still lack / show me everything "
        "untranslated in {target_language} / our {target_language} users see English texts here and there, which ones "
        "are those / {target_language}: what's left to translate / how many gaps are there in the {target_language} "
        "locale files / are we complete in {target_language} or is some text missing",
        namespace=", namespace {namespace}",
        include_outdated=", with the outdated ones|, without the outdated ones",
    ),
    tool(
        "mock_endpoint",
        "Answer calls to an API path with a fixed response",
        "method=GET|POST|PUT|DELETE endpoint=path status_code=status delay?=seconds",
        "mock {method} {endpoint} with status {status_code} / let {method} requests to {endpoint} always answer "
        "{status_code} / pretend that {endpoint} returns {status_code} for {method} / I want to test my client, so "
        "fake a {status_code} for {method} on {endpoint} / stub {endpoint}: method {method}, response code "
        "{status_code} / whenever somebody sends {method} to {endpoint}, reply with {status_code} / give me a dummy "
        "for {endpoint} that responds to {method} with {status_code} / the backend isn't ready, simulate "
        "{status_code} at {endpoint} for each {method}",
        delay=", after a delay of {delay}",
    ),
    tool(
        "throttle_api_client",
        "Limit how many requests a client may send",
        "client=company requests_per_minute=big burst?=small until?=day",
        "throttle {client} to {requests_per_minute} requests per minute / {client} hammers our API, allow no more "
        "than {requests_per_minute} calls a minute / set a rate limit of {requests_per_minute} a minute for the "
        "client {client} / the API client {client} may send {requests_per_minute} requests each minute / {client}: "
        "{requests_per_minute} rpm at most / not more than {requests_per_minute} API requests per minute from "
        "{client} / slow {client} down to {requests_per_minute} calls per minute / cap the traffic of {client} on our "
        "API, {requests_per_minute} requests a minute",
        burst=", with bursts of {burst}",
        until=", valid until {until}",
    ),
    tool(
        "group_browser_tabs",
        "Put open tabs of the browser into a group",
        "tab_titles=[topic] group_name=word color?=blue|red|green|grey|purple collapsed?=boolean",
        "group the tabs {tab_titles} as {group_name} / put the open tabs {tab_titles} together under the name "
        "{group_name} / make a tab group called {group_name} from {tab_titles} / my browser is a mess, the tabs "
        "{tab_titles} belong together, call that {group_name} / bundle {tab_titles} in the browser, group name "
        "{group_name} / tabs {tab_titles} into a group {group_name} / I want {tab_titles} side by side in a group of "
        "tabs named {group_name} / {group_name} should be a tab group holding {tab_titles}",
        color=", colored {color}",
        collapsed=", collapse it|, leave it expanded",
    ),
    tool(
        "connect_shapes",
        "Draw a line between two shapes of a diagram",
        "from_shape=word to_shape=word line_style=solid|dashed|dotted caption?=title",
        "connect the shape {from_shape} to {to_shape} with a {line_style} line / draw a {line_style} arrow from "
        "{from_shape} to {to_shape} / in the diagram, a {line_style} line should lead from {from_shape} to {to_shape} "
        "/ {to_shape} gets its data from {from_shape}, show that by a {line_style} arrow / link the boxes, from "
        "{from_shape} to {to_shape}, {line_style} / flow chart: {from_shape} points to {to_shape}, {line_style} line "
        "/ the arrow that ends at {to_shape} and begins at {from_shape} is missing, make it {line_style} / with a "
        "{line_style} connector, join {from_shape} to {to_shape}",
        caption=', captioned "{caption}"',
    ),
    tool(
        "disconnect_shapes",
        "Delete the line between two shapes of a diagram",
        "from_shape=word to_shape=word",
        "disconnect the shape {from_shape} from {to_shape} / delete the arrow that leads from {from_shape} to "
        "{to_shape} / there shouldn't be a line from {from_shape} to {to_shape} in the diagram / {from_shape} has "
        "nothing to do with {to_shape} any more, take the connector from one to the other away / erase the link "
        "between the boxes, it starts at {from_shape} and ends at {to_shape} / flow chart: {from_shape} no longer "
        "points to {to_shape} / remove the connection that goes to {to_shape}, coming from {from_shape} / the line to "
        "{to_shape} from {from_shape} is wrong, get rid of it",
    ),
    tool(
        "teach_bot_reply",
        "Teach the chat bot an answer to a word",
        "trigger=word reply=message channel?=hashtag match?=exact|contains|starts_with",
        'teach the bot to reply "{reply}" to {trigger} / when somebody writes {trigger}, the bot should answer '
        '"{reply}" / let our chat bot respond to {trigger} with "{reply}" / new bot answer, trigger {trigger}, reply '
        '"{reply}" / people keep asking about {trigger}, have the bot tell them "{reply}" / "{reply}" is what the bot '
        'should say to {trigger} / make the bot react to the word {trigger}, with the words "{reply}" / bot: on '
        '{trigger} say "{reply}"',
        channel=", in #{channel}",
        match=", match: {match}",
    ),
    tool(
        "forget_bot_reply",
        "Make the chat bot unlearn its answer to a word",
        "trigger=word channel?=hashtag",
        "the bot should forget its reply to {trigger} / when somebody writes {trigger}, the bot should keep quiet "
        "from now on / unlearn the chat bot's answer to {trigger} / no more automatic responses to {trigger} / the "
        "bot's answer to {trigger} is out of date, drop it / stop the bot from reacting to the word {trigger} / "
        "delete what our bot says to {trigger} / bot: nothing on {trigger} any longer",
        channel=", in #{channel}",
    ),
    tool(
        "split_terminal_pane",
        "Divide the terminal window",
        "direction=left|right|above|below command?=path size_percent?=percentage",
        "split the terminal pane, the new one {direction} / open a second shell next to this one, direction "
        "{direction} / I need another prompt in this window, direction: {direction} / divide the console, {direction} "
        "/ one more terminal pane, {direction} pls / split this shell, put the new half {direction} / I want to see "
        "two shells at once, the other one should be {direction} / can I have an extra pane in the terminal, "
        "{direction}",
        command=", running {command}",
        size_percent=", taking {size_percent} of the window",
    ),
    tool(
        "restore_browser_session",
        "Open the tabs of the last browser session again",
        "",
        "restore my browser session / the browser crashed, bring all my tabs back / open the same tabs as the last "
        "time / I closed the whole window by mistake, I want the pages of the last session back / can I continue "
        "browsing where I left off / all tabs from before the restart, please / my tabs are gone after the update, "
        "reopen every one of them / get back the browser tabs I had open yesterday",
    ),
    tool(
        "clear_terminal",
        "Wipe the output from the terminal window",
        "",
        "clear the terminal / the console is full of old output, wipe it / give me an empty shell window / clean up "
        "the command line, I can't see anything any more / scrollback is a mess, start with a blank prompt / get all "
        "this text out of my terminal / could you make the console blank / remove what's been printed on the terminal "
        "so far",
    ),
)
