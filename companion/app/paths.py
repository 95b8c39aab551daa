"""Where everything lives: the user's folders, the files in them, and what came with the program."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

from companion.errors import BadInput

# 108 bytes on Linux, 104 on macOS, with the closing zero.
LONGEST_SOCKET_PATH = 100


@dataclass(frozen=True, slots=True)
class Paths:
    """The user's folders. Nothing is created by asking for a path; ``prepare`` does that."""

    config: Path
    data: Path
    cache: Path
    log: Path

    @classmethod
    def here(cls) -> Paths:
        """The folders of this user; ``COMPANION_HOME`` puts all of them under one.

        Raises:
            BadInput: nobody knows where this user's folders are.
        """
        home = os.environ.get("COMPANION_HOME")
        if home:
            return cls.under(_expanded(home))
        from platformdirs import PlatformDirs

        dirs = PlatformDirs("companion", appauthor=False)
        try:
            folders = (dirs.user_config_path, dirs.user_data_path, dirs.user_cache_path, dirs.user_log_path)
        except RuntimeError as error:
            raise _homeless(str(error)) from error
        for folder in folders:
            # Else they would be made wherever the companion happens to be started.
            if not folder.is_absolute():
                raise _homeless(f"{folder} is no absolute path")
        return cls(*folders)

    @classmethod
    def under(cls, home: Path) -> Paths:
        return cls(home, home, home / "cache", home / "log")

    def prepare(self) -> None:
        """Create the folders, for the user alone.

        Raises:
            OSError: a folder cannot be created.
        """
        for folder in (self.config, self.data, self.cache, self.log, self.sessions, self.shelf):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.toml"

    @property
    def secrets_file(self) -> Path:
        """Passwords and keys, on a machine that has no keyring."""
        return self.config / "secrets.json"

    @property
    def personal(self) -> Path:
        """The personality, in the user's own words."""
        return self.config / "personal.md"

    @property
    def setup(self) -> Path:
        """How far the first-run wizard has come."""
        return self.config / "setup.json"

    @property
    def sessions(self) -> Path:
        return self.data / "sessions"

    @property
    def turn_notes(self) -> Path:
        """What the user thinks of answers."""
        return self.data / "turn-notes.ndjson"

    @property
    def turn_details(self) -> Path:
        """How turns went: their times, who served them, what was recalled for them."""
        return self.data / "turn-details.ndjson"

    @property
    def shelf(self) -> Path:
        return self.data / "models"

    @property
    def timers(self) -> Path:
        return self.data / "timers.ndjson"

    @property
    def memory(self) -> Path:
        """The folder of ``memory.db``, its backups and documents."""
        return self.data

    @property
    def knowledge(self) -> Path:
        """The pieces of knowledge, a folder each."""
        return self.data / "knowledge"

    @property
    def plugins(self) -> Path:
        """The user's plugins, a folder each."""
        return self.data / "plugins"

    @property
    def plugin_choices(self) -> Path:
        """What the user has decided about plugins."""
        return self.config / "plugins.toml"

    @property
    def plugin_folders(self) -> Path:
        """Where plugins that may have files keep them."""
        return self.data / "plugin-files"

    @property
    def spent(self) -> Path:
        """What the providers have cost."""
        return self.data / "spent.json"

    @property
    def phrases(self) -> Path:
        """Replies that were synthesised beforehand."""
        return self.cache / "phrases"

    @property
    def window_place(self) -> Path:
        """Where the window stood."""
        return self.cache / "window.json"

    @property
    def log_file(self) -> Path:
        return self.log / "companion.log"

    @property
    def lock_file(self) -> Path:
        return self.data / "companion.lock"

    @property
    def control_socket(self) -> Path:
        """In the data folder; where that path is too long for a socket, in the user's runtime folder."""
        socket = self.data / "control.sock"
        if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
            return socket
        name = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]
        runtime = os.environ.get("XDG_RUNTIME_DIR") or f"{tempfile.gettempdir()}/companion-{_user()}"
        return Path(runtime) / f"companion-{name}.sock"


def _expanded(home: str) -> Path:
    try:
        return Path(home).expanduser().absolute()
    except (RuntimeError, OSError) as error:
        raise BadInput(f"COMPANION_HOME is {home!r}, which leads nowhere", mend="Name a whole path in it.") from error


def _homeless(why: str) -> BadInput:
    return BadInput(f"this user has no home folder ({why})", mend="Set HOME, or name a folder in COMPANION_HOME.")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def bundled(kind: Literal["models", "assets"]) -> Path:
    """The folder of manifests or assets: inside an installed package, else beside it in a source tree."""
    package = Path(str(resources.files("companion")))
    installed = package / "_bundled" / kind
    return installed if installed.is_dir() else package.parent / kind
