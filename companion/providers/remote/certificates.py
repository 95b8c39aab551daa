"""The certificates that are trusted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import SettingsError

if TYPE_CHECKING:
    import ssl


def certificates(ca_file: Path | None, *, is_checked: bool = True) -> ssl.SSLContext:
    """What is trusted. May block.

    ca_file: PEM certificates that are trusted beside the usual ones. is_checked: False takes any certificate.

    Raises:
        SettingsError: the CA file holds no certificates.
    """
    import ssl

    import httpx

    trusted = httpx.create_ssl_context()
    if not is_checked:
        trusted.check_hostname = False
        trusted.verify_mode = ssl.CERT_NONE
    elif ca_file is not None:
        try:
            trusted.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            file = str(ca_file)
            raise SettingsError(f"{file} holds no certificates that can be read", file=file, field="ca_file") from error
    return trusted
