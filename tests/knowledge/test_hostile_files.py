"""Files that mean harm: each is told by its name, and the others are read all the same."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import zipfile
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil
import pytest
from doubles.knowledge import base_of, docx_file, pdf_file

from companion.errors import FileUnreadable
from companion.knowledge.limits import MEBIBYTE, Limits
from companion.knowledge.reader_process import ReaderProcess

TIGHT = Limits(
    text_bytes=4 * MEBIBYTE,
    packed_bytes=4 * MEBIBYTE,
    unpacked_bytes=8 * MEBIBYTE,
    characters=200_000,
    seconds=1.0,
    patience=30.0,
    memory_bytes=400 * MEBIBYTE,
)
BODY = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'


@asynccontextmanager
async def a_reader(limits: Limits = TIGHT) -> AsyncIterator[ReaderProcess]:
    reader = ReaderProcess(limits)
    try:
        yield reader
    finally:
        await reader.close()


def archive(**parts: str | bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(f"word/{name}.xml", content)
    return file.getvalue()


def zip_bomb() -> bytes:
    return archive(document=BODY.format(f"<w:p><w:t>{' ' * 50_000_000}</w:t></w:p>"))


def entity_bomb() -> bytes:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return archive(document=f'<!DOCTYPE d [<!ENTITY e0 "boom">{entities}]>' + BODY.format("<w:p><w:t>&e9;</w:t></w:p>"))


def outside_entity() -> bytes:
    return archive(
        document='<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + BODY.format("<w:p><w:t>&x;</w:t></w:p>")
    )


def pdf_bomb() -> bytes:
    """A page whose content unpacks to a great many operators."""
    content = zlib.compress(b"BT /F1 12 Tf (boom) Tj ET\n" * 600_000, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    file, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + b"xref\n0 6\n0000000000 65535 f \n%btrailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        table,
        len(file),
    )


def endless_pages() -> bytes:
    """A tree of pages that leads back to itself."""
    return (
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
        b"2 0 obj\n<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>\nendobj\n"
        b"trailer << /Size 3 /Root 1 0 R >>\nstartxref\n0\n%%EOF"
    )


HOSTILE = {
    "zip-bomb.docx": zip_bomb(),
    "entities.docx": entity_bomb(),
    "outside.docx": outside_entity(),
    "no-zip.docx": b"PK\x03\x04 and then nothing",
    "old.docx": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(100),
    "empty.docx": b"",
    "bomb.pdf": pdf_bomb(),
    "endless.pdf": endless_pages(),
    "garbage.pdf": b"%PDF-1.7" + os.urandom(2_000),
    "locked.pdf": pdf_file(["secret"], password="open sesame"),
    "empty.pdf": b"",
    "large.txt": b"x" * (5 * MEBIBYTE),
    "binary.txt": bytes(range(256)) * 100,
}


async def test_each_hostile_file_is_told_and_the_good_ones_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, content in HOSTILE.items():
        (folder / name).write_bytes(content)
    (folder / "zz-good.docx").write_bytes(docx_file(("Normal", "The boiler keeps 60 degrees.")))
    (folder / "zz-good.pdf").write_bytes(pdf_file(["The boiler is blue."]))

    async with base_of(tmp_path, folder, reader=ReaderProcess(TIGHT), limits=TIGHT) as base:
        refreshed = await base.refresh()
        troubles = {problem.file.name: problem.reason for problem in await base.troubles()}
        hits = await base.search("boiler")

    assert refreshed.failed == len(HOSTILE)
    assert set(troubles) == set(HOSTILE)
    assert all("\n" not in reason for reason in troubles.values())
    assert {hit.name for hit in hits} == {"zz-good.docx", "zz-good.pdf"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("zip-bomb.docx", "unpacks to more than 8 MB"),
        ("entities.docx", "declares a document type"),
        ("outside.docx", "declares a document type"),
        ("bomb.pdf", "took longer than 1 s of processor time"),
    ],
)
async def test_a_bomb_is_told_for_what_it_is(name: str, reason: str) -> None:
    async with a_reader() as reader:
        with pytest.raises(FileUnreadable, match=reason):
            await reader.read(name.rpartition(".")[2], HOSTILE[name])


async def test_an_outline_that_never_ends_costs_no_more_than_it_may() -> None:
    async with a_reader() as reader:
        with pytest.raises(FileUnreadable):
            await reader.read("pdf", endless_pages())


async def test_a_page_of_tags_that_are_never_closed_is_read() -> None:
    async with a_reader() as reader:
        read = await reader.read("html", b"<div>" * 20_000 + b"boiler")

    assert "boiler" in read.passages[0].passage.text


async def test_comments_that_are_never_closed_cost_no_more_than_they_may() -> None:
    """Some versions of the parser look for the end of each one."""
    async with a_reader() as reader:
        with suppress(FileUnreadable):
            await reader.read("html", b"boiler" + b"<!--" * 200_000)
        assert (await reader.read("text", b"boiler")).passages


async def test_a_reader_that_fell_over_is_started_again() -> None:
    async with a_reader() as reader:
        with pytest.raises(FileUnreadable):
            await reader.read("pdf", pdf_bomb())
        assert (await reader.read("text", b"boiler")).passages[0].passage.text == "boiler"


async def test_a_reader_that_is_killed_costs_one_file() -> None:
    async with a_reader() as reader:
        await reader.read("text", b"boiler")
        assert reader._process is not None
        reader._process.send_signal(signal.SIGKILL)
        with pytest.raises(FileUnreadable, match="fell over"):
            await reader.read("text", b"boiler")
        assert (await reader.read("text", b"boiler")).passages


async def test_a_reader_that_stands_still_is_ended_by_the_clock() -> None:
    async with a_reader(Limits(patience=0.2)) as reader:
        process = await reader._start()
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(FileUnreadable, match=r"longer than 0\.2 s"):
            await reader.read("text", b"boiler")
        assert process.returncode == -signal.SIGKILL


async def test_a_cancelled_read_leaves_no_process_behind() -> None:
    async with a_reader() as reader:
        process = await reader._start()
        process.send_signal(signal.SIGSTOP)
        reading = asyncio.get_running_loop().create_task(reader.read("text", b"boiler"))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        assert process.returncode == -signal.SIGKILL


async def test_a_reader_is_given_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sesame")
    async with a_reader() as reader:
        process = await reader._start()
        await reader.read("text", b"boiler")
        environment = psutil.Process(process.pid).environ()

    assert "sesame" not in environment.values()


def test_a_reader_ends_with_the_one_who_started_it() -> None:
    program = (
        "import asyncio\n"
        "from companion.knowledge.reader_process import ReaderProcess\n"
        "async def main():\n"
        "    reader = ReaderProcess()\n"
        "    await reader.read('text', b'boiler')\n"
        "    print(reader._process.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    child.wait(timeout=20)
