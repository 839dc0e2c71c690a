"""Tools of networks, their security, and the administration of computers."""

from __future__ import annotations

from gateway.embedded.data.toolspec import tool

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
    tool(
        "unlock_user_account",
        "Let someone log on again after too many wrong passwords.",
        "username=user notify_by=email|sms|phone",
        "{username} has mistyped the password too often and is locked out / unlock the account {username} / let "
        "{username} log on again / too many wrong tries by {username}, release the lock / {username} can't get in, "
        "the login is frozen after failed attempts / please lift the lockout for {username} / account {username} "
        "locked, free it up / {username} remembers the password now, but the account is still locked",
        notify_by=", then tell them by {notify_by}",
        answer="{username} can log on again.",
    ),
    tool(
        "force_password_change",
        "Make an account choose a new password at the next login.",
        "username=user deadline?=day end_sessions?=boolean",
        "{username} must choose a new password at the next login / make {username} change their password / we think "
        "the password of {username} has leaked, have them set another one next time they sign in / the password of "
        "{username} is to expire, so that they pick a fresh one / at the next sign-in {username} should be told to "
        "choose another password / force a password change on {username} / {username} has used the same password for "
        "years, oblige them to change it / mark the password of {username} as expired",
        deadline=", deadline {deadline}",
        end_sessions=", and log out all running sessions|, but leave running sessions alone",
    ),
    tool(
        "mount_disk",
        "Attach a volume to the directory tree of a server.",
        "volume=id mount_point=path filesystem=ext4|xfs|btrfs|ntfs read_only=boolean",
        "mount the volume {volume} at {mount_point} / attach volume {volume} to the directory {mount_point} / the "
        "files on volume {volume} should show up under {mount_point} / {mount_point} is the mount point, the volume "
        "is {volume} / hang the disk with the id {volume} in at {mount_point} / I've plugged in the drive {volume}, "
        "make it available in {mount_point} / at {mount_point} I'd like to see what is on the volume {volume} / "
        "volume {volume}, mount point {mount_point}, go",
        filesystem=", filesystem {filesystem}",
        read_only=", read-only|, with write access",
        answer="{volume} is mounted.",
    ),
    tool(
        "unmount_disk",
        "Detach whatever volume is mounted at a directory.",
        "mount_point=path force=boolean",
        "unmount {mount_point} / detach the disk at {mount_point} / I want to unplug the drive that hangs at "
        "{mount_point}, eject it / nothing should be mounted at {mount_point} any more / safely remove the volume "
        "under {mount_point} / umount {mount_point} pls / take the volume at the mount point {mount_point} out of the "
        "tree / the external disk on {mount_point} isn't needed any longer, let it go",
        force=", even when files are in use|, but not while files are in use",
    ),
    tool(
        "check_disk_health",
        "Read the self-test values of a drive and say if it is failing.",
        "serial_number=code test=short|long",
        "is the drive with serial number {serial_number} failing / read the SMART values of disk {serial_number} / "
        "the disk {serial_number} makes clicking noises, is it about to die / how healthy is the hard drive "
        "{serial_number} / does the SSD with the serial number {serial_number} have bad sectors / check the health of "
        "disk {serial_number} / how worn is the drive {serial_number} / drive {serial_number}: SMART status pls",
        test=", run the {test} self-test",
        result="bad_sectors=small",
        answer="There are {bad_sectors} bad sectors.",
    ),
    tool(
        "kill_process",
        "End a running program by its process number.",
        "pid=port host=slug signal=TERM|KILL|HUP",
        "kill process {pid} on {host} / the program with the pid {pid} hangs on {host}, end it / terminate {pid}, the "
        "host is {host} / on {host} a process with the number {pid} has run wild, stop it / get rid of pid {pid} at "
        "{host} / {host}: process {pid} doesn't answer, put it out of its misery / shoot down the process no. {pid} "
        "that's eating up {host} / pid {pid} must die, host {host}",
        signal=", signal {signal}",
        answer="Process {pid} is gone.",
    ),
    tool(
        "uninstall_package",
        "Remove a software package from a host.",
        "package=word host=slug purge_config=boolean",
        "uninstall {package} from {host} / nobody uses the software {package} on {host}, get rid of it / remove the "
        "package {package} on the host {host} / {host} doesn't need {package} any more, deinstall it / take the "
        "{package} package off {host} / why is {package} still installed on {host}, throw it out / on {host} the "
        "software {package} has to go / apt remove {package}, host {host}",
        purge_config=", config files too|, but keep the config files",
        answer="{package} is gone from {host}.",
    ),
    tool(
        "upgrade_package",
        "Bring an installed software package to a newer version.",
        "package=word host=slug target_version?=version dry_run?=boolean",
        "upgrade {package} on {host} / {package} on {host} is outdated, bring it up to date / there's a security hole "
        "in {package}, patch it on {host} / install the newer version of {package} at the host {host} / {host} still "
        "runs an old {package}, update it / move {package} to a newer release on {host} / update the software "
        "{package}, host {host} / the package {package} needs its patches on {host}",
        target_version=", version {target_version}",
        dry_run=", only as a dry run|, not as a dry run",
    ),
    tool(
        "pin_package_version",
        "Hold a software package at a version so that updates skip it.",
        "package=word version=version host=slug",
        "pin {package} to {version} / hold the package {package} at version {version} / updates must skip {package}, "
        "it stays at {version} / don't let {package} go beyond {version} / freeze {package} at {version} / the newer "
        "{package} breaks our stuff, keep it fixed at {version} / {version} is the only version of {package} that "
        "works, never update it / package {package}: stay on {version}",
        host=", host {host}",
    ),
    tool(
        "add_printer",
        "Set up a network printer.",
        "name=word ip_address=ip location?=place make_default?=boolean",
        "set up the printer {name} at {ip_address} / there's a new printer on the network, address {ip_address}, call "
        "it {name} / add a printer named {name} with the IP {ip_address} / I can't print yet, the printer's address "
        "is {ip_address} and it should be called {name} / {ip_address} is the new laser printer {name}, connect it / "
        "install the network printer {name}, reachable under {ip_address} / make the printing device at {ip_address} "
        "available as {name} / printer {name}, {ip_address}, set up pls",
        location=", standing in the {location}",
        make_default=", it is the default printer|, it isn't the default printer",
    ),
    tool(
        "clear_print_queue",
        "Cancel all jobs that wait at a printer.",
        "printer=word owner?=user",
        "cancel all print jobs at {printer} / the printer {printer} is stuck with a hundred jobs, throw them away / "
        "empty the queue of the printer {printer} / nothing comes out of {printer}, delete every waiting print job / "
        "purge the spooler of {printer} / clear the print queue {printer} / all documents waiting at printer "
        "{printer} can be dropped / {printer} keeps printing rubbish, wipe its queue",
        owner=", just the jobs of {owner}",
        answer="The queue of {printer} is empty.",
    ),
    tool(
        "forward_calls",
        "Divert the calls of an extension to another number.",
        "extension=big target_number=phone condition=always|busy|unanswered until?=day",
        "divert calls for extension {extension} to {target_number} / calls to {extension} should ring at "
        "{target_number} / I'm out of the office, send everything that comes in on {extension} to my mobile, "
        "{target_number} / forward {extension} to {target_number} / put {target_number} in as the call forwarding for "
        "extension {extension} / redirect the phone {extension} to the number {target_number} / whoever calls "
        "extension {extension} should end up at {target_number} / call diversion: from {extension} to {target_number}",
        condition=", condition: {condition}",
        until=", until {until}",
        answer="Calls go to {target_number}.",
    ),
    tool(
        "wipe_phone",
        "Erase all data on a lost or stolen company phone.",
        "owner=person device_id=id keep_sim=boolean",
        "{owner} has lost the company phone {device_id}, erase it / wipe the phone {device_id} of {owner} / the "
        "mobile {device_id} was stolen from {owner}, delete everything on it / remotely erase {device_id}, it's the "
        "handset of {owner} / somebody took the phone of {owner}, device id {device_id}, make sure no data is left on "
        "it / factory-reset the missing smartphone {device_id} that belongs to {owner} / {owner} left the work phone "
        "on a train, id {device_id}, wipe it from afar / no data may remain on {device_id}, the stolen mobile of "
        "{owner}",
        keep_sim=", but keep the SIM profile|, SIM profile included",
        answer="{device_id} has been erased.",
    ),
    tool(
        "calibrate_sensor",
        "Correct a sensor by a known reference value.",
        "sensor_id=code reference_value=measure quantity?=temperature|pressure|humidity|vibration",
        "calibrate the sensor {sensor_id} against {reference_value} / sensor {sensor_id} drifts, the true value is "
        "{reference_value}, correct it / the sensor {sensor_id} reads wrong, it really should be {reference_value} / "
        "adjust sensor {sensor_id} so that it shows the reference {reference_value} / with {reference_value} as the "
        "reference value, recalibrate {sensor_id} / our exact gauge says {reference_value}, bring the sensor "
        "{sensor_id} into line / use the known value {reference_value} to trim sensor {sensor_id} / calibration: "
        "sensor {sensor_id}, reference {reference_value}",
        quantity=", the quantity is {quantity}",
    ),
    tool(
        "schedule_backup",
        "Back up a folder regularly.",
        "source_folder=path target_host=slug frequency=hourly|daily|weekly|monthly start_time?=clock keep_for?=days",
        "back up {source_folder} {frequency} to {target_host} / I want {frequency} backups of {source_folder} on "
        "{target_host} / {target_host} should receive a {frequency} copy of {source_folder} / save {source_folder} to "
        "the backup host {target_host}, {frequency} / make sure that {source_folder} is safe: a {frequency} backup to "
        "{target_host} / we have no backup of {source_folder} yet, plan one for {target_host}, {frequency} / set up a "
        "{frequency} backup job from {source_folder} to {target_host} / backup job: {source_folder}, {frequency}, "
        "target {target_host}",
        start_time=", starting at {start_time}",
        keep_for=", copies are kept for {keep_for}",
    ),
    tool(
        "declare_incident",
        "Open a security or outage incident.",
        "summary=trouble severity=low|medium|high|critical affected_hosts?=[slug] contains_personal_data=boolean",
        'declare a {severity} incident: "{summary}" / we have an incident, severity {severity}: "{summary}" / open an '
        'incident with severity {severity}, summary "{summary}" / "{summary}" is what users report, raise it as a '
        '{severity} incident / something is badly wrong, "{summary}", start incident handling at level {severity} / '
        'incident: {summary}, {severity} / sound the alarm for the response team, {severity}, it says "{summary}" / '
        "new incident for the security desk, {summary}, rated {severity}",
        affected_hosts=", affected: {affected_hosts}",
        contains_personal_data=", personal data is involved|, no personal data is involved",
        result="number=code",
        answer="It is incident {number}.",
    ),
    tool(
        "escalate_incident",
        "Hand an open incident to the next level of support.",
        "incident_number=code team=network|security|storage|vendor|management reason?=message",
        "escalate incident {incident_number} to {team} / we're stuck with incident {incident_number}, {team} must "
        "take over / hand the incident {incident_number} up to the {team} team / {team} should deal with the open "
        "incident {incident_number} / first level can't solve {incident_number}, pass the incident to {team} / "
        "incident {incident_number} goes up to {team} / get {team} involved as the next level in incident "
        "{incident_number} / {incident_number} has been open for days, let the {team} people have that incident",
        reason=", because: {reason}",
    ),
    tool(
        "assign_license",
        "Give a user a seat of a licensed software.",
        "software=product username=user expires_on?=day",
        "give {username} a licence for {software} / {username} needs a seat of {software} / assign a {software} "
        "licence to {username} / the program {software} tells {username} that no licence is there, hand one out / "
        "{username} starts using {software}, license them / one seat for {software}, user {username} / allot a "
        "licensed seat to the account {username}, the software is {software} / can {username} have one of our "
        "{software} licences",
        expires_on=", it ends on {expires_on}",
        answer="{username} has a licence for {software}.",
    ),
    tool(
        "reclaim_license",
        "Take a user's software seat back into the pool.",
        "software=product username=user",
        "take the {software} licence away from {username} / {username} doesn't use {software} any more, put the seat "
        "back into the pool / reclaim the licence for {software} from {username} / free up the seat of {software} "
        "that {username} holds / we're short of {software} licences, get the one of {username} back / withdraw the "
        "{software} seat from the user {username} / {username} no longer needs a licence of {software} / licence back "
        "to the pool: {software}, was with {username}",
    ),
    tool(
        "mirror_screen",
        "Show a computer's picture on a second display.",
        "source_computer=slug display=place mode=duplicate|extend resolution=720p|1080p|4k",
        "show the screen of {source_computer} on the display in the {display} / mirror {source_computer} to the "
        "{display} display / I'm giving a talk, put the picture of {source_computer} up on the monitor in the "
        "{display} / cast {source_computer} to the big screen, {display} / the monitor of the {display} should show "
        "what is on {source_computer} / everybody in the {display} should see on the display what {source_computer} "
        "shows / beam the desktop of {source_computer} onto the screen in the {display} / display {display}, picture "
        "from {source_computer}",
        mode=", in {mode} mode",
        resolution=", at {resolution}",
    ),
    tool(
        "extract_from_archive",
        "Unpack single files out of an archive.",
        "archive=path members=[file] destination=path overwrite=boolean",
        "get {members} out of the archive {archive} and put it into {destination} / unpack only {members} from "
        "{archive} to {destination} / from the tarball {archive} I need {members}, destination {destination} / "
        "extract {members}, the archive is {archive}, to {destination} / I don't want all of {archive}, merely "
        "{members}, unpacked into {destination} / please put into {destination} what the archive {archive} holds as "
        "{members} / {archive} contains {members}, pull that out into {destination} / archive {archive}: {members} to "
        "the destination {destination}",
        overwrite=", and overwrite what is there|, but don't overwrite anything",
    ),
    tool(
        "encrypt_file",
        "Protect a file with a secret phrase so that nobody else can read it.",
        "file=path passphrase=id cipher=aes256|chacha20|twofish",
        "encrypt {file} with the passphrase {passphrase} / nobody else may read {file}, protect it with {passphrase} "
        "/ use {passphrase} as the passphrase to encrypt {file} / scramble {file}, the secret is {passphrase} / "
        "{file} is confidential, lock it up with the secret phrase {passphrase} / put the passphrase {passphrase} on "
        "{file} / before I send {file}, make it unreadable without the passphrase {passphrase} / encryption of "
        "{file}, phrase: {passphrase}",
        cipher=", cipher {cipher}",
        answer="{file} is encrypted.",
    ),
    tool(
        "decrypt_file",
        "Make a protected file readable again with its secret phrase.",
        "file=path passphrase=id output_path?=path",
        "decrypt {file}, the passphrase is {passphrase} / make {file} readable again with the secret phrase "
        "{passphrase} / {file} is encrypted and I know that the passphrase is {passphrase}, open it up / use the "
        "passphrase {passphrase} to get at the plain text of {file} / someone sent me the encrypted {file}, with "
        "{passphrase} as the secret, decode it / remove the protection from {file}, secret phrase {passphrase} / the "
        "key phrase {passphrase} should decipher {file}, give me the plain version / with {passphrase} turn the "
        "scrambled {file} back into clear text",
        output_path=", write the result to {output_path}",
    ),
    tool(
        "wake_computer",
        "Switch a sleeping computer on over the network.",
        "computer=slug at?=clock",
        "wake up {computer} / {computer} is asleep and I have to work on it from home, switch it on / send a magic "
        "packet to {computer} / wake-on-LAN for {computer} / boot {computer} over the network / start the sleeping PC "
        "{computer} remotely / I can't reach my computer {computer}, it's in standby, rouse it / {computer} should "
        "come out of standby",
        at="at {at}",
        answer="{computer} is awake.",
    ),
)
