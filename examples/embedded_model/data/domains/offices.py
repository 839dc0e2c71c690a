"""Offices' tools: minutes, letters, calls, projects, votes, lawyers, calendars."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "circulate_minutes",
        "Send the written record of a meeting to people",
        "meeting=title recipients=[email] confidential?=boolean",
        'circulate the minutes of "{meeting}" to {recipients} / send {recipients} the written record of the meeting '
        '"{meeting}" / what was said in "{meeting}" should be sent round to {recipients} / {recipients} couldn\'t '
        'be at "{meeting}" and would like to read the minutes / the protocol of the "{meeting}" meeting goes out to '
        '{recipients} / recipients of the minutes are {recipients}, the meeting was "{meeting}" / mail the record of '
        '"{meeting}" around, namely to {recipients} / let {recipients} have the notes which were taken at the meeting '
        '"{meeting}"',
        confidential=", marked as confidential|, not marked as confidential",
    ),
    tool(
        "dictate_letter",
        "Write a letter from dictation and print it",
        "recipient=person text=message tone?=formal|friendly|stern letterhead?=boolean",
        'take a letter to {recipient}: "{text}" / I dictate, the letter goes to {recipient} and says "{text}" / write '
        'to {recipient} on paper, text: "{text}" / "{text}", print that as a letter for {recipient} / type up the '
        'following for {recipient} and put it in an envelope: "{text}" / please set down a letter for {recipient} '
        'that reads "{text}" / letter, recipient {recipient}, "{text}" / a printed note with the words "{text}" '
        "should go to {recipient} by post",
        tone=", in a {tone} tone",
        letterhead=", on letterhead|, on plain paper",
    ),
    tool(
        "request_signature",
        "Ask somebody to sign a document",
        "signatory=guest file=file sign_by?=day",
        "request the signature of {signatory} for {file} / {signatory} has to sign {file}, ask for it / {file} needs "
        "to be signed by {signatory} / send {file} to {signatory} so that they can put their name under it / can you "
        "get {signatory} to sign {file} / ask {signatory} for an autograph under {file} / signatory {signatory}, "
        "document {file} / without the name of {signatory} at the bottom {file} isn't valid, please ask",
        sign_by=", the signing deadline is {sign_by}",
    ),
    tool(
        "shred_dossiers",
        "Destroy paper files in the archive for good",
        "dossier_numbers=[code] witness?=person",
        "shred the dossiers {dossier_numbers} / these paper files may be destroyed now: {dossier_numbers} / we don't "
        "have to keep {dossier_numbers} in the archive any longer, put them through the shredder / get rid of what's "
        "in the archive under {dossier_numbers} for good / {dossier_numbers}: the retention period is over, have the "
        "papers destroyed / nobody needs the papers of {dossier_numbers} any more, into the shredder with them / "
        "archive, destroy {dossier_numbers} / can the old files with the numbers {dossier_numbers} be cut to pieces",
        witness=", {witness} is the witness",
    ),
    tool(
        "extend_retention",
        "Keep a paper file in the archive for more years",
        "dossier_number=code extra_years=handful ground?=lawsuit|audit|tax|research",
        "extend the retention of dossier {dossier_number} by {extra_years} years / don't throw {dossier_number} away "
        "yet, the archive should keep it {extra_years} more years / keep the paper file {dossier_number} for another "
        "{extra_years} years / {extra_years} years longer in the archive for {dossier_number} / the dossier "
        "{dossier_number} must stay on the shelf {extra_years} additional years / dossier {dossier_number}, retention "
        "plus {extra_years} years / we might need the papers of {dossier_number} again, hold on to them {extra_years} "
        "more years / add {extra_years} years to the time that {dossier_number} is stored in the archive",
        ground=", because of {ground}",
    ),
    tool(
        "play_voicemails",
        "Play the messages on the answering machine",
        "only_new?=boolean caller?=person",
        "play my voicemails / what's on the answering machine / I want to hear the messages that callers have left / "
        "did anyone leave a message while I was out, let me listen / listen to the mailbox of my phone / let me hear "
        "what people said after the beep / voice messages pls / the light on the answering machine is blinking, let "
        "it speak",
        only_new=", only the new ones|, the old ones too",
        caller=", I mean those from {caller}",
    ),
    tool(
        "erase_voicemails",
        "Delete the messages on the answering machine",
        "older_than_days?=small",
        "erase my voicemails / clear the answering machine / the mailbox of my phone is full, delete the messages in "
        "it / I've heard all the messages after the beep, they can go / wipe what callers have left on the answering "
        "machine / get rid of the recorded phone messages / voicemail: delete / callers can't leave messages because "
        "there's no space, make room",
        older_than_days=", but only what's older than {older_than_days} days",
    ),
    tool(
        "transfer_call",
        "Put the current caller through to somebody else",
        "extension=port announce?=boolean",
        "transfer this call to extension {extension} / put the caller through to {extension} / I can't help this "
        "customer on the phone, connect them with {extension} / the person on the line wants to talk to the colleague "
        "at {extension} / pass the current call on to {extension} / hand the caller over to extension {extension} / "
        "could {extension} take over this conversation, the caller's still on the line / extension {extension} pls, "
        "for the gentleman on the phone",
        announce=", and tell the colleague first who it is|, without telling the colleague first who it is",
    ),
    tool(
        "hold_call",
        "Let the current caller wait with music",
        "music?=classical|jazz|nature_sounds",
        "put the caller on hold / let the person on the line wait for a moment / I have to look something up, keep "
        "the caller waiting / park this call / the customer on the phone should hear the waiting music now / pause "
        "the phone conversation, I'll be right back on the line / one moment, hold the line for me / I need to ask my "
        "boss something, the caller mustn't hear it",
        music=", and play {music} meanwhile",
    ),
    tool(
        "resume_held_call",
        "Take the waiting caller off hold",
        "",
        "take the caller off hold / I'm back, let me speak to the person who's been waiting on the line / stop the "
        "waiting music, I've got the answer for the customer / go on with the parked call / put me back on the line "
        "with my caller / the caller has waited long enough, connect us again / unhold / can I carry on with the "
        "phone conversation that I interrupted",
    ),
    tool(
        "staff_project",
        "Put an employee on a project with a part of the working time",
        "project=work employee=person workload_percent=percentage role?=lead|developer|tester|analyst",
        'staff the project "{project}" with {employee} at {workload_percent} / {employee} works {workload_percent} of '
        'the time on "{project}" from now on / we need {employee} on the project "{project}", {workload_percent} of '
        'the working time / plan {employee} in for "{project}" with a workload of {workload_percent} / '
        '{workload_percent} of {employee}\'s time goes to the project "{project}" / new on the team of '
        '"{project}": {employee}, {workload_percent} / "{project}" is short of people, give it {workload_percent} of '
        '{employee} / can {employee} join the "{project}" team at {workload_percent}',
        role=", role: {role}",
    ),
    tool(
        "pull_off_project",
        "Take an employee away from a project",
        "project=work employee=person successor?=person",
        'pull {employee} off the project "{project}" / {employee} doesn\'t work on "{project}" any more / take '
        '{employee} away from "{project}", they\'re needed elsewhere / from now on the project "{project}" has to '
        'do without {employee} / remove {employee} from the team of "{project}" / "{project}" loses {employee} / '
        '{employee} is out of the "{project}" team / can we free {employee} from the work on "{project}"',
        successor=", successor is {successor}",
    ),
    tool(
        "open_ballot",
        "Start a vote on a question with options to choose from",
        "question=message options=[title] closes_on=day anonymous?=boolean quorum_percent?=percentage",
        'open a ballot on "{question}" with the options {options}, it closes on {closes_on} / the staff should vote '
        'on "{question}", choices {options}, until {closes_on} / let everybody choose between {options} by '
        '{closes_on}, the question is "{question}" / start a poll, "{question}", answers {options}, last day '
        '{closes_on} / until {closes_on} people can vote for {options}, the question reads "{question}" / what do the '
        'colleagues think about "{question}", let them pick from {options} up to {closes_on} / vote: "{question}", to '
        'choose from {options}, ends {closes_on} / put "{question}" to the vote, closing on {closes_on}, with '
        "{options} on the ballot paper",
        anonymous=", the vote is anonymous|, everybody may see who voted for what",
        quorum_percent=", quorum {quorum_percent}",
    ),
    tool(
        "cast_vote",
        "Give one's own vote in a running ballot",
        "ballot_id=code choice=yes|no|abstain on_behalf_of?=person",
        "cast my vote in ballot {ballot_id}: {choice} / I vote {choice} in {ballot_id} / put me down as {choice} in "
        "the ballot {ballot_id} / ballot {ballot_id}, my choice is {choice} / my answer to {ballot_id} is {choice}, "
        "hand in the ballot paper / in the running ballot {ballot_id} my voice counts as {choice} / {choice} is how I "
        "want to vote in {ballot_id} / count me as {choice} when it comes to the vote {ballot_id}",
        on_behalf_of=", I do this on behalf of {on_behalf_of}",
    ),
    tool(
        "tally_votes",
        "Count the votes of a closed ballot",
        "ballot_id=code by_department?=boolean",
        "tally the votes of ballot {ballot_id} / how did the ballot {ballot_id} turn out / who won the vote "
        "{ballot_id} / count the ballot papers of {ballot_id} / {ballot_id} is closed, what's the result of the vote "
        "/ how many said yes and how many said no in {ballot_id} / result of the ballot {ballot_id} pls / everybody "
        "has voted in {ballot_id}, so add up the votes",
        by_department=", split by department|, only the overall figures",
    ),
    tool(
        "correct_timesheet",
        "Change the recorded hours of a working day",
        "employee=person work_day=day started_at=clock ended_at=clock break_minutes?=minutes",
        "correct the timesheet of {employee} for {work_day}: started at {started_at}, ended at {ended_at} / "
        "{employee} forgot to clock out on {work_day}, the right hours are from {started_at} to {ended_at} / on "
        "{work_day} {employee} really worked from {started_at} until {ended_at}, fix the record / the hours of "
        "{employee} on {work_day} are wrong, start {started_at}, end {ended_at} / amend {work_day} for {employee}, in "
        "at {started_at}, out at {ended_at} / {employee} left at {ended_at} on {work_day} and had come in at "
        "{started_at}, put that right in the time records / time recording of {employee}, {work_day}, should read "
        "{started_at} to {ended_at} / the clock was broken on {work_day}, so change the entry of {employee}, began "
        "{started_at}, finished {ended_at}",
        break_minutes=", the break was {break_minutes}",
    ),
    tool(
        "commission_translation",
        "Order a sworn translator's version of a document",
        "file=file source_language=language target_language=language certified?=boolean needed_by?=day",
        "commission a translation of {file} from {source_language} into {target_language} / have a translator put "
        "{file} into {target_language}, it's written in {source_language} / {file} is in {source_language} and we "
        "need it in {target_language}, hire a translator / order the {target_language} version of our "
        "{source_language} document {file} from the translation agency / a sworn translator should turn {file} from "
        "{source_language} to {target_language} / source language {source_language}, target language "
        "{target_language}, file {file}, to the translation bureau / the court only reads {target_language}, get "
        "{file} translated by a professional, original in {source_language} / can somebody at the agency translate "
        "{file}, from {source_language}, to {target_language}",
        certified=", with a certified stamp|, without a certified stamp",
        needed_by=", needed by {needed_by}",
    ),
    tool(
        "retain_lawyer",
        "Hire a lawyer for a legal matter",
        "lawyer=last_name field=labour_law|tax_law|copyright|family_law|criminal_law retainer?=amount",
        "retain the lawyer {lawyer} for a matter of {field} / we need a solicitor for {field}, take {lawyer} / "
        "{lawyer} shall represent us, it's about {field} / hire attorney {lawyer}, field {field} / give {lawyer} the "
        "mandate for our {field} case / a case of {field} is coming up and {lawyer} should be our counsel / engage "
        "{lawyer} as our legal adviser in {field} / I'm being sued, it's {field}, and I want {lawyer} to defend me",
        retainer="with a retainer of {retainer}",
    ),
    tool(
        "dismiss_lawyer",
        "Take the mandate away from a lawyer",
        "lawyer=last_name case_number=code request_files?=boolean",
        "dismiss the lawyer {lawyer} from the case {case_number} / {lawyer} no longer represents us in {case_number} "
        "/ we aren't happy with our attorney {lawyer}, end the mandate in {case_number} / withdraw the power of "
        "attorney of {lawyer} for {case_number} / case {case_number}: {lawyer} is not our counsel any more / fire our "
        "solicitor {lawyer}, case number {case_number} / in {case_number} we want a different lawyer, so let {lawyer} "
        "go / terminate what we've agreed with the lawyer {lawyer} about {case_number}",
        request_files=", and ask for our files back|, but leave our files there",
    ),
    tool(
        "seek_postponement",
        "Ask the court to move a court date to a later day",
        "case_number=code from_date=day to_date=day ground=illness|new_evidence|settlement_talks|travel",
        "seek a postponement of the court date in {case_number} from {from_date} to {to_date}, ground {ground} / we "
        "can't be in court on {from_date} because of {ground}, ask for {to_date} in the case {case_number} / ask the "
        "judge to move {case_number} from {from_date} to {to_date}, the ground is {ground} / case {case_number}: we'd "
        "rather have {to_date} than {from_date} as a court date, {ground} / because of {ground} the court date of "
        "{from_date} should be put off until {to_date}, case number {case_number} / tell the court that {from_date} "
        "doesn't suit us in {case_number}, {ground}, would {to_date} do / could {case_number} come before the court "
        "on {to_date} instead of {from_date}, owing to {ground} / {ground} is our ground for asking the court to "
        "shift {case_number} from {from_date} to {to_date}",
    ),
    tool(
        "list_vacancies",
        "List the open posts of the company",
        "skills?=[skill] contract_type?=full_time|part_time|internship",
        "list the vacancies / which posts are open at the moment / what jobs do we have to fill / show me all "
        "unfilled positions / who are we looking for right now / are we hiring, and for what / open positions pls / I "
        "have a friend who'd like to work here, what's free",
        skills=", skills needed: {skills}",
        contract_type=", contract type {contract_type}",
    ),
    tool(
        "share_calendar",
        "Let a colleague look into one's calendar",
        "colleague=email access=busy_only|details|edit",
        "share my calendar with {colleague}, access {access} / {colleague} should be able to see my appointments, "
        "level of access: {access} / let {colleague} look into my calendar with {access} rights / give {colleague} "
        "{access} access to my diary / I want {colleague} to know when I'm free, open my calendar for them as "
        "{access} / {access} rights to my calendar for {colleague} / calendar access, colleague {colleague}, {access} "
        "/ my assistant is {colleague}, allow them into my calendar, {access}",
    ),
    tool(
        "unshare_calendar",
        "End a colleague's access to one's calendar",
        "colleague=email",
        "stop sharing my calendar with {colleague} / {colleague} shouldn't see my appointments any more / lock "
        "{colleague} out of my calendar / my dates are none of the business of {colleague} any longer / take away the "
        "access to my diary from {colleague} / end the view that {colleague} has into my calendar / {colleague}, no "
        "more calendar access / {colleague} isn't my assistant now, so hide my appointments from them",
    ),
    tool(
        "merge_duplicate_contacts",
        "Join two entries of the address book that are the same person",
        "keep=person duplicate=person",
        "merge the contact {duplicate} into {keep} / keep {keep} in the address book, {duplicate} is the duplicate, "
        "join them / {duplicate} is a superfluous entry for the person whom I want to keep as {keep} / the duplicate "
        "{duplicate} should be absorbed by the contact {keep} / address book: the entry to keep is {keep}, the double "
        "one is {duplicate} / I have one person twice, keep {keep} and fold the duplicate {duplicate} into it / "
        "delete nothing, just move all numbers of the double {duplicate} over to {keep} and leave that one / can the "
        "double entry {duplicate} be combined with {keep}, which is the one that stays",
    ),
)
