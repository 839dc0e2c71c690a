"""Tools of a house that listens: blinds, heating, locks, vacuum cleaners, fans, sockets, cameras."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "raise_blinds",
        "Pull the blinds of a room up",
        "room=place percent?=percentage",
        "raise the blinds in the {room} / blinds up, {room} / let some daylight into the {room} / "
        "could you pull up the blinds in the {room} please / why is the {room} so gloomy, let the sun in / "
        "I want to see outside from the {room} / {room} blinds up / get the shades in the {room} out of the way",
        percent=", {percent} up",
        answer="The blinds in the {room} are up.",
    ),
    tool(
        "lower_blinds",
        "Let the blinds of a room down",
        "room=place percent?=percentage",
        "lower the blinds in the {room} / blinds down, {room} / it is too bright in the {room} / "
        "the sun is blinding me in the {room} / would you let down the blinds in the {room} please / "
        "{room} shades down / can you keep the sun out of the {room} / "
        "nobody should look into the {room} from outside",
        percent=", {percent} down",
        answer="The blinds in the {room} are down.",
    ),
    tool(
        "open_curtains",
        "Open the curtains of a room",
        "room=place",
        "open the curtains in the {room} / curtains open, {room} / draw back the drapes in the {room} / "
        "good morning, let me look out of the {room} window / please pull the {room} curtains apart / "
        "can the curtains in the {room} be opened / {room} drapes open",
        answer="The curtains in the {room} are open.",
    ),
    tool(
        "close_curtains",
        "Close the curtains of a room",
        "room=place",
        "close the curtains in the {room} / curtains shut, {room} / draw the drapes in the {room} / "
        "the neighbours can see right into the {room} / would you mind shutting the {room} curtains / "
        "can the curtains in the {room} be closed / I need some privacy in the {room}",
        answer="The curtains in the {room} are closed.",
    ),
    tool(
        "turn_up_heating",
        "Make a room warmer",
        "room=place by?=several",
        "turn up the heating in the {room} / it is freezing in the {room} / I am cold here in the {room} / "
        "heating up, {room} / can we have the {room} a bit warmer / please warm up the {room} / "
        "my fingers are like ice in the {room} / more heat in the {room} / make it cosier in the {room}",
        by=", {by} degrees warmer",
        answer="The {room} is getting warmer.",
    ),
    tool(
        "turn_down_heating",
        "Make a room cooler by heating it less",
        "room=place by?=several",
        "turn down the heating in the {room} / it is far too hot in the {room} / heating down, {room} / "
        "I am sweating in the {room} / could the {room} be a little cooler / please heat the {room} less / "
        "less heat in the {room} / we are wasting gas on the {room}, cut it back",
        by=", {by} degrees cooler",
        answer="The {room} is getting cooler.",
    ),
    tool(
        "boost_hot_water",
        "Heat the hot water tank for a while",
        "duration=minutes",
        "boost the hot water for {duration} / hot water on, {duration} / heat the tank for {duration} / "
        "I want a warm bath, so run the boiler for {duration} / could I get hot water for the next {duration} / "
        "the shower is cold, fire up the boiler for {duration} / please give me {duration} of hot water",
        answer="There is hot water for {duration}.",
    ),
    tool(
        "lock_entrance",
        "Lock a door of the house",
        "door=front_door|back_door|cellar_door|patio_door|garden_gate",
        "lock the {door} / is the {door} locked? if not, do it / {door}: lock / bolt the {door} for the night / "
        "I am going to bed, make the {door} secure / please lock up the {door} / "
        "I left and forgot the {door}, nobody may get in / could you make sure no one comes through the {door}",
        answer="The {door} is locked.",
    ),
    tool(
        "unlock_entrance",
        "Unlock a door of the house",
        "door=front_door|back_door|cellar_door|patio_door|garden_gate",
        "unlock the {door} / {door}: unlock / let the visitor in through the {door} / "
        "my hands are full, release the {door} / I am locked out at the {door} / please unbolt the {door} / "
        "the plumber is waiting at the {door}, let him in / can you unlock the {door} for me",
        answer="The {door} is unlocked.",
    ),
    tool(
        "open_garage",
        "Open a garage door",
        "garage=left|right|main|north|south",
        "open the {garage} garage / {garage} garage open / "
        "I am home in a minute, get the {garage} garage ready for the car / "
        "could you open the {garage} garage door please / door up at the {garage} garage / "
        "I want to drive out of the {garage} garage / "
        "why is the {garage} garage still shut, I am parked in front of it",
        answer="The {garage} garage is open.",
    ),
    tool(
        "close_garage",
        "Close a garage door",
        "garage=left|right|main|north|south",
        "close the {garage} garage / {garage} garage shut / the car is in, door down at the {garage} garage / "
        "could you close the {garage} garage door please / I drove off and left the {garage} garage wide open / "
        "rain is blowing into the {garage} garage / shut the {garage} garage door",
        answer="The {garage} garage is closed.",
    ),
    tool(
        "pause_vacuum",
        "Make the vacuum robot wait where it is",
        "robot=nickname",
        "pause the vacuum {robot} / {robot}, pause the cleaning / the baby just fell asleep, make {robot} wait / "
        "hold {robot} for a moment / {robot} is too noisy while I am on the phone / "
        "please have {robot} stop for now / can {robot} take a break from vacuuming",
        answer="{robot} is waiting.",
    ),
    tool(
        "resume_vacuum",
        "Let a paused vacuum robot go on cleaning",
        "robot=nickname",
        "resume vacuuming with {robot} / {robot} can go on cleaning / my call is over, let {robot} continue / "
        "{robot}: resume / please have {robot} carry on where it stopped / "
        "why is {robot} just standing there, keep going / unpause the vacuum {robot}",
        answer="{robot} goes on cleaning.",
    ),
    tool(
        "dock_vacuum",
        "Send the vacuum robot back to its charger",
        "robot=nickname",
        "send {robot} home / {robot} back to the charger / dock the robot {robot} / "
        "that is clean enough, {robot} may go back to its base / please return {robot} to its station / "
        "the battery of {robot} is low, get it charged / {robot} is done for today / could {robot} go and recharge",
        answer="{robot} is going home.",
    ),
    tool(
        "vacuum_room",
        "Clean one room with the vacuum robot",
        "room=place mode?=quiet|normal|turbo",
        "vacuum the {room} / there are crumbs all over the {room} / hoover the {room} / "
        "the floor in the {room} is filthy / {room} needs a clean floor / could the robot do the {room} next / "
        "dust everywhere in the {room}, deal with it / please get the dirt off the {room} floor",
        mode="in {mode} mode",
        answer="The robot is cleaning the {room}.",
    ),
    tool(
        "start_fan",
        "Start a fan",
        "room=place speed?=low|medium|high",
        "start the fan in the {room} / fan on, {room} / the air in the {room} is stuffy / "
        "I need a breeze in the {room} / could you get the {room} fan going / please let the fan run in the {room} / "
        "get some air moving in the {room} / {room} fan on",
        speed=", at {speed} speed",
        answer="The fan in the {room} is running.",
    ),
    tool(
        "stop_fan",
        "Stop a fan",
        "room=place",
        "stop the fan in the {room} / fan off, {room} / there is a draught in the {room} from that fan / "
        "the {room} fan is so loud, make it quit / please switch the fan in the {room} off / "
        "could you kill the {room} fan / no more breeze in the {room} / {room} fan off",
        answer="The fan in the {room} has stopped.",
    ),
    tool(
        "enable_socket",
        "Switch a power socket on",
        "socket=slug duration?=minutes",
        "power on socket {socket} / socket {socket} on / give me electricity at outlet {socket} / "
        "what I plugged into {socket} needs power / please switch on the plug {socket} / "
        "can you enable outlet {socket} / put {socket} under power / there is no current at {socket}, change that",
        duration="for {duration}",
        answer="Socket {socket} has power.",
    ),
    tool(
        "disable_socket",
        "Switch a power socket off",
        "socket=slug",
        "power off socket {socket} / socket {socket} off / cut the electricity at outlet {socket} / "
        "did I leave the iron on at {socket}? cut it / please switch off the plug {socket} / "
        "can you disable outlet {socket} / no current at {socket} any more / take {socket} off the grid",
        answer="Socket {socket} is off.",
    ),
    tool(
        "start_camera_recording",
        "Let a security camera record",
        "location=place duration?=minutes",
        "start recording with the {location} camera / {location} camera: record / "
        "film what is going on in the {location} / I hear strange noises from the {location}, get it on video / "
        "please have the camera in the {location} record / can the {location} camera keep the footage from now on / "
        "roll the {location} camera",
        duration="for {duration}",
        answer="The {location} camera is recording.",
    ),
    tool(
        "stop_camera_recording",
        "End the recording of a security camera",
        "location=place",
        "stop recording with the {location} camera / {location} camera: stop / "
        "do not film the {location} any longer / guests are in the {location} and do not want to be on video / "
        "please end the recording in the {location} / can the {location} camera quit filming / "
        "cut the footage from the {location}",
        answer="The {location} camera has stopped recording.",
    ),
    tool(
        "take_camera_snapshot",
        "Take a still picture with a security camera",
        "location=place",
        "take a snapshot of the {location} / picture of the {location} right now / "
        "who is in the {location}? send me a photo / snap the {location} / "
        "please get me a still from the {location} camera / "
        "I wonder whether the dog is in the {location}, get me a photo / {location} camera, one photo",
        result="image=url",
        answer="Here is the {location}: {image}",
    ),
    tool(
        "schedule_sprinkler",
        "Let a lawn sprinkler run at a given time",
        "zone=small start=clock duration?=minutes",
        "run sprinkler {zone} at {start} / sprinkler {zone}, {start} / "
        "I want the lawn in zone {zone} sprinkled at {start} / let sprinkler number {zone} come on at {start} / "
        "please schedule the sprinkler in zone {zone} for {start} / "
        "the grass in zone {zone} is turning brown, sprinkle it from {start} / "
        "can sprinkler {zone} go off at {start}",
        duration="for {duration}",
        answer="Sprinkler {zone} comes on at {start}.",
    ),
    tool(
        "skip_sprinkler",
        "Leave out the next run of a lawn sprinkler",
        "zone=small",
        "skip the next run of sprinkler {zone} / sprinkler {zone}: skip once / "
        "it has rained enough, leave out sprinkler {zone} / no sprinkling in zone {zone} next time please / "
        "we have a garden party on lawn {zone}, it must stay dry / "
        "do not let sprinkler number {zone} come on next time / can zone {zone} be left out of the sprinkling once",
        answer="Sprinkler {zone} stays off once.",
    ),
    tool(
        "disarm_alarm_system",
        "Switch the burglar alarm off",
        "code=zip zone?=place",
        "disarm the alarm with code {code} / alarm off, {code} / I am back home, the code is {code} / "
        "that siren was only me, {code} / please deactivate the burglar alarm, my pin is {code} / "
        "stop guarding the house, code {code} / can you disarm the house with {code}",
        zone=", only for the {zone}",
        answer="The alarm is off.",
    ),
    tool(
        "set_humidity",
        "Set the humidity that a humidifier keeps",
        "room=place humidity=percentage",
        "set the humidity in the {room} to {humidity} / humidity {humidity}, {room} / "
        "keep the air in the {room} at {humidity} / my throat is dry in the {room}, make it {humidity} moist / "
        "please hold the {room} at {humidity} humidity / can the humidifier in the {room} go to {humidity} / "
        "{room} air moisture {humidity}",
        answer="The humidity in the {room} is set to {humidity}.",
    ),
    tool(
        "find_my_phone",
        "Let a lost phone ring",
        "owner=first_name",
        "where is the phone of {owner} / ring the phone of {owner} / {owner} cannot find the mobile again / "
        "make the phone of {owner} ring so that we can hear it / please help {owner} find the lost phone / "
        "phone of {owner}: ring / {owner} has mislaid the cell phone",
        answer="The phone of {owner} is ringing.",
    ),
)
