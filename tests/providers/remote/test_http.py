"""The HTTP client: deadlines, connections, proxies, certificates, interceptors, and what it keeps to itself."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from doubles.certificate import make_certificate
from doubles.fault_proxy import Cut, FaultProxy, Reset, Trickle
from doubles.provider_server import Ending, ProviderServer, Reply

from companion.errors import SettingsError, Unreachable, WireBroken
from companion.providers.remote.exchange import Deadlines, HttpHead, HttpRequest, is_this_machine
from companion.providers.remote.http import CONNECTIONS, Http, HttpOptions

KEY = "a-key-that-is-none"
WORDS = "the words of the user"


@asynccontextmanager
async def client(options: HttpOptions | None = None, **others) -> AsyncIterator[Http]:
    http = Http(options, **others)
    try:
        yield http
    finally:
        await http.close()


def post(url: str, body: bytes = WORDS.encode(), **deadlines: float) -> HttpRequest:
    return HttpRequest(
        "POST", url, {"authorization": f"Bearer {KEY}"}, body, Deadlines(**deadlines) if deadlines else None
    )


async def test_a_request_goes_out_and_its_answer_comes_back() -> None:
    async with ProviderServer([Reply((b"all ", b"is well"), content_type="text/plain")]) as server, client() as http:
        head, body = await http.fetch(post(f"{server.url}/v1/say?loud=yes"))

    assert (head.status, head.content_type, body) == (200, "text/plain", b"all is well")
    asked = server.asked[0]
    assert (asked.method, asked.path, asked.body) == ("POST", "/v1/say?loud=yes", WORDS.encode())
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["user-agent"].startswith("companion/")


async def test_a_connection_is_kept_for_the_next_request() -> None:
    async with ProviderServer([Reply((b"x",))]) as server, client() as http:
        for _ in range(3):
            await http.fetch(post(server.url))

    assert (len(server.asked), server.connections) == (3, 1)


CLOSED = Reply(has_head=False, ending=Ending.CUT)


async def test_a_request_that_met_a_kept_connection_as_it_closed_is_sent_again() -> None:
    told: list[str] = []
    async with ProviderServer([Reply((b"x",)), CLOSED, Reply((b"y",))]) as server, client() as http:
        await http.fetch(post(server.url))
        _, body = await http.fetch(post(server.url), on_sent=lambda: told.append("sent"))

    assert body == b"y"
    assert (len(server.asked), server.connections) == (3, 2)
    assert told == ["sent"] * 2, "whatever leaves is told of"


async def test_what_is_no_http_is_an_answer_and_not_asked_for_again() -> None:
    strange = Reply((b"good day to you\r\n\r\n",), has_head=False, is_chunked=False, ending=Ending.CUT)
    async with ProviderServer([Reply((b"x",)), strange]) as server, client() as http:
        await http.fetch(post(server.url))
        with pytest.raises(Unreachable, match="no HTTP"):
            await http.fetch(post(server.url))

    assert len(server.asked) == 2


async def test_where_all_connections_are_in_use_it_says_so_soon() -> None:
    reply = Reply((b"x",), ending=Ending.STALL)
    async with ProviderServer([reply]) as server, client() as http:
        answers = [await http.open(post(server.url)) for _ in range(CONNECTIONS)]
        with pytest.raises(Unreachable, match=f"{CONNECTIONS} answers are being read") as caught:
            await http.open(post(server.url, connect=0.05, first=60))
        assert (caught.value.retryable, caught.value.was_sent) == (False, False)
        await answers[0].close()
        await (await http.open(post(server.url))).close()
        for answer in answers:
            await answer.close()


async def test_a_user_in_the_address_does_not_take_the_place_of_the_key() -> None:
    async with ProviderServer([Reply((b"x",))]) as server, client() as http:
        url = server.url.replace("//", "//someone:a-word@")
        await http.fetch(post(url))
        await http.fetch(HttpRequest("POST", url))

    keyed, unkeyed = [asked.headers["authorization"] for asked in server.asked]
    assert keyed == f"Bearer {KEY}"
    assert unkeyed.startswith("Basic ")


async def test_a_request_on_a_connection_of_its_own_is_sent_once() -> None:
    async with ProviderServer([CLOSED]) as server, client() as http:
        with pytest.raises(Unreachable, match="without sending a response"):
            await http.fetch(post(server.url))

    assert len(server.asked) == 1


async def test_an_answer_that_had_begun_is_not_asked_for_again() -> None:
    cut = Reply((b"x",), ending=Ending.CUT)
    async with ProviderServer([Reply((b"x",)), cut]) as server, client() as http:
        await http.fetch(post(server.url))
        with pytest.raises(Unreachable):
            await http.fetch(post(server.url))

    assert len(server.asked) == 2


async def test_an_answer_that_is_left_closes_its_connection_and_no_other() -> None:
    reply = Reply((b"x",), ending=Ending.STALL)
    async with ProviderServer([reply, Reply((b"y",))]) as server, client() as http:
        left = await http.open(post(server.url))
        assert await left.next() == b"x"
        kept = await http.open(post(server.url))
        await left.close()
        await left.close()
        await server.until(lambda server: server.cut_off == 1)
        assert await kept.read() == b"y"


async def test_a_server_that_does_not_begin_to_answer_is_given_up() -> None:
    silent = Reply(has_head=False, ending=Ending.STALL)
    async with ProviderServer([silent]) as server, client() as http:
        with pytest.raises(TimeoutError, match="did not begin to answer"):
            await http.open(post(server.url, connect=0.05, first=0.05))
        await server.until(lambda server: server.cut_off == 1)


async def test_an_answer_that_falls_silent_is_given_up() -> None:
    async with ProviderServer([Reply((b"x",), ending=Ending.STALL)]) as server, client() as http:
        answer = await http.open(post(server.url, silence=0.05))
        assert await answer.next() == b"x"
        with pytest.raises(TimeoutError, match=r"sent nothing for 0\.05 s"):
            await answer.next()
        await server.until(lambda server: server.cut_off == 1)


async def test_an_answer_that_trickles_for_ever_is_given_up_as_a_whole() -> None:
    slow = Reply((b"x" * 20_000,))
    async with (
        ProviderServer([slow]) as server,
        FaultProxy(server.port, [Trickle(20, 0.01)]) as proxy,
        client() as http,
    ):
        with pytest.raises(TimeoutError, match="took too long"):
            await http.fetch(post(proxy.url, total=0.3))


async def test_a_slow_reader_does_not_use_up_the_time_of_the_answer() -> None:
    async with ProviderServer([Reply((b"x", b"y"))]) as server, client() as http:
        answer = await http.open(post(server.url, total=0.2))
        assert await answer.next()
        await asyncio.sleep(0.3)
        await answer.read()


async def test_waiting_for_a_piece_can_be_cancelled() -> None:
    async with ProviderServer([Reply(ending=Ending.STALL)]) as server, client() as http:
        answer = await http.open(post(server.url))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await answer.next()
        await answer.close()
        await server.until(lambda server: server.cut_off == 1)


async def test_nobody_at_the_address_is_unreachable_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        told: list[str] = []
        async with client() as http:
            with pytest.raises(Unreachable, match=f"127.0.0.1:{port} cannot be reached") as caught:
                await http.open(post(f"http://127.0.0.1:{port}"), on_sent=lambda: told.append("sent"))
    assert caught.value.retryable
    assert told == []


@pytest.mark.parametrize("fault", [Cut(0), Reset(0), Cut(150), Reset(150)], ids=repr)
async def test_a_line_that_breaks_is_unreachable(fault: Cut | Reset) -> None:
    async with (
        ProviderServer([Reply((b"x" * 1_000,))]) as server,
        FaultProxy(server.port, [fault]) as proxy,
        client() as http,
    ):
        with pytest.raises(Unreachable, match="the line to 127"):
            await http.fetch(post(proxy.url))


async def test_what_was_sent_is_told_once_and_when_it_leaves() -> None:
    told: list[int] = []
    async with ProviderServer([Reply((b"x",))]) as server, client() as http:
        await http.fetch(post(server.url), on_sent=lambda: told.append(len(server.asked)))

    assert told == [0]


async def test_an_answer_longer_than_anybody_wants_is_broken_off() -> None:
    async with ProviderServer([Reply((b"x" * 1_000,) * 10)]) as server, client() as http:
        with pytest.raises(WireBroken, match="more than 5000 bytes"):
            await http.fetch(post(server.url), most=5_000)


async def test_of_an_error_the_first_words_are_read() -> None:
    async with (
        ProviderServer([Reply((b"x" * 1_000,) * 10), Reply((b"no", b"!"), ending=Ending.CUT)]) as server,
        client() as http,
    ):
        assert len(await (await http.open(post(server.url))).read_some(1_500, within=5)) == 1_500
        assert await (await http.open(post(server.url))).read_some(1_500, within=5) == b"no!"


async def test_a_redirect_is_handed_back_and_no_cookie_is_kept() -> None:
    moved = Reply(status=302, headers={"location": "http://127.0.0.1:9/", "set-cookie": "who=you; Path=/"})
    async with ProviderServer([moved, Reply()]) as server, client() as http:
        head, _ = await http.fetch(post(server.url))
        await http.fetch(post(server.url))

    assert head.status == 302
    assert "cookie" not in server.asked[1].headers


class Noting:
    """An interceptor that adds its name to a header of each request, and of each answer."""

    def __init__(self, name: str, seen: list[str]) -> None:
        self._name = name
        self._seen = seen

    async def request(self, request: HttpRequest) -> HttpRequest:
        self._seen.append(f"{self._name} sees {request.method}")
        trail = request.headers.get("trail", "") + self._name
        return replace(request, headers={**request.headers, "trail": trail})

    async def response(self, request: HttpRequest, head: HttpHead) -> HttpHead:
        self._seen.append(f"{self._name} sees {head.status} for {request.headers['trail']}")
        return replace(head, headers={**head.headers, "trail": head.headers.get("trail", "") + self._name})


async def test_interceptors_see_every_exchange_the_first_outermost() -> None:
    seen: list[str] = []
    async with (
        ProviderServer([Reply.json({}, status=404)]) as server,
        client(interceptors=[Noting("a", seen), Noting("b", seen)]) as http,
    ):
        head, _ = await http.fetch(post(server.url))

    assert seen == ["a sees POST", "b sees POST", "b sees 404 for ab", "a sees 404 for ab"]
    assert server.asked[0].headers["trail"] == "ab"
    assert head.headers["trail"] == "ba"


async def test_an_interceptor_that_raises_leaves_no_line_open() -> None:
    class Refusing(Noting):
        async def response(self, request: HttpRequest, head: HttpHead) -> HttpHead:
            raise PermissionError("not this one")

    async with ProviderServer([Reply(ending=Ending.STALL)]) as server, client(interceptors=[Refusing("a", [])]) as http:
        with pytest.raises(PermissionError):
            await http.open(post(server.url))
        await server.until(lambda server: server.cut_off == 1)


async def test_a_certificate_nobody_vouches_for_is_refused_for_good(tmp_path: Path) -> None:
    _, tls = make_certificate(tmp_path)
    async with ProviderServer([Reply()], tls=tls) as server, client() as http:
        with pytest.raises(Unreachable, match="nobody vouches for") as caught:
            await http.open(post(server.url))
    assert not caught.value.retryable
    assert "CA file" in caught.value.mend
    assert server.asked == []


async def test_a_ca_file_of_ones_own_vouches_for_it(tmp_path: Path) -> None:
    certificate, tls = make_certificate(tmp_path)
    async with ProviderServer([Reply()], tls=tls) as server, client(HttpOptions(ca_file=certificate)) as http:
        assert (await http.fetch(post(server.url)))[0].status == 200


async def test_an_unchecked_certificate_is_told_of_each_time(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    _, tls = make_certificate(tmp_path)
    told: list[str] = []
    async with (
        ProviderServer([Reply()], tls=tls) as server,
        client(HttpOptions(unverified=("127.0.0.1",)), tell=told.append) as http,
    ):
        await http.fetch(post(server.url))
        await http.fetch(post(server.url))

    assert len(told) == 2
    assert all("is not checked" in sentence and str(server.port) in sentence for sentence in told)
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert [record.getMessage() for record in warnings] == told


async def test_a_host_is_unchecked_only_by_its_own_name(tmp_path: Path) -> None:
    _, tls = make_certificate(tmp_path)
    async with (
        ProviderServer([Reply()], tls=tls) as server,
        client(HttpOptions(unverified=("localhost", "example.org"))) as http,
    ):
        with pytest.raises(Unreachable, match="nobody vouches for"):
            await http.open(post(server.url))


@pytest.mark.parametrize("content", [None, "no certificate"])
async def test_a_ca_file_that_cannot_be_read_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    async with client(HttpOptions(ca_file=file)) as http:
        with pytest.raises(SettingsError, match=r"ca\.pem") as caught:
            await http.open(post("http://127.0.0.1:9"))
    assert (caught.value.field, caught.value.file) == ("ca_file", str(file))


async def test_the_proxy_of_the_settings_is_taken_but_never_to_this_machine() -> None:
    async with (
        ProviderServer([Reply()]) as proxy,
        ProviderServer([Reply()]) as server,
        client(HttpOptions(proxy=proxy.url)) as http,
    ):
        await http.fetch(post("http://provider.invalid/v1"))
        await http.fetch(post(server.url))

    assert [asked.path for asked in proxy.asked] == ["http://provider.invalid/v1"]
    assert len(server.asked) == 1


async def test_the_proxy_of_the_environment_is_taken_but_never_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ProviderServer([Reply()]) as proxy, ProviderServer([Reply()]) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        async with client() as http:
            await http.fetch(post("http://provider.invalid/v1"))
            await http.fetch(post(server.url))
            await http.fetch(post(server.url.replace("127.0.0.1", "localhost")))

    assert len(proxy.asked) == 1
    assert len(server.asked) == 2


async def test_a_proxy_that_refuses_is_named_and_sees_neither_key_nor_words() -> None:
    told: list[str] = []
    async with (
        ProviderServer([Reply(status=407, is_chunked=False)]) as proxy,
        client(HttpOptions(proxy=proxy.url)) as http,
    ):
        with pytest.raises(Unreachable, match="the proxy does not let through to provider"):
            await http.open(post("https://provider.invalid/v1"), on_sent=lambda: told.append("sent"))

    assert [asked.method for asked in proxy.asked] == ["CONNECT"]
    assert KEY not in str(proxy.asked[0].headers)
    assert told == []


@pytest.mark.parametrize("proxy", ["nonsense", "gopher://old:70"])
async def test_a_proxy_that_is_none_is_a_setting_to_mend(proxy: str) -> None:
    async with client(HttpOptions(proxy=proxy)) as http:
        with pytest.raises(SettingsError, match="the proxy"):
            await http.open(post("http://provider.invalid"))


@pytest.mark.parametrize("url", ["", "ftp://127.0.0.1/x", "http://", "http://[::", "http://user:word@:99999/"])
async def test_an_address_that_is_none_is_a_setting_to_mend(url: str) -> None:
    async with client() as http:
        with pytest.raises(SettingsError) as caught:
            await http.open(post(url))
    assert "word" not in str(caught.value)


async def test_neither_key_nor_words_are_in_the_log_or_in_what_is_printed(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    replies = [Reply((b"a secret answer",)), Reply((b"a secret answer",), ending=Ending.CUT)]
    async with ProviderServer(replies) as server, client() as http:
        request = post(server.url)
        await http.fetch(request)
        with pytest.raises(Unreachable) as caught:
            await http.fetch(request)

    assert caplog.text
    for text in (caplog.text, repr(request), repr(HttpHead(200, {"set-cookie": KEY})), repr(caught.value)):
        assert KEY not in text
        assert WORDS not in text
        assert "secret answer" not in text
    assert "pass" not in repr(HttpOptions(proxy="http://user:pass@proxy:1"))


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost/v1", True),
        ("http://model.localhost/v1", False),
        ("http://[::1]:8080/v1", True),
        ("http://127.9.9.9/", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.1.9:11434", False),
        ("http://localhost.example.org/", False),
        ("http://127.0.0.1@example.org/", False),
        ("nonsense", False),
        ("http://[::", False),
    ],
)
def test_only_this_machine_is_this_machine(url: str, is_here: bool) -> None:
    assert is_this_machine(url) is is_here
