"""The chat layer's message list, of whatever a caller gives."""

from __future__ import annotations

import pytest

from companion.model import ChatRole, Message, Prompt, PromptLike

HELLO = Message.of(ChatRole.USER, "hello")
YES = Message.of(ChatRole.ASSISTANT, "yes?")


@pytest.mark.parametrize(
    ("asked", "messages"),
    [
        ("hello", (HELLO,)),
        (HELLO, (HELLO,)),
        ([HELLO, YES], (HELLO, YES)),
        (Prompt((HELLO, YES)), (HELLO, YES)),
        (None, ()),
    ],
)
def test_a_prompt_is_made_of_words_messages_lists_prompts_or_nothing(
    asked: PromptLike, messages: tuple[Message, ...]
) -> None:
    assert Prompt.of(asked).messages == messages


def test_a_prompt_does_not_change_with_the_list_it_was_made_of() -> None:
    messages = [HELLO]
    prompt = Prompt.of(messages)
    messages.append(YES)

    assert list(prompt) == [HELLO]


def test_adding_to_a_prompt_makes_another() -> None:
    prompt = Prompt.of("hello")

    assert list(prompt + YES) == [HELLO, YES]
    assert len(prompt) == 1
