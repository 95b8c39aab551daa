"""``companion ask``, ``say`` and ``listen``: one step of the voice loop by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli import house, show
from companion.cli.options import AsJson

if TYPE_CHECKING:
    from companion.app.answering import Answered
    from companion.settings.schema import Settings

Language = Annotated[str, typer.Option("--language", "-l", metavar="TAG", help='A tag as "en"; else as set.')]


def ask(text: Annotated[str, typer.Argument(metavar="TEXT", help="The question.")], as_json: AsJson = False) -> None:
    """Ask in writing, and read the answer."""
    from companion.app.ask import checked

    question = checked(text)
    opened = house.opened()
    given = _by_the_running_one(opened, question)
    if given is not None:
        text_given, source, problems = given
    else:
        found = _by_ourselves(opened, question, aloud=not as_json)
        text_given, source, problems = found.text, found.source, []
    if as_json:
        show.document({"text": text_given, "source": source})
    elif given is not None:
        show.line(text_given)
    for problem in problems:
        show.complaint(problem)


def _by_the_running_one(opened: house.House, question: str) -> tuple[str, str, list[str]] | None:
    """The answer, its source, and what of the conversation could not be kept."""
    from companion.app.control import ask as order
    from companion.app.orders import Ask
    from companion.errors import NotRunning

    try:
        answer = order(opened.paths.control_socket, Ask(question))
    except NotRunning:
        return None
    return str(answer["text"]), str(answer["source"]), [str(problem) for problem in answer.get("problems", ())]


def _by_ourselves(opened: house.House, question: str, *, aloud: bool) -> Answered:
    """Answer in this process; the words are shown as they come."""
    from companion.app.ask import ask_here
    from companion.app.engine import complete
    from companion.app.events import Problem
    from companion.cli.screen import complaining

    is_open = False

    def show_piece(piece: str) -> None:
        nonlocal is_open
        if aloud and piece:
            print(piece, end="", flush=True)
            is_open = True

    def end_line(event: object) -> None:
        nonlocal is_open
        if is_open and isinstance(event, Problem | None):
            print(flush=True)
            is_open = False

    telling = complaining(first=end_line)
    try:
        return complete(lambda: ask_here(opened.settings, opened.paths, question, telling=telling, on_text=show_piece))
    finally:
        end_line(None)


def say(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to say.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a sound file instead.")] = None,
    language: Language = "",
) -> None:
    """Say something aloud, or into a sound file."""
    from companion.app.engine import complete
    from companion.app.say import checked, say
    from companion.cli.screen import complaining
    from companion.settings.language import or_english
    from companion.voice.say import language_of

    words = checked(text)
    opened = house.opened()
    spoken = or_english(_tag(language, opened.settings))
    if not language:
        spoken = language_of(words, spoken)
    seconds = complete(
        lambda: say(opened.settings, opened.paths, words, language=spoken, out=out, telling=complaining())
    )
    if out is not None:
        show.line(f"{out}: {seconds:.1f} s")


def listen(
    file: Annotated[Path | None, typer.Option("--in", "-i", metavar="FILE", help="A sound file instead.")] = None,
    language: Language = "",
    translate: Annotated[
        bool, typer.Option("--translate", "-t", help="Write it in English, whatever the language.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write down what is said: the next sentence at the microphone, or a sound file."""
    from companion.app.engine import complete
    from companion.app.listen import listen_at_microphone, listen_to_file
    from companion.settings.language import AUTO

    opened = house.opened()
    settings, paths = opened.settings, opened.paths
    # Who wants a translation speaks another language than the one in the settings.
    spoken = AUTO if translate and not language else _tag(language, settings)
    if file is not None:
        heard = complete(lambda: listen_to_file(settings, paths, file, language=spoken, translate=translate))
    else:
        heard = complete(
            lambda: listen_at_microphone(settings, paths, language=spoken, translate=translate, on_ready=_prompt)
        )
    if as_json:
        show.document({"text": heard.text, "language": heard.language, "confidence": heard.confidence})
    else:
        show.line(heard.text)


def _prompt() -> None:
    """On the standard error: the words alone are the output."""
    import sys

    print("Speak now.", file=sys.stderr, flush=True)


def _tag(language: str, settings: Settings) -> str:
    """The language of the option, else of the settings.

    Raises:
        BadInput: it is no language tag.
    """
    from companion.errors import BadInput, SettingsError
    from companion.settings.describe import find
    from companion.settings.store import value_from

    if not language:
        return settings.general.language
    try:
        return str(value_from(find("general.language"), language))
    except SettingsError as error:
        raise BadInput(f"--language {language!r} is no language", mend='Give a tag as "en" or "zh-CN".') from error
