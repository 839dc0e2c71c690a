import dataclasses
import re
import typing

import pytest

from gateway.config import AuditConfig, Config, EngineConfig, ProcessConfig, describe, load_config
from gateway.config.bounds import MAY_BE_0
from gateway.engine.config import Supervision
from gateway.errors import ConfigError


def test_load_config_without_sources_is_the_default():
    assert load_config(environment={}) == Config()


def test_load_config_layers_file_then_environment_then_flags(tmp_path):
    path = tmp_path / "portcullis.toml"
    path.write_text('[server]\nhost = "0.0.0.0"\nport = 1\n[limits]\nmax_n = 3\n[model]\naliases = ["a", "b"]\n')
    config = load_config(path, {"PORTCULLIS_SERVER_PORT": "2", "PORTCULLIS_LIMITS_MAX_STOP_BYTES": "9"})
    assert (config.server.host, config.server.port, config.limits.max_n) == ("0.0.0.0", 2, 3)
    assert (config.limits.max_stop_bytes, config.model.aliases) == (9, ("a", "b"))
    assert load_config(path, {"PORTCULLIS_SERVER_PORT": "2"}, {"server.port": 3}).server.port == 3


def test_load_config_finds_the_file_by_variable(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text("[engine]\nmax_waiting = 5\n")
    assert load_config(environment={"PORTCULLIS_CONFIG": str(path)}).engine.max_waiting == 5


def test_config_leaves_the_cache_folder_to_the_grammars():
    assert load_config(environment={"PORTCULLIS_CACHE": "/somewhere"}) == Config()


def test_load_config_splits_lists_and_skips_absent_flags():
    config = load_config(environment={"PORTCULLIS_SERVER_API_KEYS": "one, two"}, flags={"server.port": None})
    assert config.server.api_keys == ("one", "two")
    assert load_config(environment={"PORTCULLIS_ENGINE_SPECULATION": ""}).engine.speculation == ()
    assert config.server.port == Config().server.port


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[server]\nprot = 1\n", "server.prot"),
        ("[sevrer]\nport = 1\n", "sevrer"),
        ('[server]\nport = "many"\n', "server.port"),
        ("[server]\nport = true\n", "server.port"),
        ("[server]\nport = 1.5\n", "server.port"),
        ("[server]\nhost = 5\n", "server.host"),
        ("[limits]\nmax_n = 0\n", "limits.max_n"),
        ("[model]\naliases = [1]\n", "model.aliases"),
        ('[engine]\nprefix_caching = "maybe"\n', "engine.prefix_caching"),
        ("port = 1\n", "port"),
        ("[server\n", "not valid TOML"),
    ],
)
def test_load_config_names_what_is_wrong_in_a_file(tmp_path, text, names):
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=names) as caught:
        load_config(path, {})
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORTCULLIS_SERVER_PROT", "1"),
        ("PORTCULLIS_PORT", "1"),
        ("PORTCULLIS_SERVER_PORT", "x"),
        ("PORTCULLIS_SERVER_PORT", ""),
        ("PORTCULLIS_LIMITS_MAX_N", "-1"),
    ],
)
def test_load_config_names_the_variable_at_fault(name, value):
    with pytest.raises(ConfigError, match=name):
        load_config(environment={name: value, "PATH": "/bin"})


