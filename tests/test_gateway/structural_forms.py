"""Formats of structural tags, and answers in them."""


def const(text):
    """The format of one text."""
    return {"type": "const_string", "value": text}


def choice_of(live, form, **headers):
    """The one choice of a chat that is held to a format."""
    reply = live.post(
        "/v1/chat/completions",
        json={
            "model": "test-model",
            "messages": [{"role": "user", "content": "hi"}],
            "max_tokens": 24,
            "seed": 3,
            "response_format": {"type": "structural_tag", "format": form},
        },
        headers=headers,
    )
    assert reply.status_code == 200, reply.text
    (choice,) = reply.json()["choices"]
    return choice
