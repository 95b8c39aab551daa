"""Loads a folder of configuration files into muxes, and again when they have changed.

Laws:

1. All or nothing. A file that cannot be used leaves everything as it was, also the second time.
2. An entry whose keys are missing, whose provider is not built in yet, or to which ``objection`` objects, is left
   out, and the report says why.
3. What did not change stays the very same thing. What did is replaced at once for new calls, and closed when
   the calls that run on it have ended.
4. Reading has a limit of time. A keyring that is still silent then cannot be called off: the thread that asks it
   stays until it answers, and reads no further file.
5. Files go by their paths and entries by their order, so that the same folder gives the same report.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.compose.loader.credentials import Credentials, Missing
from companion.compose.loader.department import Change, Department
from companion.compose.loader.entry import Entry
from companion.compose.loader.files import config_files, read_file
from companion.compose.loader.parse import Parsed, Unready, parse
from companion.compose.loader.providers import REMOTE, Provider
from companion.compose.loader.tuned import Closes
from companion.compose.patterns import segments_of
from companion.errors import ModelConfigError
from companion.stream.tasks import Tasks
from companion.stream.threads import finish_in_thread

logger = logging.getLogger(__name__)

Objection = Callable[[Entry], Missing | None]
"""What keeps an entry from being used here and now, though nothing is wrong with it. May block, as a keyring does."""

READ_SECONDS = 60.0
"""For all files and keys; a keyring may have to ask its owner."""
CLOSE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Report:
    """What a folder held."""

    found: tuple[Parsed, ...]
    """In order; those that are Unready were left out."""
    made: int = 0
    """How many were new or had changed."""
    removed: tuple[str, ...] = ()
    """Names that were there before."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are registered now."""
        return tuple(entry.name for entry in self.found if isinstance(entry, Entry))

    @property
    def left_out(self) -> tuple[Unready, ...]:
        return tuple(entry for entry in self.found if isinstance(entry, Unready))


class ModelLoader:
    """The models of one folder. All methods belong to one event loop; the muxes may be used from any.

    shared: what its models have in common; it is closed behind them.
    """

    def __init__(
        self,
        folder: Path,
        departments: Sequence[Department],
        credentials: Credentials,
        *,
        objection: Objection = lambda entry: None,
        shared: Sequence[Closes] = (),
    ) -> None:
        self._folder = folder
        self._departments = departments
        self._credentials = credentials
        self._objection = objection
        self._shared = shared
        self._providers = _providers(departments)
        self._loading = asyncio.Lock()
        self._alive: list[object] = []
        """What was made and not yet closed."""
        self._tasks = Tasks()
        self._closings: set[asyncio.Task[None]] = set()

    async def load(self) -> Report:
        """Read the folder and register what it describes in place of what it described before.

        Raises:
            ModelConfigError: something cannot be used; names file and field, and nothing has changed.
        """
        async with self._loading:
            found = await self._read()
            changes = await self._replace([each for each in found if isinstance(each, Entry)])
        report = Report(
            tuple(found),
            sum(len(change.made) for change in changes),
            tuple(name for change in changes for name in change.removed),
        )
        for each in report.left_out:
            logger.warning("%s: %s is left out: %s", each.entry.file, each.entry.name, each.reason)
        return report

    async def close(self) -> None:
        """Unregister and close everything; calls that still run end as their models have it."""
        async with self._loading:
            await self._replace([])
            for value in list(self._alive):
                self._start_closing(value)
            if self._closings:
                await asyncio.wait(self._closings, timeout=CLOSE_SECONDS)
            await self._tasks.close()
            for each in self._shared:
                await _close(each)

    async def _read(self) -> list[Parsed]:
        is_over = threading.Event()
        try:
            async with asyncio.timeout(READ_SECONDS):
                return await asyncio.to_thread(self._read_all, is_over)
        except TimeoutError as error:
            raise ModelConfigError(
                f"{self._folder} could not be read in {READ_SECONDS:g} s",
                file=str(self._folder),
                mend="See whether the keyring waits for its password.",
            ) from error
        finally:
            is_over.set()

    def _read_all(self, is_over: threading.Event) -> list[Parsed]:
        found: list[Parsed] = []
        for file in config_files(self._folder):
            if is_over.is_set():
                break
            found += parse(read_file(file), file, self._providers, self._credentials)
        return [self._unless_objected(each) for each in found if not is_over.is_set()]

    def _unless_objected(self, each: Parsed) -> Parsed:
        if isinstance(each, Unready):
            return each
        found = self._objection(each) if self._department(each) is not None else self._not_built_in(each)
        return each if found is None else Unready(each, found.reason, found.mend)

    def _not_built_in(self, entry: Entry) -> Missing:
        provider = entry.schema.provider
        serves = any(provider == name for department in self._departments for _, name in department.serves)
        reason = f"{provider} is not built in as {entry.type} yet" if serves else f"{provider} is not built in yet"
        return Missing(reason, "Use a model of this machine meanwhile.")

    def _department(self, entry: Entry) -> Department | None:
        wanted = (entry.type, entry.schema.provider)
        return next((department for department in self._departments if wanted in department.serves), None)

    async def _replace(self, entries: Sequence[Entry]) -> list[Change]:
        parts = [[entry for entry in entries if self._department(entry) is each] for each in self._departments]
        for part in parts:
            _refuse_twins(part)
        loop = asyncio.get_running_loop()

        def freed(value: object) -> None:
            # A call may outlive the loop; then ``close`` has closed what it ran on.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._start_closing, value)

        pairs = zip(self._departments, parts, strict=True)
        changes = [department.change(part, freed) for department, part in pairs]
        try:
            await self._make(changes)
            _apply(changes)
        except BaseException:
            for change in changes:
                change.abandon()
            raise
        for change in changes:
            change.settle()
        return changes

    async def _make(self, changes: Sequence[Change]) -> None:
        def make() -> None:
            for change in changes:
                change.make()

        try:
            await finish_in_thread(make)
        finally:
            self._alive += [value for change in changes for value in change.made]

    def _start_closing(self, value: object) -> None:
        place = next((place for place, alive in enumerate(self._alive) if alive is value), None)
        if place is None:
            return
        del self._alive[place]
        task = self._tasks.start(_close(value), name="close a replaced model")
        self._closings.add(task)
        task.add_done_callback(self._closings.discard)


def _providers(departments: Iterable[Department]) -> Mapping[str, Provider]:
    """Those of the network, and those that the departments can make."""
    providers = dict(REMOTE)
    for department in departments:
        for (type_, name), subjects in department.serves.items():
            known = providers.get(name, Provider(frozenset()))
            providers[name] = replace(known, types=known.types | {type_}, subjects={**known.subjects, type_: subjects})
    return providers


def _refuse_twins(entries: Iterable[Entry]) -> None:
    """Refuse a second entry of the same name, which the mux would refuse without knowing the first."""
    first: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        twin = first.setdefault(segments_of(entry.name), entry)
        if twin is not entry:
            raise entry.wrong(
                "name", f"is {entry.name!r}, as is {twin.place}.name of {twin.file}", "Give one of them another name."
            )


def _apply(changes: Sequence[Change]) -> None:
    applied: list[Change] = []
    try:
        for change in changes:
            change.apply()
            applied.append(change)
    except BaseException:
        for change in reversed(applied):
            change.undo()
        raise


async def _close(value: object) -> None:
    if isinstance(value, Closes):
        try:
            await value.close()
        except Exception as error:  # noqa: BLE001 - nobody is left who could do something about it
            logger.warning("a model did not close: %s", error)
