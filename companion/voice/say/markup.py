"""Follows markup through text that arrives in pieces, and says what of it is for the ear.

What is written comes out again as runs, in order and complete, each with what a voice may say of it:
tags, code blocks, web addresses and the targets of links are written but not said. Thinking
(``<think>`` and its kin) is neither: it is no part of the answer, and is dropped.

Only what could still become a tag, a link, an address or a fence is held back, and that up to a bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.voice.say.tidy import HIDDEN


class Run(NamedTuple):
    """A stretch of text; ``said`` equals ``written`` for plain text, and only plain text may be cut."""

    written: str
    said: str


class _Settled(NamedTuple):
    length: int
    """How much of what is held this settles."""
    run: Run


class _Inside(NamedTuple):
    """Between the opening and the closing of something that is not said."""

    closing: re.Pattern[str]
    is_dropped: bool


_THINKING = frozenset("think thinking thought thoughts reasoning reflection analysis scratchpad".split())
_MACHINE = frozenset("tool_call tool_calls tool_response function_call function_calls script style svg math".split())
_BREAKING = frozenset("blockquote br dd div dt h1 h2 h3 h4 h5 h6 hr li ol p table tr ul".split())
_FORMATTING = _BREAKING | frozenset(
    "a abbr answer article b big body center cite code del details dl em final font header html i img ins kbd main "
    "mark output pre q response s samp section small span speak strike strong sub summary sup tbody td tfoot th "
    "thead tt u var".split()
)
_PROSE = frozenset("md markdown text txt plaintext".split())

_TRIGGER = re.compile(
    r"(?P<tag><)|(?P<link>\[)|(?P<url>(?:https?://|ftp://|www\.(?=[A-Za-z0-9])))"
    r"|(?P<fence>```|~~~)",
    re.IGNORECASE,
)
_HALF_TRIGGER = re.compile(
    r"(?:(?:h|ht|htt|https?|https?:|https?:/|f|ft|ftp|ftp:|ftp:/|w|ww|www|www\.)"
    r"|(?<!`)`{1,2}|(?<!~)~{1,2})\Z",
    re.IGNORECASE,
)
_URL = re.compile(r"[^\s<>\"“”，。；！？、（）【】\u3400-\u9fff]+")
_URL_TAIL = ".,;:!?'’*_`])"

_VALUE = r"(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+)"
_ATTRIBUTES = rf"(?:\s+[\w:@.-]+(?:\s*=\s*{_VALUE}))*"
_TAG = re.compile(rf"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]{{0,40}}){_ATTRIBUTES}(?:\s+[\w-]+)?\s*(?P<empty>/?)>")
_HALF_VALUE = r"(?:\"[^\"<>]*|'[^'<>]*|[^\s\"'<>=]*)"
_HALF_ATTRIBUTE = rf"(?:\s+[\w:@.-]*(?:\s*=\s*{_HALF_VALUE})?)?"
_HALF_TAG = re.compile(
    rf"<(?:/?(?:[A-Za-z][\w:.-]{{0,40}}{_ATTRIBUTES}{_HALF_ATTRIBUTE}\s*/?)?|!-?|\|[^|<>\n]{{0,40}}\|?)\Z"
)
_COMMENT = re.compile(r"<!--")
_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>")
_AUTOLINK = re.compile(r"<(?:https?://|mailto:|www\.)[^<>\s]*>", re.IGNORECASE)
_HALF_AUTOLINK = re.compile(r"<(?:https?:|mailto:|www\.)[^<>\s]*\Z", re.IGNORECASE)

_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
    r"|\[[^\[\]\n]*\])"
)
_HALF_LINK = re.compile(r"\[[^\[\]\n]*(?:\](?:\([^\n]*|\[[^\[\]\n]*)?)?\Z")
_NOTE = re.compile(r"\[(?:\^[\w-]{1,20}|\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,5})\]")
_ADDRESSED = re.compile(r"\[[^\[\]\n]*(?:https?://|www\.)[^\[\]\n]*\]", re.IGNORECASE)
_FENCE_LINE = re.compile(r"(?:`{3,}|~{3,})[ \t]*(?P<info>[^\n`]*)(?=\n)")
_FENCE_END = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t\r]*(?=\n)")
_COMMENT_END = re.compile(r"-->")
_URL_END = re.compile(r"(?=\s)")

_LONGEST_MARK = 400
"""Characters held back at most for a tag, a link's text, or the first line of a code block."""
_LONGEST_URL = 1600
_LONGEST_ELEMENT = 200
"""Characters held back at most to see whether an element of unknown name is closed."""
_TAIL = 60
"""Longer than any closing mark."""


