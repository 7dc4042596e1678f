"""`proctor agents`: which agents there are, their options, and exactly what each is sent."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from typing import Any

import click
from rich.table import Table

from proctor.agents import AGENTS, AgentSpec, find
from proctor.agents.preview import Sample, parts_text, preview
from proctor.cli.options import preset
from proctor.cli.plain import escape, tell
from proctor.errors import ProctorError
from proctor.plain_text import json_text
from proctor.report.terminal import open_console, print_table
from proctor.text_options import settings_of, text_options


@click.group()
def agents() -> None:
    """List agents, and show what they are sent.

    \b
    proctor agents list                                all agents
    proctor agents show prompted                       its options, and its prompt for a sample task
    proctor agents show prompted,observe=marks         the same with other options
    proctor agents show native --model anthropic/claude-opus-4-6
    proctor agents show prompted --prompt-parts > my.toml    its prompt as a file to change: prompt=my.toml
    proctor agents show "cmd:./my-agent"               the JSON that a program of yours reads
    """


@agents.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def list_(as_json: bool) -> None:
    """List the agents that come with Proctor, and their options.

    \b
    proctor agents list
    proctor agents list --json
    """
    rows = [(name, *_summary(name)) for name in AGENTS.names()]
    if as_json:
        for name, summary, options in rows:
            click.echo(json.dumps({"agent": name, "summary": summary, "options": options}))
        return
    table = Table("agent", "what it is", "options", box=None, pad_edge=False)
    for name, summary, options in rows:
        table.add_row(name, escape(summary), ", ".join(options))
    print_table(open_console(), table)
    click.echo("\nYours: module:Class, cmd:COMMAND, http://HOST:PORT; see examples/agents/")


@agents.command()
@click.argument("text", metavar="AGENT")
@click.option("--model", default="", help="The model it is sent to; its provider decides how large pictures are.")
@preset("--size", default="1920x1080", metavar="WIDTHxHEIGHT", help="Size of the screen.")
@click.option("--action", "actions", multiple=True, metavar="KIND", help="Allow only this kind of action; repeatable.")
@click.option("--prompt-parts", is_flag=True, help="Print the parts of its prompt as a TOML file that you can change.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(text: str, model: str, size: str, actions: tuple[str, ...], prompt_parts: bool, as_json: bool) -> None:
    """Show an agent: what it is, its options, and exactly what it is sent for a sample task.

    \b
    proctor agents show prompted,observe=marks
    proctor agents show native --model openai/gpt-4o --size 1280x720
    """
    factory, spec = find(AgentSpec.parse(text))
    options = text_options(factory)
    if model and any(option.name == "model" for option in options):
        spec = replace(spec, options={"model": model, **spec.options})
    if prompt_parts:
        click.echo(parts_text(factory, spec), nl=False)
        return
    meanings = _meanings(factory)
    messages, remark = preview(factory, spec, options, Sample(_size(size), actions))
    if as_json:
        listed = [
            {"name": option.name, "form": option.form, "default": option.default_text, "required": option.required,
             "meaning": meanings.get(option.name, "")}
            for option in options
        ]  # fmt: skip
        found = {"agent": spec.label, "about": _about(factory), "options": listed, "sent": messages, "remark": remark}
        click.echo(json_text(found, indent=2))
        return
    console = open_console()
    console.print(f"[bold]{escape(spec.label)}[/]\n{escape(_about(factory))}\n")
    table = Table("option", "value", "default", "meaning", box=None, pad_edge=False)
    for option in options:
        default = "(required)" if option.required else option.default_text
        table.add_row(option.name, escape(option.form), escape(default), escape(meanings.get(option.name, "")))
    if options:
        print_table(console, table)
    for message in messages:
        _print_message(message)
    if remark:
        console.print(f"\n[dim]{escape(remark)}[/]", soft_wrap=True)


def _size(text: str) -> tuple[int, int]:
    if not (found := re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)):
        raise click.BadParameter("write it as 1920x1080", param_hint="--size")
    return int(found[1]), int(found[2])


def _summary(name: str) -> tuple[str, list[str]]:
    try:
        factory = AGENTS.get(name)
    except ProctorError as error:
        return f"({error.message})", []
    return _about(factory).split("\n")[0], [option.name for option in text_options(factory)]


def _about(factory: Any) -> str:
    return inspect.cleandoc(factory.__doc__ or "")


def _meanings(factory: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    settings = settings_of(factory)
    described = [base for base in reversed(settings.__mro__)] if settings else []
    for documented in (*described, factory.__init__):
        _, _, listed = (inspect.getdoc(documented) or "").partition("Args:\n")
        found |= dict(re.findall(r"^ {4}(\w+): (.+)$", listed, re.MULTILINE))
    return found


def _print_message(message: dict[str, Any]) -> None:
    click.secho(f"\n--- {message.get('role') or message['type']} ---", fg="cyan")
    text = "\n".join(message["parts"]) if "parts" in message else json.dumps(message, indent=2)
    # Not through the console, which would replace tabs.
    tell(text)
