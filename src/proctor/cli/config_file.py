"""Options of a command in a TOML file: what is given on the command line counts instead."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click

from proctor.cli.old_names import old_options
from proctor.errors import SpecError, UnknownName

TASKS = "tasks"
"""The key for what stands without an option on the command line."""
_NOT_IN_A_FILE = ("config", "like", "trust", "help")


def read_config(context: click.Context, _parameter: click.Parameter, path: Path | None) -> None:
    """Take the options in a file as the defaults of a command; errors name file and key."""
    if path is None:
        return
    known = _keys(context)
    given: dict[str, object] = {}
    for key, value in _read(path).items():
        name = key.replace("_", "-")
        name = old_options("run").get(f"--{name}", name).removeprefix("--")
        if name not in known:
            raise UnknownName(f"option in {path}", key, known)
        parameter = known[name]
        assert parameter.name is not None
        given[parameter.name] = _convert(context, parameter, value, f"{path}: {key}")
    context.default_map = {**(context.default_map or {}), **given}


def config_value(context: click.Context, name: str) -> Any:
    """Return what the file says of an argument, which a command does not look up by itself."""
    return (context.default_map or {}).get(name)


def _keys(context: click.Context) -> dict[str, click.Parameter]:
    """Return what a file may hold: the long names of options, without their dashes."""
    found: dict[str, click.Parameter] = {}
    for parameter in context.command.get_params(context):
        if isinstance(parameter, click.Argument):
            found[TASKS] = parameter
            continue
        for name in parameter.opts:
            if name.startswith("--") and name.removeprefix("--") not in _NOT_IN_A_FILE:
                found[name.removeprefix("--")] = parameter
    return found


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"{path} cannot be read: {error}", remedy="name a TOML file with --config") from error
    except tomllib.TOMLDecodeError as error:
        raise SpecError(f"{path} is not valid TOML: {error}", remedy="write lines such as steps = 15") from error


def _convert(context: click.Context, parameter: click.Parameter, value: object, where: str) -> object:
    several = getattr(parameter, "multiple", False) or parameter.nargs == -1
    if isinstance(value, dict) or (isinstance(value, list) and not several):
        kind = "a table" if isinstance(value, dict) else "a list"
        raise SpecError(f"{where} is {kind}", remedy="give one value")
    flag = getattr(parameter, "is_flag", False)
    if isinstance(value, bool) and not flag and isinstance(usual := getattr(parameter, "flag_value", None), str):
        value = usual if value else ""  # an option that may stand without a value
    if isinstance(value, bool) != bool(flag):
        raise SpecError(f"{where} is {str(value).lower()}", remedy="give true or false" if flag else "give a value")
    listed = [str(item) for item in value] if isinstance(value, list) else [str(value)]
    taken = listed if several else value if flag else str(value)
    try:
        parameter.type_cast_value(context, taken)
    except click.BadParameter as error:
        raise SpecError(f"{where}: {error.message}", remedy="see `proctor run --help`") from error
    return taken
