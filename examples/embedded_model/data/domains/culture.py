"""Culture's tools: museums, stages, cinemas, bands, magazines and archives."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "lend_artwork",
        "Give a work of the collection on loan to another museum",
        "artwork=work borrower=company return_by=day insured_value?=amount courier?=boolean",
        'lend "{artwork}" to {borrower} until {return_by} / {borrower} would like to show our "{artwork}", they may '
        'keep it until {return_by} / loan out "{artwork}", borrower {borrower}, back by {return_by} / the curators at '
        '{borrower} get "{artwork}" from us and return it by {return_by} / until {return_by} the piece "{artwork}" '
        'may hang at {borrower}, draw up the loan / "{artwork}" to {borrower}, due back {return_by}, pls / can we let '
        '{borrower} have the sculpture "{artwork}" with a return date of {return_by} / by {return_by} we need '
        '"{artwork}" home again, but till then {borrower} can exhibit it',
        insured_value=", insured for {insured_value}",
        courier=", with a courier travelling along|, no courier needed",
        answer="{borrower} may keep {artwork} until {return_by}.",
    ),
    tool(
        "recall_artwork",
        "Ask a borrower to send a work on loan back early",
        "artwork=work borrower=company reason?=damage|exhibition|sale|dispute",
        'call "{artwork}" back from {borrower} / we want "{artwork}" returned early, {borrower} has it on loan / tell '
        '{borrower} to ship our "{artwork}" home ahead of time / recall "{artwork}", it\'s with {borrower} / '
        '{borrower} must give the painting "{artwork}" back to us now / end the loan of "{artwork}" to {borrower} '
        'before time / the loan at {borrower} has to be cut short, "{artwork}" comes back / {borrower} still has '
        '"{artwork}" and we can\'t wait for the agreed date, demand it back',
        reason=", the reason is {reason}",
    ),
    tool(
        "list_overdue_loans",
        "Works that borrowers have not sent back in time",
        "",
        "which of our works should have been back by now / who hasn't returned what we lent out / overdue loans pls / "
        "list the pieces that other museums still have although the loan is over / is any borrower late / show me "
        "every loaned work past its return date / what artworks are we still waiting for / give me the borrowers who "
        "have missed their deadline",
    ),
    tool(
        "hang_artwork",
        "Put a picture on a gallery wall",
        "artwork=work gallery=code wall=north|south|east|west height?=meters",
        'hang "{artwork}" in gallery {gallery} on the {wall} wall / the {wall} wall of gallery {gallery} is for '
        '"{artwork}" / I\'d like visitors to see "{artwork}" on the {wall} side of gallery {gallery} / gallery '
        '{gallery}, {wall} wall: "{artwork}" / where it\'s empty now, {wall} wall in gallery {gallery}, mount the '
        'canvas "{artwork}" / put up the picture "{artwork}", {wall} wall, gallery {gallery} / there\'s a gap on '
        'the {wall} wall in gallery {gallery}, fill it with "{artwork}" / can the technicians fix "{artwork}" to the '
        "{wall} wall of gallery {gallery}",
        height=", with its centre at {height}",
    ),
    tool(
        "store_exhibit",
        "Move an object from display to the depot",
        "accession_number=code shelf=code crate?=boolean",
        "take object {accession_number} off display and put it on depot shelf {shelf} / {accession_number} goes into "
        "storage, shelf {shelf} / the depot gets {accession_number}, its place is shelf {shelf} / stow the vase with "
        "accession number {accession_number} away on shelf {shelf} / on shelf {shelf} there's room for object "
        "{accession_number}, we don't show it any more / remove {accession_number} from its showcase, it lives on "
        "shelf {shelf} in the depot from now on / shelf {shelf} for exhibit {accession_number}, the show's over / can "
        "somebody carry accession number {accession_number} down to the depot, shelf {shelf}",
        crate=", packed in a crate|, without a crate",
        answer="{accession_number} is in the depot on shelf {shelf}.",
    ),
    tool(
        "request_restoration",
        "Send a damaged work to the conservators",
        "artwork=work damage=crack|stain|tear|mould|fading urgent=boolean",
        'the conservators should look at "{artwork}", it has a problem: {damage} / "{artwork}" needs restoring, '
        'damage: {damage} / I\'ve found damage of the type {damage} on "{artwork}", have it repaired / restore '
        '"{artwork}", {damage} / {damage} on our oil painting "{artwork}", get the workshop to treat it / ask for '
        'conservation of "{artwork}" because of damage ({damage}) / damage report, {damage}: work "{artwork}" / can '
        'the restorer do something for "{artwork}", the trouble is {damage}',
        urgent=", and it's urgent|, there's no hurry",
    ),
    tool(
        "issue_audio_guide",
        "Hand an audio guide out to a visitor",
        "visitor=last_name language=language deposit?=passport|cash|none",
        "give {visitor} an audio guide in {language} / Mrs {visitor} would like to listen to the tour in {language}, "
        "hand her a device / headset for {visitor}, {language} pls / a visitor called {visitor} wants a {language} "
        "audio guide / in {language}, one audio guide, for Mr {visitor} / the {visitor} party needs the recorded "
        "commentary in {language}, issue a player / audio guide out: {visitor}, language {language} / can {visitor} "
        "have a handset that explains the exhibits in {language}",
        deposit=", deposit: {deposit}",
    ),
    tool(
        "take_back_audio_guide",
        "Book a returned audio guide in",
        "device_number=code faulty?=boolean",
        "audio guide {device_number} is back / somebody has just returned the handset {device_number} / book device "
        "{device_number} in again / the visitor with player {device_number} has left and handed it over / take back "
        "audio guide {device_number} / {device_number} came back to the desk, note the return of that audio guide / a "
        "guest brings us the museum headset number {device_number} / returned from the tour: audio guide "
        "{device_number}",
        faulty=", and it's broken|, in working order",
    ),
    tool(
        "count_visitors",
        "How many people came to the house",
        "date=day ticket_type?=full|reduced|free|group",
        "how many people came to the museum on {date} / visitor numbers for {date} / what was our attendance on "
        "{date} / tell me how busy the house was on {date} / count the guests who walked through the doors on {date} "
        "/ {date}, how many admissions / the board asks for the footfall of {date} / on {date} we had how many "
        "visitors",
        ticket_type=", only those with a {ticket_type} ticket",
        result="visitors=count",
        answer="{visitors} people came on {date}.",
    ),
    tool(
        "cast_role",
        "Give a part in a play to an actor",
        "play=work role=first_name actor=person salary?=amount",
        'in "{play}" the role of {role} goes to {actor} / cast {actor} as {role} in "{play}" / {actor} will play the '
        'character {role} in "{play}" / we\'ve found our {role} for "{play}", it\'s the actor {actor} / for the '
        'part of {role} in the drama "{play}" I want {actor} / "{play}", role {role}, actor {actor} / the director '
        'has picked {actor}, who gets the character called {role} in "{play}" / who plays {role} in "{play}"? put '
        "down {actor}",
        salary=", for a fee of {salary}",
        answer="{actor} plays {role}.",
    ),
    tool(
        "name_understudy",
        "Say who jumps in when an actor is ill",
        "actor=person understudy=person",
        "if {actor} falls ill, {understudy} jumps in / make {understudy} the understudy of {actor} / {understudy} "
        "learns the lines of {actor} as a stand-in / we need cover for {actor}, take {understudy} / understudy for "
        "{actor}: {understudy} / should {actor} lose the voice, who goes on? let it be {understudy} / {actor} needs a "
        "backup on stage and {understudy} has agreed to be it / let {understudy} step in whenever {actor} can't "
        "perform",
    ),
    tool(
        "schedule_rehearsal",
        "Put a rehearsal on the stage plan",
        "play=work date=day starts=clock ends=clock kind?=reading|technical|dress|music",
        'we rehearse "{play}" on {date} from {starts} to {ends} / rehearsal for "{play}", {date}, {starts} until '
        '{ends} / on {date} the cast of "{play}" practises, beginning at {starts} and finishing at {ends} / the '
        'ensemble is needed from {starts} till {ends} on {date} for a run of "{play}" / get the company of "{play}" '
        'together on {date}, start {starts}, end {ends} / put "{play}" on the rehearsal plan: {starts} to {ends} on '
        '{date} / from {starts} to {ends} we\'d like to go through "{play}" again, on {date} / actors of "{play}" '
        "on stage {date}, call time {starts}, over by {ends}, it's a rehearsal",
        kind=", {kind} rehearsal",
    ),
    tool(
        "drop_rehearsal",
        "Call a planned rehearsal off",
        "play=work date=day notify_cast=boolean",
        'no rehearsal of "{play}" on {date} / drop the rehearsal on {date} for "{play}" / the practice session of '
        '"{play}" planned for {date} is off / on {date} we won\'t rehearse "{play}" after all / "{play}", '
        '{date}: rehearsal cancelled / the director is ill, so strike the {date} rehearsal of "{play}" / take the '
        'run-through of "{play}" on {date} out of the plan / give the ensemble of "{play}" a free day on {date} '
        "instead of the rehearsal",
        notify_cast=", and let the cast know|, but don't tell the cast yet",
        answer="There is no rehearsal on {date}.",
    ),
    tool(
        "add_stage_prop",
        "Put an object on the prop list of a play",
        "play=work prop=thing act=five table?=left|right",
        'we need {prop} as a prop in act {act} of "{play}" / prop list of "{play}": add {prop} for act {act} / in act '
        '{act} of "{play}" somebody uses {prop}, so write it on the list of props / {prop} must be ready backstage '
        'for act {act} of "{play}" / act {act} of "{play}" doesn\'t work without {prop}, props department pls / '
        'the props master should get {prop} for "{play}", act {act} / put {prop} down for act {act}, the play is '
        '"{play}" / for "{play}" have {prop} lying ready, it\'s used in act {act}',
        table=", on the prop table stage {table}",
    ),
    tool(
        "cut_stage_prop",
        "Take an object off the prop list of a play",
        "play=work prop=thing",
        'we don\'t use {prop} in "{play}" any more / take {prop} off the prop list of "{play}" / "{play}" will '
        'be played without {prop} from now on / cut {prop} from the props for "{play}" / the director of "{play}" has '
        'thrown {prop} out of the scene / props of "{play}": no more {prop} / {prop} can go back to the store, it '
        'isn\'t needed on stage in "{play}" / the actors in "{play}" do fine without {prop}, strike it from the '
        "props",
    ),
    tool(
        "add_screening",
        "Put a film on a screen of the cinema",
        "film=work screen=five starts=clock date=day version?=dubbed|subtitled|original",
        'show "{film}" on screen {screen} at {starts} on {date} / we\'d like to run "{film}" on {date}, {starts}, '
        'screen {screen} / on {date} the projectionist starts "{film}" on screen {screen} at {starts} / one more '
        'showing of "{film}": screen {screen}, {date}, {starts} / programme for {date}: "{film}" begins at {starts}, '
        'screen {screen} / screen {screen} is free at {starts} on {date}, let\'s put "{film}" there / at {starts} on '
        '{date} screen {screen} gets an extra performance of "{film}" / add the movie "{film}" to our cinema '
        "programme on {date}, beginning {starts}, auditorium {screen}",
        version=", {version} version",
        answer="{film} starts at {starts} on screen {screen}.",
    ),
    tool(
        "move_screening",
        "Shift a film that is already planned to another screen",
        "film=work old_screen=five new_screen=five",
        'move "{film}" from screen {old_screen} to screen {new_screen} / "{film}" won\'t run on screen '
        '{old_screen} but on screen {new_screen} / the projector of screen {old_screen} is broken, show "{film}" on '
        'screen {new_screen} instead / we need a bigger room for "{film}", leave screen {old_screen} and use screen '
        '{new_screen} / switch "{film}" over, old screen {old_screen}, new screen {new_screen} / screen {new_screen} '
        'takes the film "{film}" over from screen {old_screen} / there\'s a leak above screen {old_screen}, so the '
        'audience of "{film}" has to sit in screen {new_screen} / "{film}": out of screen {old_screen}, into screen '
        "{new_screen}",
    ),
    tool(
        "check_in_coat",
        "Take clothes from a guest at the cloakroom",
        "garment=garment hook=code guest?=last_name",
        "hang the {garment} on hook {hook} / a guest leaves a {garment} at the cloakroom, hook {hook} / cloakroom, "
        "hook {hook}: {garment} / on hook {hook} I've put a {garment}, note that down / somebody wants to leave the "
        "{garment} with us before the concert, hook {hook} is free / one {garment} in, hook {hook} / take in a "
        "{garment} and keep it on hook {hook} during the show / hook {hook} is for this guest's {garment}",
        guest=", the owner is {guest}",
    ),
    tool(
        "give_back_coat",
        "Return what hangs in the cloakroom to its owner",
        "hook=code lost_ticket?=boolean",
        "the guest of hook {hook} wants to go home, give the coat back / return what hangs on hook {hook} / hand over "
        "the jacket from hook {hook} / cloakroom hook {hook}, the owner is here to fetch it / empty hook {hook}, the "
        "visitor is leaving / {hook} is the hook, bring that person the coat / fetch my coat, it's on hook {hook} / "
        "the concert is over, somebody asks for the things on hook {hook}",
        lost_ticket=", the ticket is lost|, the ticket was shown",
    ),
    tool(
        "submit_setlist",
        "Tell the venue which songs a band plays",
        "band=artist songs=[title] encore?=title soundcheck?=clock",
        "the setlist of {band} is {songs} / {band} plays the songs {songs} / send the venue what {band} will perform: "
        "{songs} / tonight's titles are {songs}, the band is {band} / {songs}, that's the list of songs from {band} / "
        "tell the sound engineer that {band} will sing {songs} / set list pls, {band}: {songs} / what will {band} "
        "play? hand in these titles: {songs}",
        encore=', with "{encore}" as the encore',
        soundcheck=", soundcheck at {soundcheck}",
    ),
    tool(
        "hire_band",
        "Engage musicians for an evening",
        "genre=genre date=day fee=amount musicians?=several venue?=company",
        "engage a {genre} band for {date}, the fee is {fee} / we need live {genre} music on {date} and can pay {fee} "
        "/ hire musicians who play {genre}, {date}, for {fee} / for {fee}, who would give a {genre} concert on {date} "
        "/ {date}: {genre} group, {fee} fee / on {date} somebody should play {genre} at our party, our budget is "
        "{fee} / sign a {genre} act for the evening of {date} at a fee of {fee} / I've got {fee} to spend on a "
        "{genre} ensemble that performs on {date}",
        musicians=", with {musicians} musicians",
        venue=", the venue is {venue}",
    ),
    tool(
        "subscribe_magazine",
        "Take out a subscription to a magazine",
        "magazine=title edition=print|digital|bundle first_issue?=month gift_for?=person",
        'I want to read "{magazine}" regularly, {edition} edition / subscribe me to "{magazine}", {edition} / get us '
        'every new issue of "{magazine}" as {edition} edition / take out a subscription to the magazine "{magazine}", '
        'edition: {edition} / "{magazine}", {edition}, I\'d like to become a subscriber / order "{magazine}" for '
        'me, each issue, {edition} version / magazine "{magazine}", edition {edition}, start the subscription / '
        'instead of going to the kiosk let\'s have "{magazine}" sent to us all year ({edition})',
        first_issue=", the first issue is the one of {first_issue}",
        gift_for=", as a gift for {gift_for}",
        answer="You will get {magazine}.",
    ),
    tool(
        "pause_magazine",
        "Stop the delivery of a magazine for some time",
        "magazine=title pause_from=day pause_until=day",
        "we're on holiday, don't deliver \"{magazine}\" from {pause_from} until {pause_until} / pause my magazine "
        '"{magazine}" from {pause_from} to {pause_until} / no issues of "{magazine}" between {pause_from} and '
        '{pause_until} / interrupt the subscription of "{magazine}" starting {pause_from}, ending {pause_until} / '
        "from {pause_from} on I'm away, hold \"{magazine}\" back, I'll be home again on {pause_until} / "
        '"{magazine}" break: {pause_from} until {pause_until} / resume "{magazine}" on {pause_until}, but from '
        '{pause_from} send nothing / skip what comes out of "{magazine}" after {pause_from} and before {pause_until}',
    ),
    tool(
        "order_back_issue",
        "Buy an old number of a magazine",
        "magazine=title issue_year=year issue_number=small copies?=handful",
        'I\'m missing number {issue_number} of "{magazine}" from {issue_year} / order the old issue {issue_number} '
        'of the year {issue_year} of "{magazine}" / have you still got "{magazine}", year {issue_year}, issue '
        '{issue_number}? I\'ll buy it / back number {issue_number} from {issue_year} pls, "{magazine}" / my '
        'collection of "{magazine}" lacks issue {issue_number} of {issue_year}, get it / in {issue_year} I threw '
        'issue {issue_number} of "{magazine}" away and want it now / "{magazine}", issue {issue_number}, published in '
        "{issue_year}, send it to me / could I purchase issue {issue_number} from the {issue_year} volume of "
        '"{magazine}"',
        copies=", {copies} copies of it",
    ),
    tool(
        "request_archive_box",
        "Have a box of documents brought to the reading room",
        "box=code reader=person visit_date=day desk?=small magnifier?=boolean",
        "{reader} will study archive box {box} on {visit_date} / bring box {box} to the reading room for {reader} on "
        "{visit_date} / on {visit_date} a researcher called {reader} wants to see the documents in box {box} / order "
        "box {box} up from the stacks, reader {reader}, {visit_date} / box {box} pls, reading room, {visit_date}, for "
        "{reader} / my name is {reader} and I'd like to look through the papers of box {box} on {visit_date} / reader "
        "{reader} comes on {visit_date}, have box {box} lying ready / for {visit_date}, fetch the files of box {box}, "
        "the historian {reader} has asked for them",
        desk=", at desk {desk}",
        magnifier=", with a magnifier|, no magnifier",
    ),
    tool(
        "return_archive_box",
        "Send a box of documents back to the stacks",
        "box=code",
        "box {box} can go back to the stacks / the reader is done with the documents in box {box} / put archive box "
        "{box} back where it belongs / nobody needs box {box} in the reading room any more / reshelve box {box} / "
        "I've finished reading the letters, take box {box} away / return to the archive: box {box} / clear the desk, "
        "box {box} goes down to the shelves again",
    ),
    tool(
        "digitize_record",
        "Have a document of the archive scanned",
        "record=code pages=count format=tiff|pdf|jpeg resolution_dpi?=count colour?=boolean",
        "scan all {pages} pages of record {record} as {format} / digitize {record}, {pages} pages, {format} files / I "
        "need the charter {record} as {format}, it has {pages} pages / {pages} sheets of record {record} should "
        "become {format} images / make {format} copies of the {pages} pages in record {record} / the parish register "
        "{record} is falling apart, let's have digital pictures of its {pages} pages, format {format} / record "
        "{record}: {pages} pages to the scanner, save as {format} / we'd like to put record {record} online, so turn "
        "the {pages} pages into {format}",
        resolution_dpi=", with a resolution of {resolution_dpi} dpi",
        colour=", in colour|, black and white",
    ),
)
