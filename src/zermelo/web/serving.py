"""The server as a whole: the application, the socket it listens on, and how it begins and ends."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import signal
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from zermelo.rules.errors import Unsuitable
from zermelo.web.catalogue import Catalogue
from zermelo.web.guard import LOOPBACK, Guard
from zermelo.web.jobs import Jobs
from zermelo.web.laboratory import Laboratory
from zermelo.web.routes import Api
from zermelo.web.workers import MOST, PATIENCE, Named, Workers

CONNECTIONS = 200
"""So many are open at a time; who comes beyond that is told to come again."""


def application(
    catalogue: Catalogue,
    token: str,
    settings: Mapping[str, Any] | None = None,
    *,
    hosts: Sequence[str] = (),
    most: int = MOST,
    patience: float = PATIENCE,
    first: Named | None = None,
    lab: Path | None = None,
) -> ASGIApp:
    """The application. `settings`: memory and mode of the searches; `most`: how many games are kept at work;
    `patience`: how long a quick question may take; `first`: the game that will be asked for first; `lab`: the
    folder with the results of experiments."""
    workers, jobs = Workers(settings or {}, most, patience), Jobs()

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        beside = [asyncio.ensure_future(workers.sweep())]
        if first is not None:
            beside.append(asyncio.ensure_future(workers.open(first)))
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await jobs.close()
        await workers.close()
        await catalogue.close()

    inner = Starlette(routes=Api(catalogue, workers, jobs, Laboratory(lab)).routes(), lifespan=life)
    return Guard(inner, token, hosts)


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens on this machine; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise Unsuitable(f"port {port} is in use: name another with --port, or none for a free one") from None
        if number == errno.EACCES:
            raise Unsuitable(f"port {port} is not for everybody: name one from 1024 on with --port") from None
        raise Unsuitable(f"nothing can listen on {host}, port {port}: {error}") from None
    return listening


def serve(
    catalogue: Catalogue,
    first: Mapping[str, str],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    page: str = "/",
    lab: Path | None = None,
    browse: bool = True,
    settings: Mapping[str, Any] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C. `page` and `first`: what is shown first, as its address says it. `say` gets the address, once
    the server answers."""
    listening = bind(host, port)
    token = secrets.token_urlsafe(24)
    shown = f"[{host}]" if ":" in host else host
    hosts = () if shown in LOOPBACK else (shown.lower(), socket.gethostname().lower())
    named = "127.0.0.1" if host in ("0.0.0.0", "::") else shown
    address = f"http://{named}:{listening.getsockname()[1]}{page}?{urlencode({**first, 'token': token})}"
    if "proof" in first:
        opened = catalogue.proof(first["proof"])
    else:
        opened = catalogue.find(first["game"], json.loads(first.get("set", "{}")))
    app = application(catalogue, token, settings, hosts=hosts, first=opened, lab=lab)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, limit_concurrency=CONNECTIONS, timeout_graceful_shutdown=1,
        server_header=False,
    )  # fmt: skip
    server = _Server(config, lambda: _announce(address, browse, say))
    try:
        asyncio.run(server.serve(sockets=[listening]))
    finally:
        listening.close()


class _Server(uvicorn.Server):
    """One that tells when it answers, and leaves Ctrl-C to who started it."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """The processes end first, and with them what waits for them: nothing then has to be cut off."""
        await self.lifespan.shutdown()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.force_exit = self.should_exit  # a second Ctrl-C does not wait
        self.should_exit = True
        signal.signal(sig, signal.SIG_DFL)


def _announce(address: str, browse: bool, say: Callable[[str], None]) -> None:
    say(address)
    if browse and not webbrowser.open(address):
        say("no browser could be opened here: open this address yourself")


def own_games(
    specs: Sequence[str], parameters: Mapping[str, str], tables: Sequence[Path] = (), book: Path | None = None
) -> dict[str, Named]:
    """The games that a person named on the command line, by what the page calls them: what they typed."""
    folders, file = tuple(str(folder.resolve()) for folder in tables), "" if book is None else str(book.resolve())
    told = tuple(sorted(parameters.items()))
    return {spec: Named(spec, told, trusted=True, tables=folders, book=file) for spec in specs}
