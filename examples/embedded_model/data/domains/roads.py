"""Tools on the road and on the map: cars, parking, rides, routes, addresses."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "check_traffic",
        "Live traffic between two places",
        "from=street to=street leave_at?=clock",
        "how is the traffic from {from} to {to} / is there a jam between {from} and {to} / I have to drive from "
        "{from} to {to}, are the roads clear / traffic {from} to {to} pls / to reach {to} from {from} by car, how "
        "long does it take with this traffic / starting at {from}, will I get through to {to} without delay",
        leave_at="if I leave at {leave_at}",
        result="delay=minutes",
        answer="Expect a delay of {delay}.",
    ),
    tool(
        "find_parking",
        "Find a place to park",
        "near=street hours=hours covered?=boolean max_rate?=price",
        "where can I park near {near} for {hours} / I need a parking space close to {near}, {hours} will do / I "
        "need parking around {near} for {hours} / for {hours} I want to leave my car somewhere near {near} / is "
        "there anywhere to put the car by {near} for {hours} / we'll be at {near} for {hours}, find us a spot for "
        "the car",
        covered="under a roof|in the open",
        max_rate="for no more than {max_rate} an hour",
        result="garage=title price=price",
        answer="{garage} has space for {price}.",
    ),
    tool(
        "pay_parking",
        "Pay for a parked car by its plate",
        "license_plate=code duration_min=minutes zone?=code",
        "pay parking for {license_plate} for {duration_min} / my car {license_plate} will stand here for "
        "{duration_min}, pay for it / {duration_min} of parking for the plate {license_plate} / buy a parking "
        "ticket of {duration_min} for {license_plate} / the car with plate {license_plate} needs a ticket for "
        "{duration_min} / I parked {license_plate} and stay {duration_min}",
        zone="in zone {zone}",
        answer="Parking is paid for {license_plate}.",
    ),
    tool(
        "find_charging_station",
        "Electric car charging points",
        "location=city plug_type?=ccs|chademo|type2|tesla min_power_kw?=small",
        "where can I charge my electric car in {location} / the battery of my car is nearly empty and I'm in "
        "{location} / looking for charging stations around {location} / find a charger in {location} / we drive an "
        "EV and stop in {location}, where do we plug in / is there a fast charger near {location}",
        plug_type="with a {plug_type} plug",
        min_power_kw="and at least {min_power_kw} kW",
        result="station=title",
        answer="There is a charger at {station}.",
    ),
    tool(
        "find_gas_station",
        "Find where to refuel, cheapest first",
        "near=city fuel=diesel|petrol|lpg|hydrogen within_km?=kilometers",
        "where is {fuel} cheap near {near} / I need to fill up with {fuel} somewhere around {near} / the tank is "
        "almost empty, we are close to {near} and the car takes {fuel} / I need a gas station with {fuel} near "
        "{near} / {near}: who sells {fuel} / find me {fuel} for the car, I'm in {near}",
        within_km="no farther than {within_km}",
    ),
    tool(
        "calculate_fuel_cost",
        "What the fuel for a drive costs",
        "distance=kilometers liters_per_100km=measure price_per_liter=price",
        "what does fuel cost for {distance} at {liters_per_100km} liters per 100 km and {price_per_liter} a liter / "
        "my car burns {liters_per_100km} liters on 100 km; fuel is {price_per_liter} a liter; what do I pay for "
        "{distance} / for {distance} with a consumption of {liters_per_100km} liters per 100 km, a liter being "
        "{price_per_liter}, how much is the petrol / a liter costs {price_per_liter}, the trip is {distance} and I "
        "need {liters_per_100km} liters every 100 km / compute petrol money: {distance}, {liters_per_100km} l per "
        "100 km, {price_per_liter} per liter",
        result="cost=amount",
        answer="The fuel costs {cost}.",
    ),
    tool(
        "rent_scooter",
        "Unlock a shared scooter or bike",
        "vehicle_id=code minutes?=minutes",
        "unlock scooter {vehicle_id} / I'm standing next to scooter {vehicle_id} and want to ride it / let me have "
        "the scooter with number {vehicle_id} / start a ride with {vehicle_id}, the e-scooter / can I take scooter "
        "{vehicle_id} / scooter {vehicle_id} pls",
        minutes="for {minutes}",
    ),
    tool(
        "book_taxi_ride",
        "Call a driver to a pickup address",
        "pickup=street dropoff=street passengers=several ride_type?=standard|xl|electric|shared",
        "I need a ride from {pickup} to {dropoff} for {passengers} people / pick up {passengers} of us at {pickup} "
        "and drive us to {dropoff} / can a driver bring {passengers} persons to {dropoff}, we wait at {pickup} / we "
        "are {passengers}, we stand at {pickup}, we want to go to {dropoff} / I need a ride to {dropoff} from "
        "{pickup}, {passengers} ppl / to {dropoff} please, {passengers} passengers, pickup {pickup}",
        ride_type=", ride type {ride_type}",
        result="driver=first_name minutes=small",
        answer="{driver} will be there in {minutes} minutes.",
    ),
    tool(
        "offer_carpool",
        "Offer free seats in your own car",
        "origin=city destination=city departure_time=clock free_seats=handful price_per_seat?=price",
        "I drive from {origin} to {destination} at {departure_time} and have {free_seats} free seats / offer "
        "{free_seats} seats in my car, {origin} to {destination}, {departure_time} / at {departure_time} my car "
        "leaves {origin} for {destination}, {free_seats} people can come along / there is room for {free_seats} in "
        "my car when I go to {destination} at {departure_time}; I start in {origin} / who wants to come from "
        "{origin} to {destination}, I leave at {departure_time} with {free_seats} empty seats",
        price_per_seat="for {price_per_seat} each",
    ),
    tool(
        "schedule_car_service",
        "Book a garage appointment for a vehicle",
        "car_model=car service=inspection|repair|tyres|cleaning date=day mileage?=big",
        "book {service} for my {car_model} on {date} / my {car_model} is due for {service}, {date} would be good / "
        "on {date} I can bring the {car_model} to the garage, it needs {service} / the {car_model} that I drive "
        "needs {service}, can you get me in on {date} / {car_model}, {service}, {date} / get the garage to do "
        "{service} on the {car_model}, on {date}",
        mileage="at {mileage} km",
        result="appointment=code",
        answer="The appointment for your {car_model} is {appointment}.",
    ),
    tool(
        "report_pothole",
        "Tell the city about damage on a road",
        "street_address=street severity=minor|serious|dangerous photo?=file",
        "there is a {severity} pothole at {street_address} / the road is broken at {street_address}, I'd call it "
        "{severity} / report a {severity} hole in the road by {street_address} / somebody should mend the road in "
        "front of {street_address}, the damage is {severity} / I nearly fell off my bike at {street_address} "
        "because of a pothole, it is {severity} / tell the city: pothole, {street_address}, {severity}",
        photo="with the photo {photo}",
        result="report=code",
        answer="The pothole is reported as {report}.",
    ),
    tool(
        "buy_toll_pass",
        "Buy a motorway vignette",
        "country=country plate=code validity=day|week|month|year valid_from?=date",
        "I need a motorway pass for {country}, one {validity}, plate {plate} / buy a toll sticker for {country} "
        "valid one {validity} for the car {plate} / we drive through {country} with {plate} and want a vignette for "
        "a {validity} / get {plate} a vignette: {country}, one {validity} / the car {plate} needs to be allowed on "
        "the motorways of {country} for a {validity}",
        valid_from="from {valid_from}",
    ),
    tool(
        "get_speed_limit",
        "Speed limit of a road",
        "road=street vehicle?=car|truck|motorcycle|bus",
        "how fast may I drive on {road} / what is the speed limit at {road} / speed limit {road} pls / I just "
        "passed {road}, was I allowed to go that fast / is there a limit on {road} / tell me the maximum speed for "
        "{road}",
        vehicle="with a {vehicle}",
        result="limit=small",
        answer="The limit is {limit}.",
    ),
    tool(
        "share_live_location",
        "Let a contact see where you are for some time",
        "contact=first_name minutes=minutes",
        "share my location with {contact} for {minutes} / {contact} should see where I am for the next {minutes} / "
        "let {contact} follow me on the map for {minutes} / for {minutes} I want {contact} to know my position / "
        "I'm walking home alone, keep {contact} posted about where I am for {minutes} / can {contact} track me for "
        "{minutes}",
        answer="{contact} can see you for {minutes}.",
    ),
    tool(
        "save_place",
        "Remember a place under a name of your own",
        "label=home|work|gym|school|parents address=address",
        "save {address} as {label} / remember that {label} is {address} / my {label} is at {address} / {address} is "
        "where {label} is, keep it / I moved, {label} is now {address} / set {label} to {address} on the map",
        answer="{label} is saved.",
    ),
    tool(
        "geocode_address",
        "Coordinates of a postal address",
        "street=street city=city country?=country",
        "what are the coordinates of {street} in {city} / I need latitude and longitude of {street}, {city} / where "
        "on the globe is {street} in {city} / I need the position of {street}, it's in {city} / give me lat and lon "
        "for {street} in {city} / in {city} there is an address {street}, geocode it",
        country=", {country}",
        result="latitude=latitude longitude=latitude",
        answer="It lies at {latitude}, {longitude}.",
    ),
    tool(
        "reverse_geocode",
        "Address at a pair of coordinates.",
        "lat=latitude lng=latitude",
        "what is at latitude {lat}, longitude {lng} / which address belongs to {lat}, {lng} / I'm at {lat} north "
        "and {lng} east, what street is this / the GPS says {lat} and {lng}, where is that / look up the place with "
        "lat {lat} and lng {lng} / tell me the address for the point {lat}, {lng}",
        result="address=street",
        answer="That is {address}.",
    ),
    tool(
        "get_route_directions",
        "Route with stops in between, for a vehicle",
        "start=city stops=[city] end=city avoid?=tolls|ferries|motorways round_trip?=boolean",
        "plan a route from {start} to {end} via {stops} / I'm driving from {start} to {end} and have to stop in "
        "{stops} / starting in {start}, passing through {stops}, ending in {end}: what is the best way / we leave "
        "from {start}, our goal is {end}, and on the way we visit {stops} / the route {start} to {end} with stops "
        "in {stops} / get me to {end} from {start}, but by way of {stops}",
        avoid="without {avoid}",
        round_trip="and back again|one way only",
        result="distance=measure",
        answer="The route is {distance} km long.",
    ),
    tool(
        "log_car_mileage",
        "Keep the mileage book of a vehicle",
        "vehicle=car odometer_km=big note?=message",
        "the {vehicle} has {odometer_km} km on the clock / the odometer of the {vehicle}: {odometer_km} / write "
        "down {odometer_km} km for the {vehicle} / my {vehicle} has now done {odometer_km} km, note that / "
        "{odometer_km} km is what the {vehicle} shows today, put it in the mileage book",
        note="with the note: {note}",
    ),
    tool(
        "get_bus_fare",
        "Price of a bus ticket between zones",
        "from_zone=handful to_zone=handful passenger_type=adult|child|senior|student",
        "what does a bus ticket for a {passenger_type} from zone {from_zone} to zone {to_zone} cost / the bus fare, "
        "{passenger_type}, zone {from_zone} to {to_zone} / I take the bus from zone {from_zone} to zone {to_zone}, "
        "the ticket being for a {passenger_type} / how much is the bus for a {passenger_type} who rides from zone "
        "{from_zone} into zone {to_zone} / tell me the price of a {passenger_type} bus ticket, start zone "
        "{from_zone}, end zone {to_zone}",
        result="fare=price",
        answer="The ticket costs {fare}.",
    ),
    tool(
        "renew_parking_permit",
        "Extend a resident's parking permit",
        "permit_number=id months=several new_plate?=code",
        "renew my parking permit {permit_number} for {months} months / my resident permit {permit_number} runs out, "
        "extend it by {months} months / {months} more months for the parking permit {permit_number} / I live here "
        "and need {permit_number}, my permit to park, to last another {months} months / prolong permit "
        "{permit_number} by {months} months",
        new_plate="and change the plate to {new_plate}",
    ),
    tool(
        "report_breakdown",
        "Call roadside assistance to a car that does not move",
        "car=car location=street problem=battery|engine|tyre|brakes|gearbox is_safe?=boolean",
        "my {car} broke down at {location}, it's the {problem} / send help to {location}: {car}, trouble with the "
        "{problem} / the {problem} of our {car} gave up and now we stand at {location} / we're stuck at {location} "
        "with a {car} because of the {problem} / I need a tow truck at {location}, the car is a {car} and the "
        "problem is the {problem} / {car} won't go any further, {location}, {problem}",
        is_safe="and we are in a safe spot|and we are in danger",
        answer="Help is on its way to {location}.",
    ),
)
