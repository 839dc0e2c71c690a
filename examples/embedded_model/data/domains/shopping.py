"""Baskets, parcels, prices; concerts, museums, hotels, bicycles, ferries."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "put_in_basket",
        "Put an item into the shopping basket of the online shop",
        "item=thing quantity?=handful",
        "put {item} in my basket / could you drop {item} into the basket for me / {item} into basket / I'm still "
        "missing {item}, it should be in there before I check out / let's take {item} as well / basket: plus "
        "{item} / I've decided to buy {item}, please keep shopping with that included / can {item} go into my "
        "trolley",
        quantity=", {quantity} of them",
        answer="In the basket now: {item}.",
    ),
    tool(
        "remove_from_basket",
        "Take an item out of the shopping basket",
        "item=thing",
        "take {item} out of my basket / I don't want {item} after all, kick it out before I pay / remove {item} "
        "from the trolley, please / basket: minus {item} / could you throw {item} out of the basket again / {item} "
        "out of basket / why is {item} still in there, I don't need it / on second thought I won't buy {item}",
        answer="No longer in the basket: {item}.",
    ),
    tool(
        "empty_basket",
        "Remove everything from the shopping basket of a shop",
        "shop=company",
        "empty my basket at {shop} / throw everything out of the {shop} basket / I want to start over with my "
        "shopping at {shop} / {shop} basket: clear all / could you wipe the whole trolley at {shop}, please / I'm "
        "not buying anything from {shop} today, get rid of all I collected there / can the basket at {shop} be "
        "made empty",
        answer="Your basket at {shop} is empty.",
    ),
    tool(
        "track_parcel",
        "Find out where a parcel is",
        "tracking_number=code carrier?=dhl|ups|fedex|post",
        "where is my parcel {tracking_number} / track {tracking_number} please / any news about the package with "
        "the number {tracking_number} / parcel {tracking_number} status / I've been waiting for {tracking_number} "
        "all day, is it close / has {tracking_number} left the depot yet / could you check how far shipment "
        "{tracking_number} has come / when will {tracking_number} be at my door",
        carrier=", it comes with {carrier}",
        result="status=in_transit|delivered|delayed|at_depot",
        answer="Parcel {tracking_number}: {status}.",
    ),
    tool(
        "redirect_parcel",
        "Have a parcel brought to another address",
        "tracking_number=code street=street",
        "send parcel {tracking_number} to {street} instead / I won't be home, bring {tracking_number} to {street} "
        "/ redirect {tracking_number} to {street} / can {tracking_number} be dropped at {street} rather than at my "
        "place / {tracking_number}: new address {street} / please tell the courier that {tracking_number} has to "
        "go to {street} / my neighbours at {street} can take {tracking_number}, change the delivery / would it be "
        "possible to reroute {tracking_number} to {street}",
        answer="Parcel {tracking_number} goes to {street}.",
    ),
    tool(
        "return_item",
        "Send a bought item back to the shop",
        "item=thing order_number=code reason?=damaged|wrong_size|not_needed|late",
        "I want to return {item} from order {order_number} / send {item} back, order {order_number} / how do I get "
        "rid of {item} that came with {order_number}, I want my money back / return label for {item}, order "
        "{order_number} / please start a return of {item} bought with {order_number} / I'm not happy with {item} "
        "from {order_number}, take it back / {item} of {order_number} has to go back to the shop / could you "
        "arrange for {order_number} that {item} is picked up and refunded",
        reason=", reason: {reason}",
        answer="The return for order {order_number} is registered.",
    ),
    tool(
        "exchange_item",
        "Swap a bought item for the same item in another color",
        "item=thing order_number=code color=color",
        "swap {item} from {order_number} for a {color} one / exchange {item} of order {order_number}, {color} "
        "instead / I'd rather have {item} in {color}, the order was {order_number} / could I get {color} instead "
        "for {item} in order {order_number} / {order_number}: {item} -> {color} please / {item} from "
        "{order_number} came in the wrong color, I wanted {color} / please trade {item} (order {order_number}) for "
        "the {color} version / I don't want a refund for {item} from {order_number}, just the same in {color}",
        answer="You get it in {color}.",
    ),
    tool(
        "create_price_alert",
        "Tell me when a product costs less than a limit",
        "product=thing limit=price",
        "tell me when {product} drops below {limit} / set a price alert for {product} at {limit} / {product} is "
        "too expensive now, ping me once it costs under {limit} / price watch {product}, max {limit} / I would buy "
        "{product} for {limit}, let me know when it gets there / could you keep an eye on {product} until it is "
        "cheaper than {limit} / notify me if {product} falls to {limit} or less / as soon as {product} goes for "
        "less than {limit} I want to hear about it",
        answer="I watch the price and report below {limit}.",
    ),
    tool(
        "delete_price_alert",
        "Stop watching the price of a product",
        "product=thing",
        "stop watching the price of {product} / delete the price alert for {product} / I already bought {product}, "
        "no more messages about what it costs / price watch {product} off / you needn't tell me any longer when "
        "{product} gets cheaper / could you end the alert on {product} / no more price alerts about {product}, "
        "please / cancel my price watch on {product}",
    ),
    tool(
        "find_coupons",
        "Search valid discount codes of a shop",
        "shop=company category?=thing",
        "any coupons for {shop} / find me a discount code for {shop} / is there a way to pay less at {shop} / "
        "{shop} voucher codes / I'm about to buy at {shop}, can I save something / please look whether {shop} has "
        "promo codes right now / which deals are running at {shop} / I don't want to pay full price at {shop}, got "
        "a code",
        category=", I'm after {category}",
        result="code=code discount=percent",
        answer="{code} gives you {discount} percent off.",
    ),
    tool(
        "compare_products",
        "Compare two products side by side",
        "first=thing second=thing criterion?=price|quality|weight|energy",
        "compare {first} with {second} / {first} or {second}, which is better / {first} vs {second} / what's the "
        "difference between {first} and {second} / I can't decide between {first} and {second} / put {first} and "
        "{second} side by side please / should I rather get {first} or {second} / help me choose: {first} or "
        "{second}",
        criterion=", I mostly care about {criterion}",
    ),
    tool(
        "compare_shop_prices",
        "Find out which shop sells an item cheapest",
        "item=thing city?=city",
        "where is {item} cheapest / compare prices for {item} / which shop has the best price on {item} / {item} "
        "lowest price where / I don't want to overpay for {item}, who sells it for the least / check a few shops "
        "and tell me what {item} costs there / could you find out where I pay the least for {item} / price "
        "comparison {item}",
        city="in {city}",
        result="shop=company price=price",
        answer="{shop} has it for {price}.",
    ),
    tool(
        "add_to_wishlist",
        "Note an item on the wish list",
        "item=thing",
        "add {item} to my wishlist / I'd love to have {item} some day, note that as a wish / {item} on the "
        "wishlist please / not buying {item} now, but remember that I want it / wishlist + {item} / can you save "
        "{item} for later as something I wish for / put {item} with the things I dream of / I wish for {item}, "
        "write that down",
    ),
    tool(
        "remove_from_wishlist",
        "Delete an item from the wish list",
        "item=thing",
        "take {item} off my wishlist / I no longer wish for {item}, cross it off / wishlist - {item} / somebody "
        "gave me {item} already, so drop it from my wishes / could you delete {item} from the wishlist / {item} "
        "off the wishlist please / forget that I wanted {item} / I lost interest in {item}, it can leave my wishes",
    ),
    tool(
        "find_nearest_shop",
        "Find the closest shop of a kind",
        "shop_type=bakery|supermarket|butcher|bookshop|florist|hardware_store near=street open_now?=boolean",
        "where's the nearest {shop_type} to {near} / find a {shop_type} near {near} / I'm at {near} and need a "
        "{shop_type} / closest {shop_type} {near} / is there a {shop_type} around {near} / which {shop_type} can I "
        "walk to from {near} / please look for a {shop_type} not far from {near} / we're staying at {near}, where "
        "would we find a {shop_type}",
        open_now="that is open right now|whether it is open or not",
        result="name=company minutes=minutes",
        answer="{name} is {minutes} minutes away.",
    ),
    tool(
        "cancel_concert_tickets",
        "Give concert tickets back",
        "booking=code",
        "cancel my concert tickets {booking} / I can't make it to the concert, booking {booking}, give the tickets "
        "back / concert booking {booking} cancel / please refund the tickets {booking}, I'm ill and won't see the "
        "band / can I return the concert tickets with the number {booking} / we're not going to the gig after all, "
        "the booking was {booking} / get rid of my concert tickets, {booking} / I'd like to withdraw the ticket "
        "order {booking} for the concert",
        answer="The tickets {booking} are cancelled.",
    ),
    tool(
        "transfer_concert_tickets",
        "Pass concert tickets on to another person",
        "booking=code email=email",
        "pass my concert tickets {booking} on to {email} / I can't go to the gig, {email} takes over {booking} / "
        "transfer tickets {booking} to {email} / {booking} -> {email}, tickets for the concert / could {email} "
        "have my concert tickets {booking} / please put the concert tickets {booking} in the name of {email} / a "
        "friend with the address {email} wants my seats from booking {booking} / hand the tickets {booking} over "
        "to {email}",
    ),
    tool(
        "reserve_museum_slot",
        "Reserve an entry time for a museum or sight",
        "museum=landmark date=day time=clock visitors?=several",
        "reserve entry to {museum} on {date} at {time} / we'd like to get into {museum} at {time} on {date} / "
        "{museum}, {date}, {time}, slot please / can I visit {museum} on {date} around {time} / get me a time slot "
        "for {museum}: {date} at {time} / I don't want to queue at {museum} on {date}, we arrive at {time} / "
        "please book a visit of {museum} for {date}, {time} / sort out admission to {museum} for {time} on {date}",
        visitors="for {visitors} people",
        result="slot=code",
        answer="Your slot is {slot}.",
    ),
    tool(
        "cancel_museum_slot",
        "Give back a reserved museum entry time",
        "museum=landmark date=day",
        "cancel our visit to {museum} on {date} / we won't make it to {museum} on {date}, give the slot back / "
        "{museum} {date}: cancel entry / please drop the reservation for {museum} on {date} / no {museum} for us "
        "on {date} after all / can the entry to {museum} for {date} be cancelled / I have to call off {museum} on "
        "{date} / free up the tickets for {museum} that I hold for {date}",
    ),
    tool(
        "move_museum_slot",
        "Move a reserved museum entry to another day",
        "museum=landmark new_date=day",
        "move our visit to {museum} to {new_date} / can we see {museum} on {new_date} instead / {museum} entry -> "
        "{new_date} / we're late, shift the slot at {museum} to {new_date} / please change the museum visit: "
        "{museum} on {new_date} / the day I have for {museum} doesn't suit me, {new_date} does / push {museum} to "
        "{new_date} / our plans changed, we can only enter {museum} on {new_date}",
    ),
    tool(
        "change_hotel_dates",
        "Move a hotel booking to other dates",
        "booking=code check_in=day nights=several",
        "move my hotel booking {booking} to {check_in}, {nights} nights / booking {booking}: arrive {check_in} and "
        "stay {nights} nights instead / we'll come to the hotel on {check_in} now, for {nights} nights, booking "
        "{booking} / can you change {booking} so that we check in on {check_in} for {nights} nights / hotel "
        "{booking} new dates {check_in} x {nights} nights / our trip is shifted, so the room {booking} is needed "
        "from {check_in} for {nights} nights / please rebook {booking} to {check_in} with {nights} nights / "
        "instead of the old dates, {booking} should start on {check_in} and last {nights} nights",
        answer="Booking {booking} has the new dates.",
    ),
    tool(
        "rent_bike",
        "Rent bicycles by the hour",
        "city=city hours=hours bikes?=several electric?=boolean",
        "rent a bike in {city} for {hours} / I want to cycle around {city} for {hours} / bike rental {city} "
        "{hours} / can I hire a bicycle in {city} for {hours} / we need something with two wheels in {city} for "
        "{hours} / get me a rental bike in {city}, I'll keep it for {hours} / please organise a bike for {hours} "
        "in {city} / for {hours} I'd like to explore {city} on a bike",
        bikes=", {bikes} bikes in all",
        electric=", with electric drive|, no electric drive",
        answer="A bike waits for you in {city}.",
    ),
    tool(
        "end_bike_rental",
        "Give a rental bike back at a station",
        "bike_number=code station=street",
        "I've parked bike {bike_number} at {station}, end the rental / give back bike {bike_number} at {station} / "
        "return rental bike {bike_number}, station {station} / bike {bike_number} done, {station} / stop charging "
        "me for {bike_number}, it stands at {station} / I'm finished cycling, {bike_number} is locked at {station} "
        "/ please check in the bicycle {bike_number} at {station} / can I drop {bike_number} at {station} and stop "
        "paying",
    ),
    tool(
        "book_ferry_crossing",
        "Book passage on a ferry",
        "origin=city destination=city date=day vehicle?=car|motorbike|bicycle|campervan passengers?=several",
        "book the ferry from {origin} to {destination} on {date} / we want to take the boat from {origin} to "
        "{destination} on {date} / ferry {origin} - {destination}, {date} / get us across by ship from {origin} to "
        "{destination} on {date} / could you reserve a crossing {origin} to {destination} for {date} / I have to "
        "be on the ship leaving {origin} for {destination} on {date} / please buy ferry tickets, {origin} to "
        "{destination}, {date} / on {date} we sail from {origin} to {destination}, sort out the passage",
        vehicle="with a {vehicle}",
        passengers="for {passengers} passengers",
        result="booking=code",
        answer="Your ferry booking is {booking}.",
    ),
    tool(
        "cancel_ferry_crossing",
        "Cancel a booked ferry",
        "booking=code",
        "cancel the ferry {booking} / we're not taking the boat after all, booking {booking} / ferry {booking} "
        "cancel pls / the sea is too rough for us, withdraw the crossing {booking} / can I get my money back for "
        "the ferry tickets {booking} / please call off our passage {booking} on the ship / no sailing for us, drop "
        "{booking} / I need to step back from ferry booking {booking}",
    ),
)
