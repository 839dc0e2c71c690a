"""Topics of travel: trips, flights, hotels, vehicles."""

from __future__ import annotations

from embedded_model.data.topics.topic import topic

TRAVEL = (
    topic(
        "trip",
        """
        flight {number} departs / I need a train from {origin} to {destination} / flight from {origin} to {destination}
        I want to go from {origin} to {destination} / {origin} to {destination} on {date} / flying to {destination}
        {origin} - {destination} / We travel from {origin} to {destination} on {date}
        On {date} I drive to {destination} / {destination} from {origin}, {date} / a ticket to {destination} for {price}
        From {origin} it goes to {destination} / leaving {origin} for {destination} on {date}
        the bus leaves {origin} at {time} and goes to {destination}
        the train to {destination} leaves {origin} at {time} / {passengers} people travel from {origin} to {destination}
        is there a bus from {origin} to {destination} on {date}? / {origin} -> {destination}
        {price} for the train from {origin} to {destination} / {passengers} tickets to {destination}, please
        my trip to {destination} starts in {origin} / we arrive in {destination} on {date} coming from {origin}
        """,
        "origin from start departure from_city departure_city = city : from {} ; leaving from {} ; From: {} ; "
        "starting in {}",
        "destination to arrival to_city target = city : to {} ; heading for {} ; To: {} ; The destination is {}",
        "date day travel_date departure_date = day : on {} ; leaving on {} ; Date: {} ; We leave on {}",
        "number flight flight_number = flight : with flight {} ; Flight {}",
        "time departure_time leaves_at = clock : at {} ; leaving at {} ; It leaves at {}",
        "passengers travelers seats people = handful : for {} people ; with {} passengers ; we are {} people",
        "gate = code : at gate {} ; from gate {} ; Gate: {}",
        "price fare cost = money : for {} ; costing {} ; Price: {} ; It costs {}",
    ),
    topic(
        "flight",
        """
        Flight {flight} from {origin} to {destination} leaves at {departs} / {flight} {origin} {destination} {departs}
        {flight}: {origin} - {destination} / {passenger} flies to {destination} on {date}
        {passenger} is booked on flight {flight} / {passenger} has seat {seat} on flight {flight}
        {airline} flight {flight} to {destination} leaves from gate {gate}
        {airline} flies from {origin} to {destination} / Boarding for {flight} to {destination} is at gate {gate}
        {flight} departs {origin} at {departs} and arrives in {destination} at {arrives}
        I'm on flight {flight} to {destination} / please book {passenger} on {flight}
        {passenger}, seat {seat}, flight {flight} / The booking {booking} of {passenger} is confirmed
        booking code {booking}: {origin} to {destination}, {date} / {flight} is delayed, new time {departs}
        BOARDING PASS¶{passenger}¶{origin} - {destination}¶{flight}¶Seat {seat}
        {flight} lands in {destination} at {arrives} / {passenger} leaves {origin} at {departs}
        {origin} {departs} - {destination} {arrives} / your flight {flight} with {airline} leaves at {departs}
        at {departs} the plane {flight} takes off for {destination}
        {destination}-bound flight {flight} leaves gate {gate}
        """,
        "flight flight_number number = flight : with flight {} ; flight {} ; Flight: {}",
        "passenger name traveler = person : for {} ; Passenger: {}",
        "origin from departure_airport = airport : from {} ; From: {}",
        "destination to arrival_airport = airport : to {} ; To: {}",
        "date day = day : on {} ; Date: {}",
        "departs departure departure_time = time : departing at {} ; leaving at {} ; Departure: {}",
        "arrives arrival arrival_time = time : arriving at {} ; which lands at {} ; Arrival: {}",
        "seat = code : in seat {} ; seat {} ; Seat: {}",
        "gate = code : from gate {} ; gate {} ; Gate: {}",
        "airline carrier = company : with {} ; operated by {} ; Airline: {}",
        "booking booking_code reference = id : under the booking {} ; booking code {} ; Booking: {}",
    ),
    topic(
        "hotel stay",
        """
        {guest} stays at {hotel} in {city} / {guest} booked {nights} nights at {hotel}
        A room at {hotel} for {nights} nights / {hotel} in {city} costs {price} a night
        We stay {nights} nights in {city} at {hotel} / {guest} checks in at {hotel} on {check_in}
        {guest} arrives on {check_in} and leaves on {check_out} / from {check_in} to {check_out} at {hotel}
        {hotel}, {city}, {nights} nights / I'd like a room in {city} from {check_in} to {check_out}
        Book {hotel} for {guest}, {nights} nights / {hotel} ({city}): {price} per night
        The reservation of {guest} at {hotel} starts on {check_in} / {guest} has room {room} at {hotel}
        room {room} is for {guest} / {nights} nights at {hotel} for {guests} people
        {guests} guests, {nights} nights, {city} / hotel in {city}? {hotel} has rooms for {price}
        {guest} paid {price} at {hotel} / check-in {check_in}, check-out {check_out}, {hotel}
        RESERVATION¶{guest}¶{hotel}¶{check_in} - {check_out} / on {check_in} {guest} moves into room {room}
        we loved our {nights} nights at {hotel} / {hotel} is a nice place in {city}
        """,
        "hotel hotel_name place name = hotel : at {} ; Hotel: {}",
        "guest customer booked_by guest_name = person : for {} ; booked by {} ; Guest: {}",
        "city location = city : in {} ; City: {}",
        "check_in from arrival start = day : from {} ; arriving on {} ; Check-in: {}",
        "check_out to departure end = day : until {} ; leaving on {} ; Check-out: {}",
        "nights number_of_nights = handful : for {} nights ; {} nights",
        "guests people persons = handful : for {} people ; with {} guests",
        "price price_per_night rate cost = money : for {} a night ; at {} per night ; Price: {}",
        "room room_number = code : in room {} ; room {} ; Room: {}",
        "breakfast breakfast_included = boolean : with breakfast|without breakfast ; "
        ", breakfast included|, breakfast not included",
    ),
    topic(
        "vehicle",
        """
        {owner} drives a {color} {model} / {owner} drives a {model} / a {color} {model} from {year}
        {model}, {year}, {mileage} / The {model} with the plate {plate} belongs to {owner}
        {plate} is a {color} {model} / I sell my {model} for {price} / {model} built in {year}, {mileage}, {price}
        {owner} bought a {model} for {price} / for sale: {model}, {color}, {year} / My {model} has run {mileage}
        {owner}'s {model} is {color} / the car of {owner} is a {model} / {year} {model} for {price}
        the {model} has the license plate {plate} / a {model} with {mileage} on the clock
        {owner} parked the {color} {model}, plate {plate} / {plate}, {model}, {color}
        Is the {model} from {year} still for sale? / {price} for a {year} {model} with {mileage}
        {owner} sold her {model} after {mileage} / service for {model}, plate {plate} / stolen: {color} {model}, {plate}
        """,
        "model car vehicle name make_and_model = car : Car: {}",
        "owner driver holder = person : of {} ; owned by {} ; Owner: {}",
        "plate license_plate registration = code : with the plate {} ; plate {} ; Plate: {}",
        "color colour = color : in {} ; painted {} ; Color: {}",
        "year built model_year = year : from {} ; built in {} ; Year: {}",
        "mileage kilometers km mileage_km = kilometers : with {} ; after {} ; Mileage: {}",
        "price cost asking_price = money : for {} ; asking {} ; Price: {}",
        "electric is_electric = boolean : , electric|, not electric",
    ),
    topic(
        "rental car",
        """
        {driver} rents a {car} in {city} for {days} days / {driver} picks up the {car} on {pickup}
        a {car} for {days} days / We rented a {car} in {city} / {driver} returns the {car} on {dropoff}
        {car} from {pickup} to {dropoff}, {city} / the {car} costs {price} a day / {price} per day for the {car}
        {driver} booked a {car} from {pickup} to {dropoff} / I need a car in {city} for {days} days
        in {city}, {driver} got a {car} for {price} a day
        """,
        "car model vehicle = car : with a {} ; Car: {}",
        "driver name renter customer = person : for {} ; Driver: {}",
        "city location place = city : in {} ; City: {}",
        "pickup from start pickup_date = day : from {} ; picked up on {} ; Pickup: {}",
        "dropoff to end return_date = day : until {} ; returned on {} ; Return: {}",
        "days number_of_days = handful : for {} days ; {} days",
        "price daily_rate rate = money : for {} a day ; at {} a day ; Rate: {}",
    ),
)
