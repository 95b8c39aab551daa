"""What a protocol has no place for is refused, alike in all of them, and never left out in silence."""

from __future__ import annotations

import pytest
from dialects.questions import WEATHER, asked, question

from companion.dialects import choose_dialect, dialects
from companion.dialects.checks import check_params, offered_tools
from companion.errors import Unsupported
from companion.model import Calling, ChatRole, Message, ModelParams, SearchWebTool, ToolChoice

URL = "https://provider.test"
TOOLS = (WEATHER, SearchWebTool())


@pytest.mark.parametrize("name", dialects())
@pytest.mark.parametrize(
    "request_",
    [
        asked("qwen-plus"),
        question("qwen-plus", params=ModelParams(n=2)),
        question("qwen-plus", tools=(WEATHER,), tool_choice=ToolChoice(Calling.FORCED, ("cook",))),
        question("qwen-plus", tool_choice=ToolChoice(Calling.FORCED)),
    ],
    ids=["nothing is said", "two answers", "a call of another tool", "a call of none"],
)
def test_every_dialect_refuses_what_it_cannot_carry_and_says_what_helps(name, request_) -> None:
    with pytest.raises(Unsupported) as refused:
        choose_dialect(name).encode(request_, URL)

    assert refused.value.mend
    assert name in str(refused.value)


@pytest.mark.parametrize("name", ["dashscope", "google-interactions", "ollama", "openai-completions"])
def test_words_of_a_tool_that_answer_no_call_are_refused(name) -> None:
    with pytest.raises(Unsupported, match="but results"):
        choose_dialect(name).encode(asked("qwen-plus", Message.of(ChatRole.TOOL, "It rains.")), URL)


def test_a_parameter_without_a_field_is_refused_by_its_name() -> None:
    check_params(ModelParams(n=1), "plain", unknown=("seed", "stop"))
    with pytest.raises(Unsupported, match="plain knows no stop"):
        check_params(ModelParams(stop=("x",)), "plain", unknown=("seed", "stop"))


def test_where_calls_are_forbidden_all_tools_are_shown_and_else_those_that_may_be_called() -> None:
    assert offered_tools(question("m", tools=TOOLS)) == TOOLS
    assert offered_tools(question("m", tools=TOOLS, tool_choice=ToolChoice(names=("get_weather",)))) == (WEATHER,)
    forbidden = ToolChoice(Calling.FORBIDDEN, ("get_weather",))
    assert offered_tools(question("m", tools=TOOLS, tool_choice=forbidden)) == TOOLS
