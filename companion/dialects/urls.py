"""Where a request goes: the base URL of an endpoint, completed by what the protocol adds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.errors import SettingsError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_VERSION = re.compile(r"^v\d+(?:(?:alpha|beta)\d*)?$")


def split_url(url: str) -> SplitResult:
    """The parts of a URL, its path without a slash at the end.

    Raises:
        SettingsError: it is none.
    """
    # It takes longer to load than all dialects together, and reading an answer needs none of it.
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError:
        # Its words may quote a password.
        raise SettingsError(f"{shown_url(url)!r} is no URL", mend="write it as https://host/v1") from None
    return parts._replace(path=parts.path.rstrip("/"))


def shown_url(url: str) -> str:
    """As much of an address as anybody may read: without the user, the password and what stands behind ``?``."""
    return url.partition("?")[0].rpartition("@")[2]


def complete_url(base_url: str, suffix: str) -> str:
    """The whole URL of ``base_url`` and ``suffix``, which begins with a version ("/v1/messages") where there is one.

    What stands behind ``#`` is cut and the rest taken as it is. A URL that already ends in the suffix is complete; one
    that names a version gets the suffix without. What stands behind ``?`` stays there.

    Raises:
        SettingsError: ``base_url`` is no URL.
    """
    base_url = base_url.strip()
    parts = split_url(base_url)
    if "#" in base_url:
        return base_url.partition("#")[0]
    version, rest = _parted(suffix)
    if parts.path.endswith(rest):
        return parts.geturl()
    has_version = any(_VERSION.match(segment) for segment in parts.path.split("/"))
    return parts._replace(path=parts.path + (rest if has_version else version + rest)).geturl()


def _parted(suffix: str) -> tuple[str, str]:
    """A suffix as its version and the rest: ("/v1", "/messages")."""
    first, slash, rest = suffix.lstrip("/").partition("/")
    return (f"/{first}", slash + rest) if _VERSION.match(first) else ("", f"/{suffix.lstrip('/')}")


def is_dashscope(url: SplitResult) -> bool:
    """Whether an address is one of DashScope's services, of whatever trade."""
    host = url.hostname or ""
    is_theirs = host.startswith("dashscope") and host.endswith(".aliyuncs.com")
    return is_theirs and f"{url.path}/".startswith("/api/v1/services/")
