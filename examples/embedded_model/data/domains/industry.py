"""Logistics, manufacturing, energy, public services and media."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "create_shipment",
        "Create a shipment between two places",
        "origin=city destination=city weight_kg=kilograms carrier?=dhl|ups|fedex|dpd insured?=boolean",
        "ship {weight_kg} from {origin} to {destination} / we have {weight_kg} in {origin} that must go to "
        "{destination} / send a parcel of {weight_kg} to {destination}, it lies in {origin} / to {destination} from "
        "{origin}: {weight_kg} of freight / {weight_kg} of goods travel from {origin} to {destination}, set up the "
        "shipment",
        carrier="with {carrier}",
        insured=", insured|, uninsured",
        result="tracking_number=code",
        answer="The tracking number is {tracking_number}.",
    ),
    tool(
        "track_container",
        "Position of a sea container",
        "container_number=code",
        "where is the container {container_number} / has {container_number} reached the harbour / locate "
        "{container_number} / I wonder on which ship {container_number} is / give me the position of container "
        "{container_number}",
        result="port=city arrival=date",
        answer="{container_number} is in {port} and arrives on {arrival}.",
    ),
    tool(
        "schedule_pickup",
        "Have a parcel collected",
        "address=address date=day parcels=handful window?=slot",
        "collect {parcels} parcels at {address} on {date} / {parcels} packages wait at {address} for {date} / send the "
        "courier to {address} on {date} for {parcels} boxes / on {date} somebody should fetch {parcels} parcels from "
        "{address} / pickup at {address}, {date}, {parcels} pieces",
        window="from {window}",
    ),
    tool(
        "get_shipping_rates",
        "Compare what carriers ask for a parcel",
        "from_zip=zip to_zip=zip weight=kilograms speed?=economy|standard|express",
        "what does it cost to send {weight} from {from_zip} to {to_zip} / what are the rates for {weight}, {from_zip} "
        "to {to_zip} / how expensive is a parcel of {weight} going to {to_zip} from {from_zip} / I want to mail "
        "{weight} to {to_zip}, I am in {from_zip}, what will it cost / compare carriers for {weight} between "
        "{from_zip} and {to_zip}",
        speed="by {speed} service",
        result="carrier=dhl|ups|fedex price=price",
        answer="{carrier} is cheapest at {price}.",
    ),
    tool(
        "assign_driver",
        "Give a tour to a driver",
        "driver=person vehicle=code route=word date?=day",
        "{driver} takes {vehicle} on the route {route} / let {driver} drive route {route} with {vehicle} / the route "
        "{route} is for {driver} in vehicle {vehicle} / put {driver} on {vehicle}, route {route} / the vehicle "
        "{vehicle} goes along {route} with {driver} at the wheel",
        date="on {date}",
    ),
    tool(
        "log_delivery",
        "Record that a shipment was handed over",
        "tracking_number=code received_by=person delivered_at=clock condition?=intact|damaged|opened",
        "{received_by} took {tracking_number} at {delivered_at} / {tracking_number} was handed to {received_by} at "
        "{delivered_at} / at {delivered_at}, the parcel {tracking_number} reached {received_by} / new delivery, "
        "{tracking_number}: signed by {received_by}, {delivered_at} / note that {received_by} got {tracking_number} at "
        "{delivered_at}",
        condition=", {condition}",
    ),
    tool(
        "adjust_inventory",
        "Change the stock of an article in a warehouse",
        "sku=code warehouse=city change=count direction=add|remove reason?=sold|returned|broken|counted",
        "{direction} {change} pieces of {sku} in {warehouse} / in the {warehouse} warehouse, {direction} {change} of "
        "{sku} / the stock of {sku} at {warehouse}: {direction} {change} / the inventory of {sku} in {warehouse} is "
        "wrong, {direction} {change} / for {sku}, {direction} {change} units in {warehouse}",
        reason="because they were {reason}",
    ),
    tool(
        "reorder_part",
        "Order more of a part from its supplier",
        "part_number=code quantity=count supplier=company needed_by?=day",
        "we need {quantity} of {part_number} from {supplier} / order {quantity} pieces of {part_number} at {supplier} "
        "/ {supplier} should send us {quantity} more {part_number} / {part_number} runs low, buy {quantity} from "
        "{supplier} / have {supplier} deliver {quantity} units of part {part_number}",
        needed_by="by {needed_by}",
        result="order=code",
        answer="Order {order} went to {supplier}.",
    ),
    tool(
        "start_production_run",
        "Starts the production of an article on a line",
        "article=code units=count line=small shift?=early|late|night",
        "make {units} of {article} on line {line} / the line {line} should produce {units} pieces of {article} / we "
        "need {units} units of {article}, start them on line {line} / on line {line}, begin {article}, {units} pieces "
        "/ run {article} on production line {line} until {units} are done",
        shift="in the {shift} shift",
    ),
    tool(
        "report_machine_fault",
        "Report a broken machine",
        "machine=code fault=overheating|leak|noise|jam|no_power severity?=low|medium|high since?=clock",
        "{machine} has a fault: {fault} / the machine {machine} stands still because of {fault} / report {fault} at "
        "{machine} / there is {fault} on {machine} / there is something wrong with {machine}, it looks like {fault}",
        severity=", severity {severity}",
        since=", since {since}",
        result="ticket=code",
        answer="The fault has the number {ticket}.",
    ),
    tool(
        "set_machine_parameter",
        "Set a value of a machine",
        "machine=code parameter=speed|pressure|temperature|feed value=measure",
        "set the {parameter} of {machine} to {value} / run {machine} at a {parameter} of {value} / {machine} needs "
        "{value} as {parameter} / change {parameter} on {machine}, new value {value} / the {parameter} at {machine} "
        "should be {value}",
    ),
    tool(
        "schedule_machine_service",
        "Plan the upkeep of a machine",
        "machine=code service_date=day technician=person tasks?=[oil|filters|belts|calibration]",
        "{technician} services {machine} on {service_date} / plan the upkeep of {machine} by {technician}, "
        "{service_date} / on {service_date}, {technician} looks after {machine} / {machine} is due for service, "
        "{technician} can come on {service_date} / have {machine} serviced by {technician} on {service_date}",
        tasks=", to do: {tasks}",
    ),
    tool(
        "record_inspection",
        "Record the result of a quality inspection",
        "batch=code inspector=person passed=boolean note?=title",
        "{inspector} has inspected batch {batch} / the batch {batch} was checked by {inspector} / new quality check of "
        "{batch}, done by {inspector} / note the inspection of {batch}, inspector {inspector} / I looked at {batch} "
        "together with {inspector}",
        passed="and found it good|and found it bad",
        note='with the note "{note}"',
    ),
    tool(
        "read_sensor",
        "Current value of a sensor",
        "sensor_id=code quantity?=temperature|humidity|pressure|vibration",
        "what does sensor {sensor_id} say / read {sensor_id} / get the value of the sensor {sensor_id} / I need the "
        "latest reading from {sensor_id} / is {sensor_id} within its limits",
        quantity=", I mean its {quantity}",
        result="value=measure",
        answer="{sensor_id} reads {value}.",
    ),
    tool(
        "report_meter_reading",
        "Report the reading of a meter",
        "meter_number=id reading=big kind=power|gas|water",
        "my {kind} meter {meter_number} shows {reading} / report {reading} for the {kind} meter {meter_number} / the "
        "reading of {kind} meter {meter_number} is {reading} / {meter_number} ({kind}) stands at {reading} / I have "
        "read {reading} on {meter_number}, the meter for {kind}",
        answer="I have passed on the reading {reading}.",
    ),
    tool(
        "find_charging_station",
        "Find a place to charge an electric car",
        "near=address plug?=type2|ccs|chademo min_power_kw?=percent free_only?=boolean",
        "where can I charge my car near {near} / find a charging station close to {near} / my battery is low and I am "
        "at {near}, where is a charger / which chargers are around {near} / I need electricity for my car at {near}",
        plug="with a {plug} plug",
        min_power_kw="of at least {min_power_kw} kW",
        free_only=", only free ones|, paid ones too",
    ),
    tool(
        "report_pothole",
        "Report damage in a public street to the city",
        "location=street kind=pothole|graffiti|streetlight|rubbish reporter_email?=email",
        "there is a problem with {kind} at {location} / report {kind} at {location} / {location}: {kind} / I want to "
        "complain about {kind} at {location} / the city should take care of the {kind} in front of {location}",
        reporter_email="and write to {reporter_email} about it",
        result="case=code",
        answer="Your report has the number {case}.",
    ),
    tool(
        "renew_passport",
        "Apply for a new passport",
        "passport_number=code expires=day express?=boolean",
        "my passport {passport_number} expires on {expires}, I need a new one / renew passport {passport_number}, "
        "valid until {expires} / the passport {passport_number} is good until {expires}, order the next / on {expires} "
        "my passport {passport_number} runs out, apply for another / apply for the renewal of {passport_number} that "
        "ends on {expires}",
        express="quickly please|without hurry",
    ),
    tool(
        "register_vehicle",
        "Register a car with its owner and plate",
        "plate=code owner=person model=product first_registration?=year",
        "register the {model} of {owner} with the plate {plate} / {owner} has bought a {model}, plate {plate} / put "
        "{plate} on the {model} that belongs to {owner} / the car {plate}, a {model}, belongs to {owner} now / the "
        "plate {plate} goes to {owner} for a {model}",
        first_registration=", first registered in {first_registration}",
    ),
    tool(
        "pay_parking",
        "Pay for parking",
        "plate=code zone=count minutes=minutes",
        "park {plate} in zone {zone} for {minutes} / I leave my car {plate} in zone {zone} for {minutes} / pay "
        "{minutes} of parking in zone {zone}, plate {plate} / {plate} stands in zone {zone}, pay for {minutes} / buy a "
        "parking ticket for {plate}: {minutes} in zone {zone}",
        answer="{plate} may stand there for {minutes} minutes.",
    ),
    tool(
        "resize_image",
        "Resize a picture",
        "image=file dimensions=size keep_ratio?=boolean",
        "make {image} {dimensions} / resize {image} to {dimensions} / {image} is too large, bring it to {dimensions} / "
        "the picture {image} should measure {dimensions} / scale {image} so that it is {dimensions}",
        keep_ratio="keeping its proportions|ignoring its proportions",
    ),
    tool(
        "transcribe_audio",
        "Turn speech into text",
        "audio=url language?=language speakers?=handful timestamps?=boolean",
        "write down what is said in {audio} / transcribe {audio} / I need the text of the recording {audio} / {audio} "
        "is an interview, type it up / make a transcript of {audio}",
        language="spoken in {language}",
        speakers="with {speakers} speakers",
        timestamps="with time marks|without time marks",
    ),
    tool(
        "trim_video",
        "Cut a piece out of a video",
        "video=file start_second=seconds end_second=seconds",
        "cut {video} from {start_second} to {end_second} / keep only {start_second} to {end_second} of {video} / "
        "{video} should begin at {start_second} and stop at {end_second} / in {video}, take what lies between "
        "{start_second} and {end_second} / I want the part of {video} from {start_second} until {end_second}",
    ),
)
