"""Tools for sheets, charts, training runs, texts, tabs, diagrams and bots."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
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
