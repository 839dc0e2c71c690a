"""Tools of cars, lorries, ships, aircraft and drones, and of the roads and harbours that they use."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "swap_tyres",
        "Change all four wheels of a car for another season",
        "number_plate=code season=summer|winter|all_season day=day store_old_set?=boolean",
        "swap the tyres of {number_plate} to {season} on {day} / {day}: {season} wheels on {number_plate}, pls / it's "
        "getting that time of year, put the {season} set on the car with the plate {number_plate} on {day} / can you "
        "fit {season} tyres to {number_plate} on {day} / I want {number_plate} on {season} rubber by {day}, book the "
        "changeover / my plate is {number_plate}, when you're free on {day} mount the {season} set / on {day} the car "
        "{number_plate} comes in for its seasonal change, this time {season} / {number_plate} still runs on the wrong "
        "set, it needs the {season} ones from {day}",
        store_old_set=", keep the old set at your place|, I'll take the old set home",
    ),
    tool(
        "patch_tyre",
        "Mend a puncture without replacing the tyre",
        "number_plate=code wheel=front_left|front_right|rear_left|rear_right",
        "patch the {wheel} tyre of {number_plate} / there's a nail in the {wheel} tyre of {number_plate}, can it be "
        "plugged / {number_plate} has a slow puncture, {wheel}, mend it / don't sell me a new one, just repair the "
        "hole on {wheel}, plate {number_plate} / {wheel} is losing air on the car {number_plate}, please seal it / "
        "puncture repair, {number_plate}, {wheel} / I picked up a screw {wheel}, car is {number_plate}, a plug should "
        "do / could somebody fix the flat {wheel} on {number_plate} so that I can keep the tyre",
    ),
    tool(
        "replace_tyre",
        "Fit one new tyre where the old one is beyond repair",
        "number_plate=code wheel=front_left|front_right|rear_left|rear_right brand?=company",
        "replace the {wheel} tyre of {number_plate} / the {wheel} one has burst on {number_plate}, I need a new one "
        "fitted / {number_plate} has worn tread {wheel}, put a new tyre there / new tyre for {number_plate}, position "
        "{wheel} / the sidewall is slashed {wheel} on the car {number_plate}, that can't be mended, so fit a fresh "
        "one / {wheel} on {number_plate} is beyond repair, sell me another / can I get a brand-new one mounted "
        "{wheel}, the plate is {number_plate} / car {number_plate}: throw away the old tyre {wheel} and fit a new one",
        brand=", make it a {brand}",
    ),
    tool(
        "inflate_tyres",
        "Pump air into the tyres of an axle",
        "number_plate=code axle=front|rear|both pressure_bar=five",
        "inflate the {axle} tyres of {number_plate} to {pressure_bar} bar / pump up {number_plate}, {axle} axle, "
        "{pressure_bar} bar / {pressure_bar} bar on {axle} for the car {number_plate}, please / the tyres of "
        "{number_plate} look flat, bring {axle} up to {pressure_bar} bar / we're going on holiday fully loaded, so "
        "{number_plate} gets {pressure_bar} bar of air, axle: {axle} / put some air in {number_plate}, it should have "
        "{pressure_bar} bar, {axle} / axle {axle} of {number_plate} needs more air, fill until the gauge says "
        "{pressure_bar} bar / could you top up the air of {number_plate} to {pressure_bar} bar, axle {axle}",
    ),
    tool(
        "start_charging",
        "Begin charging an electric car",
        "charger_id=code target_percent?=percentage",
        "start charging at {charger_id} / plug's in at {charger_id}, let the power flow / begin the session on "
        "charger {charger_id} / I'm parked at point {charger_id} with a nearly empty battery, give me some juice / "
        "turn on the current at {charger_id} / fill up my battery, I'm connected to {charger_id} / {charger_id}, "
        "cable's connected, go / please get electricity into the car, it hangs on charger {charger_id}",
        target_percent=", up to {target_percent}",
    ),
    tool(
        "stop_charging",
        "End a charging session and release the cable",
        "charger_id=code",
        "stop charging at {charger_id} / I have to leave now, free my cable at {charger_id} / end the session on "
        "charger {charger_id} / that's enough power from {charger_id} / cut the current at {charger_id} / the battery "
        "is full enough, unplug me from {charger_id} / release the plug of {charger_id}, I'm driving off / "
        "{charger_id}: no more juice, pls",
    ),
    tool(
        "reserve_charger",
        "Keep a charging point free for a driver",
        "charger_id=code from=clock duration=minutes plug_type?=type2|ccs|chademo",
        "reserve charger {charger_id} from {from} for {duration} / keep {charger_id} free for my electric car, "
        "{duration} starting at {from} / I'll reach the charging point {charger_id} at {from}, hold it for {duration} "
        "/ {charger_id}, from {from}, {duration}, nobody else should plug in there / can I book {duration} at "
        "charging point {charger_id} as of {from} / from {from} I need {duration} of electricity at {charger_id}, put "
        "my name on it / make sure that {charger_id} isn't taken when I arrive to charge at {from}, I'll need "
        "{duration} / save me the EV charger {charger_id}, arrival {from}, length {duration}",
        plug_type=", plug {plug_type}",
    ),
    tool(
        "release_charger",
        "Give up the reservation of a charging point",
        "charger_id=code",
        "release charger {charger_id} / I won't make it to {charger_id}, others may plug in there / drop my "
        "reservation of the charging point {charger_id} / I charged elsewhere, so I no longer need {charger_id} kept "
        "for me / {charger_id}: somebody else can have my charging slot / cancel the slot at the EV charger "
        "{charger_id} / my booking of {charger_id} can go, I've got enough battery / don't hold the charging point "
        "{charger_id} for me any longer",
    ),
    tool(
        "record_refuelling",
        "Enter a stop at the pump into the vehicle's log",
        "vehicle=car litres=measure total=price odometer?=count full_tank?=boolean",
        "record the refuelling of the {vehicle}: {litres} litres for {total} / I put {litres} litres into the "
        "{vehicle} and paid {total} / the {vehicle} took {litres} litres, {total} at the till, write it in the log / "
        "note that I spent {total} on {litres} litres for the {vehicle} / just been at the pump with the {vehicle}, "
        "the bill was {total} for {litres} litres / fuel log: {vehicle}, {litres} litres, total {total} / {total} "
        "paid, {litres} litres in the tank of the {vehicle}, add that / filled the {vehicle} with {litres} litres, "
        "which cost {total}",
        odometer=", odometer {odometer}",
        full_tank=", the tank is full|, the tank isn't full",
    ),
    tool(
        "book_driving_lesson",
        "Arrange an hour behind the wheel with an instructor",
        "learner=person instructor=last_name day=day start=clock area?=town|motorway|night|parking",
        "book a driving lesson for {learner} with the instructor {instructor} on {day} at {start} / {learner} would "
        "like to practise with the instructor {instructor} on {day}, from {start} / on {day} at {start} the "
        "instructor {instructor} takes our learner {learner} out in the car / learner {learner}, instructor "
        "{instructor}, {day}, {start}, lesson pls / is Mr {instructor} free on {day} at {start} to teach {learner} "
        "how to drive / {learner} needs more time behind the wheel, put her down with Mrs {instructor}, {day}, "
        "{start} / fix an hour in the school car at {start} on {day}: teacher {instructor}, pupil {learner} / I'm "
        "{learner} and want to drive with Mr {instructor} on {day}, starting {start}",
        area=", area: {area}",
    ),
    tool(
        "cancel_driving_lesson",
        "Call off a learner's hour with the driving instructor",
        "learner=person day=day reason?=illness|weather|exam|car_trouble",
        "cancel the driving lesson of {learner} on {day} / {learner} can't come to the driving school on {day} / "
        "strike out {learner}'s hour behind the wheel on {day} / the instructor needn't wait for {learner} on {day} / "
        "no lesson in the school car for {learner} on {day} / {day}: {learner} won't be driving with the instructor, "
        "call it off / I'm {learner} and have to skip my hour at the driving school on {day} / our learner {learner} "
        "drops out on {day}, free the instructor",
        reason=", reason: {reason}",
    ),
    tool(
        "sit_driving_test",
        "Sign a learner up for the theory or practical test",
        "learner=person test=theory|practical day=day test_centre=city licence_class=car|motorbike|lorry|bus",
        "sign {learner} up for the {test} driving test in {test_centre} on {day}, class {licence_class} / {learner} "
        "is ready for the {test} exam, class {licence_class}, {day}, centre {test_centre} / on {day} I'd like "
        "{learner} to sit the {test} part for the {licence_class} licence in {test_centre} / {test} test for "
        "{learner} at {test_centre}, licence class {licence_class}, on {day} / get {learner} an examiner in "
        "{test_centre} on {day}, {test}, class {licence_class} / {learner} wants to get the {licence_class} licence, "
        "so enter her for {test} on {day} at the centre of {test_centre} / I'm {learner}, put me down for the {test} "
        "exam ({licence_class}) in {test_centre}, {day} suits me / {test_centre}, {day}: {learner} takes the {test} "
        "test, class {licence_class}",
    ),
    tool(
        "suspend_licence",
        "Take away a person's right to drive for a while",
        "holder=person months=handful offence=speeding|drink_driving|red_light|phone_use",
        "suspend the licence of {holder} for {months} months, offence: {offence} / {holder} is banned from driving "
        "for {months} months because of {offence} / because of {offence}, {holder} mustn't sit behind the wheel for "
        "{months} months / {months} months off the road for {holder}, who was caught for {offence} / driving ban: "
        "{holder}, {offence}, {months} months / {offence} costs {holder} the right to drive, duration {months} months "
        "/ the court has ruled that {holder} may not drive for {months} months, it was {offence} / disqualify the "
        "driver {holder} for {offence}, it lasts {months} months",
    ),
    tool(
        "reinstate_licence",
        "Give a banned driver the right to drive back",
        "holder=person conditions?=[glasses|alcolock|daylight_only]",
        "reinstate the licence of {holder} / {holder} has served the ban and may drive again / give {holder} the "
        "right to drive back / lift the driving ban of {holder} / from now on {holder} is allowed behind the wheel "
        "again / end the disqualification of {holder} / {holder}'s time without a licence is over, restore it / the "
        "driver {holder} passed the medical, so allow driving again",
        conditions=", conditions: {conditions}",
    ),
    tool(
        "unlock_shared_car",
        "Open the doors of a car-sharing vehicle",
        "vehicle_code=code booking=id",
        "unlock the shared car {vehicle_code}, booking {booking} / I'm standing in front of {vehicle_code}, open its "
        "doors, my booking is {booking} / let me into the car {vehicle_code}, booking {booking} / booking {booking}: "
        "I want to get in, the car's code is {vehicle_code} / the doors of {vehicle_code} are shut and I've booked it "
        "under {booking}, let me in / open sesame, vehicle {vehicle_code}, booking number {booking} / my trip "
        "{booking} begins now, release the doors of {vehicle_code} / with booking {booking} I should be able to enter "
        "{vehicle_code}, do open it",
    ),
    tool(
        "lock_shared_car",
        "Shut the doors of a car-sharing vehicle, for a stop or at the end",
        "vehicle_code=code keep_booking?=boolean",
        "lock the shared car {vehicle_code} / I've got all my bags out, secure the doors of {vehicle_code} / shut "
        "{vehicle_code} behind me / did I leave the car-share open, bolt the doors of {vehicle_code} / nobody should "
        "get into {vehicle_code} now / {vehicle_code}, doors shut pls / I've got out of {vehicle_code}, close it up / "
        "make sure the doors of the car {vehicle_code} can't be opened",
        keep_booking=", my booking goes on|, my booking ends here",
    ),
    tool(
        "hand_back_car",
        "Return a hired car at a station",
        "booking=id station=city mileage=count fuel_level?=empty|quarter|half|full",
        "hand back the car of booking {booking} in {station} with {mileage} km on the clock / I've parked the rental "
        "in {station}, {mileage} km, {booking} is finished / return at {station}: {booking}, the odometer says "
        "{mileage} / booking {booking} is over, the car stands at the {station} station with a mileage of {mileage} / "
        "we're done with the hired car, {station}, booking {booking}, mileage {mileage} / the meter shows {mileage}, "
        "I'm at your desk in {station} and want to return the car {booking} / here are the keys of {booking}, station "
        "{station}, {mileage} km / {station} gets its car back, mileage {mileage}, booking {booking}",
        fuel_level=", fuel level {fuel_level}",
    ),
    tool(
        "note_car_damage",
        "Put a dent or scratch on record before a hire",
        "vehicle_code=code part=bumper|door|windscreen|mirror|wheel_rim|roof damage=scratch|dent|crack photo?=file",
        "note the damage of {vehicle_code}: {damage}, {part} / there's a {damage} on the {part} of the hire car "
        "{vehicle_code} / before I set off: {vehicle_code} has a {damage} in the {part} / I don't want to pay for it "
        "later, {vehicle_code} already has a {damage} on its {part} / {vehicle_code}: {part}, {damage} / put on "
        "record that the {part} of {vehicle_code} shows a {damage} / someone left a {damage} on the {part} before me, "
        "the vehicle is {vehicle_code} / write down a {damage}, it's on the {part}, car {vehicle_code}",
        photo=", picture {photo}",
    ),
    tool(
        "couple_trailer",
        "Hitch a trailer to a lorry",
        "truck=code trailer=code yard=city",
        "couple trailer {trailer} to the lorry {truck} in {yard} / {truck} should pull {trailer}, hook it up at the "
        "{yard} yard / hitch {trailer} to the tractor unit {truck}, we're at {yard} / yard {yard}: truck {truck} "
        "takes on trailer {trailer} / in {yard} the driver of truck {truck} picks up the semi-trailer {trailer}, "
        "attach it / behind the truck {truck} goes the trailer {trailer}, yard {yard} / the trailer {trailer} is "
        "loaded and waits in {yard}, connect it with truck {truck} / at {yard}, make {truck} the truck that tows the "
        "trailer {trailer}",
    ),
    tool(
        "uncouple_trailer",
        "Detach a trailer from its lorry and leave it in a yard",
        "trailer=code yard=city loaded?=boolean",
        "uncouple trailer {trailer} in {yard} / leave {trailer} behind at the {yard} yard, the truck goes on alone / "
        "unhook the semi-trailer {trailer}, it stays in {yard} / {yard}: drop the trailer {trailer} there / the lorry "
        "no longer pulls {trailer}, park it at {yard} / detach {trailer} from the tractor unit, location {yard} / we "
        "need the tractor without {trailer}, so leave that standing in {yard} / in {yard} the driver gets rid of the "
        "trailer {trailer}",
        loaded=", its cargo still inside|, it's empty",
    ),
    tool(
        "log_driver_break",
        "Enter a lorry driver's rest in the tachograph",
        "driver=person from=clock to=clock kind=short_break|daily_rest|weekly_rest",
        "log the break of the driver {driver} from {from} to {to}, {kind} / {driver} rested between {from} and {to}, "
        "that was a {kind} / tachograph entry: {driver}, {kind}, {from} until {to} / the trucker {driver} didn't "
        "drive from {from} to {to}, write down {kind} / from {from} till {to} {driver} was off the wheel, kind: "
        "{kind} / a {kind} for {driver}, who stopped at {from} and drove on at {to} / put the {kind} of {driver} into "
        "the tachograph, start {from}, end {to} / our lorry driver {driver} slept in the cab from {from} until {to}, "
        "count it as {kind}",
    ),
    tool(
        "berth_ship",
        "Give an arriving ship a place at the quay",
        "vessel=hotel quay=code arrival=day draught?=meters",
        "berth the ship {vessel} at quay {quay} on {arrival} / the freighter {vessel} comes in on {arrival} and moors "
        "at {quay} / {quay} is where {vessel} ties up on {arrival} / on {arrival} give the vessel {vessel} a place at "
        "quay {quay} / the vessel {vessel} needs a mooring on {arrival}, take {quay} / quay {quay}, {arrival}, "
        "incoming vessel {vessel} / let the harbour master know that {vessel} docks on {arrival}, quay {quay} / "
        "{vessel} arrives by sea on {arrival}, put her alongside {quay}",
        draught=", draught {draught}",
    ),
    tool(
        "cast_off_ship",
        "Let a ship leave its quay",
        "vessel=hotel departure=clock tugboats?=handful",
        "cast off the ship {vessel} at {departure} / {vessel} puts to sea at {departure} / the vessel {vessel} may "
        "leave her berth at {departure} / undo the mooring lines of {vessel} at {departure} / at {departure} the "
        "freighter {vessel} sails / the cargo is on board, so {vessel} can clear the quay at {departure} / departure "
        "of the vessel {vessel} from the harbour, {departure} / let {vessel} out of port, time {departure}",
        tugboats=", tugboats needed: {tugboats}",
    ),
    tool(
        "locate_ship",
        "Last known position of a ship",
        "vessel=hotel",
        "locate the ship {vessel} / where at sea is {vessel} now / position of the vessel {vessel} pls / I'm waiting "
        "for cargo on the freighter {vessel}, how far has she got / has anyone seen {vessel} on the AIS / on which "
        "latitude is the vessel {vessel} sailing / what's the last signal from the tanker {vessel} / show me the "
        "freighter {vessel} on the sea chart",
        result="latitude=latitude",
        answer="She is at latitude {latitude}.",
    ),
    tool(
        "list_ships_in_port",
        "Ships that lie in a harbour now",
        "port=city ship_type?=container|tanker|cruise|ferry|fishing",
        "list the ships in the port of {port} / which vessels are in {port} today / who's moored at the quays of "
        "{port} / what lies in the harbour of {port} at the moment / I'm standing on the pier in {port}, what are all "
        "these boats / harbour of {port}, all vessels pls / show me every ship that's docked in {port} / are the "
        "berths of {port} full, name the vessels there",
        ship_type=", type {ship_type}",
        result="vessels=[hotel]",
    ),
    tool(
        "divert_flight",
        "Send a flying aircraft to another airport",
        "flight_number=flight alternate=airport reason=fog|storm|medical_emergency|low_fuel|security_threat",
        "divert flight {flight_number} to {alternate}, reason {reason} / {flight_number} can't land as planned, it's "
        "{reason}, so it goes to {alternate} / because of {reason} the pilot of {flight_number} heads for {alternate} "
        "/ new destination {alternate} for {flight_number}, cause: {reason} / {reason} is the trouble of "
        "{flight_number}, let it land at {alternate} instead / send the plane {flight_number} to its alternate "
        "{alternate}, it's {reason} / {alternate} should expect {flight_number}, which comes there because of "
        "{reason} / tower here, {flight_number} won't reach its destination, {reason}, so have it land in {alternate}",
    ),
    tool(
        "deice_aircraft",
        "Spray a plane against ice before take-off",
        "tail_number=code stand=code parts?=[wings|tail|engines|fuselage]",
        "de-ice the aircraft {tail_number} at stand {stand} / there's frost on {tail_number}, spray it on stand "
        "{stand} / {tail_number} waits on stand {stand} for the de-icing truck / before take-off {tail_number} must "
        "be free of ice, position {stand} / stand {stand}: snow on the plane {tail_number}, treat it with glycol / "
        "get the frost off the jet {tail_number}, parked at {stand} / the captain of {tail_number} reports ice, his "
        "stand is {stand}, send the sprayer / winter treatment, tail number {tail_number}, stand {stand}",
        parts=", parts: {parts}",
    ),
    tool(
        "ground_aircraft",
        "Forbid a plane to fly until it is repaired",
        "tail_number=code defect=engine|landing_gear|avionics|hydraulics|cabin_door",
        "ground the aircraft {tail_number}, {defect} defect / {tail_number} mustn't take off, there's something wrong "
        "with {defect} / {defect} trouble, the plane {tail_number} stays on the ground / don't let {tail_number} fly "
        "any more, {defect} / the mechanics found a fault in {defect}, take the jet {tail_number} out of service / no "
        "more flights with {tail_number} until {defect} is mended / tail number {tail_number}: unfit to fly, {defect} "
        "/ we can't fly passengers in {tail_number}, cause: {defect}",
    ),
    tool(
        "clear_aircraft_to_fly",
        "Return a repaired plane to service",
        "tail_number=code inspector=person",
        "clear the aircraft {tail_number} to fly, inspector {inspector} / {inspector} has checked the repair of "
        "{tail_number}, it may take off again / {tail_number} is airworthy again, signed by {inspector} / put the "
        "plane {tail_number} back into service, {inspector} inspected it / the defect on {tail_number} is mended, "
        "says the inspector {inspector}, let it fly / return {tail_number} to the fleet, the signature is by "
        "{inspector} / inspector {inspector} gives the green light to the jet {tail_number} / lift the grounding of "
        "{tail_number}, released by {inspector}",
    ),
    tool(
        "shut_runway",
        "Take a runway out of use",
        "airport=airport runway=code reason?=snow|debris|repairs|accident until?=clock",
        "shut runway {runway} at {airport} / nobody may land on {runway} in {airport} any more / {airport}: {runway} "
        "is blocked for take-offs and landings / take {runway} of {airport} out of use / no more planes on runway "
        "{runway}, airport {airport} / airport {airport} has to do without {runway}, block that landing strip / keep "
        "all aircraft off {runway} at {airport} / pilots bound for {airport} can't use {runway}, close it",
        reason=", reason: {reason}",
        until=", until {until}",
    ),
    tool(
        "predict_satellite_pass",
        "When a satellite can be seen from a town",
        "satellite=word city=city min_elevation?=age",
        "predict the next pass of the satellite {satellite} over {city} / when does {satellite} fly over {city} / I'd "
        "like to watch the satellite {satellite} from my roof in {city}, at what time / tell me when to look up in "
        "{city} to see {satellite} in orbit / {city}: next overflight of {satellite} / will {satellite} be visible in "
        "the sky above {city} / we want to receive signals of {satellite} in {city}, when's it above the horizon / "
        "from {city}, when can you spot the satellite {satellite}",
        min_elevation=", at least {min_elevation} degrees above the horizon",
        result="rises=clock",
        answer="It rises at {rises}.",
    ),
    tool(
        "schedule_rocket_launch",
        "Fix the start of a rocket and its payload",
        "rocket=word payload=[word] launch_day=day launch_time=clock orbit=low|geostationary|polar|lunar",
        "schedule the launch of the rocket {rocket} with {payload} aboard on {launch_day} at {launch_time}, {orbit} "
        "orbit / rocket {rocket} lifts off on {launch_day} at {launch_time}, payload {payload}, orbit {orbit} / on "
        "{launch_day}, {launch_time}, we send {payload} into a {orbit} orbit, the rocket is {rocket} / {payload} "
        "should fly to space on the rocket {rocket}: {orbit} orbit, {launch_day}, {launch_time} / put lift-off down "
        "for {launch_time} on {launch_day}, {orbit} orbit, rocket {rocket}, cargo: {payload} / the launch pad is ours "
        "on {launch_day}, so at {launch_time} the rocket {rocket} starts with {payload}, orbit {orbit} / orbit "
        "{orbit}, payload {payload}, rocket {rocket}, T-0 is {launch_time} on {launch_day} / countdown for {rocket} "
        "ends on {launch_day} at {launch_time}, it carries {payload} to a {orbit} orbit",
    ),
    tool(
        "scrub_rocket_launch",
        "Break off a rocket's countdown",
        "rocket=word cause?=weather|leak|sensor|range_violation",
        "scrub the launch of {rocket} / stop the countdown of {rocket} / {rocket} won't lift off today / abort, the "
        "rocket {rocket} stays on the pad / no lift-off for the rocket {rocket} / hold it, we can't send {rocket} to "
        "space now, break off / call off the start of the rocket {rocket} / tell the crew that {rocket} isn't flying "
        "to orbit after all",
        cause=", cause: {cause}",
    ),
    tool(
        "announce_roadworks",
        "Tell drivers about a building site on a road",
        "street=street from=day to=day lanes_closed?=handful work?=resurfacing|pipes|bridge|marking",
        "announce roadworks at {street} from {from} to {to} / the workmen dig up {street} between {from} and {to}, "
        "let drivers know / building site on the road, {street}, start {from}, end {to} / from {from} until {to} "
        "there'll be diggers and cones at {street}, warn the motorists / {street} gets its carriageway done, "
        "beginning {from} and finished {to}, tell the public / publish the building site at {street}: {from} to {to} "
        "/ motorists should expect works at {street}, starting on {from}, ending on {to} / put up a notice that "
        "{street} is being repaired from {from} till {to}",
        lanes_closed=", lanes closed: {lanes_closed}",
        work=", kind of work: {work}",
    ),
    tool(
        "retime_traffic_light",
        "Change how long a traffic light stays green",
        "junction=street green_seconds=seconds direction=north|south|east|west rush_hour_only?=boolean",
        "retime the traffic light at {junction}, {green_seconds} of green for {direction} / at {junction} cars going "
        "{direction} should have green for {green_seconds} / the queue at {junction} is too long, direction "
        "{direction}, give it {green_seconds} of green / {junction}, {direction}: green phase {green_seconds} / let "
        "the signals at {junction} stay green for {green_seconds}, heading {direction} / {green_seconds} of green at "
        "{junction} for traffic that goes {direction} / drivers complain about the lights at {junction}, make green "
        "last {green_seconds} going {direction} / heading {direction} you hardly get across {junction}, so set the "
        "green to {green_seconds}",
        rush_hour_only=", during the rush hour only|, all day long",
    ),
    tool(
        "count_vehicles",
        "How many vehicles pass a place in a day",
        "street=street day=day vehicle_types?=[cars|lorries|buses|bicycles|motorbikes]",
        "count the vehicles at {street} on {day} / how much traffic passed {street} on {day} / {day}, {street}: how "
        "many drove by / was {street} busy on {day}, I need the number of passing vehicles / I live at {street} and "
        "it was loud on {day}, how many went past / what did the loop in the road at {street} register on {day} / "
        "traffic volume of {day} at {street} pls / get me the census of road users for {street}, date {day}",
        vehicle_types=", just {vehicle_types}",
        result="passed=count",
        answer="{passed} passed.",
    ),
    tool(
        "download_offline_map",
        "Save the map of a country for driving without a network",
        "country=country include_trails?=boolean",
        "download the offline map of {country} / I'll have no network in {country}, save its map on the navigator / "
        "we're driving through {country} without roaming, get me the roads in advance / put {country} on the satnav "
        "for use without internet / map of {country}, offline pls / fetch the roads of {country} so that navigation "
        "works without a signal / can I have {country} stored on the navigation device / I need the map for {country} "
        "before we lose reception",
        include_trails=", footpaths too|, roads are enough",
    ),
    tool(
        "erase_offline_map",
        "Delete the saved map of a country from the navigator",
        "country=country",
        "erase the offline map of {country} / we're home from {country}, its map can go from the satnav / free some "
        "memory on the navigator, throw out {country} / I no longer drive in {country}, get rid of the stored roads / "
        "the saved map of {country} takes too much space, off with it / delete {country} from the navigation device / "
        "satnav: remove the roads of {country} / don't keep the map for {country} any longer",
    ),
    tool(
        "silence_navigation_voice",
        "Stop the spoken directions but keep the route",
        "",
        "silence the navigation voice / the satnav talks too much, make it shut up but stay on the route / I know the "
        "way from here, no more spoken directions / the kids are asleep in the back, navigator, please don't speak / "
        "show me the turns without saying them / stop telling me aloud where to turn / no voice guidance pls, arrows "
        "are enough / can the route go on without that lady talking",
    ),
    tool(
        "book_camper_pitch",
        "Reserve a place on a campsite for a camping van",
        "campsite=hotel arrival=day nights=several vehicle_length=meters extras?=[electricity|water|wifi|shade]",
        "book a pitch at {campsite} for {nights} nights from {arrival}, our camper is {vehicle_length} long / we'd "
        "like to stay at the campsite {campsite}, {nights} nights, arriving on {arrival} with a motorhome of "
        "{vehicle_length} / {campsite}: camping van, {vehicle_length}, {arrival}, {nights} nights / our van measures "
        "{vehicle_length}, is there room at the camping ground {campsite} on {arrival}, nights: {nights} / on "
        "{arrival} we roll into {campsite} with the caravan, {vehicle_length} long, hold us a place for {nights} "
        "nights / {nights} nights on the camping ground {campsite} starting {arrival}, vehicle length "
        "{vehicle_length} / keep us a spot for the motorhome ({vehicle_length}) at {campsite}, first day {arrival}, "
        "{nights} nights / arrival {arrival}, {nights} nights, {vehicle_length} of motorhome, the site is called "
        "{campsite}",
        extras=", with {extras}",
    ),
    tool(
        "empty_camper_tank",
        "Have a tank of a camping van emptied",
        "pitch=code tank=grey_water|toilet service_time?=clock",
        "empty the {tank} tank of the camper on pitch {pitch} / the {tank} tank of our motorhome is full, we're on "
        "{pitch} / {pitch}: {tank}, pump it out / our camping van on pitch {pitch} smells, get rid of what's in the "
        "{tank} tank / nothing more goes into our {tank} tank, pump it dry please, pitch {pitch} / somebody should "
        "come to pitch {pitch} and drain the {tank} of the caravan / the motorhome at {pitch} is full to the brim, "
        "drain its {tank} / waste disposal to {pitch} pls, we're in the van, tank: {tank}",
        service_time=", at {service_time}",
    ),
    tool(
        "jump_start_car",
        "Send somebody who gets a car with an empty battery going",
        "street=street vehicle=car callback_phone?=phone",
        "jump-start the {vehicle} at {street} / the battery of my {vehicle} is dead, I'm at {street} / I left the "
        "lights on and now the {vehicle} won't start, send jumper cables to {street} / {street}, {vehicle}, flat "
        "battery, help / somebody with jump leads should come to {street} for a {vehicle} / my {vehicle} just clicks "
        "when I turn the key, give it a boost, it's at {street} / at {street} there's a {vehicle} whose starter has "
        "no power, bring a booster pack / the {vehicle} needs a shove of current, come to {street}",
        callback_phone=", my number is {callback_phone}",
    ),
    tool(
        "tow_vehicle",
        "Have a vehicle that cannot drive taken to a workshop",
        "vehicle=car pickup=street workshop=company cause?=engine|gearbox|crash|wheels",
        "tow the {vehicle} from {pickup} to {workshop} / my {vehicle} won't move an inch, pick it up at {pickup} and "
        "take it to {workshop} / send the tow truck to {pickup}, a {vehicle} must get to the workshop {workshop} / "
        "{pickup}: {vehicle} to be dragged to {workshop} / the garage {workshop} is waiting for my {vehicle}, it has "
        "to be hauled away from {pickup} / from {pickup} to {workshop} on the back of a recovery lorry: {vehicle} / "
        "we've had to abandon the {vehicle}, it stands at {pickup} and should go on the flatbed to {workshop} / can "
        "{workshop} get my {vehicle} on the hook, the place is {pickup}",
        cause=", cause: {cause}",
    ),
    tool(
        "launch_drone",
        "Let a drone take off to a height",
        "drone=code altitude=meters camera?=boolean",
        "launch the drone {drone} to {altitude} / send up {drone}, height {altitude} / let the quadcopter {drone} "
        "take off and climb to {altitude} / I need a bird's eye view from {altitude}, get {drone} into the air / "
        "{drone} off the ground, {altitude} high / start the rotors of {drone}, it should hover at {altitude} / fly "
        "the drone {drone} up, altitude {altitude} / how does it look from above, take {drone} to {altitude}",
        camera=", camera running|, camera off",
    ),
    tool(
        "land_drone",
        "Bring a flying drone down",
        "drone=code spot?=here|home|landing_pad|nearest_field",
        "land the drone {drone} / bring {drone} down / get the quadcopter {drone} back on the ground / there's a "
        "helicopter coming, {drone} must leave the air / the battery of the UAV {drone} is low, it should touch down "
        "/ descend and stop the rotors of {drone} / {drone}, come down from the sky / end the flight of the drone "
        "{drone}",
        spot=", landing spot: {spot}",
    ),
    tool(
        "fence_drone",
        "Keep a drone within a radius of its pilot",
        "drone=code radius=meters max_altitude=meters",
        "fence the drone {drone} in, radius {radius}, no higher than {max_altitude} / {drone} may fly at most "
        "{radius} away and {max_altitude} high / don't let the quadcopter {drone} get further than {radius} from me, "
        "ceiling {max_altitude} / ceiling {max_altitude}, radius {radius}, UAV {drone} / {drone} flew off last time, "
        "so limit it to {radius} around the pilot and {max_altitude} of height / set the borders for {drone}: "
        "{max_altitude} up, {radius} around / within {radius} and below {max_altitude}, that's where the drone "
        "{drone} is allowed / above {max_altitude} or outside {radius} the drone {drone} has no business",
    ),
    tool(
        "tune_motorbike",
        "Have a part of a motorbike adjusted",
        "licence_plate=code part=chain|clutch|carburettor|suspension|brake_lever rider_weight?=kilograms",
        "tune the {part} of the motorbike {licence_plate} / the {part} on my bike {licence_plate} doesn't feel right, "
        "adjust it / {licence_plate}: motorcycle, set the {part} properly / my motorcycle {licence_plate} rattles, "
        "somebody look after the {part} / get the {part} tightened before the ride, bike's plate {licence_plate} / a "
        "little work on the {part} for the motorcycle with the plate {licence_plate} / could your mechanic fine-tune "
        "the {part}, I ride {licence_plate} / before the bikers' tour, readjust the {part}, plate {licence_plate}",
        rider_weight=", the rider weighs {rider_weight}",
    ),
    tool(
        "transfer_car_ownership",
        "Put a vehicle in the name of its buyer",
        "number_plate=code seller=person buyer=person sold_on=day price?=money",
        "transfer the car {number_plate} from {seller} to {buyer}, sold on {sold_on} / {buyer} bought {number_plate} "
        "from {seller} on {sold_on} / on {sold_on} {seller} sold the car {number_plate} to {buyer}, change the papers "
        "/ new keeper of {number_plate}: {buyer}, formerly {seller}, date of sale {sold_on} / the seller is {seller}, "
        "the buyer is {buyer}, the car is {number_plate} and the day was {sold_on} / I'm {seller} and no longer own "
        "{number_plate}, {buyer} does since {sold_on} / put {number_plate} in the name of {buyer}, {seller} gave it "
        "away on {sold_on} / {buyer} now has the car of {seller}, plate {number_plate}, as of {sold_on}",
        price=", price {price}",
    ),
)
