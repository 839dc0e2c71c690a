"""What CI and the image install is pinned, with hashes, and is all that pyproject.toml asks for."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".ci" / "lock").glob("*.txt")}
UNPINNED = {"torch"}
"""Which build of it fits differs from machine to machine."""

ENTRY = re.compile(r"([a-z0-9-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\\n|\n))+)")
PINS = {name: {found[1]: found[2] for found in ENTRY.finditer(text)} for name, text in TEXTS.items()}
ASKED = {
    "serve": [*PYPROJECT["project"]["dependencies"], *PYPROJECT["build-system"]["requires"]],
    "test": PYPROJECT["project"]["optional-dependencies"]["test"],
}


def missing_from(pins: dict[str, str], requirements: list[Requirement]) -> list[str]:
    """What is asked for, by others too, and is not pinned or not within its range."""
    missing, seen = [], set()
    for required in requirements:
        name = canonicalize_name(required.name)
        if name not in UNPINNED and not required.specifier.contains(pins.get(name, "0"), prereleases=True):
            missing.append(str(required))
        if (name, *sorted(required.extras)) in seen:
            continue
        seen.add((name, *sorted(required.extras)))
        try:
            theirs = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if theirs.version != pins.get(name) and name not in UNPINNED:
            continue  # another release, which may need other things
        for each in map(Requirement, theirs.requires or ()):
            extras = {"", *required.extras}
            if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in extras):
                requirements.append(each)
    return missing


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_lock_holds_versions_and_hashes_alone(name):
    assert ENTRY.sub("", TEXTS[name]) == ""
    assert PINS[name]


@pytest.mark.parametrize("name", sorted(ASKED))
def test_lock_names_every_dependency_within_its_range(name):
    pins = PINS["serve"] | (PINS["test"] if name == "test" else {})
    assert missing_from(pins, [Requirement(each) for each in ASKED[name]]) == []


def test_lock_says_each_version_once_and_leaves_torch_to_its_range():
    assert not PINS["serve"].keys() & PINS["test"].keys()
    assert not UNPINNED & {name for pins in PINS.values() for name in pins}


def test_a_missing_or_unfit_version_is_told():
    assert missing_from({"lark": "0.9"}, [Requirement("lark>=1.2,<2"), Requirement("msgspec>=0.1")]) == [
        "lark<2,>=1.2",
        "msgspec>=0.1",
    ]


def test_image_and_ci_install_what_is_pinned():
    locked = "pip install --require-hashes --no-deps -r .ci/lock/serve.txt"
    for name in ("Dockerfile", ".ci/run"):
        assert locked in (ROOT / name).read_text(encoding="utf-8").replace('"$bin/pip"', "pip")
