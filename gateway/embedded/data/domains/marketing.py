"""Tools of sales, marketing and shops."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

TOOLS = (
    tool(
        "qualify_lead",
        "Rate how likely a lead is to buy",
        "lead=person rating=hot|warm|cold budget?=amount",
        "mark {lead} as a {rating} lead / I just hung up with {lead}, I'd call that prospect {rating} / qualify "
        "{lead}, rating {rating} / {rating} is how I rate our chances with {lead} / could you set the temperature of "
        "the prospect {lead} to {rating} / {lead}: {rating} prospect, pls enter the rating / after the call with "
        "{lead} it's clear this one is {rating}, rate the contact accordingly / how likely is {lead} to buy? put down "
        "{rating}",
        budget="with a budget of {budget}",
    ),
    tool(
        "disqualify_lead",
        "Drop a lead from the pipeline and say why",
        "lead=person reason=budget|timing|competitor|unreachable",
        "{lead} won't buy from us any more, drop the lead, reason: {reason} / strike {lead} off the pipeline because "
        "of {reason} / disqualify {lead}, {reason} / no more chasing of {lead}, take that lead out, it's down to "
        "{reason} / the reason is {reason}: we lost {lead} as a prospect, remove them / can you drop the prospect "
        "{lead} and give {reason} as the cause / dead lead: {lead}. why: {reason} / we're giving up on {lead}, the "
        "pipeline should say {reason}",
    ),
    tool(
        "hand_over_lead",
        "Pass a lead from one sales rep to another",
        "lead=person from_rep=last_name to_rep=last_name keep_copy?=boolean",
        "hand {lead} over from {from_rep} to {to_rep} / {from_rep} goes on leave, so {to_rep} takes over the prospect "
        "{lead} / pass the lead {lead} on to {to_rep}, so far it was with {from_rep} / from now on {to_rep} instead "
        "of {from_rep} looks after the prospect {lead} / lead {lead}: old rep {from_rep}, new rep {to_rep} / could "
        "{to_rep} get the lead {lead} from {from_rep} / take {lead} away from the rep {from_rep} and give the lead to "
        "{to_rep} / {to_rep} speaks the language of {lead}, {from_rep} doesn't, so move the lead to the first of them",
        keep_copy="and leave the old rep a copy|without leaving the old rep a copy",
    ),
    tool(
        "import_leads",
        "Load contacts from a file into the sales pipeline",
        "file=file source=fair|webinar|partner|purchase skip_duplicates?=boolean",
        "load the contacts in {file} into the pipeline, source {source} / import {file}, those leads come from a "
        "{source} / we collected addresses at the {source}, they're in {file}, pull them into sales / {file} has "
        "fresh prospects, read them in and note {source} as their source / new contacts from the {source}, file "
        "{file}, import pls / can you get the leads out of {file} into our pipeline, origin: {source} / source: "
        "{source}, please upload the prospects listed in {file} / the sheet {file} is full of potential buyers thanks "
        "to the {source}, add them all as leads",
        skip_duplicates="and leave out those that we have already|and keep duplicates too",
    ),
    tool(
        "move_deal",
        "Put a deal into another stage of the pipeline",
        "client=company stage=proposal|negotiation|won|lost expected_close?=day",
        "the deal with {client} is now in the stage {stage} / move {client} to {stage} / set the stage to {stage} for "
        "our deal with {client} / {client}: deal stage {stage} / in the pipeline, {client} belongs under {stage} / "
        "we've had news from {client}, drag their deal into the {stage} column / could you mark the deal of {client} "
        "as {stage} / update the board: {stage} is where the business with {client} stands",
        expected_close="with an expected close on {expected_close}",
    ),
    tool(
        "forecast_sales",
        "Expected revenue of a month",
        "month=month region?=north|south|east|west",
        "how much revenue do we expect in {month} / forecast the sales for {month} / what will we probably turn over "
        "in {month} / {month} outlook for our turnover pls / the boss wants a projection of the {month} takings / "
        "predict what we'll sell in {month} / do the numbers look good for {month}? give me the forecast / I need the "
        "expected income from sales, month {month}",
        region="for the region {region}",
    ),
    tool(
        "get_sales_target",
        "The sales goal of a rep and how far they are",
        "rep=last_name quarter?=Q1|Q2|Q3|Q4",
        "what's the sales target of {rep} / how far is {rep} from reaching the quota / quota of {rep} pls / has {rep} "
        "met the goal that we set for sales / show me how much {rep} is supposed to sell and how much is done / I'm "
        "reviewing {rep}, what was the selling goal / look up the target for the rep called {rep} / does {rep} still "
        "have a lot to sell to hit the target",
        quarter="in {quarter}",
    ),
    tool(
        "set_sales_target",
        "Fix the sales goal of a rep",
        "rep=last_name target=amount quarter=Q1|Q2|Q3|Q4",
        "{rep} has to sell {target} in {quarter} / set the quota of {rep} to {target} for {quarter} / for {quarter} "
        "the target is {target}, the rep is {rep} / new goal for {rep}: {target}, {quarter} / {quarter}, {rep}, quota "
        "{target} pls / we agreed with {rep} on sales worth {target} in {quarter}, enter that goal / put {target} "
        "down as what we expect {rep} to bring in during {quarter} / in {quarter} we want {target} from {rep}, fix "
        "this as the target",
    ),
    tool(
        "schedule_demo",
        "Arrange a product demonstration for a prospect",
        "prospect=company product=product date=day time=clock online?=boolean",
        "{prospect} would like to see the {product} in action on {date} at {time} / arrange a demo of the {product} "
        "for {prospect}, {date}, {time} / at {time} on {date} we show {prospect} our {product} / demo {date} {time}: "
        "{product}, client {prospect} / can we present the {product} to {prospect} on {date}? they're free at {time} "
        "/ set up a presentation at {prospect} for {date}, {time}, the product is the {product} / on {date} "
        "{prospect} wants a live demonstration of the {product}, starting {time} / put a showing of the {product} "
        "into the calendar, {time} on {date}, for {prospect}",
        online="as a video call|at their premises",
    ),
    tool(
        "call_off_demo",
        "Cancel a product demonstration",
        "prospect=company date=day apology?=boolean",
        "the demo for {prospect} on {date} won't take place / cancel the demonstration on {date}, the prospect is "
        "{prospect} / call off what we wanted to show {prospect} on {date} / our presenter is ill, so scrap the "
        "{date} demo at {prospect} / {prospect} doesn't want to see the product any more, drop the appointment on "
        "{date} / no demo for {prospect} on {date} after all / {date}, demo {prospect}: cancelled / we have to let "
        "{prospect} down, the product showing on {date} is off",
        apology="and send an apology|and don't send an apology",
    ),
    tool(
        "prolong_offer",
        "Extend the validity of an offer",
        "offer_number=code new_expiry=day",
        "the offer {offer_number} should stay valid until {new_expiry} / prolong {offer_number} to {new_expiry} / the "
        "client needs more time for {offer_number}, let it run until {new_expiry} / extend offer {offer_number}, new "
        "expiry date {new_expiry} / can {offer_number} be accepted until {new_expiry}? please change that / "
        "{new_expiry} is the new last day for our offer {offer_number} / give them until {new_expiry} to sign the "
        "offer {offer_number} / offer {offer_number} runs out too early, make it good through {new_expiry}",
    ),
    tool(
        "withdraw_offer",
        "Take back an offer that a client has not accepted",
        "offer_number=code reason?=mistake|price|shortage",
        "we take back our offer {offer_number} / withdraw {offer_number} / the offer with the number {offer_number} "
        "no longer stands / they mustn't accept {offer_number} any more, pull the offer / void offer {offer_number} "
        "pls / tell the client that {offer_number} is off the table / I'd like to rescind what we offered under "
        "{offer_number} / can you retract the unsigned offer {offer_number}",
        reason=", the reason is {reason}",
    ),
    tool(
        "empty_cart",
        "Remove everything from the shopping cart",
        "keep_saved_items?=boolean",
        "clear my cart / throw everything out of the basket / I don't want any of the things in my cart any more / "
        "start over with an empty basket / take all articles out of my trolley / can you wipe the whole shopping cart "
        "/ cart: remove all / I've changed my mind about the purchase, empty the basket",
        keep_saved_items="but keep what I saved for later|including what I saved for later",
    ),
    tool(
        "take_out_of_cart",
        "Remove one article from the shopping cart",
        "article=garment quantity?=several",
        "take the {article} out of my cart / I don't need the {article} in the basket any more / remove {article} "
        "from the basket / no {article} after all, delete it from my cart / there's a {article} in my trolley by "
        "accident, get rid of it / cart without the {article} pls / could you drop the {article} from my shopping "
        "basket / the {article} is too expensive, out of the cart with it",
        quantity=", {quantity} of them",
    ),
    tool(
        "park_cart",
        "Save the shopping cart under a name for later",
        "name=title expires?=day",
        "save my basket as \"{name}\", I'll buy later / park this cart under the name {name} / keep what's in the "
        "cart for later and call it {name} / I've got to run, store the basket as {name} / put my trolley aside, "
        "named {name} / remember all these articles in my cart as {name} / cart on hold pls, name: {name} / can I set "
        "the full basket aside under {name} and pay another day",
        expires=", to be kept until {expires}",
    ),
    tool(
        "resume_cart",
        "Load a saved shopping cart again",
        "name=title",
        'bring back the cart that I saved as "{name}" / I want to go on shopping with the parked basket {name} / load '
        "the saved cart {name} / resume {name}, my basket from last time / last week I set a trolley aside called "
        "{name}, open it again / get the basket named {name} back, I'm ready to buy / continue with the stored cart "
        "{name} pls / where's my saved basket {name}? restore it",
    ),
    tool(
        "share_wish_list",
        "Send a wish list to other people",
        "list_name=title recipients=[email] can_edit?=boolean",
        "send my wish list {list_name} to {recipients} / let {recipients} see the wishes on the list {list_name} / "
        "share {list_name} with {recipients} / {recipients} should know what I'd like to have, it's all on the wish "
        "list {list_name} / wish list {list_name}, recipients: {recipients} / can you forward what I'm wishing for, "
        "list {list_name}, to {recipients} / mail {recipients} a link to the wish list called {list_name} / so that "
        "{recipients} don't buy the wrong present, show them my list {list_name}",
        can_edit="and let them change it|and only let them read it",
    ),
    tool(
        "watch_restock",
        "Tell a shopper when a sold-out product is available again",
        "product=product email=email max_price?=price",
        "write to {email} as soon as the {product} is back in stock / the {product} is sold out, let me know at "
        "{email} when it's available again / {email} wants to hear when you have the {product} again / notify {email} "
        "once the {product} is restocked / alert for the sold-out {product}, mail to {email} / when will there be a "
        "{product} again? drop a line to {email} when it's in / watch the {product}, it's out of stock, and report to "
        "{email} / put {email} on the waiting list for the {product}",
        max_price="if it costs {max_price} at most",
    ),
    tool(
        "unwatch_restock",
        "Stop the alert for a sold-out product",
        "product=product email=email",
        "{email} needn't be told any more when the {product} is back in stock / stop the restock alert for the "
        "{product} to {email} / I found a {product} elsewhere, so no availability mails to {email} / take {email} off "
        "the waiting list for the {product} / no more watching of the sold-out {product}, address {email} / end the "
        "notification about the {product} for {email} / {product} alert off, {email} / {email} has lost interest in "
        "the out-of-stock {product}, delete the alert",
    ),
    tool(
        "write_review",
        "Publish a customer's review of a shop",
        "shop=company stars=five text=message anonymous?=boolean",
        'give the shop {shop} {stars} stars and write: "{text}" / {stars} stars for {shop}, my comment: "{text}" / '
        'review of {shop}: {stars} stars, "{text}" / I bought something at {shop} and would rate it {stars} stars, '
        'saying "{text}" / publish my opinion of {shop}, it\'s "{text}", stars: {stars} / post "{text}" about '
        '{shop} with {stars} out of 5 stars / people should read this about {shop}: "{text}" and see {stars} stars / '
        'leave feedback for {shop}, {stars} stars, the text is "{text}"',
        anonymous="without my name|under my name",
    ),
    tool(
        "flag_review",
        "Report a review that breaks the rules",
        "review_id=id violation=spam|insult|fake|advertising",
        "the review {review_id} is {violation}, report it / flag {review_id} as {violation} / I think {review_id} "
        "breaks the review rules, violation: {violation} / {violation}! somebody should look at the review "
        "{review_id} / report the customer opinion {review_id} to the moderators because of {violation} / review "
        "{review_id}, reason for the complaint: {violation} / can you have {review_id} checked by a moderator, it's a "
        "case of {violation} / this rating, {review_id}, isn't allowed, it's plain {violation}",
    ),
    tool(
        "list_reviews",
        "Show what customers think of a product",
        "product=product sort=newest|best|worst verified_only?=boolean",
        "what do customers say about the {product}, {sort} first / show the reviews of the {product}, sorted by "
        "{sort} / read me opinions on the {product}, start with the {sort} / is the {product} any good? let me see "
        "the {sort} ratings first / {product} reviews, {sort} on top / before I buy the {product} I'd like to see "
        "what others wrote, order: {sort} / buyers' comments on the {product} pls, {sort} first / which experience "
        "have people had with the {product}? list the {sort} ones at the top",
        verified_only="from verified buyers only|whether the buyers are verified or not",
    ),
    tool(
        "subscribe_newsletter",
        "Sign an address up for the shop's newsletter",
        "email=email frequency=daily|weekly|monthly interests?=[hobby]",
        "{email} would like our news {frequency} / sign {email} up for the {frequency} newsletter / put {email} on "
        "the mailing list, {frequency} / subscribe {email}, frequency {frequency} / a customer wants to get the "
        "shop's mailing {frequency}, address {email} / {frequency} newsletter to {email} from now on / can you send "
        "me your news {frequency}? I'm at {email} / there's a new reader for the {frequency} mailing: {email}",
        interests="with an interest in {interests}",
    ),
    tool(
        "unsubscribe_newsletter",
        "Take an address off the shop's newsletter",
        "email=email reason?=boring|frequent|irrelevant",
        "{email} doesn't want our newsletter any more / take {email} off the mailing list / stop sending the shop's "
        "news to {email} / unsubscribe {email} / no more mailings to {email} pls / somebody at {email} is fed up with "
        "our newsletter, remove them / could you strike {email} from the readers of the mailing / I want out of your "
        "newsletter, my address is {email}",
        reason=", they say it's too {reason}",
    ),
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
