"""The reference of settings, written from their dataclasses."""

import dataclasses
import re

from gateway.config import Config
from gateway.config.documentation import documentation_of
from gateway.config.flags import FLAGS
from gateway.config.loading import SECTIONS, setting_types
from gateway.config.reference import render_settings

SETTINGS = list(setting_types())


def test_every_setting_has_one_row_with_documentation():
    rows = re.findall(r"^\| `(\w+\.\w+)` \|.*\| (.+) \|$", render_settings(), re.MULTILINE)
    assert [key for key, _ in rows] == SETTINGS
    assert all(text.endswith(".") for _, text in rows)


def test_documentation_names_the_fields_of_its_section_in_their_order():
    for kind in SECTIONS.values():
        assert list(documentation_of(kind)) == [field.name for field in dataclasses.fields(kind)]


def test_flags_are_of_settings_and_differ():
    assert FLAGS.keys() <= set(SETTINGS)
    assert len({flag.name for flag in FLAGS.values()}) == len(FLAGS)


def test_a_section_is_a_field_of_the_configuration():
    assert {name: type(getattr(Config(), name)) for name in SECTIONS} == SECTIONS
