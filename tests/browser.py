"""Which browser the page is tried in. Run as a program it prints the one that is found, or fails."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-headless-shell", "google-chrome", "google-chrome-stable", "chrome", "chromium-browser")
NOT_WANTED = "none"
MISSING = (
    "no Chromium is here, in which the page could be tried: run `make browser`, name one in ZERMELO_BROWSER, or leave "
    "these tests out with BROWSER=none"
)


def wanted() -> bool:
    """Whether nobody said BROWSER=none."""
    return os.environ.get("BROWSER") != NOT_WANTED


def found() -> str | None:
    """The program: the one that a person names, one on the path, or Playwright's own."""
    named = os.environ.get("ZERMELO_BROWSER")
    if named:
        return named if Path(named).exists() else shutil.which(named)
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is not None:
        return program
    kept = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    own = sorted(kept.glob("chromium*/*/*headless*shell")) + sorted(kept.glob("chromium*/*/chrome"))
    return str(own[-1]) if own else None


if __name__ == "__main__":
    if wanted() and found() is None:
        sys.exit(MISSING)
    print(found() if wanted() else "no browser is wanted")
