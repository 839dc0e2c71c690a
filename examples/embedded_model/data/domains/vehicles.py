"""Drivers' tools: tyres, charging, licences, shared cars, lorries, harbours."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
