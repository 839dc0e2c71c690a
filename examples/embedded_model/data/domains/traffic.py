"""Traffic tools: aircraft, rockets, road works, navigation, towing, drones."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
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
