"""All tests share one compile cache that starts empty, so that nothing old is tested and little is compiled twice."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("zermelo", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("zermelo")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the workers of a parallel run inherit what is set here
        os.environ.setdefault("ZERMELO_CACHE", str(Path(tempfile.mkdtemp(prefix="zermelo-tests-")) / "cache"))
