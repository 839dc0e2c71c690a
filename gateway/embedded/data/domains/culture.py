"""Tools of museums, stages, clubs and the press, and of local transport, freight and lost property."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

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
    tool(
        "release_episode",
        "Put a podcast episode online",
        "show=podcast episode_title=title audio=file release_date?=day explicit?=boolean",
        'put the episode "{episode_title}" of {show} online, the audio is {audio} / release {audio} as a new part of '
        'the podcast {show}, titled "{episode_title}" / "{episode_title}" is ready, it\'s in {audio} and belongs '
        'to {show} / the listeners of {show} get {audio} under the title "{episode_title}" / publish on {show}: '
        '"{episode_title}", audio {audio} / we\'ve edited {audio}, now everybody should hear it on {show} as '
        '"{episode_title}" / upload the recording {audio} to the feed of {show} and call it "{episode_title}" / new '
        'episode for {show}, title "{episode_title}", sound file {audio}',
        release_date=", out on {release_date}",
        explicit=", marked as explicit|, suitable for children",
        answer="{episode_title} is online.",
    ),
    tool(
        "withdraw_episode",
        "Take a podcast episode offline",
        "show=podcast episode_title=title",
        'take "{episode_title}" of {show} offline / nobody should be able to hear the {show} episode '
        '"{episode_title}" any more / our guest complains, so pull "{episode_title}" from the podcast {show} / '
        'withdraw "{episode_title}", podcast {show} / there\'s a mistake in the episode called "{episode_title}", '
        'remove it from the feed of {show} / {show}: unpublish "{episode_title}" / make "{episode_title}" disappear '
        'from the list of {show} episodes / the lawyers want the talk "{episode_title}" out of {show}, delete it there',
    ),
    tool(
        "invite_podcast_guest",
        "Ask somebody to talk in a podcast",
        "show=podcast guest=person theme=topic recording?=day",
        'ask {guest} to come to {show} and talk about "{theme}" / we want {guest} as our guest in {show}, theme '
        '"{theme}" / invite {guest} to the podcast {show}, to be interviewed on "{theme}" / "{theme}" is the theme of '
        'the next {show}, and {guest} would be perfect to chat with / an interview with {guest} about "{theme}" for '
        '{show}, send the request / would {guest} like to be on {show}? the conversation is about "{theme}" / guest '
        'for {show}: {guest}, theme: "{theme}" / the host of {show} wants to speak with {guest} on air, on "{theme}"',
        recording=", recording on {recording}",
    ),
    tool(
        "develop_film",
        "Have an exposed roll of film developed",
        "rolls=several film_type=colour|slide|monochrome push_stops?=five scans?=boolean",
        "develop {rolls} rolls of {film_type} film / I've shot {rolls} rolls, {film_type}, please put them through "
        "the chemistry / {rolls} exposed {film_type} films for the lab / the photo lab gets {rolls} rolls, type "
        "{film_type} / here are {rolls} cartridges from my old camera, {film_type} film, I'd like to have the "
        "negatives / darkroom order: {film_type}, {rolls} rolls / back from the trip with {film_type} film, {rolls} "
        "rolls in number, get them processed / can you process {film_type} film? it's {rolls} rolls",
        push_stops=", pushed by {push_stops} stop(s)",
        scans=", with scans|, without scans",
        answer="The lab develops {rolls} rolls.",
    ),
    tool(
        "license_photo",
        "Buy the right to print or show a photograph",
        "photo_id=code usage=editorial|advertising|web|book licensee=company print_run?=count credit?=person",
        "{licensee} wants to use photo {photo_id} for {usage} / buy the rights in picture {photo_id}, licensee "
        "{licensee}, usage {usage} / we're {licensee} and would like to show photograph {photo_id}, it's for {usage} "
        "/ license {photo_id} to {licensee} for {usage} use / photo {photo_id}, {usage}, invoice the licence to "
        "{licensee} / for {usage}, may {licensee} reproduce the shot with the number {photo_id} / get {licensee} "
        "permission to publish image {photo_id}, purpose: {usage} / picture desk pls: {usage} licence on {photo_id} "
        "for {licensee}",
        print_run=", print run {print_run}",
        credit=", the credit line is {credit}",
    ),
    tool(
        "reserve_kiln",
        "Keep the kiln of the pottery free for a firing",
        "potter=first_name firing_date=day cone=small glaze?=color",
        "{potter} needs the kiln on {firing_date}, cone {cone} / reserve the kiln for {potter}, {firing_date}, cone "
        "{cone} / on {firing_date} {potter} wants to fire some bowls at cone {cone} / heat the oven of the pottery up "
        "to cone {cone} on {firing_date}, it's for {potter} / firing: {potter}, {firing_date}, cone {cone} / the clay "
        "mugs of {potter} are dry, they'd like a firing at cone {cone} on {firing_date} / cone {cone} on "
        "{firing_date} for the ceramics of {potter} / can {potter} bake stoneware on {firing_date}, going up to cone "
        "{cone}",
        glaze=", with a {glaze} glaze",
    ),
    tool(
        "take_festival_shift",
        "Sign a volunteer up for a shift at the festival",
        "volunteer=person crew=bar|gate|stage|cleaning shift_date=day begins=clock meal?=vegan|vegetarian|meat",
        "{volunteer} will help with the {crew} crew on {shift_date} from {begins} / sign {volunteer} up for a "
        "festival shift, {crew} crew, {shift_date} at {begins} / on {shift_date} the {crew} crew gets {volunteer}, "
        "who begins at {begins} / I'm {volunteer} and I'd like to volunteer in the {crew} team on {shift_date}, "
        "starting {begins} / crew {crew}, {shift_date}, {begins}: {volunteer} / who works at {begins} on {shift_date} "
        "in the {crew} crew? put {volunteer} in / {volunteer} lends us a hand, crew: {crew}, {shift_date}, first hour "
        "{begins} / at {begins} on {shift_date} the {crew} crew is still short of a helper, take {volunteer}",
        meal=", with a {meal} meal",
        answer="{volunteer} is in the {crew} crew.",
    ),
    tool(
        "give_up_festival_shift",
        "Strike a volunteer from a shift at the festival",
        "volunteer=person shift_date=day",
        "{volunteer} can't do the festival shift on {shift_date} / strike {volunteer} from the shift of {shift_date} "
        "/ on {shift_date} we have to manage the festival without our helper {volunteer} / {volunteer} has broken a "
        "leg, so no volunteering on {shift_date} / take {volunteer} off the volunteers' rota for {shift_date} / "
        "volunteer out: {volunteer}, {shift_date} / sorry, this is {volunteer}, I have to give up the shift I took "
        "for {shift_date} / the crew on {shift_date} loses {volunteer}, correct the helpers' plan",
    ),
    tool(
        "join_sports_club",
        "Become a member of a sports club",
        "member=person discipline=sport club=company membership=junior|adult|senior|family trial?=boolean",
        "{member} wants to do {discipline} at the club {club}, {membership} membership / sign {member} up at {club} "
        "for {discipline}, as {membership} member / {club} gets a new member: {member}, {discipline}, {membership} / "
        "make {member} a member of {club}, type {membership}, the discipline is {discipline} / {membership} "
        "membership in the {discipline} section of {club} for {member} / I'd like to start with {discipline}, my name "
        "is {member}, and I apply to {club} for membership, type {membership} / {discipline} for {member} at {club}, "
        "{membership} rate / the {discipline} squad of {club} has talked {member} into joining, type of membership: "
        "{membership}",
        trial=", with a trial month first|, without a trial period",
    ),
    tool(
        "leave_sports_club",
        "End somebody's membership of a sports club",
        "member=person club=company",
        "{member} quits the sports club {club} / end the membership of {member} at {club} / {member} doesn't want to "
        "train at {club} any more and leaves / {club} loses its member {member} / I'm {member} and hereby resign from "
        "{club} / since the injury {member} can't play, so cancel the club membership at {club} / sports club {club}: "
        "strike the member {member} off the list / no more fees to the club {club} for {member}, who is getting out",
        answer="{member} has left {club}.",
    ),
    tool(
        "announce_bus_delay",
        "Tell passengers that a bus is late",
        "line_number=small stop=street delay=minutes cause?=traffic|breakdown|weather|staff",
        "line {line_number} is {delay} late at {stop} / tell the people waiting at {stop} that bus {line_number} "
        "comes {delay} later / passengers at {stop} should know about a delay of {delay} on line {line_number} / the "
        "{line_number} bus will reach {stop} {delay} behind schedule, announce it / stop {stop}, line {line_number}, "
        "plus {delay} / at {stop} make an announcement: bus number {line_number} needs another {delay} / {delay} of "
        "delay for line {line_number}, show that on the display at {stop} / bus {line_number} is held up, those "
        "standing at {stop} have to wait {delay} more",
        cause=", cause: {cause}",
    ),
    tool(
        "divert_bus_line",
        "Send the buses of a line another way",
        "line_number=small closed_street=street via=street until?=day",
        "{closed_street} is closed, send bus line {line_number} via {via} / line {line_number} goes through {via} "
        "instead of {closed_street} / divert line {line_number}, avoiding {closed_street}, via {via} / there are "
        "roadworks in {closed_street}, so the buses of line {line_number} take {via} / {via} is the detour for bus "
        "{line_number} as {closed_street} is shut / the drivers of line {line_number} can't use {closed_street} and "
        "should turn into {via} / bus {line_number}: closed street {closed_street}, new way via {via} / for the "
        "street party in {closed_street} let the {line_number} bus run along {via}",
        until=", until {until}",
    ),
    tool(
        "close_tram_stop",
        "Take a tram stop out of service",
        "stop=street since=day works?=rails|platform|cable|shelter",
        "no tram stops at {stop} from {since} on / close the tram stop {stop} as of {since} / starting {since}, trams "
        "pass {stop} without stopping / the tram stop at {stop} goes out of service on {since} / {stop}: tram stop "
        "shut from {since} / builders arrive on {since}, passengers can't get on the tram at {stop} from that day / "
        "from {since} trams don't halt at {stop} / take {stop} out of the tram network, beginning {since}",
        works=", because of works on the {works}",
    ),
    tool(
        "reopen_tram_stop",
        "Put a closed tram stop back into service",
        "stop=street reopening=day",
        "trams stop at {stop} again from {reopening} / reopen the tram stop {stop} on {reopening} / the works are "
        "finished, from {reopening} people can board the tram at {stop} again / tram stop {stop} is back in service "
        "as of {reopening} / {reopening}: tram stop {stop} open again / the closure of the tram stop at {stop} ends "
        "on {reopening} / let the trams halt at {stop} once more, starting {reopening} / on {reopening} the repaired "
        "platform at {stop} gets its trams back",
    ),
    tool(
        "stow_ferry_vehicle",
        "Give a vehicle its place on a ferry",
        "plate=code vehicle=car|van|lorry|motorbike deck=upper|middle|lower lane=five dangerous_goods?=boolean",
        "the {vehicle} with plate {plate} goes to the {deck} deck, lane {lane} / on the ferry, park {vehicle} {plate} "
        "in lane {lane} of the {deck} deck / {deck} deck, lane {lane}: {vehicle}, plate {plate} / lane {lane} on the "
        "{deck} deck is for {plate}, a {vehicle} / wave the {vehicle} {plate} aboard, down to the {deck} deck and "
        "into lane {lane} / loading plan: {plate} ({vehicle}), deck {deck}, lane {lane} / where should the {vehicle} "
        "registered as {plate} stand on the ship? lane {lane}, {deck} deck / a {vehicle} drives up the ramp, plate "
        "{plate}, give it lane {lane} on the {deck} deck",
        dangerous_goods=", carrying dangerous goods|, no dangerous goods",
    ),
    tool(
        "report_stolen_bicycle",
        "Report that somebody's bicycle was stolen",
        "frame_number=code owner=person last_seen=street stolen_on=day colour?=color",
        "the bike of {owner}, frame number {frame_number}, was stolen from {last_seen} on {stolen_on} / my bicycle is "
        "gone, it stood in {last_seen} on {stolen_on}, frame {frame_number}, I'm {owner} / on {stolen_on} thieves "
        "took the bike {frame_number} of {owner}, last seen at {last_seen} / bicycle theft: {frame_number}, owner "
        "{owner}, {last_seen}, {stolen_on} / {owner} had a bike with the frame number {frame_number}, since "
        "{stolen_on} it's missing from {last_seen} / somebody cut the lock in {last_seen} on {stolen_on} and rode off "
        "on {owner}'s bike, frame number {frame_number} / in {last_seen}, {stolen_on}, a bicycle was nicked, owner "
        "{owner}, number on the frame {frame_number} / stolen on {stolen_on}: bike {frame_number}, it belongs to "
        "{owner} and was chained up in {last_seen}",
        colour=", it's {colour}",
    ),
    tool(
        "dispatch_taxi",
        "Send one of our cabs to a passenger",
        "cab=code pickup=street passenger=last_name passengers?=several wheelchair?=boolean",
        "send cab {cab} to {pickup} for {passenger} / cab {cab} should pick up {passenger} in {pickup} / {passenger} "
        "is waiting at {pickup}, cab {cab} is nearest / dispatch {cab}: {pickup}, name {passenger} / driver of {cab}, "
        "go to {pickup}, ask for {passenger} / at {pickup} there's a passenger called {passenger}, give the ride to "
        "cab {cab} / fare for cab {cab}, passenger {passenger}, pickup {pickup} / tell {cab} that a Mr {passenger} "
        "wants to be collected from {pickup}",
        passengers=", {passengers} people in all",
        wheelchair=", with a wheelchair|, no wheelchair",
        answer="Cab {cab} is on its way to {pickup}.",
    ),
    tool(
        "recall_taxi",
        "Tell one of our cabs to break off its way to a passenger",
        "cab=code",
        "call cab {cab} back / cab {cab} can turn round, the passenger has changed their mind / tell the driver of "
        "cab {cab} to break off the trip to the pickup / nobody's waiting there any more, cab {cab} should return / "
        "stop cab {cab}, the ride is off / cab {cab}, abort and come back / the customer has found another way home, "
        "let cab {cab} know it needn't go there / {cab} is driving to a fare that doesn't exist, recall that cab",
    ),
    tool(
        "list_free_taxis",
        "Cabs of our fleet that have no passenger at the moment",
        "",
        "which of our cabs are free / show me all the drivers without a passenger / is any cab of ours idle right now "
        "/ free taxis pls / who in the fleet is available at the moment / what cabs can I still send out / list the "
        "cars that are standing empty at the rank / dispatch here, I need to know which taxis aren't carrying anyone",
    ),
    tool(
        "book_pallet_space",
        "Reserve room for pallets on a truck",
        "pallets=small origin=city destination=city loading_day=day chilled?=boolean",
        "{pallets} pallets from {origin} to {destination}, loading on {loading_day} / book space for {pallets} "
        "pallets on a truck that leaves {origin} for {destination} on {loading_day} / on {loading_day} we load "
        "{pallets} pallets in {origin}, they go to {destination} / our customer in {destination} gets {pallets} "
        "pallets, a lorry should take them on in {origin} on {loading_day} / freight from {origin}, {loading_day}: "
        "{pallets} pallets bound for {destination} / is there room for {pallets} pallets to {destination}? they're "
        "picked up in {origin} on {loading_day} / {destination} is the destination, {origin} the origin, {pallets} "
        "pallets, {loading_day} / the haulier must carry {pallets} pallets to {destination} on {loading_day}, the "
        "warehouse is in {origin}",
        chilled=", chilled|, no cooling needed",
    ),
    tool(
        "redirect_parcel",
        "Have a parcel delivered to another address",
        "tracking_number=id new_address=address",
        "bring parcel {tracking_number} to {new_address} instead / redirect {tracking_number} to {new_address} / I've "
        "moved, my parcel {tracking_number} should come to {new_address} / the address on parcel {tracking_number} is "
        "wrong, the right one is {new_address} / {new_address} is where I want parcel {tracking_number} to be "
        "delivered / don't deliver {tracking_number} to my home, take it to {new_address} / parcel {tracking_number}, "
        "new address {new_address} / could the courier with the package {tracking_number} drive to {new_address}",
    ),
    tool(
        "hold_parcel",
        "Keep a parcel at the depot for some days",
        "tracking_number=id hold_for=days",
        "keep parcel {tracking_number} at the depot for {hold_for} / don't deliver {tracking_number} yet, hold it for "
        "{hold_for} / I'm away for {hold_for}, parcel {tracking_number} has to stay with you / for {hold_for} nobody "
        "can accept package {tracking_number}, store it in your depot / parcel {tracking_number}: hold, {hold_for} / "
        "leave {tracking_number} lying at the parcel depot for {hold_for} / my package {tracking_number} shouldn't "
        "come now, put it aside for {hold_for} / could {tracking_number} wait in the depot for {hold_for}? I'd rather "
        "not have it sent back",
        answer="We keep {tracking_number} for you.",
    ),
    tool(
        "declare_goods",
        "Fill in a customs declaration for goods",
        "goods=product worth=amount origin_country=country purpose=sale|gift|sample|repair weight?=kilograms",
        "declare {goods} worth {worth} from {origin_country} at customs, purpose {purpose} / customs form: {goods}, "
        "value {worth}, made in {origin_country}, {purpose} / I'm bringing {goods} in from {origin_country}, it's "
        "worth {worth}, the purpose is {purpose} / the customs officer wants a declaration of {goods}, country of "
        "origin {origin_country}, {worth}, for {purpose} / from {origin_country} we import {goods}, purpose "
        "{purpose}, fill in the declaration with a value of {worth} / for {purpose}, {goods}, origin "
        "{origin_country}, worth {worth}, declare it pls / {worth} is what {goods} is worth, it comes from "
        "{origin_country}, tell customs it's meant as {purpose} / nothing to hide at the border: {goods} out of "
        "{origin_country} with a worth of {worth}, here for {purpose}",
        weight=", weighing {weight}",
    ),
    tool(
        "estimate_import_duty",
        "How much duty is due on goods from abroad",
        "goods=product worth=amount origin_country=country",
        "how much duty do I pay on {goods} from {origin_country} worth {worth} / what will customs charge for {goods} "
        "with a value of {worth} out of {origin_country} / estimate the duty: {goods}, {origin_country}, {worth} / "
        "I'd like to buy {goods} in {origin_country} for {worth}, what does the taxman at the border take / is there "
        "any import tax on {goods} if it's worth {worth} and comes from {origin_country} / before I order {goods} for "
        "{worth} from {origin_country}, tell me what the duty would be / {worth} worth of {goods}, origin "
        "{origin_country}, the tariff comes to how much / from {origin_country}, {goods}, value {worth}, duty?",
        result="duty=price",
        answer="The duty is {duty}.",
    ),
    tool(
        "hand_in_found_item",
        "Bring something that somebody found to lost property",
        "item=garment vehicle=bus|tram|ferry|taxi found_on=day finder?=person reward?=boolean",
        "I found a {item} in the {vehicle} on {found_on} / somebody left a {item} behind in the {vehicle} on "
        "{found_on}, here it is / take in one {item}, found on {found_on} in a {vehicle} / on {found_on} a {item} was "
        "lying on a seat of the {vehicle}, it goes to lost property / lost property office, new find: {item}, "
        "{vehicle}, {found_on} / the driver of the {vehicle} brings us a {item} that turned up on {found_on} / hand "
        "in a {item}, vehicle {vehicle}, date {found_on} / a {item} without an owner has been picked up in the "
        "{vehicle} on {found_on}, register it with the finds",
        finder=", the finder is {finder}",
        reward=", and a reward is wanted|, no reward wanted",
    ),
    tool(
        "search_lost_property",
        "Look whether something lost has been handed in",
        "item=garment vehicle=bus|tram|ferry|taxi lost_on=day",
        "I lost my {item} in the {vehicle} on {lost_on}, have you got it / has anybody handed in a {item} that was "
        "forgotten in a {vehicle} on {lost_on} / on {lost_on} I left my {item} in the {vehicle}, is it with you / "
        "look for a {item} among the finds, lost on {lost_on} in the {vehicle} / my {item} is gone, I last had it in "
        "the {vehicle} on {lost_on}, did it turn up / is there a {item} at lost property? missing since {lost_on}, it "
        "was in the {vehicle} / {vehicle}, {lost_on}, lost: {item}, any trace of it / I got off the {vehicle} on "
        "{lost_on} without my {item}, please see if an honest person gave it to you",
    ),
    tool(
        "claim_lost_item",
        "Let the owner fetch something from lost property",
        "find_number=code owner=person id_shown=passport|licence|none",
        "{owner} is here for find number {find_number}, ID: {id_shown} / give find {find_number} back to its owner "
        "{owner}, ID shown: {id_shown} / the thing with find number {find_number} belongs to {owner}, identification: "
        "{id_shown} / lost property {find_number} goes to {owner}, proof of identity: {id_shown} / {owner} claims "
        "{find_number}, ID {id_shown} / ID checked ({id_shown}), {owner} may take find number {find_number} home / "
        "we've found out whose the item {find_number} is: {owner} has come to collect it, ID shown is {id_shown} / "
        "I'm {owner}, you've got my bag, find number {find_number}, and as ID you saw: {id_shown}",
        answer="{owner} has got the item back.",
    ),
)
