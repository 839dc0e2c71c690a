"""How each dialect tells of an answer, in what order of events; and records that are redacted within their strings."""

import json

import pytest
from guarded_dialects import CASES, DIALECTS, SCHEMAS, policy_of
from scripted import policies, scripted


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)
@pytest.mark.parametrize("guard", CASES)
def test_a_record_is_redacted_within_its_strings_if_it_stays_one(tiny_live, tmp_path, guard, dialect):
    options, text, before, replaced, behind = CASES[guard]
    stays = {"type": "object", "properties": {"q": {"type": "string"}}}
    breaks = {"type": "object", "properties": {"q": {"enum": [text]}}}
    with policies(tiny_live, tmp_path, policy_of(guard, options, "redact")):
        for schema in (stays, breaks):
            with scripted(tiny_live, json.dumps({"q": text})):
                for is_streamed in (False, True):
                    told, reason, _, verdict = dialect(tiny_live, is_streamed, **SCHEMAS[dialect](schema))
                    results = [check["result"] for check in verdict["checks"]]
                    if guard == "length":
                        # What is behind a bound is no part of a string.
                        assert (told, results) == ('{"q": "a', ["skipped", "blocked"])
                        assert reason == DIALECTS[dialect][1]
                        continue
                    assert told == json.dumps({"q": before + replaced + behind})
                    assert reason == DIALECTS[dialect][schema is breaks]
                    assert results == ["failed" if schema is breaks else "passed", "redacted"]
