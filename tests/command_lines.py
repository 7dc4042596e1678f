"""Calls of the command line as pages show them, read without being carried out."""

from __future__ import annotations

import re
import shlex

import click

from proctor.cli.main import cli


def words_of(example: str) -> list[list[str]]:
    """Return the calls in an example, without what is said of it: that stands after several blanks."""
    line = re.split(r"\s{2,}", example)[0]
    calls = re.split(r" (?:&&|\|) ", line)
    parted = [shlex.split(re.sub(r" > \S+$", "", call)) for call in calls]
    return [words[1:] for words in parted if words[0] == "proctor"]


def parse(words: list[str]) -> None:
    """Read a call as the command line does, without looking for its files and without carrying it out."""
    command: click.Command = cli
    context = click.Context(cli, info_name="proctor", **cli.context_settings)
    while isinstance(command, click.Group):
        if command.name == "studio" and (not words or words[0] not in command.commands):
            words = ["serve", *words]
        assert words, "a group is not a call"
        found = command.get_command(context, words[0])
        assert found is not None, f"no command {words[0]}"
        command, words = found, words[1:]
        context = click.Context(command, info_name=command.name, parent=context)
    given_values, left, _ = command.make_parser(context).parse_args(list(words))
    assert not left
    for each in command.params:
        value = given_values.get(each.name or "")
        if isinstance(value, str | bool | list | tuple) and not isinstance(each.type, click.Path):
            each.type_cast_value(context, value)
        if each.required:
            assert value, f"{each.name} is missing"
