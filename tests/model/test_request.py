"""A request says which of its tools the model may call."""

from __future__ import annotations

import pytest

from companion.model import Calling, ChatRequest, FuncTool, ModelContext, SearchWebTool, ToolChoice
from companion.model.tool import functions_of

TOOLS = (FuncTool("look", "", {}), FuncTool("listen", "", {}), SearchWebTool())


@pytest.mark.parametrize(
    ("choice", "names"),
    [
        (None, ["look", "listen", "search_web"]),
        (ToolChoice(), ["look", "listen", "search_web"]),
        (ToolChoice(names=("listen", "sing")), ["listen"]),
        (ToolChoice(Calling.FORCED), ["look", "listen", "search_web"]),
        (ToolChoice(Calling.FORCED, ("search_web", "look")), ["look", "search_web"]),
        (ToolChoice(Calling.FORBIDDEN), []),
        (ToolChoice(Calling.FORBIDDEN, ("look",)), []),
    ],
)
def test_the_tools_that_may_be_called(choice: ToolChoice | None, names: list[str]) -> None:
    request = ChatRequest(ModelContext(tools=TOOLS), tool_choice=choice)

    assert [tool.name for tool in request.callable_tools()] == names


def test_what_the_provider_runs_is_no_function() -> None:
    assert functions_of(TOOLS) == list(TOOLS[:2])
