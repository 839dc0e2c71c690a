"""Shops' tools: advertisements, coupons, stock, gift cards, points, auctions."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "launch_ad_campaign",
        "Put an advertisement campaign online",
        "campaign=title channel=search|video|radio|posters daily_budget=amount end_date?=day "
        "audience?=students|parents|pensioners",
        "start advertising with {campaign} on {channel}, {daily_budget} a day / launch the campaign {campaign}, "
        'channel {channel}, daily budget {daily_budget} / our ads for "{campaign}" should run on {channel} and cost '
        "{daily_budget} a day / for {daily_budget} a day I want the {campaign} advertising on {channel} / go live "
        "with {campaign} via {channel}, we'll spend {daily_budget} per day / {channel} ads, {daily_budget} daily, "
        "campaign name {campaign}, go / the adverts called {campaign} are ready, release them on {channel} with "
        "{daily_budget} a day / spend {daily_budget} each day on {channel} advertisements, the campaign is called "
        "{campaign}",
        end_date="until {end_date}",
        audience="with {audience} as the audience",
    ),
    tool(
        "halt_ad_campaign",
        "Stop an advertisement campaign that is running",
        "campaign=title",
        "stop the ads of {campaign} / the advertising for {campaign} costs too much, end it at once / take the "
        "campaign {campaign} offline / halt {campaign}, the ad campaign / no more adverts for {campaign} pls / "
        "there's an error in the ads of {campaign}, they mustn't be shown any longer / pull the plug on the "
        "{campaign} campaign / our advertisement {campaign} is still running? switch it off",
    ),
    tool(
        "change_ad_budget",
        "Raise or lower what a campaign may spend a day",
        "campaign=title direction=raise|lower by=percentage",
        "{direction} the daily ad spending of {campaign} by {by} / {direction} the budget for the campaign {campaign} "
        "by {by} / ad budget, {campaign}: {direction} by {by} / we should {direction} by {by} what {campaign} may "
        "spend on ads / {by} is by how much you should {direction} the budget of the {campaign} ads / can you "
        "{direction} the money for the {campaign} advertising by {by} / sales have changed, so {direction} the "
        "{campaign} campaign's budget by {by} / {campaign} campaign, budget change of {by}, {direction} it",
    ),
    tool(
        "create_coupon",
        "Make a new coupon code with a discount",
        "coupon_code=code discount=percentage valid_until=day min_order?=price single_use?=boolean",
        "with {coupon_code} customers get {discount} off until {valid_until} / create the coupon {coupon_code}, "
        "{discount}, valid until {valid_until} / until {valid_until} the new code {coupon_code} should take "
        "{discount} off / make a voucher code {coupon_code} for {discount} off that ends on {valid_until} / we're "
        "giving shoppers {discount} off through {valid_until}, the code will be {coupon_code} / new coupon: "
        "{coupon_code}, discount {discount}, expires {valid_until} / I need a rebate code for the shop, {discount} "
        "till {valid_until}, call it {coupon_code} / set up {discount} off for whoever enters {coupon_code}, end date "
        "{valid_until}",
        min_order="on orders from {min_order} up",
        single_use="to be used only once|to be used as often as one likes",
    ),
    tool(
        "revoke_coupon",
        "Make a coupon code invalid",
        "coupon_code=code",
        "the coupon {coupon_code} must not work any more / revoke {coupon_code}, it leaked to a bargain forum / make "
        "the discount code {coupon_code} invalid / kill the voucher code {coupon_code} / nobody should get a discount "
        "with {coupon_code} from now on / coupon {coupon_code}: deactivate / people abuse the rebate code "
        "{coupon_code}, put an end to it / can you disable the coupon with the code {coupon_code}",
    ),
    tool(
        "verify_coupon",
        "Check whether a coupon code still works",
        "coupon_code=code",
        "is the coupon {coupon_code} still valid / does {coupon_code} still get me a discount / check the coupon code "
        "{coupon_code} / I found a voucher {coupon_code} in a drawer, can it be used / has the code {coupon_code} "
        "expired, or would I still save money with it / verify the coupon {coupon_code} pls / will the till accept "
        "the discount code {coupon_code} / a customer shows me the coupon {coupon_code}, tell me if it's good",
    ),
    tool(
        "open_customer_survey",
        "Start a survey among customers",
        "topic=topic participants=count closes_on=day reward?=voucher|sample|discount",
        "ask {participants} customers about {topic}, answers until {closes_on} / start a survey on {topic} with "
        "{participants} people, it closes on {closes_on} / we want to know what {participants} shoppers think about "
        "{topic} by {closes_on} / market research: topic {topic}, {participants} participants, closing {closes_on} / "
        "until {closes_on}, question {participants} of our buyers on the topic of {topic} / open a poll about {topic} "
        "that ends on {closes_on}, invite {participants} customers / {participants} respondents for a questionnaire "
        "on {topic}, deadline {closes_on} / let's find out what the market says about {topic}: {participants} "
        "interviews, done by {closes_on}",
        reward="with a {reward} as the reward",
    ),
    tool(
        "summarize_customer_survey",
        "What customers answered in a survey",
        "topic=topic age_group?=teens|adults|seniors",
        "what came out of our survey about {topic} / sum up the customers' answers on {topic} / results of the market "
        "research into {topic} pls / how did the shoppers answer our questionnaire on {topic} / give me the findings "
        "of the poll on {topic} / I need the outcome of the customer survey, topic {topic} / what do our buyers think "
        "about {topic}, going by the survey / summarize what respondents told us about {topic}",
        age_group="for the age group {age_group}",
    ),
    tool(
        "write_off_stock",
        "Take damaged or lost goods out of the inventory",
        "article=product quantity=small cause=damaged|stolen|expired",
        "{quantity} pieces of the {article} are {cause}, take them off the inventory / write off {quantity} of the "
        "{article}, cause: {cause} / we can't sell {quantity} units of the {article} any more, they're {cause} / "
        "stock loss: {article}, {quantity} pcs, {cause} / {cause}: the {article}, quantity {quantity}, book it as a "
        "loss / our {article} is {cause}, {quantity} units, deduct them from what we have in store / inventory is "
        "wrong, {quantity} of the article {article} got {cause} / please record {quantity} {cause} units of the "
        "{article} as gone for good",
    ),
    tool(
        "shift_stock",
        "Move goods from one branch of the shop to another",
        "article=product quantity=small from_branch=city to_branch=city",
        "send {quantity} of the {article} from the {from_branch} branch to {to_branch} / {to_branch} has run out of "
        "the {article}, get them {quantity} from the shop in {from_branch} / move stock: {article}, {quantity} "
        "pieces, from {from_branch} to {to_branch} / the {from_branch} store has too many of the {article}, "
        "{quantity} should go to the {to_branch} store / shift {quantity} units of the {article} to {to_branch}, take "
        "them from {from_branch} / {article} x {quantity}, from branch {from_branch}, to branch {to_branch} / our "
        "shop in {to_branch} needs {quantity} more of the {article} and {from_branch} can spare them / transfer goods "
        "out of {from_branch}: {quantity} of the {article}, destination {to_branch}",
    ),
    tool(
        "blacklist_supplier",
        "Stop buying from a supplier",
        "supplier=company grounds=quality|delay|fraud|price",
        "we don't buy from {supplier} any more, grounds: {grounds} / blacklist {supplier} because of {grounds} / no "
        "more orders to the vendor {supplier}, {grounds} is the problem / block the supplier {supplier} on the "
        "grounds of {grounds} / {grounds} again! {supplier} is banned as a vendor / I've had it with {supplier}, bar "
        "them from delivering to us, it's about {grounds} / supplier {supplier}: banned, {grounds} / purchasing must "
        "avoid {supplier} in future, enter {grounds} as the grounds",
    ),
    tool(
        "reinstate_supplier",
        "Allow buying from a banned supplier again",
        "supplier=company probation?=days",
        "we can buy from {supplier} again, lift the ban / reinstate {supplier} as a vendor / take {supplier} off the "
        "supplier blacklist / {supplier} deserves a second chance, allow orders there again / unblock the supplier "
        "{supplier} / the trouble with {supplier} is settled, let purchasing use that vendor again / supplier "
        "{supplier}: ban over / could you readmit the banned vendor {supplier}",
        probation=", on probation for {probation}",
    ),
    tool(
        "print_return_label",
        "Make a label for a parcel that goes back to the shop",
        "order_number=code parcels?=handful format?=A4|A6",
        "I need a label to send back order {order_number} / print the return label for {order_number} / the goods of "
        "{order_number} go back to the shop, give me something to stick on the parcel / return sticker for order "
        "{order_number} pls / my printer is on, make the shipping label for sending {order_number} back / what do I "
        "glue on the box if I'm returning {order_number}? create it / create a parcel label, the returned order is "
        "{order_number} / a shopper lost the label for returning {order_number}, produce a new one",
        parcels="for {parcels} parcels",
        format="in the format {format}",
    ),
    tool(
        "issue_gift_card",
        "Sell a gift card with a value",
        "recipient=person value=amount message?=message by_mail?=boolean",
        "I'd like a gift card over {value} for {recipient} / issue {recipient} a gift card worth {value} / "
        "{recipient} gets a shop voucher from me, value {value} / gift card, {value}, for {recipient} / I want to "
        "treat {recipient} to {value} to spend in your store, make it a card / make out a new card with {value} on it "
        "as a present to {recipient} / sell me a gift voucher: recipient {recipient}, amount {value} / for "
        "{recipient} please, one of those cards for shopping, loaded with {value}",
        message='with the greeting "{message}"',
        by_mail=", sent by mail|, handed over in the shop",
    ),
    tool(
        "block_gift_card",
        "Make a lost gift card unusable",
        "card_number=code",
        "I've lost the gift card {card_number}, block it / nobody should be able to pay with gift card {card_number} "
        "/ block {card_number}, the gift card was stolen / freeze the shop's gift card with the number {card_number} "
        "/ my gift card {card_number} is gone, make sure no one spends it / card {card_number}, the one I got as a "
        "gift for your store, is missing, lock it / make the gift voucher card {card_number} unusable / gift card "
        "lost: {card_number}, lock pls",
    ),
    tool(
        "get_gift_card_balance",
        "How much is left on a gift card",
        "card_number=code",
        "how much is left on my gift card {card_number} / balance of gift card {card_number} pls / what can I still "
        "spend with the gift card {card_number} / is there any money on the gift card {card_number} / I found an old "
        "gift card, number {card_number}, what's it worth / look up the remaining credit of gift card {card_number} / "
        "check the value that remains on the present card {card_number} / has gift card {card_number} been used up yet",
    ),
    tool(
        "redeem_loyalty_points",
        "Exchange loyalty points for a reward",
        "member_id=id reward=mug|voucher|umbrella|donation points_to_spend=count",
        "member {member_id} wants a {reward} for {points_to_spend} points / exchange {points_to_spend} loyalty points "
        "of {member_id} for a {reward} / redeem {points_to_spend} points, reward {reward}, member {member_id} / I've "
        "collected {points_to_spend} points and want to turn them into a {reward}, my member id is {member_id} / "
        "{reward} for {member_id}, take off {points_to_spend} bonus points / the bonus account {member_id} spends "
        "{points_to_spend} of its points on a {reward} / can a {reward} be had for the {points_to_spend} points of "
        "the member {member_id}? swap them / trade in {points_to_spend} bonus points, customer card {member_id}, for "
        "a {reward}",
    ),
    tool(
        "gift_loyalty_points",
        "Pass loyalty points on to another member",
        "from_member=id to_member=id point_count=count",
        "pass {point_count} loyalty points from {from_member} to {to_member} / member {from_member} would like to "
        "give {to_member} {point_count} of the collected points / {to_member} should receive {point_count} bonus "
        "points from the member {from_member} / transfer of points: from {from_member}, to {to_member}, {point_count} "
        "/ take {point_count} points from member {from_member} and credit them to member {to_member} / make "
        "{to_member} a present of {point_count} bonus points, the giver is {from_member} / from {from_member}'s "
        "customer card, {point_count} points go to the card {to_member} / I'm member {from_member} and donate "
        "{point_count} points to the member {to_member}",
    ),
    tool(
        "book_fair_stand",
        "Rent a stand at a trade fair",
        "fair=title hall=small stand_type=corner|row|island electricity?=boolean extra_chairs?=several",
        "we want a {stand_type} stand in hall {hall} at the {fair} fair / book a {stand_type} booth at the trade fair "
        "{fair}, hall {hall} / hall {hall}, {stand_type} stand, {fair} fair / let's exhibit at {fair}, reserve a "
        "{stand_type} booth in hall {hall} / at the exhibition {fair} we need space in hall {hall}, stand type "
        "{stand_type} / rent us a booth of the type {stand_type} for {fair}, in hall {hall} / our firm will show its "
        "products at the fair {fair}; get a {stand_type} place in hall {hall} / is a {stand_type} stand free in hall "
        "{hall} of the {fair} fair? take it",
        electricity="with electricity|without electricity",
        extra_chairs="and {extra_chairs} extra chairs",
    ),
    tool(
        "escalate_complaint",
        "Pass a customer's complaint to a higher level",
        "complaint_id=code level=supervisor|manager|lawyer urgent?=boolean",
        "the complaint {complaint_id} should go to the {level} / escalate {complaint_id} to the {level} / support "
        "can't solve {complaint_id}, a {level} has to look at this complaint / an angry customer, case "
        "{complaint_id}, wants to speak to a {level} / let a {level} deal with what the customer complains about in "
        "{complaint_id} / {level} needed for complaint {complaint_id} / hand the grievance {complaint_id} up, level "
        "{level} / our customer service is stuck with {complaint_id}, pass it to the {level}",
        urgent=", it's urgent|, there's no hurry",
    ),
    tool(
        "place_bid",
        "Offer a price for a lot in an auction",
        "lot_number=small bid=amount auction=title automatic?=boolean",
        "I offer {bid} for lot {lot_number} in the auction {auction} / bid {bid} on lot {lot_number}, auction "
        "{auction} / at the {auction} auction I'd pay {bid} for lot {lot_number} / {auction} auction, lot "
        "{lot_number}: my bid is {bid} / put {bid} on the table for number {lot_number} in the auction called "
        "{auction} / raise my paddle at {bid} when {auction} gets to lot {lot_number} / I must have lot {lot_number} "
        "of the {auction} sale, go in with {bid} / place {bid} as my bid, the auction is {auction}, the lot "
        "{lot_number}",
        automatic="and keep outbidding others for me|and don't go on bidding for me",
    ),
    tool(
        "retract_bid",
        "Take back a bid in an auction",
        "lot_number=small auction=title",
        "I take back my bid on lot {lot_number} in the auction {auction} / retract what I offered for lot "
        "{lot_number}, auction {auction} / {auction} auction, lot {lot_number}, withdraw my bid / I bid on the wrong "
        "thing at {auction}, lot {lot_number}, undo that / cancel my offer in the {auction} auction for lot "
        "{lot_number} / don't let me win lot {lot_number} of the {auction} auction, I no longer want to bid / my bid "
        "for lot {lot_number} was a mistake, remove it from the auction {auction} / can I get out of bidding on lot "
        "{lot_number} at the auction {auction}? please do it",
    ),
    tool(
        "sell_secondhand",
        "Advertise a used thing for sale",
        "item=garment condition=new|good|worn asking_price=price pickup_city?=city negotiable?=boolean",
        "I want to sell my used {item}, condition {condition}, for {asking_price} / put my old {item} up for sale, "
        "{condition}, {asking_price} / for {asking_price} somebody can have my {item}, its condition is {condition} / "
        "my {item} doesn't fit me any more, offer it to buyers for {asking_price} and say the condition is "
        "{condition} / flea market ad: {item}, {condition}, asking price {asking_price} / advertise a preloved {item} "
        "at {asking_price}, state: {condition} / {condition} {item} to sell, {asking_price} / I'd like {asking_price} "
        "for a {item} from my wardrobe, condition {condition}, list it",
        pickup_city=", to be picked up in {pickup_city}",
        negotiable=", the price is negotiable|, the price is fixed",
    ),
    tool(
        "haggle_secondhand",
        "Offer a seller less than they ask for a used thing",
        "item=garment seller=nickname counter_offer=price",
        "offer {seller} {counter_offer} for the used {item}, they're asking too much / ask the seller {seller} if I "
        "can have the {item} for {counter_offer} instead / haggle with {seller} over the {item}, I'd pay "
        "{counter_offer} / the second-hand {item} is too dear, try {counter_offer} with the seller {seller} / counter "
        "offer to {seller}: {counter_offer}, item {item} / would {seller} let the {item} go for {counter_offer}? make "
        "that proposal / beat {seller} down to {counter_offer} for the pre-owned {item} / let {seller}, who sells the "
        "{item}, know that I'll give {counter_offer} and no more",
    ),
)
