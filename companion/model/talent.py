"""A talent: instructions and tools that a chat model is given where the prompt asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.model.chat_options import ChatOptions
from companion.model.context import SystemPrompt
from companion.model.interceptor import Draft
from companion.model.prompt import Prompt
from companion.model.tool import FuncTool
from companion.model.tool_provider import Offered, tools_of


def _always(asked: Prompt) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Talent:
    """What a model shall be able to do. ``companion.agent.plugin.Talent`` is another thing: it answers commands itself.

    instruction: how and when, in words; a function makes it of the prompt.
    tools: what it needs for that. is_wanted: whether this prompt asks for it.
    """

    name: str
    instruction: str | Callable[[Prompt], str] = ""
    tools: tuple[Offered, ...] = ()
    is_wanted: Callable[[Prompt], bool] = _always

    def activated(self, draft: Draft) -> Draft:
        """The draft with it, where the prompt asks for it.

        Its tools are tagged with its name. Where the options say that there are no tools at all, there are none of its
        either.
        """
        if not self.is_wanted(draft.asked):
            return draft
        words = self.instruction if isinstance(self.instruction, str) else self.instruction(draft.asked)
        told = SystemPrompt(f"talent {self.name}", f"# [Talent: {self.name}]\n\n{words}".rstrip())
        return replace(draft, prompts=(*draft.prompts, told), options=self._with_tools(draft.options))

    def _with_tools(self, options: ChatOptions) -> ChatOptions:
        if options.tools == ():
            return options
        tagged = [
            replace(tool, meta={**tool.meta, "talent": self.name}) if isinstance(tool, FuncTool) else tool
            for tool in tools_of(self.tools)
        ]
        tools = (*(options.tools or ()), *tagged)
        return replace(options, tools=tools or None)


def with_talents(draft: Draft, talents: Iterable[Talent]) -> Draft:
    """The draft with all that its prompt asks for."""
    for talent in talents:
        draft = talent.activated(draft)
    return draft
