"""Jobs on a cluster, or on this machine, by Ray (https://ray.io; Moritz et al., "Ray: A distributed framework for
emerging AI applications", OSDI 2018), which starts the workers, watches them and carries texts to and fro.

Every machine of the cluster needs Zermelo, and the person's own games where Python finds them. The function that Ray
calls is known to it by its name.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import socket
import warnings
from typing import Any
from urllib.parse import urlsplit

from zermelo.knowledge.jobs import Job, carry_out
from zermelo.knowledge.pool import Pool
from zermelo.rules import Unsuitable

REACH_SECONDS = 5.0


class RayPool(Pool):
    """Workers of a Ray cluster, one for each of its processors; or of `count` here if no address is given."""

    def __init__(self, address: str | None, count: int) -> None:
        super().__init__()
        if importlib.util.find_spec("ray") is None:
            raise Unsuitable("this pool needs Ray, which is not installed here: pip install 'zermelo[ray]'")
        if address is not None:
            _reach(address)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        self._ray: Any = ray
        here: dict[str, Any] = {} if address else {"num_cpus": count, "include_dashboard": False}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what they warn of is said below
                ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **here)
            self.workers = max(int(ray.cluster_resources().get("CPU", 0)), 1)
        except (ConnectionError, RuntimeError, ValueError, OSError) as refused:
            reason = " ".join(str(refused).split())
            hint = "; if the cluster wants a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN" if address else ""
            raise Unsuitable(f"Ray cannot be used at {address or 'this machine'}: {reason}{hint}") from None
        self.name = address or f"ray:{count}"
        self._carry_out = ray.remote(carry_out).options(num_cpus=1, max_retries=0)
        self._jobs: dict[Any, Job] = {}

    def _give(self, job: Job) -> None:
        self._jobs[self._carry_out.remote(job.text())] = job

    def _wait(self) -> tuple[Job, str]:
        while True:
            (ready, *_), _ = self._ray.wait(list(self._jobs), num_returns=1)
            job = self._jobs.pop(ready)
            try:
                return job, self._ray.get(ready)
            except self._ray.exceptions.RayError as lost:  # what goes wrong inside of a job is told by its text
                self._died(job, f"({type(lost).__name__})")

    def _give_up(self) -> None:
        for task in self._jobs:
            self._ray.cancel(task, force=True)
        self._jobs.clear()

    def close(self) -> None:
        self._give_up()
        self._ray.shutdown()


def _reach(address: str) -> None:
    """Refuse an address where nobody listens, which Ray would try for minutes."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port or 10001
        if not host:
            raise ValueError("it names no host")
        socket.create_connection((host, port), REACH_SECONDS).close()
    except (OSError, ValueError) as refused:
        reason = getattr(refused, "strerror", None) or refused
        raise Unsuitable(f"no Ray cluster can be reached at {address}: {reason}") from None
