"""The settings file as text: the commented template, where a field stands, and a change that keeps comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from companion.errors import SettingsError
from companion.settings.describe import Described, Value, described, sections

VERSION = 1
"""Of the file's layout; written into it, so that a later program knows what to move."""

_HEADER = f"""\
# Settings of companion. A line that begins with "#" is a comment; the settings in comments
# show their defaults. To change one, write it below its comment without the "#", or type
# `companion settings set NAME VALUE`.

version = {VERSION}
"""

_TABLE = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_LONG_TEXT = re.compile(r'"""|' + "'''")


def parse(text: str, file: str) -> tomlkit.TOMLDocument:
    """Read the file's text.

    Raises:
        SettingsError: it is no TOML; names the line.
    """
    try:
        return tomlkit.parse(text)
    except ParseError as error:
        raise SettingsError(
            f"{file} line {error.line}: this is no TOML ({_reason(error)})",
            file=file,
            line=error.line,
            mend=f"Mend line {error.line}; text stands in double quotes.",
        ) from error
    except TOMLKitError as error:
        raise SettingsError(f"{file}: {error}", file=file, mend="Write each table and each key once.") from error


def _reason(error: ParseError) -> str:
    return re.sub(r" at line \d+ col \d+$", "", str(error)).rstrip(".").replace(repr("\0"), "end of file")


def template() -> str:
    """The file of a first run: all settings with meaning and default, as comments."""
    lines = [_HEADER]
    for section, _ in sections():
        lines.append(f"[{section}]")
        for setting in described().values():
            if setting.section == section:
                lines += [f"# {_explained(setting)}", f"# {line_for(setting, setting.default)}", ""]
    return "\n".join(lines).rstrip() + "\n"


def _explained(setting: Described) -> str:
    return setting.meaning if setting.allowed == "text" else f"{setting.meaning} ({setting.allowed})"


def line_for(setting: Described, value: Value) -> str:
    """The setting as a line of the file."""
    return f"{setting.key} = {tomlkit.item(value).as_string()}"


def line_of(text: str, name: str) -> int | None:
    """The line on which ``name`` (dotted), or the nearest table around it, is written; 1 is the first."""
    best, best_length = None, 0
    for number, written in _names(text):
        if (name == written or name.startswith(written + ".")) and len(written) > best_length:
            best, best_length = number, len(written)
    return best


def _names(text: str) -> Iterator[tuple[int, str]]:
    """Every table and key with its line, passing over text that runs on over several lines."""
    table, inside = "", ""
    for number, line in enumerate(text.splitlines(), 1):
        header, key = (None, None) if inside else (_TABLE.match(line), _KEY.match(line))
        for quote in _LONG_TEXT.findall(line):
            inside = "" if inside == quote else inside or quote
        if header:
            table = _plain(header[1])
            yield number, table
        elif key:
            yield number, f"{table}.{_plain(key[1])}" if table else _plain(key[1])


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def changed(text: str, setting: Described, value: Value, file: str) -> str:
    """The text with one setting changed; everything else, comments too, stays as it is.

    Raises:
        SettingsError: the text is no TOML.
    """
    document = parse(text, file)
    table = document.get(setting.section)
    if table is None:
        document[setting.section] = {setting.key: value}
    elif setting.key not in table:
        return _inserted(text, setting, value) or _appended(document, setting, value)
    else:
        table[setting.key] = value
    return tomlkit.dumps(document)


def without(text: str, setting: Described, file: str) -> str:
    """The text without a setting, so that its default holds; everything else, comments too, stays as it is.

    Raises:
        SettingsError: the text is no TOML.
    """
    document = parse(text, file)
    table = document.get(setting.section)
    if table is None or setting.key not in table:
        return text
    del table[setting.key]
    return tomlkit.dumps(document)


def holds(text: str, setting: Described, file: str) -> bool:
    """Whether the text says anything of a setting.

    Raises:
        SettingsError: the text is no TOML.
    """
    return setting.key in parse(text, file).get(setting.section, {})


def _appended(document: tomlkit.TOMLDocument, setting: Described, value: Value) -> str:
    document[setting.section][setting.key] = value
    return tomlkit.dumps(document)


def _inserted(text: str, setting: Described, value: Value) -> str:
    """The text with the setting below the comment that shows its default; empty where there is none."""
    lines, table = text.splitlines(keepends=True), ""
    shown = re.compile(rf"#\s*{re.escape(setting.key)}\s*=")
    for index, line in enumerate(lines):
        header = _TABLE.match(line)
        table = _plain(header[1]) if header else table
        if table == setting.section and shown.match(line):
            ending = "" if line.endswith("\n") else "\n"
            return "".join([*lines[: index + 1], f"{ending}{line_for(setting, value)}\n", *lines[index + 1 :]])
    return ""
