"""`portcullis keys`: create, list and revoke API keys of the key file, beside a running server or without one."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

from gateway.commands.settings import config_of
from gateway.errors import ConfigError

NAME = "keys"
HELP = "create, list or revoke API keys and their limits"
EXAMPLE = "portcullis keys create team-a --key-file keys.toml"

DAY_S = 86_400
_COUNTS = {
    "requests_per_minute": "requests in any 60 seconds",
    "tokens_per_minute": "tokens of prompts and answers in any 60 seconds",
    "tokens_per_day": "the same for a day of UTC",
    "max_concurrent": "requests at the same time",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    verbs = parser.add_subparsers(title="what to do", required=True, metavar="VERB")
    create = verbs.add_parser("create", help="make a key and print it, this once")
    create.add_argument("key_name", metavar="NAME")
    for name, text in _COUNTS.items():
        create.add_argument(f"--{name.replace('_', '-')}", type=int, metavar="N", help=f"{text}; default: no limit")
    allowed = "name or alias of a model that the key may use; may be repeated; default: all"
    create.add_argument("--allow-model", action="append", default=[], metavar="NAME", help=allowed)
    create.add_argument("--expires-in-days", type=float, metavar="DAYS", help="default: never")
    listing = verbs.add_parser("list", help="print names, digests, expiry and limits")
    revoke = verbs.add_parser("revoke", help="remove a key; servers refuse it within a second")
    revoke.add_argument("key_name", metavar="NAME")
    for verb, do in ((create, _create), (listing, _list), (revoke, _revoke)):
        verb.add_argument("--config", metavar="FILE", help="TOML file; default: $PORTCULLIS_CONFIG")
        verb.add_argument("--key-file", metavar="FILE", help="key file; default: server.key_file of the settings")
        verb.set_defaults(do=do)


def run(arguments: Namespace) -> int:
    """Change or print the key file; 0."""
    path = arguments.key_file or config_of(arguments).server.key_file
    if path is None:
        raise ConfigError("no key file is named; give --key-file, or server.key_file in the settings")
    arguments.do(arguments, Path(path))
    return 0


def _create(arguments: Namespace, path: Path) -> None:
    from gateway.keys import ApiKey, KeyLimits, key_digest, new_key
    from gateway.keys.key_file import add_key

    now, days, secret = int(time.time()), arguments.expires_in_days, new_key()
    if days is not None and not 0 < days < 36_500:
        raise ConfigError("--expires-in-days must be more than 0 and less than 36500")
    try:
        limits = KeyLimits(**{name: getattr(arguments, name) for name in _COUNTS}, models=tuple(arguments.allow_model))
        key = ApiKey(
            name=arguments.key_name,
            sha256=key_digest(secret),
            created=now,
            expires=None if days is None else now + int(days * DAY_S),
            limits=limits,
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    add_key(path, key)
    print(secret)


def _list(arguments: Namespace, path: Path) -> None:
    from gateway.keys.key_file import read_keys

    for key in read_keys(path):
        print(key.to_line())


def _revoke(arguments: Namespace, path: Path) -> None:
    from gateway.keys.key_file import revoke_key

    revoke_key(path, arguments.key_name)
