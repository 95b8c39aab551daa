"""A model hub as a source: one GET at a pinned revision, taken up again where it was cut.

``HF_ENDPOINT`` names another hub or a mirror, as it does for the hub's own tools.
"""

from __future__ import annotations

import asyncio
import email.utils
import os
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.catalog.manifest import HubSource, ModelFile
from companion.catalog.progress import Phase
from companion.catalog.sizes import bytes_in
from companion.catalog.source import Errand
from companion.errors import SourceUnreachable, one_line
from companion.stream.threads import finish_in_thread

if TYPE_CHECKING:
    import httpx

ENDPOINT = "https://huggingface.co"
TRIES = 5
"""Tries in a row that bring nothing new, before the hub is given up."""
CONNECT_TRIES = 3
"""The same when there was not even a connection: without a network nobody wants to wait."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
LONGEST_ASKED_PAUSE = 120.0
"""A hub that asks for a longer rest is given up, and a person is told."""
SLOWEST = 5_000
"""Bytes a second. A file that comes more slowly than this on the whole is given up."""
WRITE_BYTES = 1 << 20

_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class _TryAgain(Exception):
    """This try brought no more; the next may. ``after`` is what the hub asked for, in seconds."""

    def __init__(self, why: str, *, after: float | None = None, connected: bool = True) -> None:
        super().__init__(why)
        self.after = after
        self.connected = connected


class Hub:
    """Fetches files over HTTP, with the proxies and certificates of the environment."""

    def __init__(self, endpoint: str = "", *, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._endpoint = (endpoint or os.environ.get("HF_ENDPOINT") or ENDPOINT).rstrip("/")
        self._pause = pause
        self._client: httpx.AsyncClient | None = None
        self._down: SourceUnreachable | None = None

    @property
    def title(self) -> str:
        return f"the hub {self._endpoint}"

    def place(self, file: ModelFile) -> int | None:
        return next((index for index, source in enumerate(file.sources) if isinstance(source, HubSource)), None)

    async def bring(self, errand: Errand) -> None:
        """Fetch one file, in as many pieces as it takes.

        Raises:
            SourceUnreachable: the hub does not have it, or does not deliver it; the part stays for another try.
            OSError: the part cannot be written.
        """
        if self._down is not None:
            raise self._down
        url = self._url(errand.file)
        try:
            async with asyncio.timeout(60 + errand.file.bytes / SLOWEST):
                await self._insist(url, errand)
        except TimeoutError as error:
            raise SourceUnreachable(f"{url}: comes too slowly", mend="Try again later.") from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _url(self, file: ModelFile) -> str:
        source = next(source for source in file.sources if isinstance(source, HubSource))
        return f"{self._endpoint}/{source.repository}/resolve/{source.revision}/{source.path}"

    async def _insist(self, url: str, errand: Errand) -> None:
        """Try until the part is complete; give up after some tries in a row that bring nothing new."""
        # A hundredth of the file counts as news, so that a connection that dribbles cannot go on for ever.
        news, most, fruitless = max(1, errand.file.bytes // 100), bytes_in(errand.part), 0
        while True:
            try:
                await self._attempt(url, errand)
                return
            except _TryAgain as error:
                size = bytes_in(errand.part)
                fruitless = 0 if size >= most + news else fruitless + 1
                most = max(most, size)
                await self._rest(url, error, fruitless)

    async def _rest(self, url: str, error: _TryAgain, fruitless: int) -> None:
        tries = TRIES if error.connected else CONNECT_TRIES
        if fruitless >= tries:
            gone = SourceUnreachable(f"{url}: {error}", mend="Check the network, or try again later.")
            if not error.connected:
                # The next file would wait as long for the same answer.
                self._down = gone
            raise gone from error
        if error.after is not None and error.after > LONGEST_ASKED_PAUSE:
            raise SourceUnreachable(
                f"{url}: {error}, and asks to wait {error.after:.0f} seconds", mend="Try again after that time."
            ) from error
        backoff = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** max(0, fruitless - 1))
        await self._pause(backoff if error.after is None else error.after)

    async def _attempt(self, url: str, errand: Errand) -> None:
        import httpx

        start = bytes_in(errand.part)
        if start > errand.file.bytes:
            start = _discard(errand.part)
        if start == errand.file.bytes:
            return
        try:
            async with self._opened().stream("GET", url, headers=_headers(errand.part, start)) as response:
                _accept(url, response, errand, start)
                await _write(response, errand)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects) as error:
            raise SourceUnreachable(f"{url}: {error}", retryable=False) from error
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
            raise _TryAgain(one_line(error), connected=False) from error
        except httpx.HTTPError as error:
            raise _TryAgain(one_line(error)) from error
        size = bytes_in(errand.part)
        if size > errand.file.bytes:
            raise SourceUnreachable(f"{url}: sends more than {errand.file.bytes} bytes", retryable=False)
        if size < errand.file.bytes:
            raise _TryAgain("the connection ended early")

    def _opened(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(
                follow_redirects=True, max_redirects=10, timeout=httpx.Timeout(30.0, connect=10.0)
            )
        return self._client


def _headers(part: Path, start: int) -> dict[str, str]:
    # Compression would make lengths and ranges speak of other bytes than ours.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        etag = _etag(part)
        if etag:
            headers["If-Range"] = etag
    return headers


def _accept(url: str, response: httpx.Response, errand: Errand, start: int) -> None:
    """Look at the head of an answer and make the part ready for its body."""
    part, expected = errand.part, errand.file.bytes
    match response.status_code:
        case 200:
            start = _discard(part)
            length = response.headers.get("content-length", "")
            if length.isdecimal() and int(length) != expected:
                raise SourceUnreachable(
                    f"{url}: sends {length} bytes where the manifest says {expected}", retryable=False
                )
        case 206:
            _accept_range(response, part, start, expected)
        case 416:
            _discard(part)
            raise _TryAgain("refuses the rest of the file")
        case 408 | 425 | 429 | 500 | 502 | 503 | 504:
            raise _TryAgain(f"answers {response.status_code}", after=_asked_pause(response))
        case status:
            raise SourceUnreachable(f"{url}: answers {status} {response.reason_phrase}", retryable=False)
    _remember_etag(part, response.headers.get("etag", ""))


def _accept_range(response: httpx.Response, part: Path, start: int, expected: int) -> None:
    found = _RANGE.fullmatch(response.headers.get("content-range", ""))
    if found is None or int(found[1]) != start or found[3] not in {"*", str(expected)}:
        _discard(part)
        raise _TryAgain("sends another range than it was asked for")
    known, told = _etag(part), response.headers.get("etag", "")
    if known and told and known != told:
        _discard(part)
        raise _TryAgain("the file on the hub has changed meanwhile")


async def _write(response: httpx.Response, errand: Errand) -> None:
    """Append the body to the part, until it is seen to be too long. What came before a cut is kept."""
    expected, waiting = errand.file.bytes, bytearray()
    with errand.part.open("ab") as opened:
        done = opened.tell()
        try:
            async for piece in response.aiter_raw():
                waiting += piece
                done += len(piece)
                if done > expected:
                    break
                if len(waiting) >= WRITE_BYTES:
                    ready, waiting = waiting, bytearray()
                    await finish_in_thread(partial(opened.write, ready))
                    errand.tell(Phase.FETCHING, done, expected)
        finally:
            opened.write(waiting)
    errand.tell(Phase.FETCHING, min(done, expected), expected)


def _asked_pause(response: httpx.Response) -> float | None:
    """``Retry-After`` in seconds, from either of its two forms."""
    asked = response.headers.get("retry-after", "").strip()
    if asked.isdecimal():
        return float(asked)
    try:
        until = email.utils.parsedate_to_datetime(asked)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _discard(part: Path) -> int:
    part.unlink(missing_ok=True)
    _beside(part).unlink(missing_ok=True)
    return 0


def _beside(part: Path) -> Path:
    return part.with_name(part.name + ".etag")


def _etag(part: Path) -> str:
    try:
        return _beside(part).read_text(encoding="utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return ""


def _remember_etag(part: Path, etag: str) -> None:
    # A weak one ("W/...") does not promise the same bytes, and may not stand in If-Range.
    if etag.startswith('"') and len(etag) < 200:
        _beside(part).write_text(etag, encoding="utf-8")
    else:
        _beside(part).unlink(missing_ok=True)
