"""Gathering measurements: on several cores, and never twice.

An experiment cuts its work into tasks. Every finished one is written at once, as a line of `NAME.partial.jsonl` in the
experiment's folder; the first line says which experiment and settings they belong to. If the run is interrupted, by
Ctrl-C or worse, the same command reads that file and goes on with what is missing. `forget` removes it when the
results have been written.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from zermelo.compile.process import deaf_to_interrupts
from zermelo.lab.experiment import Say, Settings
from zermelo.rules import Unsuitable

Task = Any
Work = Callable[[Task], Any]
Fits = Callable[[Task, Any], bool]
Results = Generator[tuple[int, Any], None, None]
_LARGEST = 1 << 63


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while measuring; says how far it got."""


def gather(
    settings: Settings, name: str, tasks: Sequence[Task], work: Work, say: Say, fits: Fits = lambda task, result: True
) -> list[Any]:
    """What `work` makes of every task, in the order of the tasks.

    Tasks and results are what JSON can hold. `work` is a function of a module, and all it knows comes with the task:
    it runs in other processes, and what it finds is used again by whoever asks for the same task. `fits(task, result)`
    tells whether a result that a file holds can be one of the task.
    """
    notes = _Notes(settings, name, say)
    keys = [json.dumps([work.__name__, task]) for task in tasks]
    for key, task in zip(keys, tasks):
        if key in notes.found and not fits(task, notes.found[key]):
            raise Unsuitable(f"{notes.path} holds what cannot be a result of {name}: begin anew with --fresh")
    missing = [number for number, key in enumerate(keys) if key not in notes.found]
    done, told = len(tasks) - len(missing), -1
    if done:
        say(f"{name}: {done} of {len(tasks)} were measured before")
    running = _in_processes if settings.cores > 1 and len(missing) > 1 else _here
    try:
        with notes, contextlib.closing(running(work, tasks, missing, settings.cores)) as results:
            for number, result in results:
                notes.add(keys[number], result)
                done += 1
                if 100 * done // len(tasks) != told:
                    told = 100 * done // len(tasks)
                    say(f"{name}: {done} of {len(tasks)}")
    except KeyboardInterrupt:
        raise Interrupted(
            f"interrupted after {done} of {len(tasks)}, which are kept: the same command goes on from there"
        ) from None
    return [notes.found[key] for key in keys]


def is_table(result: Any, rows: int, columns: int) -> bool:
    """Whether this is a list of so many lists of so many numbers, none of them below zero."""
    return (
        isinstance(result, list) and len(result) == rows
        and all(isinstance(row, list) and len(row) == columns for row in result)
        and all(type(number) in (int, float) and 0 <= number < _LARGEST for row in result for number in row)
    )  # fmt: skip


def forget(settings: Settings, name: str) -> None:
    """The results have been written, and what was gathered on the way is of no more use."""
    partial(settings, name).unlink(missing_ok=True)


def partial(settings: Settings, name: str) -> Path:
    """Where the results of an unfinished run are kept."""
    return settings.folder / f"{name}.partial.jsonl"


class _Notes:
    """The file of finished tasks. `found` holds the result for each task."""

    def __init__(self, settings: Settings, name: str, say: Say) -> None:
        self.path = partial(settings, name)
        self.head = _head(settings, name)
        self.found: dict[str, Any] = {}
        self.torn = False
        try:
            settings.folder.mkdir(parents=True, exist_ok=True)
            if settings.fresh:
                forget(settings, name)
            if self.path.exists() and not self._read():
                aside = _aside(self.path)
                self.path.rename(aside)
                say(f"{self.path} belongs to other settings or another version and was set aside as {aside.name}")
        except OSError as refused:
            raise Unsuitable(f"{settings.folder} cannot be used: {refused.strerror}") from None

    def _read(self) -> bool:
        """Take over what the file holds, if it is ours. A line that was not finished counts for nothing."""
        head, *lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        if _parsed(head) != self.head:
            return False
        self.torn = bool(lines) and lines[-1] != ""
        for line in lines:
            entry = _parsed(line)
            if isinstance(entry, dict) and isinstance(entry.get("task"), list) and "result" in entry:
                self.found[json.dumps(entry["task"])] = entry["result"]
        return True

    def __enter__(self) -> None:
        new = not self.path.exists()
        self.file = self.path.open("a", encoding="utf-8")
        if new:
            self._write(json.dumps(self.head))
        elif self.torn:
            self._write("")

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def add(self, key: str, result: Any) -> None:
        line = json.dumps(result)
        self._write(f'{{"task": {key}, "result": {line}}}')
        self.found[key] = json.loads(line)  # as it will be read when it is read back

    def _write(self, line: str) -> None:
        self.file.write(line + "\n")
        self.file.flush()


def _head(settings: Settings, name: str) -> dict[str, Any]:
    """What must be the same for results to belong together: neither how many nor on how many cores."""
    from zermelo.version import __version__

    head = {
        "experiment": name, "version": __version__, "seed": settings.seed,
        "what": settings.what, "parameters": dict(settings.parameters),
    }  # fmt: skip
    if settings.what and Path(settings.what).is_file():
        head["content"] = hashlib.sha256(Path(settings.what).read_bytes()).hexdigest()
    return dict(json.loads(json.dumps(head)))


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _aside(path: Path) -> Path:
    """A name that nothing has yet."""
    number = 1
    while (aside := path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    return aside


def _here(work: Work, tasks: Sequence[Task], missing: Sequence[int], cores: int) -> Results:
    for number in missing:
        yield number, work(tasks[number])


def _in_processes(work: Work, tasks: Sequence[Task], missing: Sequence[int], cores: int) -> Results:
    """The tasks in processes of their own, each of which asks for another when it is done."""
    fresh = multiprocessing.get_context("spawn")
    waiting = iter(missing)
    processes: dict[Connection, Any] = {}
    try:
        with deaf_to_interrupts():
            for number in _first(waiting, cores):
                ours, theirs = fresh.Pipe()
                process = fresh.Process(target=_serve, args=(theirs, work), daemon=True)
                process.start()
                theirs.close()
                processes[ours] = process
                ours.send((number, tasks[number]))
        while processes:
            for connection in wait(list(processes)):
                assert isinstance(connection, Connection)
                try:
                    number, result, failure = connection.recv()
                except EOFError:
                    raise Unsuitable("a process that measured was killed, perhaps for want of memory") from None
                if failure is not None:
                    raise failure
                following = next(waiting, None)
                if following is None:
                    connection.close()  # upon which the process ends
                    processes.pop(connection).join()
                else:
                    connection.send((following, tasks[following]))
                yield number, result
    finally:
        for process in processes.values():
            process.kill()
        for process in processes.values():
            process.join()


def _first(waiting: Iterator[int], count: int) -> Iterator[int]:
    for _, number in zip(range(count), waiting):
        yield number


def _serve(connection: Connection, work: Work) -> None:
    """The life of a process: tasks come in, results go out, until nobody is there any more."""
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            number, task = connection.recv()
            try:
                result = work(task)
            except Exception as failure:
                connection.send((number, None, failure))
            else:
                connection.send((number, result, None))
