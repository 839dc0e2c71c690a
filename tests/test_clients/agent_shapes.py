"""What agents send, in their form: one request each, in the middle of a conversation where they have tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

CHAT, MESSAGES, OLLAMA = "/v1/chat/completions", "/v1/messages", "/api/chat"
PICTURE = "data:image/png;base64,iVBORw0KGgo="
EPHEMERAL = {"cache_control": {"type": "ephemeral"}}
STREAMED = {"stream": True, "stream_options": {"include_usage": True}}


@dataclass(frozen=True)
class Shape:
    """A request.

    Attributes:
        told: What of it is left out, by name.
        seen: A text that the model reads.
        tool: One that it may call, with its arguments.
    """

    path: str
    body: dict[str, Any]
    told: str = ""
    seen: str = ""
    tool: tuple[str, dict[str, Any]] | None = None


def text(given: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": given, **fields}


def function(name: str, properties: dict[str, Any], *required: str, **fields: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(required or properties)}
    extra = fields.pop("schema", {})
    return {
        "type": "function",
        "function": {"name": name, "description": f"Runs {name}.", "parameters": {**parameters, **extra}, **fields},
    }


def called(name: str, arguments: str, id: str = "call_1") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


STRING = {"type": "string"}
DRAFT = {"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": False}

SHAPES = {
    "aider": Shape(
        CHAT,
        {
            "temperature": 0,
            "stream": True,
            "messages": [
                {"role": "system", "content": [text("Act as an expert software developer.", **EPHEMERAL)]},
                {"role": "user", "content": "I have *added these files to the chat*.\n\nnotes.txt\n```\nhello\n```"},
                {"role": "assistant", "content": "Ok, any changes I propose will be to those files."},
                {"role": "user", "content": "Change hello to goodbye."},
                {"role": "system", "content": "# *SEARCH/REPLACE block* Rules"},
            ],
        },
        told="cache_control",
        seen="SEARCH/REPLACE block",
    ),
    "opencode": Shape(
        CHAT,
        {
            **STREAMED,
            "max_tokens": 32_000,
            "temperature": 0.55,
            "top_p": 1,
            "tool_choice": "auto",
            "tools": [
                function(
                    "edit",
                    {"filePath": STRING, "oldString": STRING, "newString": STRING, "replaceAll": {"type": "boolean"}},
                    *("filePath", "oldString", "newString"),
                    schema={"$schema": "https://json-schema.org/draft/2020-12/schema"},
                ),
                function(
                    "bash",
                    {
                        "command": STRING,
                        "timeout": {"type": "integer", "exclusiveMinimum": 0, "maximum": 9007199254740991},
                    },
                    "command",
                ),
            ],
            "messages": [
                {"role": "system", "content": "You are opencode."},
                {"role": "system", "content": "Here is the environment."},
                {"role": "user", "content": "List."},
                {"role": "assistant", "content": "", "tool_calls": [called("bash", '{"command":"ls"}')]},
                {"role": "tool", "tool_call_id": "call_1", "content": "notes.txt"},
            ],
        },
        seen="notes.txt",
        tool=("bash", {"command": "cat notes.txt"}),
    ),
    "goose": Shape(
        CHAT,
        {
            **STREAMED,
            "temperature": 0.7,
            "tools": [
                function("developer__shell", {"command": STRING}),
                function(
                    "developer__text_editor",
                    {
                        "command": {"type": "string", "enum": ["view", "write", "str_replace"]},
                        "path": STRING,
                        "old_str": {"type": ["string", "null"], "default": None},
                        "view_range": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
                    },
                    *("command", "path"),
                ),
            ],
            "messages": [
                {"role": "system", "content": "You are a general-purpose AI agent called goose."},
                {"role": "user", "content": "Look at the screen."},
                {"role": "assistant", "tool_calls": [called("developer__shell", '{"command":"shot"}')]},
                {"role": "tool", "tool_call_id": "call_1", "content": "This tool result included an image."},
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": PICTURE}}]},
            ],
        },
        told="messages[4].content[0]",
        seen="[image left out: this model reads text only]",
        tool=("developer__text_editor", {"command": "view", "path": "/a", "view_range": [1, 2]}),
    ),
    "Cline": Shape(
        CHAT,
        {
            **STREAMED,
            "temperature": 0,
            "reasoning_effort": "medium",
            "messages": [
                {"role": "system", "content": "You are Cline, a highly skilled software engineer."},
                {
                    "role": "user",
                    "content": [
                        text("<task>\nLike this picture\n</task>"),
                        {"type": "image_url", "image_url": {"url": PICTURE, "detail": "high"}},
                        text("<environment_details>"),
                    ],
                },
            ],
        },
        told="messages[1].content[1], reasoning_effort",
        seen="</task>\n[image left out: this model reads text only]\n<environment_details>",
    ),
    "Roo Code": Shape(
        CHAT,
        {
            **STREAMED,
            "max_completion_tokens": 8_192,
            "temperature": 0,
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [
                function(
                    "read_file",
                    {
                        "path": STRING,
                        "range": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
                    },
                    strict=True,
                    schema={"additionalProperties": False},
                ),
                function("attempt_completion", {"result": STRING}, strict=True),
            ],
            "messages": [
                {"role": "system", "content": [text("You are Roo.", **EPHEMERAL)]},
                {"role": "user", "content": [text("Read it."), text("<environment_details>", **EPHEMERAL)]},
                {
                    "role": "assistant",
                    "content": None,
                    "reasoning_content": "I read it.",
                    "tool_calls": [called("read_file", '{"path":"notes.txt","range":null}')],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "hello"},
            ],
        },
        told="cache_control",
        seen="hello",
        tool=("attempt_completion", {"result": "Done."}),
    ),
    "Continue": Shape(
        CHAT,
        {
            "stream": True,
            "max_tokens": 4_096,
            "prediction": {"type": "content", "content": "hello"},
            "stop": ["</s>"],
            "tools": [function("builtin_read_file", {"filepath": {"type": "string", "description": "Relative."}})],
            "messages": [
                {"role": "system", "content": "You are in agent mode."},
                {"role": "user", "content": [text("Read it.")]},
                {"role": "assistant", "content": " ", "tool_calls": [called("builtin_read_file", '{"filepath":"a"}')]},
                {"role": "tool", "tool_call_id": "call_1", "content": "hello"},
            ],
        },
        told="prediction",
        seen="hello",
        tool=("builtin_read_file", {"filepath": "notes.txt"}),
    ),
    "Zed": Shape(
        CHAT,
        {
            **STREAMED,
            "max_completion_tokens": 4_096,
            "temperature": 1.0,
            "stop": [],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "prompt_cache_key": "0a1b",
            "tools": [
                function("terminal", {"command": STRING, "cd": STRING}, schema=DRAFT),
                function("now", {"timezone": {"oneOf": [{"const": "utc"}, {"const": "local"}]}}, schema=DRAFT),
            ],
            "messages": [
                {"role": "system", "content": "You are a highly skilled software engineer."},
                {"role": "user", "content": [text("What time"), text(" is it?")]},
                {"role": "assistant", "content": None, "tool_calls": [called("now", '{"timezone":"utc"}')]},
                {"role": "tool", "tool_call_id": "call_1", "content": [text("It is noon.")]},
            ],
        },
        told="prompt_cache_key",
        seen="It is noon.",
        tool=("now", {"timezone": "local"}),
    ),
    "Gemini CLI's kin": Shape(
        CHAT,
        {
            **STREAMED,
            "max_tokens": 8_000,
            "temperature": 0,
            "metadata": {"sessionId": "s", "promptId": "s########0"},
            "vl_high_resolution_images": True,
            "tools": [
                function(
                    "read_many_files", {"paths": {"type": "array", "items": {**STRING, "minLength": 1}, "minItems": 1}}
                ),
                function("save_memory", {"fact": STRING}),
            ],
            "messages": [
                {"role": "system", "content": [text("You are an interactive CLI agent.", **EPHEMERAL)]},
                {"role": "user", "content": [text("This is the context.")]},
                {"role": "assistant", "content": "Got it. Thanks for the context!"},
                {"role": "user", "content": [text("Remember two things.")]},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        called("save_memory", '{"fact":"one"}', "call_1"),
                        called("save_memory", '{"fact":"two"}', "call_2"),
                    ],
                },
                {"role": "tool", "tool_call_id": "call_2", "content": "Kept two."},
                {"role": "tool", "tool_call_id": "call_1", "content": "Kept one."},
            ],
        },
        told="cache_control",
        seen="Kept one.",
        tool=("read_many_files", {"paths": ["a", "b"]}),
    ),
    "OpenHands": Shape(
        CHAT,
        {
            "stream": False,
            "temperature": 0.0,
            "max_completion_tokens": 64_000,
            "seed": 0,
            "tools": [
                function(
                    "execute_bash",
                    {"command": STRING, "security_risk": {"type": "string", "enum": ["LOW", "MEDIUM", "HIGH"]}},
                    "command",
                ),
                function("finish", {"message": STRING}),
            ],
            "messages": [
                {"role": "system", "content": [text("You are OpenHands agent.", **EPHEMERAL)]},
                {"role": "user", "content": [text("Look.")]},
                {
                    "role": "assistant",
                    "content": [text("I look.")],
                    "tool_calls": [called("execute_bash", '{"command": "ls", "security_risk": "LOW"}')],
                },
                {
                    "role": "tool",
                    "name": "execute_bash",
                    "tool_call_id": "call_1",
                    "content": [text("notes.txt", **EPHEMERAL), {"type": "image_url", "image_url": {"url": PICTURE}}],
                },
            ],
        },
        told="cache_control, messages[3].content[1]",
        seen="notes.txt\n[image left out: this model reads text only]",
        tool=("execute_bash", {"command": "cat notes.txt", "security_risk": "LOW"}),
    ),
    "LangGraph": Shape(
        CHAT,
        {
            **STREAMED,
            "parallel_tool_calls": False,
            "tools": [
                function("transfer_to_writer", {}),
                function("search", {"query": STRING, "k": {"type": "integer", "default": 4}}, "query"),
            ],
            "messages": [
                {"role": "system", "content": "You are a supervisor."},
                {"role": "user", "name": "alice", "content": "Find it."},
                {
                    "role": "assistant",
                    "name": "supervisor",
                    "content": None,
                    "tool_calls": [called("search", '{"query": "it"}')],
                },
                {"role": "tool", "tool_call_id": "call_1", "content": "Nothing found."},
            ],
        },
        seen="Nothing found.",
        tool=("transfer_to_writer", {}),
    ),
    "Copilot": Shape(
        CHAT,
        {
            **STREAMED,
            "n": 1,
            "temperature": 0.1,
            "top_p": 1,
            "max_tokens": 16_000,
            "store": False,
            "tool_choice": "auto",
            "intent": False,
            "snippy": {"enabled": False},
            "tools": [function("read_file", {"filePath": STRING, "startLine": {"type": "number"}}, "filePath")],
            "messages": [
                {"role": "system", "content": "You are an expert AI programming assistant."},
                {"role": "user", "content": "<context>\n</context>"},
                {"role": "user", "content": "Read it."},
            ],
        },
        seen="</context>",
        tool=("read_file", {"filePath": "/a", "startLine": 1}),
    ),
    "Kilo Code, as Anthropic's": Shape(
        MESSAGES,
        {
            "max_tokens": 16_384,
            "stream": True,
            "temperature": 1.0,
            "thinking": {"type": "enabled", "budget_tokens": 1_024},
            "system": [text("You are Kilo Code.", **EPHEMERAL)],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
            "tools": [
                {
                    "name": "read_file",
                    "description": "Reads.",
                    "input_schema": {"type": "object", "properties": {"path": STRING}, "required": ["path"]},
                },
                {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
            ],
            "messages": [
                {"role": "user", "content": [text("Read it.", **EPHEMERAL)]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "I read it.", "signature": "s"},
                        {"type": "redacted_thinking", "data": "x"},
                        {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "a.png"}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "toolu_1",
                            "content": [
                                text("A picture:"),
                                {
                                    "type": "image",
                                    "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
                                },
                            ],
                        }
                    ],
                },
            ],
        },
        told=(
            "tools[1] (web_search), cache_control, messages[1].content[1], messages[2].content[0].content[1], thinking"
        ),
        seen="A picture:\n[image left out: this model reads text only]",
        tool=("read_file", {"path": "notes.txt"}),
    ),
    "Zed, as Ollama's": Shape(
        OLLAMA,
        {
            "stream": True,
            "keep_alive": -1,
            "think": True,
            "options": {"num_ctx": 262_144, "num_predict": 8_192, "stop": [], "temperature": 1.0},
            "tools": [function("terminal", {"command": STRING})],
            "messages": [
                {"role": "system", "content": "You are a highly skilled software engineer."},
                {"role": "user", "content": "Look at this.", "images": ["iVBORw0KGgo="]},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"function": {"name": "terminal", "arguments": {"command": "ls"}}}],
                },
                {"role": "tool", "tool_name": "terminal", "content": "notes.txt"},
            ],
        },
        told="options.num_ctx, messages[1].images[0], think",
        seen="Look at this.\n[image left out: this model reads text only]",
        tool=("terminal", {"command": "cat notes.txt"}),
    ),
}
