"""Every page of help: few commands at the top, an example on each that parses, one meaning per option."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from proctor.cli import old_names
from proctor.cli.main import COMMANDS, cli
from proctor.cli.old_names import renew
from tests.command_lines import parse, words_of

MOST_AT_THE_TOP = 14


class Page(NamedTuple):
    path: tuple[str, ...]
    command: click.Command
    context: click.Context

    @property
    def name(self) -> str:
        return " ".join(("proctor", *self.path))

    @property
    def examples(self) -> list[str]:
        """The lines of its help that call it, or for a group what lies below it."""
        lines = [line.strip() for line in self.command.get_help(self.context).splitlines()]
        calls = [line for line in lines if line.startswith("proctor ")]
        return [line for line in calls if re.match(rf"{re.escape(self.name)}\b", line)]


def pages(command: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[Page]:
    # Commands keep the option of help that they were first asked with.
    settings = {**cli.context_settings, "max_content_width": 1000, "terminal_width": 1000}
    context = click.Context(command, info_name=" ".join(("proctor", *path)), **settings)
    yield Page(path, command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from pages(found, (*path, name))


PAGES = list(pages())


def options() -> Iterator[tuple[Page, click.Option]]:
    for page in PAGES:
        for each in page.command.params:
            if isinstance(each, click.Option) and not each.hidden:
                yield page, each


def test_few_commands_are_at_the_top() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).output
    listed = {name for name in COMMANDS if re.search(rf"^  {name} ", shown, re.MULTILINE)}
    assert len(listed) <= MOST_AT_THE_TOP
    assert listed == {name for name, command in COMMANDS.items() if not command.hidden}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_has_an_example(page: Page) -> None:
    assert page.examples, page.command.get_help(page.context)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_can_be_typed(page: Page) -> None:
    for example in page.examples:
        for words in words_of(example):
            assert renew(words) == (words, []), f"old names in {example}"
            parse(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_is_explained(page: Page) -> None:
    silent = [each.opts for where, each in options() if where is page and not each.help]
    assert not silent


def test_an_option_takes_one_kind_of_value_everywhere() -> None:
    kinds = defaultdict(set)
    for _, each in options():
        for name in each.opts:
            kinds[name].add("flag" if each.is_flag else each.type.name.replace(" range", ""))
    alike = {"text", "path", "directory", "file", "choice"}
    kinds["--workers"] = kinds["-n"] = {"text"}  # a number, or auto where it can be found out
    kinds["--seed"] = {"text"}  # where any text draws as well as a number
    assert {name: found for name, found in kinds.items() if len(found) > 1 and not found <= alike} == {}


def test_what_means_the_same_has_one_name() -> None:
    names = defaultdict(set)
    for _, each in options():
        names[each.help].add(max(each.opts, key=len))
    assert {help: found for help, found in names.items() if len(found) > 1} == {}


@pytest.mark.parametrize("old", old_names.COMMANDS)
def test_an_old_command_is_understood_with_a_hint(old: str) -> None:
    done = CliRunner().invoke(cli, [old, "--help"])
    assert done.exit_code == 0
    assert done.stdout.startswith(f"Usage: cli {old_names.COMMANDS[old]} ")
    assert done.stderr == f"note: `proctor {old}` is now `proctor {old_names.COMMANDS[old]}`\n"


@pytest.mark.parametrize(("command", "old"), [(c, old) for c, names in old_names.OPTIONS.items() for old in names])
def test_an_old_option_has_a_new_one_that_exists(command: str, old: str) -> None:
    new = old_names.OPTIONS[command][old]
    below = [each for page, each in options() if " ".join(page.path).startswith(command)]
    assert any(new in each.opts for each in below)
    words, hints = renew([*command.split(), f"{old}=x"])
    assert words[-1] == f"{new}=x"
    assert hints == [f"note: `{old}` of `proctor {command}` is now `{new}`"]


def test_a_program_of_a_desktop_keeps_its_options() -> None:
    words, _ = renew(["desktop", "--vnc", "--", "xterm", "--fit"])
    assert words == ["computers", "open", "--vnc", "--", "xterm", "--fit"]


@given(st.lists(st.sampled_from(["run", "image", "--tokens", "--limit", "offline", "studio", "--", "x", "-n"])))
def test_what_is_renewed_stays_as_it_is(args: list[str]) -> None:
    words, _ = renew(args)
    assert renew(words) == (words, [])


def test_a_level_without_tasks_says_which_there_are() -> None:
    done = CliRunner().invoke(cli, ["tasks", "list", "--suite", "tour", "--level", "5"])
    assert "suite 'tour' has no task with level 5" in str(done.exception)
    assert "there is level: " in getattr(done.exception, "remedy", "")


def test_words_of_tasks_are_listed_with_examples() -> None:
    done = CliRunner().invoke(cli, ["tasks", "words", "file_exists", "click"])
    assert done.exit_code == 0
    assert "file_exists(of" in done.stdout
    assert '"check": "file_exists"' in done.stdout
    assert '"move": "click"' in done.stdout
