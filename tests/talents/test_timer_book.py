import asyncio
import random
import signal
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path

from companion.talents.timer_book import Kind, Timer, TimerBook

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)

WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from datetime import UTC, datetime
    from pathlib import Path
    from companion.talents.timer_book import Kind, Timer, TimerBook

    async def main():
        noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
        book = TimerBook(Path(sys.argv[1]), noon)
        while True:
            await book.add(Timer(Kind.TIMER, noon, "en"), noon)
            print(len(book.timers), flush=True)

    asyncio.run(main())
    """
)


async def test_no_timer_that_was_set_is_lost_to_a_kill(tmp_path: Path) -> None:
    chance, file = random.Random(9), tmp_path / "timers.ndjson"
    for _ in range(5):
        writer = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, str(file), stdout=asyncio.subprocess.PIPE
        )
        assert writer.stdout is not None
        await asyncio.wait_for(writer.stdout.readline(), 30)
        await asyncio.sleep(chance.uniform(0, 0.05))
        writer.send_signal(signal.SIGKILL)
        acknowledged = (await writer.stdout.read()).split()
        await writer.wait()

        book = TimerBook(file, NOON)

        assert book.trouble == ""
        assert len(book.timers) >= int(acknowledged[-1] if acknowledged else 1)


async def test_timers_set_at_once_all_stay(tmp_path: Path) -> None:
    book = TimerBook(tmp_path / "timers", NOON)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(10):
            tasks.create_task(book.add(Timer(Kind.TIMER, NOON, "en"), NOON))

    assert [timer.id for timer in TimerBook(tmp_path / "timers", NOON).timers] == list(range(1, 11))


async def test_a_change_whose_caller_went_away_is_the_same_in_memory_and_on_disk(tmp_path: Path) -> None:
    book = TimerBook(tmp_path / "timers", NOON)
    adding = asyncio.get_running_loop().create_task(book.add(Timer(Kind.TIMER, NOON, "en"), NOON))
    await asyncio.sleep(0)
    adding.cancel()
    await asyncio.wait([adding])

    assert TimerBook(tmp_path / "timers", NOON).timers == book.timers


async def test_the_id_of_a_timer_that_is_gone_is_not_given_again(tmp_path: Path) -> None:
    book = TimerBook(tmp_path / "timers", NOON)
    await book.add(Timer(Kind.TIMER, NOON, "en"), NOON)
    (first,) = book.timers
    await book.remove([first.id])
    await book.add(Timer(Kind.TIMER, NOON, "en"), NOON)

    await book.remove([first.id])

    assert len(book.timers) == 1
