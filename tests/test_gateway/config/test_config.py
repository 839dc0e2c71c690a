import dataclasses
import re
import typing

import msgspec
import pytest

from gateway.config import AuditConfig, Config, EngineConfig, ProcessConfig, load_config
from gateway.config.loading import RENAMED, environment_name, setting_types
from gateway.engine.errors import InvalidEngineConfigError
from gateway.errors import ConfigError
from gateway.setting_types import without_none


def test_load_config_without_sources_is_the_default():
    assert load_config(environment={}) == Config()


def test_load_config_layers_file_then_environment_then_flags(tmp_path):
    path = tmp_path / "portcullis.toml"
    path.write_text('[server]\nhost = "0.0.0.0"\nport = 1\n[limits]\nmax_n = 3\n[model]\naliases = ["a", "b"]\n')
    config = load_config(path, {"PORTCULLIS_SERVER_PORT": "2", "PORTCULLIS_LIMITS_MAX_TOOLS": "9"})
    assert (config.server.host, config.server.port, config.limits.max_n) == ("0.0.0.0", 2, 3)
    assert (config.limits.max_tools, config.model.aliases) == (9, ("a", "b"))
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
        ("[models]\none = 3", "one table per model"),
        ('[models.one]\npth = "x"', "unknown setting 'model.pth'; did you mean model.path"),
        ("[models.one]\nengine = 3", "'models.one.engine' must be a table"),
        ("[models.one.engine]\nmax_num_seqs = -1", "[models.one]: 'engine.max_num_seqs' must be"),
        ('[model.one]\npath = "x"', "unknown setting 'model.one'"),
    ],
)
def test_load_config_names_what_is_wrong_in_a_file(tmp_path, text, names):
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path, {})
    assert names in str(caught.value)
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
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.server.port = 1


@pytest.mark.parametrize(("text", "value"), [("true", True), ("0", False), ("No", False)])
def test_load_config_reads_switches(text, value):
    assert load_config(environment={"PORTCULLIS_ENGINE_PREFIX_CACHING": text}).engine.prefix_caching is value


SETTINGS = setting_types()


def members(kind: object) -> tuple[object, ...]:
    """Return the types that a type is made of, itself included."""
    return (kind, *(inner for each in typing.get_args(kind) for inner in members(each)))


def of_type(kind: object) -> list[str]:
    """Return the names of the settings of a type, optional or in a list."""
    return [key for key, hint in SETTINGS.items() if kind in members(hint)]


def bounds(key: str) -> msgspec.Meta:
    """Return the bounds of a number."""
    (meta,) = (each for each in without_none(SETTINGS[key]).__metadata__ if isinstance(each, msgspec.Meta))
    return meta


def test_every_number_and_text_has_bounds():
    for key, hint in SETTINGS.items():
        kind = without_none(hint)
        kind = typing.get_args(kind)[0] if typing.get_origin(kind) is tuple else kind
        assert kind not in (int, float, str), key


@pytest.mark.parametrize(
    "key", [key for key, kind in SETTINGS.items() if typing.Literal in map(typing.get_origin, members(kind))]
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
        (ProcessConfig, {"hang_timeout_s": 0}),
        (AuditConfig, {"on_failure": "ignore"}),
    ],
    ids=str,
)
def test_settings_that_are_made_in_code_are_of_their_choices_too(section, values):
    with pytest.raises((ConfigError, InvalidEngineConfigError), match=rf"\b{next(iter(values))} must be"):
        section(**values)


@pytest.mark.parametrize("key", [*of_type(int), *of_type(float)])
def test_load_config_bounds_every_number(key):
    section, name = key.split(".")
    may_be_0 = bounds(key).ge == 0
    for value in (0 if may_be_0 else 0.001 if key in of_type(float) else 1, 0.25 if key in of_type(float) else 1):
        assert getattr(getattr(load_config(environment={}, flags=FITTING | {key: value}), section), name) == value
    for wrong in (-1, "-1", 1 << 63, "nan", "inf", "1e400", *(() if may_be_0 else (0, "0"))):
        with pytest.raises(ConfigError, match=re.escape(key)):
            load_config(environment={}, flags=FITTING | {key: wrong})


