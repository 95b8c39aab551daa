"""HTML, by the standard library's parser: what a reader of the page sees, with its headings and source lines.

Scripts, styles and the like are no text; neither is what a page marks as hidden, a place where commands for
machines like to sit.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from companion.knowledge.limits import Limits
from companion.knowledge.readers.built import BuiltText
from companion.knowledge.readers.decode import decode
from companion.knowledge.readers.nesting import Nesting
from companion.knowledge.text import Extract

_SILENT = frozenset("script style template noscript iframe object svg math canvas audio video".split())
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_PARAGRAPHS = frozenset(
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header "
    "h1 h2 h3 h4 h5 h6 hr main nav ol p pre section summary table ul".split()
)
_LINES = frozenset({"br", "li", "tr", "option"})
_CELLS = frozenset({"td", "th"})
_HEADING = re.compile(r"h([1-6])$")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})""", re.IGNORECASE)
_HEAD_BYTES = 4_096


def read_html(raw: bytes, limits: Limits) -> Extract:
    """The text of a page. Raises FileUnreadable."""
    declared = _CHARSET.search(raw[:_HEAD_BYTES])
    text, note = decode(raw, declared=declared[1].decode("ascii", "ignore") if declared else "")
    page = _Page(limits.characters)
    page.feed(text)
    page.close()
    return page.built.extract(title=page.title, notes=(note,) if note else ())


class _Page(HTMLParser):
    def __init__(self, most: int) -> None:
        super().__init__(convert_charrefs=True)
        self.built = BuiltText(most)
        self.title = ""
        self._nesting = Nesting()
        self._in_title = False
        self._preformatted = 0
        self._heading: tuple[int, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = not self.title
        if tag not in _VOID:
            self._nesting.begin(tag)
            if tag in _SILENT or _is_hidden(attrs):
                self._nesting.hide()
        if self._nesting.is_hidden:
            return
        self._break_before(tag)
        if heading := _HEADING.match(tag):
            self._heading = (self.built.length, int(heading[1]))
        self._preformatted += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        self._nesting.end(tag)
        if self._nesting.is_hidden:
            return
        if _HEADING.match(tag) and self._heading is not None:
            at, level = self._heading
            self.built.mark_heading(at, level, self.built.text_since(at))
            self._heading = None
        if tag == "pre":
            self._preformatted = max(self._preformatted - 1, 0)
        if tag in _PARAGRAPHS:
            self.built.end_paragraph()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            return
        if self._nesting.is_hidden or self.built.is_full:
            return
        if data.strip():
            begins = len(data) - len(data.lstrip())
            self.built.mark_line(self.getpos()[0] + data.count("\n", 0, begins))
        if self._preformatted:
            self.built.add(data)
        else:
            self.built.add_words(data)

    def _break_before(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self.built.end_paragraph()
        elif tag in _LINES:
            self.built.end_line()
            if tag == "li":
                self.built.add("- ")
        elif tag in _CELLS:
            self.built.add_words(" ")


def _is_hidden(attributes: list[tuple[str, str | None]]) -> bool:
    given = dict(attributes)
    return (
        "hidden" in given
        or (given.get("aria-hidden") or "").lower() == "true"
        or bool(_HIDING.search(given.get("style") or ""))
    )
