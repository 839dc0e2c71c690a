"""Sales tools: leads, deals, offers, carts, wish lists and reviews."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

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
)
