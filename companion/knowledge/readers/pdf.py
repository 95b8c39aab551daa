"""PDF files, by pypdf: the text page by page, under the headings of the outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

from companion.errors import FileUnreadable
from companion.knowledge.limits import Limits
from companion.knowledge.readers.built import BuiltText
from companion.knowledge.text import Extract, one_title

if TYPE_CHECKING:
    from pypdf import PdfReader

_MOST_HEADINGS = 5_000
_DEEPEST = 9
_SPACE_AT_END = re.compile(r"[ \t]+\n")


def read_pdf(raw: bytes, limits: Limits) -> Extract:
    """The text of a PDF file; a page that cannot be read is left out and noted.

    Raises:
        FileUnreadable: it is none, is locked, or has no text.
    """
    reader = _opened(raw)
    outline = _Outline(reader)
    built = BuiltText(limits.characters)
    notes: list[str] = []
    for number, page in enumerate(_pages(reader, limits.pages, notes), start=1):
        built.begin_page()
        _add_page(built, page, outline.of_page(number))
        if built.is_full:
            break
    if not built.length:
        raise FileUnreadable("; ".join(notes) or "it has no text; it may be a scan")
    return built.extract(title=_title(reader), notes=tuple(notes))


def _opened(raw: bytes) -> PdfReader:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = PdfReader(BytesIO(raw), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise FileUnreadable("it is locked with a password")
    except (DependencyError, NotImplementedError) as error:
        raise FileUnreadable("it is locked in a way that cannot be opened here") from error
    except (PyPdfError, ValueError, KeyError, TypeError, OSError) as error:
        raise FileUnreadable("it is no PDF file, or a broken one") from error
    return reader


def _pages(reader: PdfReader, most: int, notes: list[str]) -> Iterator[str]:
    count = len(reader.pages)
    if count > most:
        notes.append(f"only the first {most:,} of {count:,} pages are read")
    broken: list[int] = []
    for number in range(min(count, most)):
        text = ""
        try:
            text = reader.pages[number].extract_text()
        except (MemoryError, RecursionError):
            raise
        except Exception:  # noqa: BLE001 - a broken page is no reason to lose the others, whatever it did to pypdf
            broken.append(number + 1)
        yield text
    if broken:
        notes.append(f"{len(broken)} pages cannot be read, the first is page {broken[0]}")


def _add_page(built: BuiltText, page: str, headings: list[tuple[int, str]]) -> None:
    text = _SPACE_AT_END.sub("\n", page.encode("utf-8", "replace").decode()).strip()
    begins, done = built.length, 0
    for level, title in headings:
        found = _find(text, title, done)
        if found is None:
            built.mark_heading(built.length, level, title)
            continue
        at, end = found
        built.add(text[done:at])
        begins = built.length
        built.add(text[at:end])
        built.mark_heading(begins, level, title)
        done = end
    built.add(text[done:])
    built.end_paragraph()


def _find(text: str, title: str, start: int) -> tuple[int, int] | None:
    """Where ``title`` stands as a line, or as the end of one behind its number."""
    words = r"\s+".join(re.escape(word) for word in title.split())
    found = re.compile(rf"^[\d.]{{0,12}}[ \t]*({words})[ \t]*$", re.MULTILINE).search(text, start) if words else None
    return found.span() if found else None


def _title(reader: PdfReader) -> str:
    try:
        return one_title(str(reader.metadata.title or "")) if reader.metadata else ""
    except Exception:  # noqa: BLE001 - a file without a good title is read all the same
        return ""


class _Outline:
    """The headings of the outline, by the page they lead to."""

    def __init__(self, reader: PdfReader) -> None:
        self._pages: dict[int, list[tuple[int, str]]] = {}
        self._left = _MOST_HEADINGS
        try:
            self._take(reader, reader.outline, 1)
        except Exception:  # noqa: BLE001 - a broken outline costs the headings, not the text
            self._pages = {}

    def of_page(self, number: int) -> list[tuple[int, str]]:
        """(level, title), in order."""
        return self._pages.get(number, [])

    def _take(self, reader: PdfReader, entries: list[Any], level: int) -> None:
        for entry in entries:
            if isinstance(entry, list):
                if level < _DEEPEST:
                    self._take(reader, entry, level + 1)
                continue
            self._left -= 1
            page = reader.get_destination_page_number(entry)
            if self._left < 0 or page is None or page < 0:
                continue
            title = one_title(str(entry.title or ""))
            if title:
                self._pages.setdefault(page + 1, []).append((level, title))
