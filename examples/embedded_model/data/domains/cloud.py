"""Containers, servers, databases, monitoring, chat systems and the security of accounts."""

from __future__ import annotations

from embedded_model.data.toolspec import tool

TOOLS = (
    tool(
        "restart_service",
        "Restart a service on a host",
        "service=slug host=ip",
        "restart {service} on {host} / {service} on {host} does not answer, restart it / pls bounce {service} at "
        "{host} / on {host}, the service {service} has to be started anew / we need {service} restarted on {host} / "
        "the host {host} needs its {service} restarted",
        answer="{service} is running again on {host}.",
    ),
    tool(
        "scale_deployment",
        "Set the number of replicas of a Kubernetes deployment",
        "deployment=slug replicas=small namespace?=word",
        "scale {deployment} to {replicas} replicas / run {replicas} pods of {deployment} / {deployment} should have "
        "{replicas} replicas / we need {replicas} instances of {deployment} / the deployment {deployment} gets "
        "{replicas} copies / set the replica count of {deployment} to {replicas}",
        namespace="in namespace {namespace}",
        answer="{deployment} has {replicas} replicas now.",
    ),
    tool(
        "get_pod_logs",
        "Fetch what a pod has written to its log",
        "pod=slug container?=word tail_lines?=count since_minutes?=minutes",
        "what does the pod {pod} log / show the logs of {pod} / kubectl logs {pod} / I want to see the output of pod "
        "{pod} / why does the pod {pod} crash, get its output",
        container=", container {container}",
        tail_lines=", only the last {tail_lines} lines",
        since_minutes=", from the last {since_minutes}",
    ),
    tool(
        "docker_run",
        "Start a container from an image",
        "image=slug container_name?=user host_port?=port detached?=boolean",
        "start a container from {image} / docker run {image} / run the image {image} / I need a {image} container / "
        "spin up {image}",
        container_name="under the name {container_name}",
        host_port="on port {host_port}",
        detached="in the background|in the foreground",
        result="container_id=id",
        answer="The container {container_id} runs.",
    ),
    tool(
        "stop_container",
        "Stop a running container",
        "container=id timeout?=seconds",
        "stop the container {container} / shut down container {container} / {container} must not run any longer, stop "
        "it / the container {container} is no longer needed, halt it / docker stop {container}",
        timeout="waiting {timeout} at most",
    ),
    tool(
        "build_image",
        "Build a container image from a Dockerfile and tag it",
        "context_path=path tag=version no_cache?=boolean",
        "build an image from {context_path} tagged {tag} / docker build {context_path}, tag {tag} / make image {tag} "
        "out of {context_path} / the Dockerfile in {context_path} should become image {tag} / I need {context_path} as "
        "a container image with tag {tag}",
        no_cache="without the cache|using the cache",
    ),
    tool(
        "create_vm",
        "Launches a virtual machine",
        "name=slug region=frankfurt|dublin|ohio|tokyo memory_gb=gigabytes image?=ubuntu|debian|windows|fedora",
        "launch a VM {name} with {memory_gb} of memory in {region} / we need a machine {name} in {region}, {memory_gb} "
        "RAM / create {name}, a virtual machine with {memory_gb} that stands in {region} / in {region}, start a server "
        "named {name} having {memory_gb} of RAM / spin up {name} ({memory_gb}) at {region}",
        image="running {image}",
        result="ip=ip",
        answer="{name} has the address {ip}.",
    ),
    tool(
        "resize_disk",
        "Grow a volume",
        "volume_id=code size_gb=gigabytes",
        "grow the volume {volume_id} to {size_gb} / {volume_id} is full, make it {size_gb} / the disk {volume_id} "
        "should have {size_gb} / resize {volume_id} to {size_gb} / we need {size_gb} on volume {volume_id}",
    ),
    tool(
        "upload_to_bucket",
        "Upload a file to an object storage bucket",
        "file=file bucket=slug public?=boolean key?=path",
        "upload {file} to the bucket {bucket} / put {file} into {bucket} / {file} belongs in bucket {bucket} / store "
        "{file} in the S3 bucket {bucket} / to bucket {bucket}, send {file}",
        public=", readable by everybody|, readable by us only",
        key="under the key {key}",
        result="url=url",
        answer="It lies at {url}.",
    ),
    tool(
        "add_dns_record",
        "Add a record to a DNS zone",
        "name=word type=A|CNAME|MX|TXT value=ip ttl?=seconds",
        "point {name} to {value} with a {type} record / add the {type} record for {name} with value {value} / {name} "
        "should resolve to {value}, record type {type} / new DNS entry: {name} {type} {value} / create the {type} "
        "entry {name} with {value} in it",
        ttl="and a TTL of {ttl}",
    ),
    tool(
        "renew_certificate",
        "Renew the TLS certificate of a domain",
        "domain=slug days_valid?=days",
        "renew the certificate of {domain} / the TLS certificate for {domain} expires soon, renew it / {domain} needs "
        "a fresh certificate / get a new SSL certificate for {domain} / our site {domain} shows a certificate warning, "
        "renew it",
        days_valid=", valid for {days_valid}",
        result="expires=date",
        answer="The certificate of {domain} is good until {expires}.",
    ),
    tool(
        "rollback_deployment",
        "Go back to an earlier version",
        "service=slug version=version environment=production|staging|test",
        "roll {service} in {environment} back to {version} / {service} {version} worked, go back to it in "
        "{environment} / put {environment} back on {version} of {service} / the last deploy of {service} broke "
        "{environment}, return to {version} / in {environment} we need {service} at {version} again",
        answer="{service} in {environment} is back at {version}.",
    ),
    tool(
        "create_database_backup",
        "Make a backup of a database",
        "database=slug retention_days?=days compressed?=boolean",
        "back up {database} / make a backup of the database {database} / {database} has to be saved before the "
        "migration / I need a dump of {database} / take a snapshot of {database}",
        retention_days="and keep it for {retention_days}",
        compressed="compressed|uncompressed",
        result="backup_id=code",
        answer="The backup {backup_id} is made.",
    ),
    tool(
        "restore_backup",
        "Restore a database from a backup",
        "backup_id=code target_database=slug",
        "restore {backup_id} into {target_database} / put the backup {backup_id} back into {target_database} / "
        "{target_database} is broken, bring back {backup_id} / load {target_database} from backup {backup_id} / we "
        "lost data in {target_database}: recover it from {backup_id}",
    ),
    tool(
        "describe_table",
        "Get the columns of a database table",
        "table_name=word database?=slug",
        "what columns does the table {table_name} have / describe {table_name} / show the schema of table {table_name} "
        "/ how is the table {table_name} built / which fields are in {table_name}",
        database="in database {database}",
        result="columns=[word]",
        answer="Its columns are {columns}.",
    ),
    tool(
        "insert_row",
        "Insert one row into a table",
        "table=word column=word value=random",
        "insert a row in {table} with {column} {value} / add {value} as {column} to the table {table} / {table} needs "
        "a new row whose {column} is {value} / put a record into {table}: {column} = {value} / into {table} goes a "
        "row, {column}: {value}",
    ),
    tool(
        "explain_query",
        "Show the plan by which the database runs a statement",
        "statement=sql database?=slug analyze?=boolean",
        "why is `{statement}` so slow / explain `{statement}` / which indexes does `{statement}` use / show the plan "
        "of `{statement}` / I want to know how the database goes about `{statement}`",
        database="on {database}",
        analyze="measuring the times|without measuring",
    ),
    tool(
        "redis_set",
        "Set a Redis key with an optional expiration",
        "key=word value=random expire_seconds?=seconds",
        "set {key} to {value} in redis / cache {value} under {key} / the redis key {key} should hold {value} / "
        "remember {value} as {key} in the cache / store the value {value} at key {key}",
        expire_seconds=", expiring after {expire_seconds}",
    ),
    tool(
        "create_alert_rule",
        "Alert when a metric crosses a threshold",
        "metric=cpu|memory|disk|latency|error_rate threshold=percentage service=slug notify?=email",
        "alert me when the {metric} of {service} is over {threshold} / {service} must not exceed {threshold} {metric}, "
        "make an alert / watch {service}: warn above {threshold} {metric} / set an alarm on {metric} for {service} at "
        "{threshold} / I want to know once {service} has more than {threshold} {metric}",
        notify="by mail to {notify}",
        answer="I will watch the {metric} of {service}.",
    ),
    tool(
        "query_metrics",
        "Read a metric of a host over time",
        "metric=cpu|memory|disk|network host=slug minutes?=minutes",
        "how high is the {metric} usage on {host} / show the {metric} load of {host} / graph {metric} for {host} / is "
        "{host} running out of {metric} / what was the {metric} of {host} lately",
        minutes="over the last {minutes}",
        result="average=percent",
        answer="{host} used {average} % of its {metric}.",
    ),
    tool(
        "acknowledge_incident",
        "Take note of an incident, so that nobody else is paged",
        "incident_id=code responder?=person",
        "acknowledge {incident_id} / I have seen the incident {incident_id}, stop paging / ack {incident_id} / the "
        "incident {incident_id} is being looked at, mark it / take incident {incident_id}",
        responder="on behalf of {responder}",
    ),
    tool(
        "get_on_call",
        "Who is on call",
        "team=word at?=day",
        "who is on call for {team} / which person of {team} has the pager / whom do I call if {team} has an outage / "
        "find the on-call engineer of team {team} / who takes emergencies for {team}",
        at="on {at}",
        result="engineer=person phone=phone",
        answer="{engineer} is on call for {team}, at {phone}.",
    ),
    tool(
        "schedule_maintenance",
        "Announces a maintenance window during which alerts are silent",
        "system=slug date=day window=slot",
        "{system} is down for maintenance on {date}, {window} / plan maintenance of {system} for {date} from {window} "
        "/ on {date}, {window}, we service {system} / new maintenance window for {system}: {date}, {window} / announce "
        "that {system} will be serviced on {date} from {window}",
    ),
    tool(
        "ping_host",
        "Check whether a host answers",
        "host=ip count?=handful",
        "ping {host} / is {host} up / does {host} respond / see if {host} can be reached / check that {host} is alive",
        count=", {count} times",
        result="milliseconds=small",
        answer="{host} answers in {milliseconds} ms.",
    ),
    tool(
        "block_ip",
        "Block an address in the firewall",
        "ip_address=ip reason?=trouble hours?=hours",
        "block {ip_address} / {ip_address} attacks us, lock it out / no more traffic from {ip_address} / ban the "
        "address {ip_address} in the firewall / the firewall should drop everything from {ip_address}",
        reason='because of "{reason}"',
        hours="for {hours}",
    ),
    tool(
        "reset_password",
        "Send a password reset link to a user",
        "email=email",
        "{email} forgot the password / reset the password of {email} / the user {email} cannot log in, send a reset "
        "link / let {email} choose a new password / my password is lost, I am {email}",
        answer="A link is on its way to {email}.",
    ),
    tool(
        "lock_account",
        "Suspend a user account",
        "username=user reason=spam|stolen|left_company|unpaid",
        "lock the account {username}, reason {reason} / suspend {username} ({reason}) / {username} has to be blocked: "
        "{reason} / for reason {reason}, disable the login of {username} / put a lock on {username} with the reason "
        "{reason}",
    ),
    tool(
        "enable_two_factor",
        "Turn on two-factor authentication",
        "username=user method=sms|app|key",
        "{username} wants two-factor login by {method} / turn on 2FA for {username} using {method} / make {username} "
        "confirm logins by {method} / protect the account {username} with a second factor, {method} / enable {method} "
        "as the second factor of {username}",
    ),
    tool(
        "grant_role",
        "Gives a user a role on a resource",
        "username=user role=viewer|editor|admin|owner resource=slug",
        "make {username} {role} of {resource} / {username} needs the {role} role on {resource} / grant {role} on "
        "{resource} to {username} / on {resource}, {username} should be {role} / let {username} act as {role} in "
        "{resource}",
        answer="{username} is {role} of {resource}.",
    ),
    tool(
        "revoke_access",
        "Take a user's access away",
        "username=user resource=slug",
        "{username} must not use {resource} any more / revoke the access of {username} to {resource} / take {resource} "
        "away from {username} / {username} has left, close the access to {resource} / on {resource}, remove {username}",
    ),
    tool(
        "rotate_api_key",
        "Replace an API key by a new one",
        "key_id=id grace_hours?=hours",
        "rotate the key {key_id} / the API key {key_id} leaked, replace it / issue a new key for {key_id} / the key "
        "{key_id} is a year old, exchange it / we must renew API key {key_id}",
        grace_hours=", the old one works for {grace_hours} more",
    ),
    tool(
        "list_login_attempts",
        "Sign-ins of an account, with their addresses",
        "username=user since?=day only_failed?=boolean",
        "who tried to log in as {username} / show the logins of {username} / list the sign-in attempts for {username} "
        "/ did somebody break into the account {username} / I want to see the login history of {username}",
        since="since {since}",
        only_failed=", only failed ones|, good ones too",
    ),
    tool(
        "slack_post_message",
        "Post a message to a Slack channel",
        "channel=word text=message",
        'post "{text}" in #{channel} / tell the channel #{channel}: {text} / on slack, write {text} to #{channel} / '
        'the people in #{channel} should read "{text}" / slack #{channel} that {text} / announce in #{channel}: {text}',
        answer="It is posted in #{channel}.",
    ),
    tool(
        "slack_reply_to_thread",
        "Reply to a message thread in Slack",
        "channel=word thread_ts=measure text=message",
        'answer thread {thread_ts} in #{channel} with "{text}" / in #{channel}, reply to {thread_ts}: {text} / the '
        'thread {thread_ts} of #{channel} needs the answer "{text}" / write "{text}" under {thread_ts} in #{channel} / '
        "reply in the slack thread {thread_ts}, channel #{channel}: {text}",
    ),
    tool(
        "create_channel",
        "Create a chat channel",
        "name=word private?=boolean topic?=topic members?=[user]",
        "open a channel named {name} / we need a chat room called {name} / start the channel #{name} / create #{name} "
        "/ make a new channel {name}",
        private="for members only|open to everyone",
        topic='about "{topic}"',
        members="with {members} in it",
    ),
    tool(
        "add_reaction",
        "React to a message with an emoji",
        "message_id=big emoji=thumbsup|heart|eyes|tada|fire",
        "react with {emoji} to message {message_id} / put {emoji} on {message_id} / give message {message_id} the "
        "{emoji} emoji / the message {message_id} deserves {emoji} / add {emoji} under the message {message_id}",
    ),
    tool(
        "pin_message",
        "Pin a message to the top of its channel",
        "channel=word message_id=big",
        "pin message {message_id} in #{channel} / {message_id} should stay on top of #{channel} / keep {message_id} "
        "visible in #{channel} / fix the message {message_id} at the top of channel {channel} / in #{channel}, pin "
        "{message_id}",
    ),
    tool(
        "set_user_status",
        "Set your presence in chat",
        "presence=online|away|busy|offline until?=clock text?=title",
        "set my status to {presence} / I am {presence} / show me as {presence} / make my presence {presence} / let "
        "people see that I am {presence}",
        until="until {until}",
        text='with the text "{text}"',
    ),
)
