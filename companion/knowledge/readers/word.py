"""Word files (Office Open XML): a zip with XML in it, read part by part as it is unpacked.

Only the text of the document and the names of its styles are looked at. No part may unpack to more than its
bound, and a part that declares a document type is refused: Word writes none, and entities that grow hide there.
Pages are where Word last ended them, if it wrote that down.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import IO
from xml.parsers import expat

from companion.errors import FileUnreadable
from companion.knowledge.limits import Limits
from companion.knowledge.readers.built import BuiltText
from companion.knowledge.text import Extract

_BLOCK = 64 * 1024
_WORDS = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)
_DEEPEST = 9
_UNSEEN = frozenset({"del", "moveFrom", "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"})
"""What was deleted and only remembered, and what is there twice for older programs."""
_LOCKED = bytes.fromhex("d0cf11e0a1b11ae1")
"""How an encrypted file of Office begins."""

Attributes = dict[str, str]


def read_docx(raw: bytes, limits: Limits) -> Extract:
    """The text of a Word file.

    Raises:
        FileUnreadable: it is none, is locked, or unpacks to too much.
    """
    if raw.startswith(_LOCKED):
        raise FileUnreadable("it is locked with a password, or a file of an older Word")
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            levels = _Styles(archive, limits).levels
            document = _Document(limits, levels)
            _parse(archive, _main_part(archive), limits, document.begin, document.end, document.words)
    except (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError, EOFError) as error:
        raise FileUnreadable("it is no Word file, or a broken one") from error
    except expat.ExpatError as error:
        raise FileUnreadable(f"its text is broken: {error}") from error
    return document.built.extract(title=document.title)


def _main_part(archive: zipfile.ZipFile) -> str:
    return "word/document.xml" if "word/document.xml" in archive.namelist() else "word/document2.xml"


def _parse(
    archive: zipfile.ZipFile, part: str, limits: Limits, begin: Callable[[str, Attributes], None],
    end: Callable[[str], None], words: Callable[[str], None] | None = None,
) -> None:  # fmt: skip
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, given: begin(_short(name), {_short(key): given[key] for key in given})
    parser.EndElementHandler = lambda name: end(_short(name))
    parser.CharacterDataHandler = words
    parser.StartDoctypeDeclHandler = _refuse
    with archive.open(part) as source:
        _feed(parser, source, limits.unpacked_bytes)


def _feed(parser: expat.XMLParserType, source: IO[bytes], most: int) -> None:
    unpacked = 0
    while block := source.read(_BLOCK):
        unpacked += len(block)
        if unpacked > most:
            raise FileUnreadable(f"it unpacks to more than {most >> 20} MB")
        parser.Parse(block, False)
    parser.Parse(b"", True)


def _refuse(*_: object) -> None:
    raise FileUnreadable("it declares a document type, which Word files do not do")


def _short(name: str) -> str:
    """The name of an element of Word's own; others keep their namespace, so that none is mistaken for one."""
    for space in _WORDS:
        if name.startswith(space):
            return name[len(space) :]
    return name


class _Styles:
    """The level of each style that is a heading, by the id that paragraphs name it by."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits) -> None:
        self.levels: dict[str, int] = {}
        self._style = ""
        if "word/styles.xml" in archive.namelist():
            _parse(archive, "word/styles.xml", limits, self._begin, self._end)

    def _begin(self, name: str, given: Attributes) -> None:
        if name == "style":
            self._style = given.get("styleId", "")
        elif name == "name" and self._style:
            if heading := _HEADING.match(given.get("val", "")):
                self.levels[self._style] = int(heading[1])
            elif given.get("val", "").lower() == "title":
                self.levels[self._style] = 0
        elif name == "outlineLvl" and self._style:
            level = given.get("val", "")
            if level.isdecimal() and int(level) < _DEEPEST:
                self.levels.setdefault(self._style, int(level) + 1)

    def _end(self, name: str) -> None:
        if name == "style":
            self._style = ""


class _Document:
    """Takes the events of the document part and builds its text."""

    def __init__(self, limits: Limits, levels: dict[str, int]) -> None:
        self.built = BuiltText(limits.characters)
        self.title = ""
        self._levels = levels
        self._is_text = False
        self._level: int | None = None
        self._paragraph = 0
        self._cells = 0
        self._unseen = 0
        self._has_pages = False

    def begin(self, name: str, given: Attributes) -> None:
        match name:
            case "p":
                self._paragraph, self._level = self.built.length, None
            case "pStyle":
                self._level = self._levels.get(given.get("val", ""))
            case "t":
                self._is_text = not self._unseen
            case "tab":
                self.built.add_words(" ")
            case "br" | "cr":
                self._break(given.get("type", ""))
            case "lastRenderedPageBreak":
                self._end_page()
            case "tc":
                self._cells += 1
            case _ if name in _UNSEEN:
                self._unseen += 1
            case _:
                pass

    def end(self, name: str) -> None:
        match name:
            case "t":
                self._is_text = False
            case "p":
                self._end_paragraph()
            case "tc":
                self._cells = max(self._cells - 1, 0)
            case "tr":
                self.built.end_line()
            case "tbl":
                self.built.end_paragraph()
            case _ if name in _UNSEEN:
                self._unseen = max(self._unseen - 1, 0)
            case _:
                pass

    def words(self, text: str) -> None:
        if self._is_text:
            self.built.add(text)

    def _end_page(self) -> None:
        if not self._has_pages:
            self.built.begin_page(at=0)
            self._has_pages = True
        self.built.begin_page()

    def _break(self, kind: str) -> None:
        # A page that is ended by hand is followed by the place where Word rendered that.
        if kind != "page":
            self.built.end_line()

    def _end_paragraph(self) -> None:
        text = self.built.text_since(self._paragraph)
        if self._level is not None and text.strip():
            if self._level == 0:
                self.title = self.title or text
            else:
                self.built.mark_heading(self._paragraph, self._level, text)
        if self._cells:
            self.built.add_words(" ")
        elif text.strip():
            self.built.end_paragraph()
