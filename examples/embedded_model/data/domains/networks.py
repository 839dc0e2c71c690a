"""Networks' tools: names, firewalls, certificates, wifi and users."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "lookup_dns_record",
        "Query the name servers for a record of a host name.",
        "hostname=slug record_type=A|AAAA|MX|TXT|CNAME|NS resolver?=ip",
        "what is the {record_type} record of {hostname} / resolve {hostname}, I want type {record_type} / dig "
        "{hostname} {record_type} / which {record_type} entry do the name servers give for {hostname} / does "
        "{hostname} have a {record_type} record yet / look up the {record_type} of {hostname} / I'm not sure that "
        "{hostname} resolves, query its {record_type} entry / {record_type} for host name {hostname}, quick query",
        resolver=", ask the resolver {resolver}",
        result="value=ip",
        answer="The record says {value}.",
    ),
    tool(
        "change_dns_record",
        "Point an existing DNS record to a new address.",
        "hostname=slug new_address=ip ttl_seconds?=seconds",
        "let the name {hostname} point to {new_address} from now on / {hostname} has moved, its DNS entry must say "
        "{new_address} / change the A record of {hostname} to {new_address} / we have a new server at {new_address}, "
        "repoint {hostname} in the zone / in the DNS, replace the old address of {hostname} by {new_address} / "
        "{new_address} is the new address for {hostname}, update the record / can the hostname {hostname} resolve to "
        "{new_address} instead / DNS edit: {hostname} to {new_address}",
        ttl_seconds=", TTL {ttl_seconds}",
        answer="{hostname} now points to {new_address}.",
    ),
    tool(
        "flush_dns_cache",
        "Throw away the cached name lookups of a machine.",
        "machine=slug",
        "flush the DNS cache / my browser still goes to the old address, drop the cached name lookups / throw away "
        "all remembered host names / empty the resolver's cache / forget every cached DNS answer / I changed a record "
        "and it isn't seen, clear the local DNS entries / stale name lookups again, get rid of them / can you purge "
        "the cached DNS lookups",
        machine="on the machine {machine}",
    ),
    tool(
        "open_firewall_port",
        "Let traffic in through a port of a host's firewall.",
        "host=slug port=port protocol=tcp|udp source_ip?=ip note?=message",
        "let {protocol} traffic on port {port} through to {host} / open port {port}/{protocol} in the firewall of "
        "{host} / {host} should accept {protocol} connections on {port} / nobody reaches {host} on {protocol} {port}, "
        "allow it in the firewall / permit incoming {protocol} on port {port}, the host is {host} / poke a hole for "
        "{protocol} port {port} into the firewall at {host} / our app listens on {port} ({protocol}) at {host}, "
        "please allow it through / firewall {host}: allow {protocol} {port}",
        source_ip=", only from the address {source_ip}",
        note=', with the note "{note}"',
    ),
    tool(
        "close_firewall_port",
        "Stop letting traffic in through a port of a host's firewall.",
        "host=slug port=port protocol=tcp|udp drop_silently=boolean",
        "shut port {port}/{protocol} in the firewall of {host} / no more {protocol} traffic on {port} to {host} / "
        "{host} must not accept {protocol} connections on port {port} any longer / close {protocol} {port} on {host} "
        "/ we no longer need {protocol} port {port} on {host}, block it in the firewall / firewall {host}: deny "
        "{protocol} {port} / the auditors don't like that {protocol} {port} is reachable on {host}, seal it off / "
        "take back the firewall opening for {protocol} port {port} at {host}",
        drop_silently=", drop the packets silently|, reject the packets openly",
    ),
    tool(
        "unblock_ip",
        "Take an address off the block list.",
        "address=ip",
        "take {address} off the block list / {address} was banned by mistake, let it in again / unban {address} / a "
        "customer at {address} can't reach us because we've blocked them, undo that / lift the block on {address} / "
        "please whitelist {address} again, it shouldn't have been blocked / remove the ban from the address {address} "
        "/ {address} is harmless, unblock",
        answer="{address} is no longer blocked.",
    ),
    tool(
        "list_firewall_rules",
        "All rules of a host's firewall.",
        "host=slug direction?=inbound|outbound only_enabled?=boolean",
        "which firewall rules does {host} have / show me the packet filter of {host} / what does the firewall on "
        "{host} allow and deny / list the rules in force at {host} / I'm auditing {host}, give me its whole firewall "
        "rule set / print the firewall table of {host} / how is the firewall of {host} set up, rule by rule / {host} "
        "firewall rules pls",
        direction=", for {direction} traffic",
        only_enabled=", just the enabled ones|, disabled ones too",
        result="rules=handful",
        answer="There are {rules} rules.",
    ),
    tool(
        "request_certificate",
        "Order a new TLS certificate for host names.",
        "common_name=slug alternative_names?=[slug] key_type?=rsa|ecdsa valid_for?=days",
        "we need a TLS certificate for {common_name} / get a new cert for {common_name} / {common_name} has no HTTPS "
        "yet, have a certificate issued / order an SSL certificate with the common name {common_name} / browsers warn "
        "about {common_name} because it has no certificate at all, get one / send a signing request to the CA for "
        "{common_name} / can you have the CA sign a fresh certificate for {common_name} / cert request: {common_name}",
        alternative_names=", also covering {alternative_names}",
        key_type=", with an {key_type} key",
        valid_for=", valid for {valid_for}",
        result="serial=code",
        answer="The certificate {serial} has been issued.",
    ),
    tool(
        "inspect_certificate",
        "Show the issuer and expiry date of a server's TLS certificate.",
        "hostname=slug port?=port",
        "when does the certificate of {hostname} expire / who issued the TLS cert that {hostname} presents / how long "
        "is the SSL certificate on {hostname} still valid / show issuer and expiry of the cert at {hostname} / "
        "browsers complain about {hostname}, what's in its certificate / inspect the certificate served by {hostname} "
        "/ has the cert of {hostname} run out / {hostname}: cert details, issuer and end date",
        port=", port {port}",
        result="expires=day",
        answer="It expires on {expires}.",
    ),
    tool(
        "revoke_certificate",
        "Declare an issued certificate invalid before its time.",
        "serial_number=code reason=key_compromise|superseded|affiliation_changed|cessation_of_operation",
        "revoke the certificate with serial number {serial_number}, reason: {reason} / certificate {serial_number} "
        "must be declared invalid because of {reason} / put {serial_number} on the certificate revocation list, "
        "{reason} / {reason}: the cert {serial_number} can't be trusted any more, cancel it / nobody should trust the "
        "certificate {serial_number} any longer, the cause is {reason} / tell the CA to withdraw cert no. "
        "{serial_number} on grounds of {reason} / please invalidate our certificate, serial {serial_number}, and give "
        "{reason} as the reason / cert {serial_number}, revocation, {reason}",
        answer="The certificate {serial_number} is revoked.",
    ),
    tool(
        "connect_vpn",
        "Bring up the encrypted tunnel to a location.",
        "location=city protocol?=wireguard|openvpn|ikev2 kill_switch=boolean",
        "connect me to the VPN in {location} / I'm in a cafe and need the tunnel to our {location} office / bring up "
        "the VPN, exit in {location} / dial in to {location} over the encrypted tunnel / route my traffic through the "
        "VPN server in {location} / start VPN {location} / can I surf as if I were in {location} via the VPN / I have "
        "to reach the intranet at {location} from home, set up the tunnel",
        protocol=", over {protocol}",
        kill_switch=", with the kill switch on|, without a kill switch",
        answer="The tunnel to {location} is up.",
    ),
    tool(
        "disconnect_vpn",
        "Tear down the encrypted tunnel.",
        "",
        "disconnect the VPN / I don't need the tunnel any more / tear down the encrypted tunnel / get me off the VPN "
        "/ hang up the VPN connection / the VPN slows everything down, take it off / my bank won't let me in with the "
        "VPN on, drop it / leave the company tunnel",
    ),
    tool(
        "trace_route",
        "Show every router hop on the way to a host.",
        "destination=slug max_hops?=small protocol?=icmp|udp|tcp",
        "which routers are between us and {destination} / trace the route to {destination} / packets to {destination} "
        "get lost somewhere, show me each hop / what way do our packets take to {destination} / list the hops to "
        "{destination} / traceroute {destination} / where on the path to {destination} does it get slow, hop by hop / "
        "through which gateways do we reach {destination}",
        max_hops=", at most {max_hops} hops",
        protocol=", using {protocol} probes",
        result="hops=small",
        answer="There are {hops} hops.",
    ),
    tool(
        "join_wifi",
        "Connect to a wireless network and save it if wanted.",
        "ssid=title passphrase=id remember=boolean",
        'connect to the wifi "{ssid}" with the passphrase {passphrase} / the wireless here is called {ssid} and the '
        "key is {passphrase}, get me online / use {passphrase} to log on to the wireless network {ssid} / join "
        "{ssid}, passphrase {passphrase} / we're at a friend's, the WLAN is \"{ssid}\", the key on the fridge says "
        "{passphrase}, hook us up / SSID {ssid}, wifi key {passphrase}, connect pls / with the key {passphrase} you "
        "can get into the network {ssid}, please do / I want on the hotel wifi {ssid}, they gave me {passphrase} as "
        "passphrase",
        remember=", and remember it|, but don't remember it",
        answer="You are online through {ssid}.",
    ),
    tool(
        "forget_wifi",
        "Delete a saved wireless network so that it isn't joined any more.",
        "ssid=title",
        'forget the wifi {ssid} / my laptop keeps joining "{ssid}" by itself, delete it from the saved networks / '
        'never connect to the wireless {ssid} again / remove {ssid} from the known networks / the saved wifi "{ssid}" '
        "should go / I won't be back at the hotel, drop its saved WLAN {ssid} / don't auto-join {ssid} any more / "
        "saved network {ssid}: erase",
    ),
    tool(
        "toggle_guest_wifi",
        "Switch the visitors' wireless network on or off.",
        "site=city enabled=boolean until?=day",
        "about the visitors' wifi in {site} / the guest wireless at {site} needs a change / it's about the wifi for "
        "guests at the {site} branch / I'm calling because of the guest network in our {site} office / visitors' "
        "WLAN, {site} site / there's an event in {site} and it concerns the guest wifi / {site}, the hotspot for "
        "visitors / please see to the guest wireless network of {site}",
        enabled=", turn it on|, turn it off",
        until=", until {until}",
    ),
    tool(
        "survey_wifi_channels",
        "Measure which radio channels are crowded around an access point.",
        "access_point=slug band=2.4GHz|5GHz|6GHz",
        "which {band} channels are crowded around {access_point} / there's so much interference at {access_point}, "
        "measure the {band} band / how busy is the air on {band} near the access point {access_point} / survey the "
        "{band} radio at {access_point} / find out what channel is free on {band} by {access_point} / the neighbours' "
        "wireless disturbs {access_point}, look at how full {band} is / access point {access_point}: spectrum check, "
        "{band} / on {band}, what can {access_point} hear on each channel",
        result="best_channel=small",
        answer="Channel {best_channel} is the quietest.",
    ),
    tool(
        "rename_wifi",
        "Give a wireless network another name.",
        "current_ssid=title new_ssid=title",
        'our wifi "{current_ssid}" should be called "{new_ssid}" / rename the wireless network {current_ssid} to '
        '{new_ssid} / change the SSID from "{current_ssid}" to "{new_ssid}" / I don\'t like the WLAN name '
        '"{current_ssid}", make it "{new_ssid}" / "{new_ssid}" is to be the new name of the wifi that is now '
        '"{current_ssid}" / let the access points broadcast "{new_ssid}" in place of "{current_ssid}" / the network '
        'called {current_ssid} gets the name {new_ssid}, it\'s the wireless one / wifi name: old "{current_ssid}", '
        'new "{new_ssid}"',
    ),
    tool(
        "measure_bandwidth",
        "Test the speed of the internet line.",
        "direction?=download|upload|both test_server?=city",
        "how fast is our internet / run a speed test / video calls are choppy, what does the line really deliver / "
        "measure our bandwidth / is the connection as quick as the provider promised / how many megabits do I get "
        "right now / test the throughput of the line / everything loads slowly, check the internet speed",
        direction=", direction {direction}",
        test_server="against the test server in {test_server}",
        result="megabits=measure",
        answer="It is {megabits} Mbit/s.",
    ),
    tool(
        "add_user_to_group",
        "Make an account a member of a group.",
        "username=user group=slug expires_on?=day",
        "make {username} a member of {group} / add {username} to the group {group} / {username} needs the rights of "
        "the group {group}, put them in / the account {username} belongs in {group} / put user {username} into "
        "{group} / our new colleague {username} needs group membership in {group} / group {group} gets one more "
        "member: {username} / {username} can't open the team drive because they aren't in {group} yet",
        expires_on=", until {expires_on}",
        answer="{username} is in {group}.",
    ),
    tool(
        "remove_user_from_group",
        "End an account's membership of a group.",
        "username=user group=slug",
        "take {username} out of the group {group} / {username} has changed teams and shouldn't be in {group} any more "
        "/ remove {username} from {group} / kick {username} from the group {group} / end the membership of {username} "
        "in {group} / group {group}: drop the member {username} / the account {username} no longer belongs in {group} "
        "/ why is {username} still a member of {group}, get them out",
    ),
    tool(
        "list_group_members",
        "Who belongs to a group of accounts.",
        "group=slug include_nested?=boolean",
        "who is in the group {group} / which accounts belong to {group} / list the members of {group} / I need "
        "everyone with membership in {group} / how many people are in {group} and who are they / show the users that "
        "make up {group} / for the access review: all members of {group} / members of group {group} pls",
        include_nested=", subgroups included|, leaving out subgroups",
        result="members=[user]",
        answer="These are {members}.",
    ),
    tool(
        "list_user_groups",
        "Which groups an account is a member of.",
        "username=user",
        "which groups is {username} in / what groups does the account {username} belong to / show all group "
        "memberships of {username} / list the groups of {username} / does {username} have any group rights at all / I "
        "want to see every group that {username} is a member of / memberships of user {username}, pls / what has "
        "{username} been put into, group by group",
        result="groups=[slug]",
        answer="The account is in {groups}.",
    ),
    tool(
        "disable_user_account",
        "Deactivate the account of someone who has left.",
        "username=user last_day=day forward_mail_to?=email keep_mailbox?=boolean",
        "{username} is leaving us, last day {last_day}, deactivate the account / disable the account {username} as of "
        "{last_day} / after {last_day} user {username} must not be able to log on / offboarding: {username}, "
        "{last_day} is the last day / {last_day} is the final day of {username}, then the login goes dead / the "
        "intern with the login {username} quits on {last_day}, shut off the account / deactivate {username}, who has "
        "left, effective {last_day} / please end all access of {username} after the last day, {last_day}",
        forward_mail_to=", mail goes to {forward_mail_to}",
        keep_mailbox=", keep the mailbox|, delete the mailbox",
    ),
)
