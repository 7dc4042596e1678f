"""Templates in a Python file of one's own: run as it is, every fault named with its line."""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType

from proctor.errors import ProctorError, SpecError
from proctor.suites.suite import collect
from proctor.tasks.draw import Draw
from proctor.tasks.task import Draft
from proctor.tasks.template import Template, Writer

_NO_TEMPLATES = re.compile(r"(_.*|test_.*|.*_test|conftest|setup)")
"""Modules that are something else in a folder of Python files."""


def has_templates(path: Path) -> bool:
    """Tell whether a module may hold templates, without running it: a folder may hold other programs."""
    if _NO_TEMPLATES.fullmatch(path.stem) or not path.is_file():
        return False
    return b"template" in path.read_bytes()


def templates_in(path: Path) -> Iterator[Template]:
    """Yield the templates of a file; one that fails names the file and the line."""
    with _on_the_path(path.parent):
        module = _load(path)
    for template in collect([module]):
        yield replace(template, write=_with_its_file(template, path))


def _with_its_file(template: Template, path: Path) -> Writer:
    @wraps(template.write)
    def write(draw: Draw) -> Draft:
        try:
            return template.write(draw)
        except ProctorError as error:
            raise SpecError(f"{path}: template {template.name!r}: {error.message}", remedy=error.remedy) from error
        except Exception as error:
            raise _fault_of(path, f"template {template.name!r}", error) from error

    return write


def _load(path: Path) -> ModuleType:
    name = re.sub(r"\W", "_", f"proctor_suite_{path.resolve()}")
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise _fault_of(path, "it cannot be loaded", error) from error
    return module


def _fault_of(path: Path, what: str, error: Exception) -> SpecError:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else 1
    why = error.message if isinstance(error, ProctorError) else f"{type(error).__name__}: {error}"
    return SpecError(f"{path}:{line}: {what}: {why}", remedy="correct it, and see `proctor tasks lint FOLDER`")


@contextmanager
def _on_the_path(folder: Path) -> Iterator[None]:
    """Let the modules of a folder import each other while they are loaded."""
    place = str(folder.resolve())
    sys.path.append(place)
    try:
        yield
    finally:
        sys.path.remove(place)