class Markup:
    """One text on its way: ``feed`` it and take the runs; ``finish`` gives what was held back."""

    def __init__(self) -> None:
        self._held = ""
        self._inside: _Inside | None = None
        self._at_line_start = True
        self._in_prose_fence = False
        self._ending = False

    def feed(self, text: str) -> list[Run]:
        """The runs that ``text`` settles."""
        self._held += text
        return [run for run in self._settle() if run.written]

    def finish(self) -> list[Run]:
        """The rest. A mark that never closed was none; code and thinking that never closed are still not said."""
        self._ending = True
        return [run for run in self._settle() if run.written]

    def _settle(self) -> Iterator[Run]:
        while self._held:
            settled = self._next()
            if settled is None or not settled.length:
                return
            self._pass(settled.length)
            yield settled.run

    def _pass(self, length: int) -> None:
        _, newline, line = self._held[:length].rpartition("\n")
        self._at_line_start = not line.strip(" \t") and (bool(newline) or self._at_line_start)
        self._held = self._held[length:]

    def _next(self) -> _Settled | None:
        if self._inside is not None:
            return self._skip(self._inside)
        trigger = _TRIGGER.search(self._held)
        if trigger is None:
            return self._plain(self._settled_end())
        if trigger.start():
            return self._plain(trigger.start())
        match trigger.lastgroup:
            case "tag":
                return self._tag()
            case "link":
                return self._link()
            case "url":
                return self._url()
            case _:
                return self._fence(trigger)

    def _plain(self, length: int) -> _Settled:
        text = self._held[:length]
        return _Settled(length, Run(text, text))

    def _unsaid(self, length: int, said: str = "") -> _Settled:
        return _Settled(length, Run(self._held[:length], said))

    def _settled_end(self) -> int:
        end = len(self._held)
        half = None if self._ending else _HALF_TRIGGER.search(self._held, max(0, end - 12))
        return half.start() if half else end

    def _may_become(self, half: re.Pattern[str], longest: int) -> bool:
        return not self._ending and len(self._held) < longest and half.match(self._held) is not None

    def _skip(self, inside: _Inside) -> _Settled | None:
        closing = inside.closing.search(self._held)
        if closing is not None:
            self._inside = None
            # An address may end where the held text begins.
            end = closing.end() or 0
            if end == 0:
                return self._next()
        elif self._ending:
            end = len(self._held)
        else:
            end = len(self._held) - _TAIL
        if end <= 0:
            return None
        return _Settled(end, Run("" if inside.is_dropped else self._held[:end], ""))

    def _enter(self, length: int, closing: re.Pattern[str], *, is_dropped: bool = False) -> _Settled:
        self._inside = _Inside(closing, is_dropped)
        return _Settled(length, Run("" if is_dropped else self._held[:length], ""))

    def _tag(self) -> _Settled | None:
        near = self._held[:_LONGEST_MARK]
        if address := _AUTOLINK.match(self._held[:_LONGEST_URL]):
            return self._unsaid(address.end(), HIDDEN)
        if token := _TOKEN.match(near):
            return self._unsaid(token.end())
        if comment := _COMMENT.match(near):
            return self._enter(comment.end(), _COMMENT_END)
        if tag := _TAG.match(near):
            return self._element(tag)
        if self._may_become(_HALF_TAG, _LONGEST_MARK) or self._may_become(_HALF_AUTOLINK, _LONGEST_URL):
            return None
        return self._plain(1)

    def _element(self, tag: re.Match[str]) -> _Settled | None:
        name = tag["name"].lower()
        opens = not tag["close"] and not tag["empty"]
        if opens and name in _THINKING | _MACHINE:
            closing = re.compile(rf"</{re.escape(name)}\s{{0,9}}>", re.IGNORECASE)
            return self._enter(tag.end(), closing, is_dropped=name in _THINKING)
        if opens and name not in _FORMATTING:
            return self._unknown_element(tag)
        return self._unsaid(tag.end(), "\n" if name in _BREAKING else "")

    def _unknown_element(self, tag: re.Match[str]) -> _Settled | None:
        content = self._held[tag.end() : tag.end() + _LONGEST_ELEMENT]
        line = content.partition("\n")[0]
        if not line.strip():
            # It stands on a line of its own, and so does its closing.
            line = content
        closing = line.find(f"</{tag['name']}>")
        if closing >= 0:
            return self._unsaid(tag.end() + closing + len(tag["name"]) + 3)
        if line == content and len(content) < _LONGEST_ELEMENT and not self._ending:
            return None
        return self._unsaid(tag.end())

    def _link(self) -> _Settled | None:
        if link := _LINK.match(self._held[:_LONGEST_URL]):
            return self._unsaid(link.end(), HIDDEN if "://" in link["text"] else link["text"])
        longest = _LONGEST_URL if "](" in self._held[:_LONGEST_MARK] else _LONGEST_MARK
        if self._may_become(_HALF_LINK, longest):
            return None
        near = self._held[:_LONGEST_MARK]
        if note := _NOTE.match(near) or _ADDRESSED.match(near):
            return self._unsaid(note.end())
        return self._plain(1)

    def _url(self) -> _Settled | None:
        url = _URL.match(self._held)
        assert url is not None
        if url.end() > _LONGEST_URL:
            return self._enter(_LONGEST_URL, _URL_END)
        if url.end() == len(self._held) and not self._ending:
            return None
        return self._unsaid(len(url[0].rstrip(_URL_TAIL)), HIDDEN)

    def _fence(self, trigger: re.Match[str]) -> _Settled | None:
        line, newline, _ = self._held.partition("\n")
        is_inline = "```" in line[trigger.end() :].lstrip("`")
        if not self._at_line_start or is_inline or len(line) > _LONGEST_MARK:
            return self._plain(trigger.end())
        if not newline and not self._ending:
            return None
        fence = _FENCE_LINE.match(self._held)
        if fence is None or self._in_prose_fence:
            self._in_prose_fence = False
            return self._unsaid(len(line))
        if fence["info"].strip().lower() in _PROSE:
            self._in_prose_fence = True
            return self._unsaid(fence.end())
        return self._enter(fence.end(), _FENCE_END)
