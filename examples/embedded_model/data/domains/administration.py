"""Administrators' tools: disks, packages, printers, phones, incidents, files."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
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
