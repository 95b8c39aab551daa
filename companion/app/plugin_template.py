"""Makes the folder of a new plugin from the template, tests and all."""

from __future__ import annotations

from pathlib import Path
from string import Template

from companion.agent.plugin import NAME
from companion.app.paths import bundled
from companion.errors import BadInput, SetupError, StorageError, reason_of

_SUFFIX = ".txt"


def new_plugin(folder: Path, name: str) -> Path:
    """Make ``folder/name`` with a plugin that works; gives the folder. Blocking.

    Raises:
        BadInput: no plugin can have this name, or there is something of this name.
        StorageError: it cannot be written.
        SetupError: the template is missing.
    """
    if not NAME.fullmatch(name):
        raise BadInput(
            f"a plugin cannot be called {name[:40]!r}", mend="Use small letters, digits and -, as in my-plugin."
        )
    files = sorted((bundled("assets") / "plugin_template").glob(f"*{_SUFFIX}"))
    if not files:
        raise SetupError("the plugin template did not come with the program", mend="Install companion again.")
    words = name.split("-")
    fields = {"name": name, "title": " ".join(words).capitalize(), "class_name": "".join(map(str.capitalize, words))}
    place = folder / name
    try:
        place.mkdir(mode=0o700, parents=True)
        for file in files:
            text = Template(file.read_text(encoding="utf-8")).substitute(fields)
            (place / file.name.removesuffix(_SUFFIX)).write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise BadInput(f"{place} is there already", mend="Choose another name.") from error
    except OSError as error:
        raise StorageError(f"{place}: {reason_of(error)}", file=str(place), mend="Allow writing there.") from error
    return place
