"""Short stories with questions about them, each told in several ways."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Story:
    """Ways to tell it, questions with their answers, and the kind of value in each place."""

    texts: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    kinds: dict[str, str]


def _story(kinds: str, texts: str, pairs: str) -> Story:
    """A story from `place:kind` words, texts on lines, and lines `question? question? = answer`."""
    asked: list[tuple[str, str]] = []
    for line in pairs.strip().splitlines():
        questions, _, answer = line.strip().partition(" = ")
        asked += [(question, answer) for question in questions.split(" / ")]
    told = tuple(line.strip() for line in texts.strip().splitlines())
    return Story(told, tuple(asked), dict(pair.split(":") for pair in kinds.split()))


STORIES = (
    _story(
        "a:first_name b:first_name city:city",
        """
        {a} met {b} in {city}.
        In {city}, {a} met {b}.
        It was in {city} that {a} met {b} for the first time.
        {a} went to {city} and met {b} there.
        """,
        """
        Where did they meet? / In which city did they meet? / Where did {a} meet {b}? = {city}
        Who met {b}? = {a}
        Whom did {a} meet? / Who was met by {a}? = {b}
        """,
    ),
    _story(
        "a:first_name pet:pet name:name",
        """
        {a} has a {pet} named {name}.
        {a}'s {pet} is called {name}.
        {name} is the {pet} of {a}.
        The {pet} {name} belongs to {a}.
        {a} owns a {pet}, and its name is {name}.
        """,
        """
        What is the {pet}'s name? / What is the {pet} called? / How is the {pet} called? = {name}
        Who has a {pet}? / Who owns the {pet}? / Whose {pet} is it? = {a}
        Which animal does {a} have? / What kind of animal is {name}? = a {pet}
        """,
    ),
    _story(
        "event:occasion day:weekday time:time room:code",
        """
        The {event} is on {day} at {time} in room {room}.
        On {day} at {time} the {event} takes place in room {room}.
        Please come to room {room} on {day} at {time} for the {event}.
        """,
        """
        When is the {event}? = {day} at {time}
        In which room is the {event}? = {room}
        Where is the {event}? = room {room}
        On which day is it? / What day is the {event}? = {day}
        At what time is the {event}? = {time}
        """,
    ),
    _story(
        "thing:thing price:price kg:kilograms",
        """
        The {thing} costs {price} euros and weighs {kg}.
        For {price} euros you get the {thing}, which weighs {kg}.
        With a weight of {kg}, the {thing} is sold for {price} euros.
        """,
        """
        How much does the {thing} cost? / What is the price? / How much is it? = {price} euros
        How heavy is the {thing}? / What does the {thing} weigh? = {kg}
        What weighs {kg}? = the {thing}
        """,
    ),
    _story(
        "thing:thing n:small",
        """
        The warranty of the {thing} lasts {n} months.
        There are {n} months of warranty on the {thing}.
        """,
        """
        How long is the warranty? / How many months does the warranty last? = {n} months
        What has a warranty? = the {thing}
        """,
    ),
    _story(
        "a:person job:job company:company",
        """
        {a} works as a {job} at {company}.
        {company} hired {a} as a {job}.
        {a}, a {job}, is employed by {company}.
        At {company}, {a} is a {job}.
        """,
        """
        Where does {a} work? / For which company does {a} work? / Who employs {a}? = {company}
        What does {a} do? = {a} is a {job}.
        What is {a}'s job? / What is the profession of {a}? = {job}
        Who works at {company}? / Who is a {job}? = {a}
        """,
    ),
    _story(
        "phone:phone email:email",
        """
        You can call us at {phone} or write to {email}.
        Our number is {phone}, our address is {email}.
        Questions? {email} or {phone}.
        Write to {email} if nobody answers under {phone}.
        """,
        """
        Which phone number is in the text? / Find the phone number / How can I call you? = {phone}
        What number can I call? / What is the phone number? = {phone}
        What is the email address? / Extract the email address / Where can I write to? = {email}
        """,
    ),
    _story(
        "start:date end:date",
        """
        The contract starts on {start} and ends on {end}.
        From {start} until {end} the contract is valid.
        The contract, which began on {start}, runs until {end}.
        """,
        """
        When does the contract end? / Until when is the contract valid? / What is the end date? = {end}
        When does the contract start? / What is the start date? / When did the contract begin? = {start}
        Find the first date = {start}
        """,
    ),
    _story(
        "a:first_name n:age city:city",
        """
        {a} is {n} years old and lives in {city}.
        {a}, {n} years old, comes from {city}.
        In {city} lives {a}, who is {n} years old.
        My friend {a} from {city} turned {n} years old.
        """,
        """
        How old is {a}? = {n} years old
        What is {a}'s age? / What is the age of {a}? = {n}
        Where does {a} live? / In which city does {a} live? / What is the home of {a}? = {city}
        Who lives in {city}? / Who is {n} years old? = {a}
        """,
    ),
    _story(
        "city:city time:time n:small",
        """
        The train to {city} leaves at {time} from platform {n}.
        At {time} the train to {city} departs from platform {n}.
        Platform {n}: train to {city}, departure {time}.
        """,
        """
        When does the train leave? / At what time does the train go? / When does it depart? = {time}
        Where does the train go? / What is the destination? / Which city does the train go to? = {city}
        Which platform? / From which platform does it leave? = {n}
        """,
    ),
    _story(
        "thing:thing place:place",
        """
        The {thing} is in the {place}.
        In the {place} you will find the {thing}.
        I left the {thing} in the {place}.
        """,
        """
        Where is the {thing}? / Where can I find the {thing}? = in the {place}
        What is in the {place}? / What did I leave in the {place}? = the {thing}
        """,
    ),
    _story(
        "code:id file:file",
        """
        The code is {code} and the file is called {file}.
        The file {file} opens with the code {code}.
        Use {code} to open {file}.
        """,
        """
        What is the code? / Which code do I need? = {code}
        What is the file called? / Which file? / What is the name of the file? = {file}
        """,
    ),
    _story(
        "a:first_name b:first_name thing:thing",
        """
        {a} gave {b} a {thing}.
        {b} got a {thing} from {a}.
        A {thing} was given to {b} by {a}.
        {a} bought a {thing} and gave it to {b}.
        """,
        """
        Who got the {thing}? / Who has the {thing} now? / Who received it? = {b}
        Who gave the {thing} to {b}? / From whom did {b} get it? = {a}
        What did {a} give to {b}? / What did {b} get? = a {thing}
        """,
    ),
    _story(
        "a:first_name food:food other:food",
        """
        {a} ate {food} for lunch and {other} for dinner.
        For lunch {a} had {food}, for dinner {other}.
        At noon {a} ate {food} for lunch; the dinner was {other}.
        """,
        """
        What did {a} eat for lunch? / What was for lunch? = {food}
        What did {a} eat for dinner? / What was for dinner? = {other}
        Who ate {food}? = {a}
        """,
    ),
    _story(
        "team:team other:team city:city",
        """
        {team} beat {other} in {city}.
        In {city}, {other} lost to {team}.
        {other} was beaten by {team} in {city}.
        """,
        """
        Who won? / Which team won? / Who is the winner? = {team}
        Who lost? / Which team lost? / Who was beaten? = {other}
        Where was the game? / Where did they play? = {city}
        """,
    ),
    _story(
        "title:work author:person year:year",
        """
        {author} wrote {title} in {year}.
        {title}, written by {author}, came out in {year}.
        In {year} {author} published {title}.
        The book {title} by {author} is from {year}.
        """,
        """
        Who wrote {title}? / Who is the author? / Who is the author of {title}? = {author}
        When did it come out? / In which year was it published? / What year is it from? = {year}
        What did {author} write? / Which book is it? / What is the title? = {title}
        """,
    ),
    _story(
        "a:first_name thing:thing color:color",
        """
        {a}'s {thing} is {color}.
        {a} has a {color} {thing}.
        {a} painted the {thing} {color}.
        """,
        """
        What color is the {thing}? / Which color does the {thing} have? = {color}
        What is {color}? = the {thing}
        Whose {thing} is {color}? / Who has a {thing}? = {a}
        """,
    ),
    _story(
        "a:person guest:first_name n:handful room:code hotel:hotel",
        """
        {a} booked {n} nights at {hotel}, room {room}, for {guest}.
        For {guest}, {a} reserved room {room} at {hotel} for {n} nights.
        """,
        """
        How many nights? / For how many nights is it booked? = {n}
        Which hotel is it? / Where is the room booked? / What is the name of the hotel? = {hotel}
        Who booked the room? / Who made the reservation? = {a}
        For whom is the room? = {guest}
        What is the room number? = {room}
        """,
    ),
    _story(
        "company:company total:money day:day",
        """
        {company} sent a bill over {total}, payable by {day}.
        We owe {company} {total}, due on {day}.
        By {day} we must pay {total} to {company}.
        The invoice of {company} over {total} is due on {day}.
        """,
        """
        Who sent the bill? / Who gets the money? / Which company is it? / Whom do we owe money? = {company}
        How much is the bill? / What is the total? / How much do we have to pay? / What is the amount? = {total}
        When is it due? / By when must we pay? / What is the due date? = {day}
        """,
    ),
    _story(
        "a:person doctor:last_name time:clock day:weekday",
        """
        {a} sees Dr. {doctor} on {day} at {time}.
        On {day} at {time} {a} has an appointment with Dr. {doctor}.
        Dr. {doctor} expects {a} on {day} at {time}.
        """,
        """
        Which doctor does {a} see? / Who is the doctor? = Dr. {doctor}
        When is the appointment? = {day} at {time}
        At what time is the appointment? = {time}
        Who has an appointment? / Who is the patient? = {a}
        """,
    ),
    _story(
        "a:person nick:nickname",
        """
        {a} is called {nick} by everybody.
        Everybody calls {a} {nick}.
        {a}, known as {nick}, is my neighbour.
        {nick} is what friends call {a}.
        """,
        """
        What is {a}'s nickname? / What do people call {a}? / What is {a} called? = {nick}
        What is the real name of {nick}? / Who is {nick}? = {a}
        """,
    ),
    _story(
        "host:slug ip:ip port:port",
        """
        The server {host} has the address {ip} and listens on port {port}.
        {host} runs at {ip}:{port}, that is port {port}.
        Connect to {ip} on port {port} to reach {host}.
        """,
        """
        What is the IP address? / Which address does {host} have? = {ip}
        Which port is it? / On which port does it listen? / What is the port? = {port}
        Which server is it? / What is the server called? / What is the host name? = {host}
        """,
    ),
    _story(
        "city:city degrees:degrees day:weekday",
        """
        On {day} it will be {degrees} in {city}.
        {city} expects {degrees} on {day}.
        The forecast for {city} on {day}: {degrees}.
        """,
        """
        How warm will it be? / What is the temperature? / How many degrees? = {degrees}
        Where will it be {degrees}? / Which city is it about? = {city}
        When will it be {degrees}? / On which day? = {day}
        """,
    ),
    _story(
        "a:first_name b:first_name c:first_name",
        """
        {a} is older than {b}, and {b} is older than {c}.
        {c} is younger than {b}, who is younger than {a}.
        {a} is the oldest, then comes {b}, and {c} is the youngest.
        """,
        """
        Who is the oldest? = {a}
        Who is the youngest? = {c}
        """,
    ),
)
