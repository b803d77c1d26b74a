"""Searches that go on after the request that began them: each has a number by which it is asked for and ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from itertools import count
from typing import Any

from zermelo.web.workers import Failed, Told

MOST = 100
"""So many jobs are remembered; the oldest that is done is forgotten first."""


class _Job:
    """What is known of one search so far."""

    def __init__(self, number: int, heard: AsyncIterator[Told]) -> None:
        self.number = number
        self.state, self.progress, self.answer, self.error = "queued", None, None, ""
        self.task = asyncio.ensure_future(self._follow(heard))

    async def _follow(self, heard: AsyncIterator[Told]) -> None:
        try:
            async with aclosing(heard) as told:  # type: ignore[type-var]
                async for event, data in told:
                    if event == "done":
                        self.state, self.answer = "done", data
                    elif event == "error":
                        self.state, self.error = "failed", data["error"]
                    elif event == "progress":
                        self.state, self.progress = data["state"], data
                    elif event == "state":
                        self.state = data["state"]
        except Failed as failed:
            self.state, self.error = "failed", str(failed)
        except asyncio.CancelledError:
            self.state = "stopped"
            raise

    @property
    def over(self) -> bool:
        return self.task.done()

    def as_dict(self) -> dict[str, Any]:
        found = {"job": self.number, "state": self.state, "progress": self.progress, "answer": self.answer}
        return found | ({"error": self.error} if self.error else {})


class Jobs:
    """All jobs of a server."""

    def __init__(self) -> None:
        self._jobs: dict[int, _Job] = {}
        self._numbers = count(1)

    def start(self, heard: AsyncIterator[Told]) -> int:
        """Follow what is told about a search; returns the job's number."""
        for number in [number for number, job in self._jobs.items() if job.over][: max(0, len(self._jobs) - MOST)]:
            del self._jobs[number]
        if len(self._jobs) > 2 * MOST:
            raise Failed(f"{len(self._jobs)} jobs are under way: wait for some, or end them", 503)
        number = next(self._numbers)
        self._jobs[number] = _Job(number, heard)
        return number

    async def look(self, number: int, wait: float = 0.0) -> dict[str, Any]:
        """How a job stands, now or when it is over, if that is within `wait` seconds."""
        job = self._find(number)
        if wait and not job.over:
            await asyncio.wait([job.task], timeout=wait)
        return job.as_dict()

    async def end(self, number: int) -> dict[str, Any]:
        """Stop a job."""
        job = self._find(number)
        job.task.cancel()
        await asyncio.wait([job.task], timeout=5)
        return job.as_dict()

    def _find(self, number: int) -> _Job:
        if number not in self._jobs:
            raise Failed(f"there is no job {number}", 404)
        return self._jobs[number]

    async def close(self) -> None:
        for job in self._jobs.values():
            job.task.cancel()
        await asyncio.gather(*(job.task for job in self._jobs.values()), return_exceptions=True)
