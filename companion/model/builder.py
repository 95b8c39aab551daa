"""Builds a context piece by piece."""

from __future__ import annotations

from dataclasses import replace

from companion.errors import BadInput
from companion.model.calls import new_call_id
from companion.model.context import ModelContext, SystemPrompt
from companion.model.message import ChatRole, Contents, Message, ToolResult
from companion.model.plain import to_json, to_yaml
from companion.model.tool import FuncTool, Tool
from companion.model.toolkit import LIMIT_SECONDS, Toolkit
from companion.stream import FuncCall, ToolCall


class ContextBuilder:
    """Gathers what a model is to be given; ``build`` makes a context of it, as often as wanted."""

    def __init__(self, context: ModelContext | None = None) -> None:
        """context: what is there already."""
        context = context or ModelContext()
        self._prompts = list(context.prompts)
        self._messages = list(context.messages)
        self._tools = list(context.tools)
        self._cots = context.cots
        self.closing = context.closing
        self.params = context.params

    def build(self) -> ModelContext:
        """The context so far; what is added later does not change it."""
        return ModelContext(
            prompts=tuple(self._prompts),
            messages=tuple(self._messages),
            closing=self.closing,
            params=self.params,
            tools=tuple(self._tools),
            cots=self._cots,
        )

    def add_prompt(self, name: str, text: str) -> None:
        """Add a system text, on a new line of the last one if that has the same name."""
        if self._prompts and self._prompts[-1].name == name:
            text = f"{self._prompts.pop().text}\n{text}"
        self._prompts.append(SystemPrompt(name, text))

    def prompt(self, name: str, key: str, value: object) -> None:
        """Add a system text that tells a value under its key, as YAML.

        Raises:
            BadInput: YAML has nothing like it.
        """
        try:
            self.add_prompt(name, to_yaml({key: value}))
        except (TypeError, ValueError) as error:
            raise BadInput(f"prompt {name!r}: {key}: {error}") from error

    def add_message(self, message: Message) -> None:
        """Add a message. Contents of the same role and name as the last message's are put behind them, as they are."""
        last = self._messages[-1] if self._messages else None
        match message.payload, last:
            case Contents(new), Message(message.role, Contents(old), message.name):
                self._messages[-1] = replace(message, payload=Contents((*old, *new)))
            case _:
                self._messages.append(message)

    def add_tool(self, *tools: Tool) -> None:
        """Offer tools to the model, behind those that are there."""
        self._tools.extend(tools)

    def set_cot(self, cot: object) -> None:
        """Show the model this chain of thought, words or a value as YAML, in place of any before.

        Raises:
            BadInput: YAML has nothing like it.
        """
        try:
            self._cots = (cot if isinstance(cot, str) else to_yaml(cot),)
        except (TypeError, ValueError) as error:
            raise BadInput(f"chain of thought: {error}") from error

    def add_tool_call_result(self, name: str, arguments: object, result: object) -> str:
        """Add a call of the tool and what it returned, and give the id both have got. Words stay as they are, all
        else becomes JSON.

        Raises:
            BadInput: JSON has nothing like the arguments or the result.
        """
        call_id = new_call_id()
        call = ToolCall(call_id, FuncCall(name, _words(name, "arguments", arguments)))
        outcome = ToolResult(call_id, _words(name, "result", result))
        self.add_message(Message(ChatRole.ASSISTANT, call))
        self.add_message(Message(ChatRole.TOOL, outcome))
        return call_id

    async def invoke_tool(self, tool: FuncTool, arguments: object, *, limit_seconds: float = LIMIT_SECONDS) -> str:
        """Run the tool as if the model had called it, add call and result, and give the result.

        Raises:
            BadInput: JSON has nothing like the arguments.
            ToolError: the tool cannot be run with them, or failed; nothing is added then.
        """
        toolkit = Toolkit([tool], limit_seconds=limit_seconds)
        (name,) = (tool.name for tool in toolkit.tools)
        words = _words(name, "arguments", arguments)
        result = await toolkit.invoke(FuncCall(name, words))
        self.add_tool_call_result(name, words, result)
        return result


def _words(tool: str, what: str, value: object) -> str:
    try:
        return value if isinstance(value, str) else to_json(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"tool {tool!r}: its {what}: {error}") from error
