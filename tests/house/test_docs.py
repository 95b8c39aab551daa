"""Nothing is claimed that is not there: commands, settings, files and models named in the documents exist."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles.checkout import TOP, our_files, program_files
from typer.main import get_command

from companion.cli.main import app
from companion.settings.schema import Settings

DOCUMENTS = [path for path in our_files() if path.suffix == ".md" and path.parts[0] not in {"assets", "tests"}]
CODE = re.compile(r"```[a-z]*\n(.*?)```|`([^`\n]+)`", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)")
COMMAND = re.compile(r"(?:^|[`\s(])(?:companion|\./run) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", re.MULTILINE)
SETTING = re.compile(r"`([a-z]+)\.(?!(?:db|toml|md|txt)`)([a-z_]+)`|settings (?:set|get) ([a-z]+)\.([a-z_]+)")


def code(path: Path) -> Iterator[str]:
    for block, inline in CODE.findall((TOP / path).read_text(encoding="utf-8")):
        yield block or inline


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_link_leads_somewhere(path: Path) -> None:
    links = LINK.findall((TOP / path).read_text(encoding="utf-8"))

    assert not [link for link in links if not (TOP / path.parent / link).exists()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_command_that_is_named_exists(path: Path) -> None:
    commands = getattr(get_command(app), "commands", {})
    unknown = []
    for text in code(path):
        for name, sub in COMMAND.findall(text):
            group = getattr(commands.get(name), "commands", None)
            if name not in commands or (sub and group is not None and sub not in group):
                unknown.append(f"{name} {sub}".strip())

    assert not unknown


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    known = {
        (section, name)
        for section, field in Settings.model_fields.items()
        for name in getattr(field.annotation, "model_fields", {})
    }
    sections = {section for section, _ in known}
    text = (TOP / path).read_text(encoding="utf-8")
    named = {(one or other, two or four) for one, two, other, four in SETTING.findall(text)}

    assert not {f"{section}.{name}" for section, name in named if section in sections and (section, name) not in known}


def test_the_guide_tells_every_setting_its_default_and_meaning() -> None:
    guide = (TOP / "docs/guide/settings.md").read_text(encoding="utf-8")
    rows = [
        f"| `{section}.{name}` | `{json.dumps(field.default)}` | {field.description}"
        for section, table in Settings.model_fields.items()
        for name, field in getattr(table.annotation, "model_fields", {}).items()
    ]

    assert not [row for row in rows if row not in guide]


def test_every_model_is_in_the_guide() -> None:
    guide = (TOP / "docs/guide/models.md").read_text(encoding="utf-8")
    names = [path.stem for path in our_files() if path.parts[0] == "models" and path.suffix == ".toml"]

    assert names
    assert not [name for name in names if f"`{name}`" not in guide]


def test_every_command_is_in_the_guide() -> None:
    told = [TOP / "README.md", *(TOP / "docs/guide").glob("*.md")]
    guide = "\n".join(path.read_text(encoding="utf-8") for path in told)

    assert not [
        name for name in getattr(get_command(app), "commands", {}) if not re.search(rf"`[^`]*\b{name}\b", guide)
    ]


def test_every_dependency_has_its_reason() -> None:
    reasons = (TOP / "docs/decisions/0003-libraries.md").read_text(encoding="utf-8").lower()
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    names = [re.split(r"[<>=\[]", line)[0].lower() for line in wanted]

    assert not [name for name in names if not re.search(rf"\b{re.escape(name)}\b", reasons)]


def test_every_decision_is_in_the_index_by_its_own_number() -> None:
    folder = TOP / "docs/decisions"
    pages = sorted(path.name for path in folder.glob("0*.md"))
    index = (folder / "README.md").read_text(encoding="utf-8")

    assert [page[:4] for page in pages] == [f"{number:04}" for number in range(1, len(pages) + 1)]
    assert not [page for page in pages if f"({page})" not in index]


def test_every_owner_of_threads_has_its_line_in_the_architecture() -> None:
    told = (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8")
    makes = re.compile(r"\b(?:Thread|ThreadPoolExecutor)\(")
    owners = [path for path in program_files() if makes.search((TOP / path).read_text(encoding="utf-8"))]

    assert owners
    assert not [path for path in owners if f"`{path.relative_to('companion').as_posix()}`" not in told]
