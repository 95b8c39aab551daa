"""Small word lists that decide turns: hanging words, backchannels and wake phrases, in English and Chinese."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_HANGING: Final = _set(
    "a about an and as at because but by for from i i'd i'll i'm if into it's like my of or our than the their to uh "
    "um until what's which while who's whose with without your"
)
_HANGING_ZH: Final = ("和", "跟", "把", "给", "因为", "所以", "但是", "然后", "如果", "还有", "或者", "就是", "那个")
_NOISES: Final = _set("mhm mm mmm hm hmm mmhm mm-hmm mm-hm uh-huh uhhuh uh huh um er erm ah ahem oh")
_NOISES_ZH: Final = frozenset("嗯哦啊呃唔噢额")
_ASSENTS: Final = _set("yeah yep yes yup ok okay right sure really wow nice cool good great i see")
_ASSENTS_ZH: Final = frozenset("对好是的行哇")
WAKE_PHRASES: Final = {
    "okay_nabu": (r"(?:o\s?kay|o\.?\s?k\.?)[\s,]+(?:na\s?b(?:u|oo|o)|knob\s?boo|now\s?boo)", "nabu"),
    "hey_jarvis": (r"hey[\s,]+jar?v[ia]s", "jarvis"),
    "hey_mycroft": (r"hey[\s,]+my\s?croft", "mycroft"),
    "alexa": (r"alexa", "alexa"),
}
"""Of each wake word the phrase as it may be written, and its tail."""
_MOST_WORDS: Final = 4
"""Of a hum or a backchannel."""
_MOST_WORDS_OF_A_CALL: Final = 6
_STOPS_ZH: Final = ("停", "停下", "停止")
_FEWEST_OWN_WORDS: Final = 2
"""In a row, to be taken for the companion's own."""
_OWN_SHARE: Final = 0.8
_LATEST_OWN_WORDS: Final = 150
"""About a minute of speech."""
_MOST_HEARD_WORDS: Final = 25
"""More are not compared: the last ones tell."""


def words_of(text: str) -> list[str]:
    """The words, lower case, without punctuation."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def _is_chinese(word: str) -> bool:
    return "一" <= word[:1] <= "鿿"


def hangs(text: str) -> bool:
    """Whether the sentence cannot end on its last word ("and", "the", "to")."""
    words = words_of(text)
    if not words or text.rstrip().endswith(("?", "？")):
        return False
    if _is_chinese(words[-1]):
        return words[-1].endswith(_HANGING_ZH)
    return words[-1] in _HANGING


def is_noise(text: str) -> bool:
    """Whether there is nothing in it but hums ("mhm", "uh-huh"), which never make a turn."""
    words = words_of(text)
    return len(words) <= _MOST_WORDS and all(word in _NOISES or set(word) <= _NOISES_ZH for word in words)


def is_backchannel(text: str) -> bool:
    """Whether a listener would say it to let the other go on ("mhm", "yeah, okay")."""
    words = words_of(text)
    known = _NOISES | _ASSENTS
    chinese = _NOISES_ZH | _ASSENTS_ZH
    return len(words) <= _MOST_WORDS and all(word in known or set(word) <= chinese for word in words)


def strip_wake(text: str, wake: str) -> str:
    """The text without the wake phrase, or its tail, at the beginning."""
    if wake not in WAKE_PHRASES:
        return text
    phrase, tail = WAKE_PHRASES[wake]
    stripped = re.sub(rf"^\W*(?:{phrase}|{tail})\b[\s,.!?，。！？…-]*", "", text, count=1, flags=re.IGNORECASE)
    return stripped if stripped == text or not stripped else stripped[0].upper() + stripped[1:]


def says_wake(text: str, wake: str) -> bool:
    """Whether a text, said aloud, would hold the wake word."""
    if wake not in WAKE_PHRASES:
        return False
    return re.search(rf"\b(?:{WAKE_PHRASES[wake][0]})\b", text, flags=re.IGNORECASE) is not None


def calls_stop(text: str) -> bool:
    """Whether a few words end in "stop", as a call over a reply is heard whose sound is mixed into it."""
    words = words_of(text)
    return 0 < len(words) <= _MOST_WORDS_OF_A_CALL and (words[-1] == "stop" or words[-1].endswith(_STOPS_ZH))


def is_own_words(text: str, saying: str) -> bool:
    """Whether what was heard is a stretch of what the companion itself is saying: two words or more in a row.

    Of a longer stretch some may have been misheard, since an echo is damaged sound: four words of five in their order.
    """
    heard, said = words_of(text)[-_MOST_HEARD_WORDS:], words_of(saying)[-_LATEST_OWN_WORDS:]
    if len(heard) < _FEWEST_OWN_WORDS:
        return False
    needed = math.ceil(len(heard) * _OWN_SHARE)
    if len([word for word in heard if word in said]) < needed:
        return False
    length = len(heard) + len(heard) // 5
    stretches = (said[start : start + length] for start in range(len(said) - needed + 1))
    return any(_in_order(heard, stretch) >= needed for stretch in stretches)


def _in_order(heard: Sequence[str], stretch: Sequence[str]) -> int:
    """How many words both have in the same order: their longest common subsequence."""
    longest = [0] * (len(stretch) + 1)
    for word in heard:
        before = 0
        for place, other in enumerate(stretch, 1):
            above = longest[place]
            longest[place] = before + 1 if word == other else max(above, longest[place - 1])
            before = above
    return longest[-1]
