import re

import pytest

from gateway.api.http.failures import STATUS, as_gateway_error
from gateway.api.openai.envelope import envelope
from gateway.errors import ConstraintError, GatewayError, InternalError, InvalidRequestError, leaves


@pytest.mark.parametrize("kind", leaves(), ids=lambda kind: kind.__name__)
def test_every_leaf_has_a_status_and_a_code_of_its_own(kind):
    assert 400 <= STATUS[kind] < 600
    assert kind.__name__.endswith("Error")
    assert re.fullmatch(r"[a-z_]+", kind.code)
    assert kind.code != GatewayError.code
    assert [other for other in leaves() if other.code == kind.code] == [kind]
    assert kind.__doc__


def test_status_has_no_row_that_is_not_a_leaf():
    assert set(STATUS) == set(leaves())


def test_envelope_carries_message_param_and_code():
    error = envelope(InvalidRequestError("n must be positive", param="n")).error
    assert (error.message, error.type, error.param, error.code) == (
        "n must be positive",
        "invalid_request_error",
        "n",
        "invalid_value",
    )


def test_constraint_error_keeps_the_grammar_errors_code():
    error = envelope(ConstraintError("no", kind="unsatisfiable", where="/a", param="guided_json")).error
    assert (error.code, error.param) == ("unsatisfiable", "guided_json")


def test_an_unforeseen_exception_tells_the_client_nothing(caplog):
    error = as_gateway_error(RuntimeError("the secret path /etc/key"))
    assert isinstance(error, InternalError)
    assert "secret" not in envelope(error).error.message
    assert "secret" in caplog.text
