"""What breaks on the line to a provider, as a person is told of it."""

from __future__ import annotations

from companion.errors import Unreachable, one_line

HUNG_UP = "Server disconnected"
"""How the error begins of a connection that was closed before anything came."""
_OWN_WORDS = (HUNG_UP, "peer closed connection")
"""How errors of the protocol begin whose words are those of the library alone."""


def line_errors() -> tuple[type[Exception], ...]:
    """What a line may break with."""
    import httpx

    return (httpx.TransportError, httpx.DecodingError, httpx.StreamError)


def broken(error: Exception, host: str, *, most: int) -> Unreachable:
    """What went wrong on the line to ``host``, for a person. most: answers that may be read at once."""
    import ssl

    import httpx

    if _caused_by(error, ssl.SSLCertVerificationError):
        return Unreachable(
            f"{host} has a certificate that nobody vouches for",
            mend="Check the clock and the network. For a server of your own, name its CA file in the settings.",
            retryable=False,
        )
    if isinstance(error, httpx.ProxyError):
        return Unreachable(f"the proxy does not let through to {host}", mend="Check the proxy in the settings.")
    if isinstance(error, httpx.PoolTimeout):
        return Unreachable(
            f"no request can be sent to {host}: {most} answers are being read already",
            mend="Read answers to their end, or close them.",
            retryable=False,
        )
    if isinstance(error, httpx.ConnectTimeout):
        return Unreachable(f"{host} does not answer", mend="Check the network, or try again later.")
    if isinstance(error, httpx.ConnectError):
        return Unreachable(f"{host} cannot be reached: {one_line(error)}", mend="Check the network and the address.")
    return Unreachable(f"the line to {host} broke: {_what_broke(error)}", mend="Ask again.", was_sent=True)


def _what_broke(error: Exception) -> str:
    return "what it sends is no HTTP" if telling(error) is None else one_line(error)


def telling(error: Exception) -> Exception | None:
    """``error``, but where its words repeat what the other side sends, which may hold the key."""
    import httpx

    is_own = not isinstance(error, httpx.ProtocolError) or str(error).startswith(_OWN_WORDS)
    return error if is_own else None


def _caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    while error is not None:
        if isinstance(error, kind):
            return True
        error = error.__cause__ or error.__context__
    return False
