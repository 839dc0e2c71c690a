"""Tools of families and schools, and for what they shop."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "enroll_child",
        "Enrol a child in school or kindergarten",
        "child_name=person age=small school=company start_date=day allergies?=[allergen] siblings?=handful",
        "my son {child_name}, who is {age}, should go to {school} from {start_date} / enrol {child_name}, {age} "
        "years old, at {school} as of {start_date} / from {start_date} on {child_name} will attend {school}, the "
        "age is {age} / {school} gets a new child on {start_date}: {child_name}, {age} / I'd like a place at "
        "{school} for {child_name}, a child of {age}, starting {start_date} / we move and need {school} to take our "
        "{age} year old {child_name} on {start_date}",
        allergies="with allergies to {allergies}",
        siblings=", there are {siblings} siblings",
        answer="{child_name} is enrolled at {school}.",
    ),
    tool(
        "report_absence",
        "Tell the school that a pupil stays away",
        "pupil=person date=day reason=illness|doctor|family|travel until?=day",
        "{pupil} can't come to school on {date}, reason: {reason} / my daughter {pupil} will be missing on {date} "
        "because of {reason} / report {pupil} absent on {date} for {reason} / on {date} {pupil} stays at home, it's "
        "{reason} / the school should know that {pupil} is away on {date}, {reason} / excuse {pupil} from lessons "
        "on {date}, the reason is {reason}",
        until="and stays away until {until}",
        answer="The school knows that {pupil} is away.",
    ),
    tool(
        "add_homework",
        "Write down homework",
        "subject=subject task=message due=day child?=first_name",
        "there is homework in {subject} due {due}: {task} / for {subject} on {due} there is this to do: {task} / "
        'write down for {subject}, to hand in on {due}: {task} / by {due} the {subject} teacher wants "{task}" / I '
        'have to do "{task}" for {subject} until {due} / {subject} homework, {due}, "{task}"',
        child=", it is for {child}",
    ),
    tool(
        "list_homework",
        "What a child has to do for school",
        "child=first_name subject?=subject only_open?=boolean",
        "what homework does {child} have / does {child} still have to do something for school / show me the "
        "homework of {child} / {child} says there is no homework, is that true / what is {child} supposed to hand "
        "in / homework {child} pls",
        subject="in {subject}",
        only_open="that is not done yet|done or not",
    ),
    tool(
        "record_grade",
        "Enter a pupil's grade",
        "student=person subject=subject grade=A|B|C|D|E|F exam_date?=day",
        "{student} got a grade of {grade} in {subject} / enter {grade} for {student} in {subject} / in {subject} "
        "{student} has earned the grade {grade} / the {subject} exam of {student} was graded {grade} / give "
        "{student} the grade {grade}, the subject is {subject} / {student}, {subject}: {grade}",
        exam_date="for the exam on {exam_date}",
    ),
    tool(
        "get_class_timetable",
        "Lessons of a class",
        "class_name=code day=monday|tuesday|wednesday|thursday|friday",
        "which lessons does class {class_name} have on {day} / I need the timetable of {class_name}, {day} / what "
        "is taught in {class_name} on {day} / my kid is in {class_name}, when does school start and end on {day} / "
        "on {day}, what does {class_name} have / show me the {day} of class {class_name}",
        result="lessons=[subject]",
        answer="They have {lessons}.",
    ),
    tool(
        "find_tutor",
        "Find somebody who gives extra lessons",
        "subject=subject grade_level=small city=city max_rate?=price language?=language",
        "I need a tutor for {subject}, class {grade_level}, in {city} / my child is in grade {grade_level} and bad "
        "at {subject}, who can help in {city} / who teaches {subject} to a pupil of grade {grade_level} in {city} / "
        "find help with {subject} in {city} for grade {grade_level} / in {city}, grade {grade_level}, {subject} "
        "tutor pls / our son struggles with {subject}, he's in year {grade_level} and we live in {city}",
        max_rate="for up to {max_rate} an hour",
        language="with lessons in {language}",
        result="tutor=person",
        answer="{tutor} teaches {subject}.",
    ),
    tool(
        "book_parent_meeting",
        "Book a slot with a teacher",
        "teacher=last_name parent=person slot=clock date=date online?=boolean",
        "{parent} would like to talk to the teacher {teacher} on {date} at {slot} / book a slot with {teacher} for "
        "{parent}, {date}, {slot} / on {date} at {slot} {parent} meets Mrs {teacher} / I'm {parent} and have to "
        "speak with my son's teacher, Mr {teacher}, on {date} at {slot} / parents' evening {date}: {teacher} at "
        "{slot} for {parent} pls",
        online="by video|at school",
    ),
    tool(
        "find_babysitter",
        "Find a babysitter",
        "date=day from=clock to=clock children=handful youngest_age?=handful speaks?=language",
        "we need a babysitter on {date} from {from} to {to} for {children} children / who can look after {children} "
        "kids on {date} between {from} and {to} / find someone to watch our {children} children, {date}, {from} "
        "until {to} / we go out on {date} and somebody has to stay with the {children} kids from {from} till {to} / "
        "{date}, {from} - {to}, {children} kids, sitter pls / from {from} until {to} on {date} our {children} "
        "children need company",
        youngest_age=", the youngest is {youngest_age}",
        speaks="who speaks {speaks}",
        result="sitter=person",
        answer="{sitter} can come on {date}.",
    ),
    tool(
        "add_birthday",
        "Remember a birthday",
        "name=person birth_date=day remind_days_before?=handful relation?=friend|family|colleague",
        "{name} was born on {birth_date} / the birthday of {name} is {birth_date} / remember that {name} has "
        "birthday on {birth_date} / add {name}, {birth_date}, to the birthdays / on {birth_date} my friend {name} "
        "was born, don't let me forget the birthday / I keep forgetting when {name} was born, it is {birth_date}",
        remind_days_before="and tell me {remind_days_before} days before",
        relation=", category {relation}",
        answer="I will remember the birthday of {name}.",
    ),
    tool(
        "suggest_gift",
        "Ideas for a present",
        "recipient_age=age interests=[hobby] budget=amount occasion?=birthday|wedding|christmas|graduation",
        "what can I give somebody of {recipient_age} who likes {interests}, for {budget} / I need a present for a "
        "{recipient_age} year old who is into {interests}, at most {budget} / gift ideas: age {recipient_age}, "
        "loves {interests}, budget {budget} pls / my aunt is {recipient_age}, she enjoys {interests} and I can "
        "spend {budget} / with {budget} in my pocket I look for a gift for a person of {recipient_age} with an "
        "interest in {interests} / for {budget}, what would please a fan of {interests} who turns {recipient_age}",
        occasion="for the {occasion}",
        result="gift=present",
        answer="What about {gift}?",
    ),
    tool(
        "add_wish",
        "Put something on somebody's wish list",
        "person=first_name wish=present url?=url",
        "{person} wishes for {wish} / {person} wants {wish} / put {wish} on the wish list of {person} / I know that "
        "{person} would love {wish}, note it / the list of {person} should have {wish} on it / what {person} dreams "
        "of is {wish}",
        url=", see {url}",
    ),
    tool(
        "give_allowance",
        "Pay pocket money to a child",
        "child=first_name amount=amount currency?=currency reason?=chore",
        "give {child} {amount} of pocket money / {child} gets {amount} / pay {amount} to {child} / I owe {child} "
        "{amount} of allowance, pay it out / the pocket money for {child} is {amount}, send it / put {amount} into "
        "the piggy bank of {child}",
        currency="in {currency}",
        reason=", that is for {reason}",
        answer="{child} has got {amount}.",
    ),
    tool(
        "set_screen_time",
        "Limit a child's time at screens",
        "child=first_name minutes_per_day=minutes app?=game weekdays_only?=boolean",
        "{child} may be online for {minutes_per_day} a day / limit {child} to {minutes_per_day} of screen a day / "
        "{child} plays too much, {minutes_per_day} a day must do / no more than {minutes_per_day} of tablet daily "
        "for {child} / I want {child} to have only {minutes_per_day} at the screen each day / allow "
        "{minutes_per_day} of screen time to {child}",
        app="in {app}",
        weekdays_only="on school days|on all days",
    ),
    tool(
        "find_playground",
        "Playgrounds near a street",
        "near=street child_age=handful fenced?=boolean",
        "is there a playground near {near} for a child of {child_age} / where can my {child_age} year old play "
        "around {near} / looking for a playground close to {near}, age {child_age} / we live at {near} and our kid, "
        "who is {child_age}, wants to go outside / find something with swings by {near} for a kid aged {child_age} "
        "/ my child is {child_age} and bored, we're at {near}, where is a playground",
        fenced="with a fence|fence or not",
    ),
    tool(
        "add_to_shopping_list",
        "Put something on the shopping list",
        "item=food amount=several store?=company",
        "we need {amount} {item} / buy {amount} {item} next time / {amount} {item} on the shopping list / don't "
        "forget {amount} {item} when you go shopping / we've run out of {item}, get {amount} / the shopping list "
        "lacks {item}, {amount} of them",
        store="from {store}",
    ),
    tool(
        "compare_grocery_prices",
        "Where an everyday product is cheapest",
        "product=food city=city stores?=[company] organic?=boolean",
        "where is {product} cheapest in {city} / who sells cheap {product} in {city} / I buy a lot of {product} and "
        "live in {city}, which shop has the best price / compare the price of {product} in {city} / {product} "
        "prices {city} pls / is there a bargain on {product} in {city}",
        stores=", just look at {stores}",
        organic="of organic quality|organic or not",
        result="store=company price=price",
        answer="{store} sells it for {price}.",
    ),
    tool(
        "find_clothes",
        "Search clothes by kind, size and color",
        "garment=garment size=XS|S|M|L|XL color?=color for_whom=women|men|kids max_price?=amount",
        "find a {garment} for {for_whom} in {size} / my old {garment} is torn, I wear {size} and shop with "
        "{for_whom} / show {garment} in size {size} from the {for_whom} section / {garment}, {size}, {for_whom} / I "
        "need a new {garment}, section {for_whom}, size {size} / what do you have in {size} for {for_whom}, it "
        "should be a {garment}",
        color=", color {color}",
        max_price=", not over {max_price}",
    ),
    tool(
        "return_clothes",
        "Send clothes back to the shop",
        "order_number=code garment=garment reason=small|large|damaged|dislike exchange_size?=XS|S|M|L|XL",
        "I want to send back the {garment} from order {order_number}, it's a case of {reason} / return {garment}, "
        "order {order_number}, reason {reason} / the {garment} that came with {order_number} has to go back, "
        "reason: {reason} / the order {order_number}: the {garment} goes back, {reason} / with order {order_number} "
        "I got a {garment} and can't keep it, put down {reason} as the reason",
        exchange_size="and swap it for {exchange_size}",
        result="label=code",
        answer="The return label is {label}.",
    ),
    tool(
        "book_haircut",
        "Book a hairdresser",
        "customer=first_name service=cut|wash|color|shave date=day time=clock stylist?=first_name",
        "{customer} needs a {service} on {date} at {time} / I need the hairdresser for {customer}: {service}, "
        "{date}, {time} / on {date} at {time} {customer} would like a {service} / I'm {customer}, can I come for a "
        "{service} on {date} at {time} / book {customer} in at the salon on {date}, {time}, for a {service} / at "
        "{time} on {date} {customer} has time for the {service}",
        stylist="with {stylist}",
        answer="{customer} is expected at {time}.",
    ),
    tool(
        "get_store_hours",
        "Opening hours of a shop",
        "store=company branch_city=city weekday?=monday|tuesday|wednesday|thursday|friday|saturday|sunday",
        "how long is {store} in {branch_city} open / when does {store} open in {branch_city} / I need the opening "
        "hours of {store}, {branch_city} / I'm going to {store} in {branch_city}, when do they close / is {store} "
        "still open in {branch_city} / until when can I shop at {store} in {branch_city}",
        weekday="on a {weekday}",
        result="closes=clock",
        answer="{store} closes at {closes}.",
    ),
)
