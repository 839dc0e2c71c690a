"""Mistakes in the options of a guard."""

import pytest
from guarded_dialects import policy_of

from gateway.errors import ConfigError
from gateway.guards import read_policies

LABELED = 'folder = "x", labels = ["a"]'
SERVED = 'url = "http://localhost/v1", model = "guard", format = '
MISTAKES = [
    ("classifier", 'folder = "x"', "labels is missing"),
    ("classifier", 'folder = "x", labels = []', "labels must name some"),
    ("classifier", f"{LABELED}, threshold = 1.5", "threshold must be above 0"),
    ("classifier", f'{LABELED}, threshold = "a"', "threshold must be a number, as in 0.5"),
    ("classifier", f"{LABELED}, window = 3", "window must be at least 16 tokens"),
    ("classifier", f"{LABELED}, timeout_s = 0", "timeout_s must be at least 1"),
    ("classifier", f"{LABELED}, hold_characters = 0", "hold_characters must be at least 1"),
    ("classifier", f'{LABELED}, on_failure = "x"', "on_failure must be block or pass"),
    ("guard_model", f'{SERVED}"x"', "must be one of llama_guard, qwen3guard, shieldgemma, granite_guardian, not 'x'"),
    ("guard_model", f'{SERVED}"llama_guard", criterion = "x"', "criterion means nothing to llama_guard"),
    ("guard_model", f'{SERVED}"llama_guard", config = "x"', "config means nothing beside url"),
    ("guard_model", f'{SERVED}"llama_guard", folder = "x"', "folder or url must be given, and not both"),
    ("guard_model", f'{SERVED}"shieldgemma", threshold = 0.0', "threshold must be above 0"),
    ("guard_model", f'{SERVED}"llama_guard", categories = ["x"]', "must be some of llama_guard's, and 'x' is none"),
    ("guard_model", f'{SERVED}"qwen3guard", categories = ["S1"]', "must be some of qwen3guard's, and 'S1' is none"),
    ("guard_model", f'{SERVED}"llama_guard", key_file = "absent"', "key_file cannot be read"),
    ("guard_model", f'{SERVED}"llama_guard", key_file = "/dev/null"', "key_file must hold a key"),
    *(
        (
            "guard_model",
            f'url = "{url}", model = "guard", format = "llama_guard"',
            "url must be where the server's API is",
        )
        for url in ("", "x", "file:///etc/passwd", "http://", "http://a:b@c/v1", "http://a:99999/", "http://a/?b")
    ),
    ("language", "allowed = []", "allowed must name some of"),
    ("language", 'allowed = ["english"]', "not 'english'"),
    ("language", 'allowed = ["en"], threshold = 0.0', "threshold must be above 0"),
    ("language", 'allowed = ["en"], timeout_s = 1', "timeout_s is not known"),
    ("leak", "characters = 50", "canaries is missing, and so is system_prompt = true"),
    ("leak", "system_prompt = false", "canaries is missing"),
    ("leak", 'canaries = [""]', "canaries must be a list of texts, none of them empty"),
    ("leak", "system_prompt = true, characters = 7", "characters must be at least 8, not 7"),
    ("names", 'kinds = ["person"]', "model is missing"),
    ("names", 'model = "x", kinds = ["place"]', "kinds must name some of person, location, organization, nrp"),
    ("names", 'model = "x", threshold = 0.0', "threshold must be above 0"),
    ("names", 'model = "x", timeout_s = 0', "timeout_s must be at least 1"),
    ("names", 'model = "x", hold_characters = 0', "hold_characters must be at least 1"),
    ("names", 'model = "x", on_failure = "x"', "on_failure must be block or pass"),
]
ACTIONS = [
    ("classifier", 'folder = "x"', "forbid", "cannot be forbid for classifier: a judge reads whole texts"),
    ("classifier", LABELED, "redact", "action must be one of pass, annotate, block, retry, not 'redact'"),
    ("guard_model", 'url = "x"', "forbid", "cannot be forbid for guard_model: a judge reads whole texts, and has no"),
    ("language", 'allowed = ["en"]', "forbid", "cannot be forbid for language: a judge reads whole texts"),
    ("language", 'allowed = ["en"], otherwise = "redact"', "retry", "must be one of pass, annotate, block, not"),
    ("leak", "system_prompt = true", "forbid", "action cannot be forbid with system_prompt: each request has one"),
    ("names", 'model = "x"', "forbid", "action cannot be forbid for names: what a name is depends on all"),
]


@pytest.mark.parametrize(
    ("guard", "options", "action", "message"),
    [*((guard, options, "block", message) for guard, options, message in MISTAKES), *ACTIONS],
)
def test_options_that_a_guard_cannot_take_are_refused(tmp_path, guard, options, action, message):
    if guard == "names":
        pytest.importorskip("presidio_analyzer")
    path = tmp_path / "policies.toml"
    path.write_text(policy_of(guard, options, action))
    with pytest.raises(ConfigError) as caught:
        read_policies(path)
    assert message in str(caught.value)
