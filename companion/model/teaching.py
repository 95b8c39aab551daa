"""What a talent has to tell a chat model: instructions and tools, which it is given where the prompt asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.model.chat_options import ChatOptions
from companion.model.context import SystemPrompt
from companion.model.interceptor import Draft
from companion.model.prompt import Prompt
from companion.model.tool import FuncTool, Tool
from companion.model.tool_provider import Offered, tools_of


def _always(asked: Prompt) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Teaching:
    """What a model shall be able to do by a talent. ``companion.agent.plugin`` says how talents bring it.

    instruction: how and when, in words; a function makes it of the prompt.
    tools: what it needs for that. is_wanted: whether this prompt asks for it.
    """

    name: str
    instruction: str | Callable[[Prompt], str] = ""
    tools: tuple[Offered, ...] = ()
    is_wanted: Callable[[Prompt], bool] = _always

    def words(self, asked: Prompt) -> str:
        """The instruction for this prompt."""
        return self.instruction if isinstance(self.instruction, str) else self.instruction(asked)

    def told(self, asked: Prompt) -> SystemPrompt:
        """The system text that it is for this prompt."""
        return SystemPrompt(f"talent {self.name}", f"# [Talent: {self.name}]\n\n{self.words(asked)}".rstrip())

    def tagged(self) -> tuple[Tool, ...]:
        """Its tools, tagged with its name.

        Raises:
            BadTool: something is offered that is no tool.
        """
        return tuple(
            replace(tool, meta={**tool.meta, "talent": self.name}) if isinstance(tool, FuncTool) else tool
            for tool in tools_of(self.tools)
        )

    def activated(self, draft: Draft) -> Draft:
        """The draft with it, where the prompt asks for it.

        Where the options say that there are no tools at all, there are none of its either.
        """
        if not self.is_wanted(draft.asked):
            return draft
        return replace(draft, prompts=(*draft.prompts, self.told(draft.asked)), options=self._with_tools(draft.options))

    def _with_tools(self, options: ChatOptions) -> ChatOptions:
        if options.tools == ():
            return options
        return replace(options, tools=(*(options.tools or ()), *self.tagged()) or None)


def with_talents(draft: Draft, talents: Iterable[Teaching]) -> Draft:
    """The draft with all that its prompt asks for."""
    for talent in talents:
        draft = talent.activated(draft)
    return draft
