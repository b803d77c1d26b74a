"""A real server in a thread, with games of somebody's own; interpreted, so that nothing is compiled. And a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest

import browser as browsers
from served import ILL, OWN, ROOT, TOKEN, Running, Tab, running
from zermelo import games
from zermelo.web.catalogue import Catalogue
from zermelo.web.serving import application
from zermelo.web.workers import Named

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    chomp = tmp_path_factory.mktemp("own") / "chomp.py"
    page = (ROOT / "docs" / "write-a-game.md").read_text()
    chomp.write_text(re.search(r"```python file=chomp.py\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1])
    own = {name: Named(f"{OWN}:{name}", trusted=True) for name in ILL}
    own["chomp.py"] = Named(str(chomp), (("cols", "3"), ("rows", "2")), trusted=True)
    settings = {"mode": "interpreted", "memory": "8MB", "engines": [f"{OWN}:Last"]}
    app = application(Catalogue(games.names(), own), TOKEN, settings, patience=3.0)
    with running(app) as answering:
        yield answering


@pytest.fixture
def api(server: Running) -> Iterator[httpx.Client]:
    with server.client(Authorization=f"Bearer {TOKEN}") as client:
        yield client


# in a browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    if not browsers.wanted():
        pytest.skip("BROWSER=none: the page was not tried in a browser")
    program = browsers.found()
    if program is None:
        pytest.fail(browsers.MISSING)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program)
        yield launched
        launched.close()


@pytest.fixture
def tab(chromium: Browser, server: Running, request: pytest.FixtureRequest) -> Iterator[Tab]:
    options: dict[str, Any] = getattr(request, "param", {})
    context = chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **options})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(30_000)
    made = Tab(context.new_page(), server)
    worth_telling = ("error", "warning")
    made.page.on("console", lambda said: made.complaints.append(said.text) if said.type in worth_telling else None)
    made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
    yield made
    context.close()
    assert [each for each in made.complaints if not made.expected or not re.search(made.expected, each)] == []
