"""All tests share one compile cache that starts empty, so that nothing old is tested and little is compiled twice."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import numpy as np
import pytest

import browser

hypothesis.settings.register_profile("zermelo", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("zermelo")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the workers of a parallel run inherit what is set here
        os.environ.setdefault("ZERMELO_CACHE", str(Path(tempfile.mkdtemp(prefix="zermelo-tests-")) / "cache"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not browser.wanted():
        terminalreporter.write_line("BROWSER=none: the page was not tried in a browser", yellow=True)


@pytest.fixture
def heeding_interrupts() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, even if the tests were started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def calling_rules() -> Iterator[None]:
    """For tests that call rules by hand: words wrap in silence, as they do wherever the package calls rules."""
    with np.errstate(over="ignore"):
        yield
