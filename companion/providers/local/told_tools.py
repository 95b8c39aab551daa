"""How a model of this machine is told of its tools: in the way of its own chat template, or else in our words.

The text depends on nothing but the tools and the system texts, so that a prompt begins alike from turn to turn.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence

from companion.errors import Unsupported
from companion.model import ChatRole, FuncTool, Message, Tool, ToolResult
from companion.model.tool_text import TAG, TAG_END
from companion.stream import FuncCall, ToolCall

logger = logging.getLogger(__name__)

MARK = re.compile(r"<\|[^|<>]{1,40}\|>")
RESPONSE, RESPONSE_END = "<tool_response>", "</tool_response>"

_BEGIN, _END = "<|im_start|>system\n", "<|im_end|>"
_SYSTEM = "(the system texts stand here)"
_OWN = f"""You can call these tools, one of them a line:
%s
To call a tool, write its name and its arguments as JSON between tags, as here, and wait for what it returns:
{TAG}
{{"name": "...", "arguments": {{...}}}}
{TAG_END}"""


def functions(tools: Sequence[Tool]) -> list[FuncTool]:
    """The tools, all of which have to be functions.

    Raises:
        Unsupported: one is something else.
    """
    found = [tool for tool in tools if isinstance(tool, FuncTool)]
    if len(found) < len(tools):
        names = ", ".join(tool.name for tool in tools if not isinstance(tool, FuncTool))
        raise Unsupported(f"this model calls functions only, not {names}", mend="offer a function that does it")
    return found


def spelt_call(call: FuncCall) -> str:
    """A call as a model is shown its own."""
    return f'{TAG}\n{{"name": {json.dumps(call.name, ensure_ascii=False)}, "arguments": {call.arguments}}}\n{TAG_END}'


def spelt_result(result: str) -> str:
    """What a tool returned."""
    return f"{RESPONSE}\n{result}\n{RESPONSE_END}"


def without_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with what tools returned in words behind the question they were called for, and without calls."""
    told: list[Message] = []
    calls: dict[str, FuncCall] = {}
    for message in messages:
        match message.payload:
            case ToolCall(id, call):
                calls[id] = call
            case ToolResult(id, result):
                call = calls.get(id, FuncCall("a tool", ""))
                found = f"(Found out: {f'{call.name} {call.arguments}'.strip()} returned {result}. Answer in words.)"
                place = max((at for at, one in enumerate(told) if one.role is ChatRole.USER), default=len(told))
                asked = told[place].text if place < len(told) else ""
                told[place : place + 1] = [Message.of(ChatRole.USER, f"{asked}\n\n{found}".strip())]
            case _:
                told.append(message)
    return tuple(told)


def with_tools(system: str, tools: Sequence[FuncTool], template: str) -> str:
    """The system text of a ChatML model that may call ``tools``. template: of the model's file, in Jinja."""
    by_template = _by_template(tools, template) if "tools" in template and _BEGIN[:12] in template else ""
    return (by_template or f"{_SYSTEM}\n\n{in_own_words(tools)}").replace(_SYSTEM, system, 1).strip()


def in_own_words(tools: Sequence[FuncTool]) -> str:
    """The tools and how they are called, for a model that was not taught it."""
    return _OWN % "\n".join(json.dumps(_shown(tool), ensure_ascii=False) for tool in tools)


def declared(tools: Sequence[FuncTool]) -> list[Mapping[str, object]]:
    """The tools as chat templates take them, without anything that could pass for a mark."""
    whole: list[Mapping[str, object]] = [{"type": "function", "function": _shown(tool)} for tool in tools]
    clean: list[Mapping[str, object]] = json.loads(MARK.sub("", json.dumps(whole, ensure_ascii=False)))
    return clean


def render(template: str, **values: object) -> str:
    """What a chat template makes of ``values``.

    Raises:
        jinja2.TemplateError: it does not take them.
    """
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def refuse(why: str) -> None:
        raise TemplateError(why)

    house = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    # Jinja's own spells letters for web pages.
    house.filters["tojson"] = _to_json
    house.globals["raise_exception"] = refuse
    return house.from_string(template).render(**values)


def _by_template(tools: Sequence[FuncTool], template: str) -> str:
    """The system turn that the template writes; empty where it writes none, or leaves out a tool."""
    from jinja2 import TemplateError

    messages = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": "."}]
    try:
        text = render(template, messages=messages, tools=declared(tools), add_generation_prompt=False)
    except (TemplateError, TypeError, ValueError) as error:
        logger.info("the model's template takes no tools: %s", type(error).__name__)
        return ""
    turn = text.partition(_BEGIN)[2].partition(_END)[0]
    is_whole = turn.count(_SYSTEM) == 1 and all(tool.name in turn for tool in tools)
    return turn if is_whole else ""


def _shown(tool: FuncTool) -> dict[str, object]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.parameters}


def _to_json(value: object, indent: int | None = None, **_: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
