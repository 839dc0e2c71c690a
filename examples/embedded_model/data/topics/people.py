"""Topics about people: who they are, what they are called, how they are reached, work, school and health."""

from __future__ import annotations

from embedded_model.data.topics.topic import topic

PEOPLE = (
    topic(
        "person",
        """
        {name} is {age} years old / My name is {name} and I am {age} / {name} is {age} and lives in {city}
        {name}, {age} / {name} is {age} years old and lives in {city}
        {name} is {age} years old and works at {company} as a {job} / {name} lives in {city} / {name} works at {company}
        {name} is a {job} / {name} ({age}) / {name} from {city} / I'm {name}, {age}, from {city}
        I am {name} and I live in {city} / This is {name}, who is {age} / I met {name}
        {name}, aged {age}, is a {job} in {city} / {name}, a {age}-year-old {job} from {city}, joined us
        At the age of {age}, {name} moved to {city} / In {city} lives a {job} called {name} / {age} years old is {name}
        {name} has been working as a {job} at {company} / {company} employs {name} as a {job} / {company} hired {name}
        my neighbour {name} is {age} / our new {job} is {name} from {city}
        do you know {name}, the {job} from {company}? / hi, {name} here, {age} years old, from {city}
        hello my name is {name} / hey i'm {name} / you can call me {name} / {name} turned {age} last week
        {name} has just turned {age} / {name} will be {age} / The {job} {name} lives in {city} / Is {name} really {age}?
        Who is {name}? {name} is a {job} / {job} {name} ({age}) moves to {city} / Ask {name} of {company}
        {name} was born in {city} and is now {age} / {name} grew up in {city}, works at {company} and is {age} years old
        {name} can be reached at {email} / Write to {name} at {email} / {name}'s email is {email} / {name} <{email}>
        call {name} on {phone} / {name}'s phone number is {phone} / {phone} is the number of {name}
        {email} belongs to {name} / {name} | {job} | {company} / {name}, {job} at {company} / {name} - {job}, {city}
        {name} and I work at {company} / Together with a friend {name} went to {city} / {name} said that she is {age}
        {name} told me he works at {company} / The customer is called {name} / user {name}
        a man named {name} lives in {city} / a woman of {age} named {name} / {name} weighs {weight_kg}
        {name} weighs {weight_kg} and is {age} years old / {name} left {company} for {city}
        """,
        "name full_name person customer who user_name = person : called {} ; with the name {} ; The name is {} ; "
        "named {}",
        "age years age_years = age : who is {} years old ; aged {} ; {} years old ; at the age of {} ; "
        "at {} years of age ; "
        "a {}-year-old ; who turned {} ; who is {} ; Age: {} ; He is {} ; She is {} years old ; They are {} years old",
        "city location town place home = city : who lives in {} ; from {} ; living in {} ; based in {} ; born in {} ; "
        "a resident of {} ; whose home is {} ; She lives in {} ; He comes from {} ; Home: {}",
        "email email_address mail = email : with the email {} ; {} ; reachable at {} ; whose email is {} ; email {} ; "
        "Write to {} ; The email address is {} ; Mail: {} ; Email {}",
        "company employer organization works_for = company : who works at {} ; of {} ; employed by {} ; "
        "working for {} ; "
        "an employee of {} ; She works at {} ; He is employed by {} ; The employer is {}",
        "phone phone_number telephone tel mobile = phone : with the phone number {} ; phone {} ; reachable under {} ; "
        "whose number is {} ; Call {} ; Phone: {} ; tel. {}",
        "job occupation profession role title = job : who is a {} ; working as a {} ; a {} ; who works as a {} ; "
        "by trade a {} ; He is a {} ; She works as a {} ; Job: {}",
        "weight_kg weight = kilograms : who weighs {} ; weighing {} ; with a weight of {} ; Weight: {}",
    ),
    topic(
        "names",
        """
        {first_name} {last_name} / The customer is called {first_name} {last_name} / Dear {first_name} {last_name}
        My name is {first_name} {last_name} / signed: {first_name} {last_name} / {last_name}, {first_name}
        My first name is {first_name} and my last name is {last_name}
        {last_name} is the surname, {first_name} the given name / I am {first_name} {last_name}, born on {birthday}
        {first_name} {last_name} was born on {birthday} / {first_name}, of the family {last_name}, came by
        {first_name} {last_name} can be reached at {email} / Mr. {last_name}, first name {first_name}, called
        write to {first_name} {last_name} at {email} / {birthday} is the birthday of {first_name} {last_name}
        her name is {first_name}, her surname {last_name}
        """,
        "first_name given_name firstname forename vorname = first_name : first name {} ; First name: {}",
        "last_name surname family_name lastname nachname = last_name : last name {} ; Surname: {}",
        "email mail = email : {} ; with the email {} ; Email: {}",
        "birthday date_of_birth born = day : born on {} ; born {} ; whose birthday is {} ; Born on {}",
    ),
    topic(
        "alias",
        """
        {name}, called {nickname}, is here / {name}, also known as {nickname}
        {name}, known as {nickname}, lives in {city} / {name} goes by {nickname} / Everybody calls {name} {nickname}
        {name} (nickname: {nickname}) / {name} alias {nickname} / {nickname} is the nickname of {name}
        {nickname} is what friends call {name} / {name} "{nickname}" from {city}
        My name is {name} but call me {nickname} / I'm {name}, but everyone calls me {nickname} / {name} aka {nickname}
        {name} has the nickname {nickname} / We know {name} as {nickname} / {name}'s friends call her {nickname}
        {nickname}, whose real name is {name}, lives in {city} / {nickname}'s full name is {name} / {name} = {nickname}
        his name is {name}, at school they called him {nickname}
        {name} - better known as {nickname} - was born in {city} / {name} uses the handle {nickname}
        {name} plays under the name {nickname} / on stage {name} is called {nickname}
        """,
        "name real_name full_name person = person : called {} in the passport ; The real name is {}",
        "nickname alias nick called short_name handle = nickname : called {} ; known as {} ; nickname {} ; "
        "Nickname: {} ; "
        "whom we call {} ; alias {} ; better known as {}",
        "city home = city : from {} ; who lives in {} ; Home: {}",
        "age = age : aged {} ; who is {} years old",
    ),
    topic(
        "contact",
        """
        {name}¶{company}¶{phone}¶{email} / {name}¶{role}, {company}¶{phone} / {name} · {email} · {phone}
        {name} at {company}: {phone} / The contact at {company} is {name} / Our contact person is {name} ({email})
        Please get in touch with {name} under {phone} / You reach {name} of {company} at {email}
        {name}, {phone}, {email} / For questions ask {name}, {email}
        Questions? Write to {name} at {email} or call {phone} / {role}: {name} / {name} is the {role} of {company}
        {company}'s {role} is {name} / {name} took over as {role} at {company} / if you need help call {name} on {phone}
        save the number of {name}: {phone} / {name} has a new number, {phone} / {email} is the address of {name}
        {phone} is how you reach {name} / Kind regards, {name}, {role}, {company} / {website} belongs to {company}
        Visit {company} at {website} / {name} runs {website} / {name} can be found at {website}
        """,
        "name contact_name person contact = person : The contact is {} ; ask for {}",
        "email mail email_address = email : {} ; email {} ; write to {} ; Email: {}",
        "phone tel telephone mobile number = phone : phone {} ; call {} ; Tel.: {} ; mobile {}",
        "company organization firm = company : of {} ; at {} ; with {} ; Company: {}",
        "role position job_title = CEO|manager|assistant|director|accountant|engineer",
        "website url homepage web = url : see {} ; website {} ; Website: {}",
    ),
    topic(
        "user",
        """
        user {username} has the id {id} / {username} ({email}) signed up on {date} / User {id} is {username}
        {username} logged in / The account {username} belongs to {email} / new user: {username}, {email}
        {username} is an {role} with id {id} / make {username} an {role}
        please create the user {username} with {email} / {email} registered as {username} on {date}
        id {id}, user {username} / {id} is the id of {username} / The user name is {username}, the email {email}
        add {username} to the team as {role} / {username} joined on {date} / {username} has been active since {date}
        who is {username}? an {role} / the {role} {username} was added on {date}
        """,
        "username user login user_name name handle account = user : called {} ; The user name is {} ; login {}",
        "email mail = email : with the email {} ; {} ; email {}",
        "id user_id uid = big : with id {} ; id {} ; (id {}) ; Id: {}",
        "role access permission = admin|editor|owner|assistant",
        "date joined created since registered = day : since {} ; registered on {} ; Joined {}",
        "active is_active enabled = boolean : active|disabled ; who is active|who is blocked",
    ),
    topic(
        "member",
        """
        {user} / the user {user} / {user} joined / {user} is a member of {group} / user {user}
        we added {user} to {group} / {group} has a new member, {user} / please invite {user} to {group}
        {user} was removed from {group}
        """,
        "user member person account = user_id : {}",
        "group team club = company : of {} ; in {} ; Group: {}",
        "contact emergency_contact = contact : in an emergency call {} ; contact {} ; The contact is {}",
    ),
    topic(
        "people",
        """
        {names} went to the cinema / {names} were there / Present: {names} / I know {names} / {names}
        {names} are friends / Yesterday we met {names} in {city} / {names} live in {city} / invited: {names}
        {names} will come on {date} / Last summer {names} travelled to {city} / the team is {names}
        {city} was visited by {names} / in {city} I saw {names} / The winners are {names}
        the meeting on {date} was attended by {names} / {names} arrived in {city} on {date} / I had dinner with {names}
        {names} said hello / we are waiting for {names} / Who came? {names}
        """,
        "names people attendees persons members = [first_name]",
        "city location place where = city : in {} ; to see {} ; City: {}",
        "date day = day : on {} ; Date: {}",
    ),
    topic(
        "job",
        """
        a job as {title} is open / We are hiring a {title} / {company} is looking for a {title} / {title} wanted
        {title} with {years} years of experience / {company} in {city} seeks a {title} / {title} at {company} in {city}
        {company} pays its {title} {salary} a year / the position of {title} pays {salary}
        a {title} at {company} earns {salary} / Job offer: {title}, {city} / New opening for a {title} in {city}
        Do you want to work as a {title} at {company}? / We need a {title} who knows {skills}
        {skills} is what the {title} should know / {title} (m/f), {city}, {salary} a year
        {company} hires: {title} with knowledge of {skills} / As a {title} in {city} you earn {salary}
        {city}: {title} wanted / I applied for the job as a {title} at {company}
        {company} offered me {salary} as a {title} / {title} needed at {company}
        {years} years of experience are required for the {title} / join {company} as a {title}
        {company} needs {skills}
        """,
        "title job position role = job : as {} ; Position: {}",
        "company employer = company : at {} ; with {} ; The employer is {} ; offered by {}",
        "salary pay income = big : paying {} ; for {} a year ; The salary is {} ; with a salary of {} ; "
        "earning {} a year",
        "city location place = city : in {} ; based in {} ; The office is in {} ; located in {}",
        "skills technologies languages = [skill] : that asks for {} ; with knowledge of {} ; Skills: {} ; You know {}",
        "years years_of_experience experience = handful : with {} years of experience ; , {} years of experience ; "
        "after {} years",
        "remote is_remote = boolean : fully remote|on site",
    ),
    topic(
        "grade",
        """
        {student} got a {grade} in {subject} / {student} received the grade {grade} in {subject}
        {subject}: {student} {grade} / In {subject}, {student} has a {grade}
        The {subject} test of {student} was graded {grade} / {student} ({subject}): {grade}
        {teacher} gave {student} a {grade} in {subject} / a {grade} for {student} in {subject}
        {student} scored {points} points / {student} reached {points} points in {subject}
        with {points} points {student} got a {grade} / {student} passed {subject} / {teacher} teaches {subject}
        {student} is in the {subject} class of {teacher} / I had {points} points in {subject}
        {student}'s mark in {subject} is {grade} / did {student} get a {grade} in {subject}?
        {subject} is taught by {teacher}
        """,
        "student name pupil who = person : for {} ; Student: {} ; by {}",
        "subject course class exam = math|history|physics|biology|music|art|chemistry|geography",
        "grade mark = A|B|C|D|E|F",
        "points score = percent : with {} points ; {} points ; Points: {}",
        "teacher by examiner = last_name : from teacher {} ; by Mr. {} ; by Mrs. {} ; Teacher: {}",
        "date day = day : on {} ; dated {}",
    ),
    topic(
        "patient",
        """
        patient {name} was seen / Patient {name} / {name} came to see doctor {doctor}
        {name} weighs {weight} / {name} was examined by Dr. {doctor} on {date}
        Dr. {doctor} saw {name} on {date} / {name} is {height} tall / {name} complains of {symptom}
        {name} has {symptom} / {name} suffers from {symptom} / {symptom} reported by {name}
        {name} was given {medicine} for {symptom} / Dr. {doctor} prescribed {medicine} to {name}
        {name} takes {medicine} / {name}, {age} years old, presented with {symptom}
        Patient: {name}, {age}, {symptom} / {age}-year-old with {symptom}
        {medicine} helps {name} against {symptom} / on {date} {name} came in with {symptom}
        {name} is allergic to {allergy} / pt {name}, c/o {symptom}, started {medicine}
        {name} is {height} tall and weighs {weight} / weight of {name}: {weight}
        Since {date} {name} has had {symptom} / The doctor, {doctor}, treats {name}
        {name} should avoid {allergy}
        """,
        "name patient patient_name = person : Patient: {}",
        "age = age : {} years old ; aged {} ; who is {}",
        "symptom complaint diagnosis problem condition = ailment : with {} ; because of {} ; suffering from {} ; "
        "Diagnosis: {}",
        "weight weight_kg kg = kilograms : weighing {} ; weight {} ; with a weight of {} ; Weight: {}",
        "height height_m = meters : {} tall ; height {} ; Height: {}",
        "date visit = day : on {} ; seen on {} ; Date: {}",
        "doctor physician = last_name : by doctor {} ; with Dr. {} ; treated by Dr. {} ; Doctor: {}",
        "medicine medication drug = word : who takes {} ; treated with {} ; on {} ; Medication: {} ; We gave {}",
        "allergy allergic_to = food : allergic to {} ; with an allergy to {} ; Allergies: {}",
    ),
)
