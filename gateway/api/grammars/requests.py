"""Request bodies. Unknown fields are ignored; `null` means absent."""

from __future__ import annotations

from gateway.api.openai.requests import ConstraintFields, Schema


class GrammarBody(ConstraintFields, kw_only=True):
    """A constraint in any field that requests have, or in one of this API: `schema`, `regex`, `choice`, `lark`, `gbnf`,
    or `id` for a stored one."""

    id: str | None = None
    schema: Schema | None = None
    strict: bool | None = None
    choice: list[str] | None = None
    lark: str | None = None
    gbnf: str | None = None


class TextBody(GrammarBody, kw_only=True):
    """A constraint and a text, or the tokens of one."""

    text: str | None = None
    token_ids: list[int] | None = None


class NextTokensBody(TextBody, kw_only=True):
    """A constraint and the beginning of a text.

    Attributes:
        limit: Most tokens that are listed.
        max_tokens: Tokens within which the text can still be completed.
    """

    limit: int | None = None
    max_tokens: int | None = None


class VerifyBody(GrammarBody, kw_only=True):
    """A constraint, a text, and optionally a policy that screens it."""

    text: str
    policy: str | None = None