FITTING = {"engine.max_num_seqs": 1}
"""The least of `engine.max_batch_tokens` fits beside it."""


@pytest.mark.parametrize("key", [key for key in of_type(str) if not key.startswith("server.api_key")])
def test_load_config_refuses_an_empty_name(key):
    hosts = ("server.allowed_hosts", "server.allowed_origins", "images.allowed_hosts")
    lists = (
        *hosts,
        "model.aliases",
        "model.adapters",
        "engine.term_models",
        "engine.term_classifiers",
        "server.retrievers",
    )
    value = [""] if key in lists else ""
    with pytest.raises(ConfigError, match=re.escape(key)):
        load_config(environment={}, flags={key: value})


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda", "cuda:1", "mps", "xpu:0"])
def test_load_config_takes_the_devices_of_torch(device):
    assert load_config(environment={}, flags={"engine.device": device}).engine.device == device


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"server.port": 65536}, "from 0 to 65535"),
        ({"engine.device": "gpu"}, "cuda:1"),
        ({"engine.device": "cuda:x"}, "cuda:1"),
        ({"engine.max_batch_tokens": 8, "engine.max_num_seqs": 9}, "max_num_seqs"),
        ({"engine.quantization": "int8", "engine.device": "cuda"}, "device is cuda"),
    ],
    ids=str,
)
def test_load_config_says_what_is_allowed(settings, names):
    with pytest.raises(ConfigError, match=names):
        load_config(environment={}, flags=settings)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine.attention_backend", "flsh"),
        ("engine.dtype", "fp8"),
        ("engine.device", "gpu"),
        ("engine.speculation", "ngramm"),
        ("server.port", "99999"),
        ("server.max_connections", "0"),
        ("server.headers_timeout_s", "nan"),
    ],
)
def test_an_error_names_source_setting_and_what_is_allowed(tmp_path, key, value):
    section, name = key.split(".")
    path = tmp_path / "c.toml"
    path.write_text(f"[{section}]\n{name} = {value if section == 'server' else repr(value)}\n")
    for source, arguments in (
        (str(path), {"path": path}),
        (environment_name(key), {"environment": {environment_name(key): value}}),
        ("command line", {"flags": {key: value}}),
    ):
        with pytest.raises(ConfigError) as caught:
            load_config(**{"environment": {}, **arguments})
        assert re.search(rf"^.*{re.escape(source)}.*: '{key}' must be .+, not '?{value}'?$", str(caught.value))


def test_an_unknown_setting_gets_the_nearest_name():
    for name, near in (
        ("PORTCULLIS_SERVER_PROT", "PORTCULLIS_SERVER_PORT"),
        ("PORTCULLIS_LIMIT_MAX_N", "LIMITS_MAX_N"),
    ):
        with pytest.raises(ConfigError, match=rf"did you mean \w*{near}\?"):
            load_config(environment={name: "1"})
    with pytest.raises(ConfigError, match=r"unknown setting 'server.prot'; did you mean server.port\?"):
        load_config(environment={}, flags={"server.prot": 1})
    with pytest.raises(ConfigError, match="known are host, port"):
        load_config(environment={}, flags={"server.zzzz": 1})


@pytest.mark.parametrize("old", RENAMED)
def test_an_old_name_is_read_with_a_warning(tmp_path, caplog, old):
    section, name = old.split(".")
    path = tmp_path / "c.toml"
    path.write_text(f"[{section}]\n{name} = 7\n")
    for arguments in ({"path": path}, {"environment": {environment_name(old): "7"}}):
        caplog.clear()
        config = load_config(**{"environment": {}, **arguments})
        assert getattr(getattr(config, section), RENAMED[old].split(".")[1]) == 7
        assert f"'{old}' is now '{RENAMED[old]}'" in caplog.text


@pytest.mark.parametrize("key", [key for key in SETTINGS if key.endswith("_s")])
def test_half_a_second_is_a_time(key):
    section, name = key.split(".")
    assert getattr(getattr(load_config(environment={}, flags={key: "0.5"}), section), name) == 0.5


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
