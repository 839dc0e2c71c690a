"""JSON schemas as clients write them, and how a prompt shows them."""

from __future__ import annotations

from typing import Any

from embedded_model.data.conversation import Message, dump_json, say
from embedded_model.data.source import Source
from embedded_model.data.values import JsonValue

Schema = dict[str, Any]

_ORDERS = (
    "Extract the data as JSON with this schema: {}",
    "Answer in JSON that follows this schema: {}",
    "Return only JSON for the schema {}",
    "Extract a record. JSON schema: {}",
    "Here is the JSON schema for your answer: {}",
    "Respond with JSON that matches this JSON schema:\n{}",
    "Understand the content and extract the parsed objects in JSON that match the following json_schema:\n{}",
)
_LEADS = (
    "", "", "", "", "Text: ", "Extract the data: ", "Extract from this text: ", "Read this: ", "Extract: ",
    "Please extract the information: ", "Parse this: ", "Get the data out of this: ", "What does it say? ",
)  # fmt: skip


def object_schema(properties: dict[str, Schema], required: list[str], source: Source) -> Schema:
    """An object's schema in one of the spellings that clients send: by hand, of pydantic, strict."""
    kind = source.pick(("plain", "plain", "closed", "closed", "pydantic", "described"))
    if kind == "pydantic":
        titled = {key: {"title": key.replace("_", " ").title(), **schema} for key, schema in properties.items()}
        title = source.pick(("Record", "Item", "Answer", "Data", "Result", "Extraction"))
        return {"properties": titled, "required": required, "title": title, "type": "object"}
    if kind == "described":
        told = {key: {**schema, "description": f"the {key.replace('_', ' ')}"} for key, schema in properties.items()}
        return {"type": "object", "properties": told, "required": required}
    schema: Schema = {"type": "object", "properties": properties, "required": required}
    return schema | {"additionalProperties": False} if kind == "closed" else schema


def neutral(schema: Schema) -> JsonValue:
    """Return the neutral value of a schema, for a field that the text does not mention."""
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        return None
    if kind == "object":
        return {key: neutral(member) for key, member in schema["properties"].items()}
    if kind == "array" and schema.get("minItems"):
        return ["unknown"]
    return {"string": "unknown", "integer": 0, "number": 0, "boolean": False, "array": []}[kind]


def present(text: str, schema: Schema, source: Source) -> tuple[list[Message], bool, bool]:
    """The prompt of a text whose answer is held to a schema.

    Returns:
        The messages; whether the schema is shown beside them, by the chat template; whether the prompt tells the keys.
    """
    roll = source.random()
    led = source.pick(_LEADS) + text
    system = source.pick(_SYSTEMS)
    before = [say("system", system)] if system else []
    if roll < 0.6:
        return [*before, say("user", led)], True, True
    if roll < 0.82:
        shown = source.chance(0.5)
        order = source.pick(_ORDERS).format(dump_json(schema))
        if source.chance(0.6):
            return [say("system", order), say("user", led)], shown, True
        return [say("user", f"{order}\n{text}" if source.chance(0.5) else f"{text}\n{order}")], shown, True
    if roll < 0.88:
        keys = ", ".join(schema["properties"])
        asked = source.pick(("Extract {} as JSON: ", "Give me {} as JSON. ", "JSON with {}: ", "Find {}: ")).format(
            keys
        )
        return [*before, say("user", asked + text)], source.chance(0.5), True
    return [*before, say("user", led)], False, False


_SYSTEMS = (
    "", "", "", "", "You are a helpful assistant.", "Extract the data as JSON.", "You extract records from texts.",
    "Answer in JSON.", "Return JSON only.", "You are an information extraction system.",
)  # fmt: skip