def test_load_config_names_a_missing_file(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        load_config(tmp_path / "nowhere.toml", {})


@pytest.mark.parametrize(
    ("given", "longest", "expected"),
    [(None, None, 30), (None, 120, 120), (None, 5, 5), (7, None, 7), (7, 120, 7), (0, 120, 0)],
)
def test_answers_under_way_get_as_long_as_they_may_take(given, longest, expected):
    flags = {"server.graceful_timeout_s": given, "limits.request_timeout_s": longest}
    assert load_config(environment={}, flags=flags).graceful_s == expected


def test_config_is_frozen_and_hides_its_keys():
    config = load_config(environment={"PORTCULLIS_SERVER_API_KEYS": "sekret"})
    assert "sekret" not in repr(config)
    assert describe(config)["server"]["api_keys"] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.server.port = 1


@pytest.mark.parametrize(("text", "value"), [("true", True), ("0", False), ("No", False)])
def test_load_config_reads_switches(text, value):
    assert load_config(environment={"PORTCULLIS_ENGINE_PREFIX_CACHING": text}).engine.prefix_caching is value


def test_engine_settings_are_the_engines_own():
    engine = pytest.importorskip("gateway.engine.config")
    theirs = engine.EngineConfig()
    ours = dataclasses.asdict(Config().engine)
    assert ours.pop("speculation") is None  # all that there are, which the engine is told
    for name in ("max_num_seqs", "max_batch_tokens"):  # left to the device
        assert (getattr(theirs, name), ours.pop(name)) == (0, None)
    for name, value in ours.items():
        assert getattr(theirs, name) == value, name


SETTINGS = [
    (section.name, setting.name, kind)
    for section in dataclasses.fields(Config)
    for setting in dataclasses.fields(section.default_factory)
    for kind in [typing.get_type_hints(section.default_factory)[setting.name]]
]
"""Every setting with its type."""


def members(kind: object) -> tuple[object, ...]:
    """The types that a type is made of, itself included."""
    return (kind, *(inner for each in typing.get_args(kind) for inner in members(each)))


def of_type(kind: object) -> list[str]:
    """Names of the settings of a type, optional or in a list."""
    return [f"{section}.{name}" for section, name, hint in SETTINGS if kind in members(hint)]


@pytest.mark.parametrize(
    "key", [f"{s}.{n}" for s, n, kind in SETTINGS if typing.Literal in map(typing.get_origin, members(kind))]
)
def test_load_config_takes_what_a_setting_can_be_and_names_it_for_anything_else(key):
    section, name = key.split(".")
    hint = typing.get_type_hints(type(getattr(Config(), section)))[name]
    (allowed,) = (typing.get_args(each) for each in members(hint) if typing.get_origin(each) is typing.Literal)
    for value in allowed:
        got = getattr(getattr(load_config(environment={}, flags={key: value}), section), name)
        assert got == ((value,) if tuple in map(typing.get_origin, members(hint)) else value)
    for wrong in ("flsh", "AUTO", allowed[0] + "x", 1, True):
        with pytest.raises(ConfigError, match=re.escape(key)) as caught:
            load_config(environment={}, flags={key: wrong})
        if isinstance(wrong, str):
            assert all(value in str(caught.value) for value in allowed)


@pytest.mark.parametrize(
    ("section", "values"),
    [
        (EngineConfig, {"attention_backend": "flsh"}),
        (EngineConfig, {"dtype": "float7"}),
        (ProcessConfig, {"mode": "fork"}),
        (AuditConfig, {"on_failure": "ignore"}),
    ],
    ids=str,
)
def test_settings_that_are_made_in_code_are_of_their_choices_too(section, values):
    with pytest.raises(ConfigError, match=rf"\.{next(iter(values))} must be"):
        section(**values)


@pytest.mark.parametrize("key", [*of_type(int), *of_type(float)])
def test_load_config_bounds_every_number(key):
    is_time = key in of_type(float)
    least = 0 if key in MAY_BE_0 else 0.001 if is_time else 1
    section, name = key.split(".")
    for value in (least, 0.25 if is_time else least):
        assert getattr(getattr(load_config(environment={}, flags=FITTING | {key: value}), section), name) == value
    for wrong in (-1, "-1", 1 << 63, "nan", "inf", "1e400", *(() if key in MAY_BE_0 else (0, "0"))):
        with pytest.raises(ConfigError, match=re.escape(key)):
            load_config(environment={}, flags=FITTING | {key: wrong})


FITTING = {"engine.max_num_seqs": 1}
"""The least of `engine.max_batch_tokens` fits beside it."""


@pytest.mark.parametrize("key", [key for key in of_type(str) if not key.startswith("server.api_key")])
def test_load_config_refuses_an_empty_name(key):
    value = [""] if key in ("server.allowed_hosts", "model.aliases") else ""
    with pytest.raises(ConfigError, match=re.escape(key)):
        load_config(environment={}, flags={key: value})


def test_every_number_that_may_be_0_is_a_setting():
    assert {*of_type(int), *of_type(float)} >= MAY_BE_0


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda", "cuda:1", "mps", "xpu:0"])
def test_load_config_takes_the_devices_of_torch(device):
    assert load_config(environment={}, flags={"engine.device": device}).engine.device == device


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"server.port": 65536}, "at most 65535"),
        ({"engine.device": "gpu"}, "cuda:1"),
        ({"engine.device": "cuda:x"}, "cuda:1"),
        ({"engine.max_batch_tokens": 8, "engine.max_num_seqs": 9}, "engine.max_num_seqs"),
        ({"engine.quantization": "int8", "engine.device": "cuda"}, "engine.device"),
    ],
    ids=str,
)
def test_load_config_says_what_is_allowed(settings, names):
    with pytest.raises(ConfigError, match=names):
        load_config(environment={}, flags=settings)


def test_supervision_has_the_defaults_of_the_supervisor():
    theirs = dataclasses.asdict(Supervision())
    assert {"mode": "auto", **theirs} == dataclasses.asdict(Config().process)


def test_keys_of_a_file_are_added(tmp_path):
    path = tmp_path / "keys"
    path.write_text("two\n\n  three \n")
    flags = {"server.api_keys": ["one"], "server.api_key_file": str(path)}
    assert load_config(environment={}, flags=flags).server.api_keys == ("one", "two", "three")


@pytest.mark.parametrize(
    ("environment", "flags"),
    [
        ({}, {"server.api_keys": [""]}),
        ({}, {"server.api_keys": ["good", " "]}),
        ({}, {"server.api_keys": ["with blank"]}),
        ({"PORTCULLIS_SERVER_API_KEYS": ""}, {}),
        ({"PORTCULLIS_SERVER_API_KEYS": " , "}, {}),
        ({"PORTCULLIS_SERVER_API_KEY_FILE": "/dev/null"}, {}),
        ({"PORTCULLIS_SERVER_API_KEY_FILE": "/nowhere/at/all"}, {}),
    ],
    ids=str,
)
def test_an_empty_key_opens_nothing(environment, flags):
    with pytest.raises(ConfigError, match=r"API key|api_key_file"):
        load_config(environment=environment, flags=flags)


def test_no_error_tells_a_key(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text('[server]\napi_keys = {secret = "s3cret"}\n')
    with pytest.raises(ConfigError) as caught:
        load_config(path, environment={})
    assert "s3cret" not in str(caught.value)
