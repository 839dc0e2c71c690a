"""Alarms, countdowns, stopwatches, days and times, and weather of all sorts."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "add_alarm",
        "Add an alarm to the alarm clock",
        "at=clock day?=weekday tone?=bell|birds|radio|chime",
        "wake me up at {at} / alarm {at} / I have to get up at {at} / please do not let me sleep past {at} / "
        "can you ring at {at} / new alarm, {at} / I must be out of bed by {at} / add an alarm at {at} / "
        "my train will not wait, get me up at {at}",
        day="on {day}",
        tone="with the {tone} tone",
        answer="Your alarm rings at {at}.",
    ),
    tool(
        "remove_alarm",
        "Delete an alarm of the alarm clock",
        "at=clock",
        "delete the alarm at {at} / remove my {at} alarm / no alarm at {at} after all / "
        "I can sleep in, forget {at} / please do not wake me at {at} any more / {at} alarm: delete / "
        "can you take out the alarm for {at} / I need not get up at {at}",
        answer="The alarm at {at} is gone.",
    ),
    tool(
        "snooze_alarm",
        "Let a ringing alarm ring again later",
        "duration=minutes",
        "snooze for {duration} / {duration} more sleep please / let me doze for another {duration} / "
        "not yet, wake me again in {duration} / snooze {duration} / could I stay in bed for {duration} / "
        "I am so tired, ring again after {duration} / quiet, come back in {duration}",
        answer="I ring again in {duration}.",
    ),
    tool(
        "list_alarms",
        "List the alarms of a weekday",
        "day=weekday",
        "which alarms are set for {day} / show my {day} alarms / when do I get woken on {day} / {day} alarms? / "
        "am I being woken up on {day} / please read out the alarms for {day} / when does the clock ring on {day}",
        result="alarms=[clock]",
        answer="On {day} it rings at {alarms}.",
    ),
    tool(
        "start_countdown",
        "Start a named countdown",
        "name=dish duration=minutes",
        "count down {duration} for {name} / {name}: {duration} / start a {name} countdown of {duration} / "
        "{name} must come off the stove in {duration}, tell me / tell me when {duration} are over for the {name} / "
        "please time {name}, {duration} / can you keep an eye on the {name} for {duration} / "
        "{duration}, {name}, go",
        answer="The countdown for {name} is running.",
    ),
    tool(
        "pause_countdown",
        "Halt a running countdown",
        "name=dish",
        "pause the {name} countdown / {name} countdown: pause / hold the clock for {name} / "
        "wait with the {name} countdown, I am not ready / please freeze the countdown for {name} / "
        "can the {name} timer stand still for a moment / "
        "I took the {name} off the heat for a while, halt the clock",
        answer="The countdown for {name} is paused.",
    ),
    tool(
        "resume_countdown",
        "Let a halted countdown go on",
        "name=dish",
        "resume the {name} countdown / {name} countdown: go on / let the clock for {name} run again / "
        "I put the {name} back on the heat, keep counting / please continue the countdown for {name} / "
        "can the {name} timer carry on / unpause the {name} countdown",
        answer="The countdown for {name} goes on.",
    ),
    tool(
        "cancel_countdown",
        "Drop a countdown for good",
        "name=dish",
        "cancel the {name} countdown / {name} countdown: cancel / forget the clock for {name} / "
        "we have eaten the {name} already, no need to ring / please drop the countdown for {name} / "
        "can you get rid of the {name} timer / I do not need the {name} countdown any more",
        answer="The countdown for {name} is gone.",
    ),
    tool(
        "get_remaining_time",
        "How long a countdown still runs",
        "name=dish",
        "how long until the {name} is ready / how much is left on the {name} countdown / {name}, time left? / "
        "is the {name} nearly done / when does the clock for {name} go off / please check the countdown for {name} / "
        "how many minutes does the {name} still need",
        result="minutes=small",
        answer="The {name} needs {minutes} more minutes.",
    ),
    tool(
        "start_stopwatch",
        "Start a stopwatch",
        "label=exercise",
        "start the stopwatch for {label} / stopwatch {label}, go / time me while I do {label} / "
        "how fast am I at {label}? start measuring / please take my time for {label}, ready, set, go / "
        "can you clock my {label} from now / measure how long {label} takes me",
        answer="The stopwatch for {label} is running.",
    ),
    tool(
        "stop_stopwatch",
        "Stop a stopwatch and tell its time",
        "label=exercise",
        "stop the stopwatch for {label} / stopwatch {label}, stop / done with {label}, what is my time / "
        "I have finished {label}, how long did it take / please stop measuring {label} / "
        "that was it for {label}, stop the clock / end of {label}, read me the time",
        result="seconds=count",
        answer="{label} took {seconds} seconds.",
    ),
    tool(
        "reset_stopwatch",
        "Set a stopwatch back to zero",
        "label=exercise",
        "reset the stopwatch for {label} / stopwatch {label} back to zero / "
        "{label} again from scratch, clear the clock / please zero the time for {label} / "
        "that {label} attempt does not count, wipe it / can the {label} stopwatch begin at nothing again / "
        "clear my {label} time",
        answer="The stopwatch for {label} is at zero.",
    ),
    tool(
        "add_lap",
        "Note a lap time on a running stopwatch",
        "label=exercise",
        "lap for {label} / next lap, {label} / note a split for {label} / "
        "one more round of {label} done, keep the clock running / please take the lap time for {label} / "
        "split time {label} / I just finished a round of {label} and go on",
        result="lap=handful",
        answer="That was lap {lap}.",
    ),
    tool(
        "get_time_difference",
        "Hours between the clocks of two cities",
        "city=city other_city=city",
        "what is the time difference between {city} and {other_city} / "
        "how many hours is {city} ahead of {other_city} / time gap {city}, {other_city} / "
        "is it later in {city} than in {other_city} / how far apart are the clocks in {city} and {other_city} / "
        "I live in {city} and call {other_city} a lot, how many hours lie between us / "
        "please compare the local time of {city} with that of {other_city}",
        result="hours=handful",
        answer="{city} and {other_city} are {hours} hours apart.",
    ),
    tool(
        "days_until",
        "Number of days until a date",
        "date=day",
        "how many days until {date} / days till {date} / how long is it to {date} / "
        "how often do I still have to sleep before {date} / count the days to {date} / "
        "please tell me how far away {date} is / {date}, how many days left?",
        result="days=count",
        answer="It is {days} days until then.",
    ),
    tool(
        "get_weekday",
        "The day of the week of a date",
        "date=day",
        "what day of the week is {date} / which weekday is {date} / {date}, weekday? / "
        "does {date} fall on a weekend / is {date} a Monday / please tell me the weekday of {date} / "
        "I was born on {date}, what day was that",
        result="weekday=weekday",
        answer="That is a {weekday}.",
    ),
    tool(
        "get_rain_chance",
        "How likely rain is",
        "city=city day?=when",
        "will it rain in {city} / do I need an umbrella in {city} / rain {city}? / "
        "how likely are showers in {city} / can I hang out the washing in {city} / will I get wet in {city} / "
        "chance of rain for {city} please / does it stay dry in {city}",
        day="{day}",
        result="chance=percent",
        answer="The chance of rain in {city} is {chance} percent.",
    ),
    tool(
        "get_snowfall",
        "How much snow is expected",
        "city=city day?=when",
        "how much snow will fall in {city} / is it going to snow in {city} / snow {city}? / "
        "can the kids build a snowman in {city} / do I need winter tyres and a shovel in {city} / "
        "please tell me how many centimeters of snow {city} gets / will {city} turn white",
        day="{day}",
        result="centimeters=small",
        answer="{city} gets {centimeters} cm of snow.",
    ),
    tool(
        "get_wind_speed",
        "How strong the wind blows",
        "city=city unit?=kmh|mph|knots",
        "how windy is it in {city} / wind {city} / how hard does it blow in {city} / is it gusty in {city} / "
        "can I fly a kite in {city} / is there enough of a breeze for sailing in {city} / "
        "what is the wind speed in {city} please / will my parasol be blown away in {city}",
        unit=", answer in {unit}",
        result="speed=small",
        answer="The wind in {city} has a speed of {speed}.",
    ),
    tool(
        "get_uv_index",
        "How strong the sun burns",
        "city=city day?=when",
        "what is the UV index in {city} / UV {city}? / do I need sunscreen in {city} / "
        "how strong is the sun in {city} / will I get sunburnt in {city} / is it safe to lie in the sun in {city} / "
        "UV level for {city} please",
        day="{day}",
        result="uv=points",
        answer="The UV index in {city} is {uv}.",
    ),
    tool(
        "get_pollen_count",
        "How much pollen is in the air",
        "city=city plant?=birch|grass|hazel|ragweed|alder",
        "how bad is the pollen in {city} / pollen {city} / I have hay fever, can I go outside in {city} / "
        "will I be sneezing in {city} / please check the pollen count for {city} / are there many pollen in {city} / "
        "my eyes are itching, what is in the air in {city}",
        plant=", it is about {plant}",
        result="level=low|medium|high",
        answer="The pollen level in {city} is {level}.",
    ),
    tool(
        "get_sunrise_time",
        "When the sun comes up",
        "city=city date?=day",
        "when does the sun come up in {city} / sunrise {city}? / what time is sunrise in {city} / "
        "when does it get light in {city} / how early must I be out to see the dawn in {city} / "
        "please tell me when day breaks in {city} / from when can I ride without lights in the morning in {city}",
        date="on {date}",
        result="time=time",
        answer="The sun rises in {city} at {time}.",
    ),
    tool(
        "get_moon_phase",
        "The phase of the moon on a date",
        "date=day",
        "what phase is the moon in on {date} / moon {date}? / is there a full moon on {date} / "
        "how bright will the night of {date} be / how much of the moon can be seen on {date} / "
        "please look up the moon for {date} / is the moon waxing or waning on {date}",
        result="phase=new|waxing|full|waning",
        answer="The moon is {phase} on that day.",
    ),
    tool(
        "check_frost",
        "Whether there will be frost at night",
        "city=city night?=when",
        "will there be frost in {city} / frost {city}? / do I have to scrape the windscreen in {city} / "
        "does it go below zero in {city} / must I bring the lemon tree inside in {city} / "
        "could the roads in {city} be icy / please warn me if it freezes in {city}",
        night="{night}",
        result="low=degrees",
        answer="The lowest temperature in {city} is {low}.",
    ),
)
