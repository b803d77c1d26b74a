"""A server of the page that is really asked, and tabs of a browser that show it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import uvicorn
from starlette.types import ASGIApp

from zermelo.web.serving import bind

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
OWN = Path(__file__).with_name("web") / "own_games.py"
TOKEN = "a-token-for-tests"
ILL = ("counting", "markup", "raises", "endless", "dies", "chatty", "alike")


@dataclass
class Running:
    """A server that answers: where, and who may ask."""

    port: int
    token: str = TOKEN

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.base, headers=headers, timeout=60)

    def address(self, **query: str) -> str:
        return str(httpx.URL(self.base + "/", params={**query, "token": self.token}))


@contextmanager
def running(app: ASGIApp) -> Iterator[Running]:
    """An application that answers on a free port, in a thread."""
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])), daemon=True)
    thread.start()
    yield Running(listening.getsockname()[1])
    server.should_exit = True
    thread.join(20)
    listening.close()


def until(holds: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    for _ in range(200):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come")


@dataclass
class Tab:
    """A page in a browser of its own. Whatever it complains of must be `expected`."""

    page: Page
    server: Running
    expected: str = ""
    complaints: list[str] = field(default_factory=list)

    def open(self, game: str, **query: str) -> Page:
        self.page.goto(self.server.address(game=game, **query))
        self.page.wait_for_selector("#board .picture > *")
        return self.page
