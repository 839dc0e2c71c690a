"""Topics of machines: log lines of many formats, requests, servers, sensors, bug reports."""

from __future__ import annotations

from embedded_model.data.topics.topic import topic

MACHINES = (
    topic(
        "log",
        """
        {timestamp} {level} {message} / [{timestamp}] {level} {service}: {message} / {level}: {message}
        [{timestamp}] {level}: {message} / {timestamp} {service} {level} - {message} / {ip} - {level} {message}
        {timestamp} [{level}] {service}: {message} / [{level}] {message} / [{level}] [{timestamp}] {message}
        {timestamp} [{service}] {level} {message} / {level} [{service}] {message}
        time={timestamp} level={level} msg="{message}" / ts={timestamp} level={level} service={service} msg="{message}"
        level={level} service={service} message="{message}" / {timestamp} | {level} | {service} | {message}
        {level} {service} {message} / {timestamp} {level} [{service}] {message} (client {ip})
        [{timestamp}] [{level}] [client {ip}] {message} / {timestamp}: {message}
        [{timestamp}] {service}.{level}: {message} / {service}: {level}: {message}
        {timestamp} {level} {service} - {message} from {ip}
        At {timestamp} the service {service} logged {level}: {message} / {service} reported {message} at {timestamp}
        """,
        "timestamp time at ts = stamp : at {} ; time={}",
        "level severity log_level = ERROR|WARN|INFO|DEBUG",
        "service component source module logger = slug : from {} ; service={}",
        "message msg text error = trouble",
        "ip client host address = ip : from {} ; client {} ; ip={}",
        "status code status_code = status : with status {} ; status {} ; status={}",
    ),
    topic(
        "syslog",
        """
        {time} {host} {program}[{pid}]: {message} / {time} {host} {program}: {message}
        <{priority}>{time} {host} {program}[{pid}]: {message} / {host} {program}[{pid}]: {message}
        {time} {host} {program}[{pid}]: user {user} logged in / {program}[{pid}]: {message}
        {time} {host} {program}: session opened for user {user} by (uid=0)
        {time} {host} {program}[{pid}]: Failed password for {user} from {ip} / {program}: login of {user} from {ip}
        {time} {host} kernel: {message} / {program}[{pid}]: Accepted password for {user} from {ip} port 22
        """,
        "time timestamp date at = timestamp : at {}",
        "host hostname server machine = slug : on {} ; host {}",
        "program process service app = sshd|cron|nginx|systemd|postfix|dhcpd",
        "pid process_id = port : pid {}",
        "message msg text = trouble : : {}",
        "user username = user : user {}",
        "ip address from source = ip : from {}",
        "priority pri = small : priority {}",
    ),
    topic(
        "request",
        """
        {ip} - "{method} {url}" {status} / {method} {url} gave {status} / {method} {url} {status} / see {url}
        {ip} {method} {url} {status} / {method} {url} {status} {duration_ms}ms
        {method} {url} returned {status} in {duration_ms} ms / {url} answered with {status}
        the request {method} {url} failed with {status} / {ip} asked for {url} and got {status}
        {status} for {method} {url} from {ip} / method={method} url={url} status={status}
        method={method} path={url} status={status} duration={duration_ms}ms
        [{status}] {method} {url} ({duration_ms} ms) / it took {duration_ms} ms to load {url}
        {ip} - - "{method} {url} HTTP/1.1" {status}
        """,
        "ip client client_ip = ip : from {} ; client {} ; ip={}",
        "method verb = GET|POST|PUT|DELETE",
        "url path link endpoint = url",
        "status code status_code = status : with status {} ; status {} ; status={}",
        "duration_ms ms latency = count : in {} ms ; after {} ms ; took {} ms",
    ),
    topic(
        "measurement",
        """
        The sensor {sensor} reads {value} / {sensor}: {value} / {value} at sensor {sensor} / reading of {sensor}
        {sensor} measured {value} {unit} / Sensor {sensor} in the {location} shows {value} {unit}
        {value} {unit} were measured by {sensor} / in the {location} it is {value} {unit}
        At {time} sensor {sensor} showed {value} {unit} / {time} {sensor} {value} {unit}
        sensor={sensor} value={value} unit={unit} / {sensor} ({location}): {value} {unit}
        the {location} sensor {sensor} reports {value} / {location}: {value} {unit} / at {time} we read {value} {unit}
        {time};{sensor};{value} / the device {sensor} sent {value} {unit} at {time}
        the value of {sensor} rose to {value} {unit}
        """,
        "sensor device id sensor_id = code : from sensor {} ; Sensor: {}",
        "value reading measurement = measure : with {} ; value {} ; Value: {}",
        "unit = celsius|percent|bar|volt : in {} ; Unit: {}",
        "time timestamp at = time : at {} ; Time: {}",
        "location room place = place : in the {} ; Room: {}",
    ),
    topic(
        "body",
        """
        {person} weighs {weight} / {person} is {height} tall and weighs {weight} / {height} tall, {weight}
        weight: {weight}, height: {height} / I am {height} tall and weigh {weight}
        {person} lost weight and is now at {weight} / {person} ran {distance} in {minutes} / the box weighs {weight}
        {distance} in {minutes} / {person} walked {distance} / it took {person} {minutes} for {distance}
        my run today: {distance}, {minutes} / {person}: {weight}, {height}
        {distance} were covered by {person} in {minutes}
        """,
        "person name who athlete = person : by {} ; Name: {}",
        "weight weight_kg kg = kilograms : weighing {} ; weight {} ; Weight: {}",
        "height height_m size = meters : {} tall ; height {} ; Height: {}",
        "distance distance_km km = kilometers : over {} ; distance {} ; Distance: {}",
        "minutes time duration = minutes : in {} ; lasting {} ; Time: {}",
    ),
    topic(
        "server",
        """
        the server {host} is {state} / {host} ({ip}) is {state} / host {host} / {host} runs {software}
        {host} is {state} / {host} listens on port {port} / {software} runs on {host}, port {port}
        {software} on {host}:{port} / {host} has the address {ip} / {ip} is the address of {host}
        connect to {host} on port {port} / ssh {ip} -p {port} / {host} at {ip} runs {software} and is {state}
        {owner} restarted {host} / since today {host} is {state} / host={host} ip={ip} state={state}
        the load of {host} is {cpu} / {host} uses {cpu} of its CPU / {owner} is in charge of {host}
        we moved {software} to {host} ({ip}) / {host} {ip} {state}
        """,
        "host server hostname name = slug : on {} ; Host: {}",
        "ip address ip_address = ip : at {} ; with the address {} ; IP: {} ; whose address is {}",
        "state status = up|down|starting",
        "software service app = skill : running {} ; Software: {}",
        "port = port : on port {} ; port {} ; Port: {}",
        "cpu cpu_percent load = percentage : with {} load ; at {} load ; Load: {}",
        "owner admin responsible = first_name : owned by {} ; Owner: {} ; Ask {} about it",
    ),
    topic(
        "bug",
        """
        {title} (reported by {reporter}) / Bug {id}: {title} / {id}: {title} / {reporter} found a bug in {component}
        BUG: {title} / {reporter} reported {title} in version {version} / in version {version} of {component}: {title}
        {component} {version} crashes / Bug {id} was found by {reporter} in {component}
        {component} crashes since version {version} / {assignee} fixed {id} in {version}
        {id} is assigned to {assignee} / {assignee} is working on bug {id} / #{id} {title}
        please fix {id}, {assignee}! / Version {version} breaks {component}, says {reporter}
        {reporter} filed {id} against {component} / severity {severity}: {title}
        a {severity} bug in {component} was reported by {reporter}
        the problem with {component} appeared in version {version}
        after the update to {version} {component} does not start / BUG REPORT¶{title}¶{component} {version}¶{reporter}
        """,
        "id bug_id issue number ticket = code : as {} ; bug {} ; Bug number: {}",
        "title summary description problem = title : : {} ; problem: {} ; Summary: {}",
        "component module project software app = slug : in {} ; of {} ; Component: {}",
        "version release since = version : in version {} ; version {} ; Version: {} ; since version {}",
        "reporter reported_by author found_by = person : reported by {} ; found by {} ; Reporter: {}",
        "assignee assigned_to owner = first_name : assigned to {} ; Assignee: {} ; for {} to fix",
        "severity priority level = minor|major|critical : severity {} ; of {} severity ; Severity: {}",
        "fixed is_fixed resolved = boolean : which is fixed|which is still open",
    ),
    topic(
        "commit",
        """
        {author} pushed to {repo} / {author} committed {hash} to {repo} / commit {hash}¶Author: {author} <{email}>
        {hash} {message} / {author} merged {branch} into {repo} / {repo} got a new commit by {author}: {message}
        {author} <{email}> / {hash} by {author} / {author} changed {file} in {repo} / {file} was edited by {author}
        {repo}@{hash} / the branch {branch} of {repo}
        """,
        "author committer by who = person : by {} ; Author: {}",
        "repo repository project = repo : in {} ; Repository: {}",
        "hash commit sha id = id : as {} ; commit {} ; Commit: {}",
        "message subject title = title : with the message {} ; message: {} ; Message: {}",
        "email mail = email : ({}) ; email {}",
        "branch = slug : on branch {} ; on {} ; Branch: {}",
        "file path filename = path : in the file {} ; File: {}",
    ),
)
