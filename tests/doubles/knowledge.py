"""Files as other programs write them, a reader without a process, and a base of knowledge to try things on."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion.errors import FileUnreadable
from companion.knowledge import KnowledgeBase
from companion.knowledge.limits import USUAL, Limits
from companion.knowledge.reader_child import prepared
from companion.knowledge.reader_process import ReadFile
from companion.knowledge.readers import read


class PlainReader:
    """Reads at once, in this process, and counts; ``refuses`` are the bytes it falls over."""

    def __init__(self, limits: Limits = USUAL, *, refuses: Sequence[bytes] = ()) -> None:
        self.read_files = 0
        self._limits = limits
        self._refuses = refuses

    async def read(self, kind: str, raw: bytes) -> ReadFile:
        self.read_files += 1
        if raw in self._refuses:
            raise FileUnreadable("its reader fell over")
        extract = read(kind, raw, self._limits)
        return ReadFile(extract.title, extract.notes, tuple(prepared(extract)))

    async def close(self) -> None:
        pass


@asynccontextmanager
async def base_of(home: Path, *folders: Path, reader: Any = None, **more: Any) -> AsyncIterator[KnowledgeBase]:
    """A base of knowledge in ``home``, without a process for reading unless another reader is given."""
    base = await KnowledgeBase.open(
        home / "knowledge", folders, cache=home / "cache", reader=reader or PlainReader(), **more
    )
    try:
        yield base
    finally:
        await base.close()


def docx_file(*paragraphs: tuple[str, str]) -> bytes:
    """A Word file by python-docx. paragraphs: (style, text), as ("Heading 1", "Boiler")."""
    import docx

    document = docx.Document()
    for style, text in paragraphs:
        document.add_paragraph(text, style=style)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def pdf_file(*pages: Sequence[str], outline: Sequence[tuple[int, int, str]] = (), password: str = "") -> bytes:
    """A PDF by ReportLab. pages: their lines. outline: (page from 1, level from 0, title)."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen import canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    file = io.BytesIO()
    paper = canvas.Canvas(file, encrypt=StandardEncryption(password) if password else None)
    paper.setTitle("A paper")
    for number, lines in enumerate(pages, start=1):
        paper.bookmarkPage(str(number))
        for page, level, title in outline:
            if page == number:
                paper.addOutlineEntry(title, str(number), level)
        for place, line in enumerate(lines):
            paper.setFont("Helvetica" if line.isascii() else "STSong-Light", 12)
            paper.drawString(72, 760 - 16 * place, line)
        paper.showPage()
    paper.save()
    return file.getvalue()
