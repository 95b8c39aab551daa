"""Written text as people say it."""

from __future__ import annotations

import re

from companion.settings.language import AUTO, primary
from companion.voice.say.markup import Markup
from companion.voice.say.tidy import tidy

__all__ = ["guess", "is_readable", "language_of", "prepare", "speakable", "verbalise"]

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
)
_SPACES = re.compile(r"\s+")
_LOOSE = re.compile(r" +([,.!?;:])(?=\s|$)")
_WORD = re.compile(r"[^\W_]")
_LATIN = re.compile(r"[A-Za-z]")
_HAN = ("zh", "cmn", "yue", "ja")
"""Languages that are written in Chinese characters."""


def speakable(text: str, language: str = "") -> str:
    """``text`` as a synthesiser shall say it: no markup, no web address, no digit where we know the language.

    language: BCP 47 tag; empty guesses from the script. Never raises; any text is taken.
    """
    markup = Markup()
    runs = [*markup.feed(text), *markup.finish()]
    return verbalise("".join(run.said for run in runs), language)


def verbalise(text: str, language: str = "", *, line_start: bool = True) -> str:
    """Like ``speakable``, for text that ``Markup`` has already been through."""
    language = _known(language) or guess(text)
    words = tidy(text, stop="。" if language in ("zh", "ja") else ".", line_start=line_start)
    said = _say(words, language)
    return _LOOSE.sub(r"\1", _SPACES.sub(" ", said)).strip()


def guess(text: str) -> str:
    """The language of a text nobody labelled, by its script: "zh", "ja", "ko", else "en"."""
    if text.isascii():
        return "en"
    return next((language for language, script in _SCRIPTS if script.search(text)), "en")


def language_of(text: str, usual: str) -> str:
    """The language of a text nobody labelled: ``usual``, a BCP 47 tag, unless its script is another's."""
    guessed, known = guess(text), _known(usual)
    if guessed == "en":
        return "en" if known in (*_HAN, "ko") and _LATIN.search(text) else usual
    return usual if known == guessed or (guessed == "zh" and known in _HAN) else guessed


def is_readable(text: str) -> bool:
    """Whether there is anything in it that a voice can say."""
    return _WORD.search(text) is not None


def prepare(language: str) -> None:
    """Load what ``language`` needs, so that the first sentence does not wait for it."""
    _say("1", _known(language) or "en")


def _known(language: str) -> str:
    name = primary(language)
    return {AUTO: "", "cmn": "zh"}.get(name, name)


def _say(text: str, language: str) -> str:
    # A language is loaded when it is first spoken: the patterns of one take 30 ms to build, num2words
    # for the others 100 ms to import.
    match language:
        case "en":
            from companion.voice.say.english import say
        case "zh":
            from companion.voice.say.chinese import say
        case _:
            from companion.voice.say.elsewhere import say as say_elsewhere

            return say_elsewhere(text, language)
    return say(text)
