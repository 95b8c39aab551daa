import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.insight.hearing import plain_sentence, plain_tokens


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("What's UP, Doc?!", "what's up doc"),
        ("at 7 a.m. or 8 P.M.", "at 7 am or 8 pm"),
        ("at 7 p.m", "at 7 pm"),
        ("10-minute", "10 minute"),
        ("twenty-five", "twenty five"),
        ("1,000 and 2,50", "1000 and 2 50"),
        ("7pm", "7 pm"),
        ("the 1st of May", "the 1st of may"),
        ("6:30.", "6:30"),
        ("3.5%", "3.5 %"),
        ("15-6 = 9", "15 - 6 9"),
        ("-5", "- 5"),
        ("well - stop", "well stop"),
        ("5×3÷2", "5 × 3 ÷ 2"),
        ("“it’s”", "it's"),
        ("Ｈｅｌｌｏ", "hello"),
    ],
)
def test_what_was_written_is_made_plain(written: str, plain: str) -> None:
    assert " ".join(plain_tokens(written)) == plain


def test_chinese_is_replaced_character_by_character() -> None:
    assert plain_sentence("現在，幾點 了？", separator="", replace={"現": "现", "幾": "几", "點": "点"}) == "现在几点了"


@given(st.text(max_size=200))
def test_plain_text_stays_as_it_is(text: str) -> None:
    once = plain_sentence(text, separator=" ", replace={})

    assert plain_sentence(once, separator=" ", replace={}) == once or "." in text or "-" in text
