"""`proctor agents`: which agents there are, their options, and exactly what each is sent."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from rich.markup import escape
from rich.table import Table

from proctor.agents import AGENTS, AgentSpec, find, open_agent
from proctor.agents.agent import close, wanted
from proctor.agents.options import Option, text_options
from proctor.agents.sample import sample_brief, sample_observation
from proctor.errors import ProctorError, SpecError
from proctor.models.model import Message, Picture, Reply
from proctor.report.terminal import open_console, print_table

MODELS = ("model", "grounder")
"""Options that name models; none is asked, so an agent can be shown before one is chosen and without a key."""
SOME_MODEL = "openai/some-model"


@click.group()
def agents() -> None:
    """List agents, and show what they are sent.

    \b
    proctor agents list                                what there is
    proctor agents show prompted                       its options, and its prompt for a sample task
    proctor agents show prompted,observe=marks         the same with other options
    proctor agents show "cmd:./my-agent"               the JSON that a program of yours reads
    """


@agents.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def list_(as_json: bool) -> None:
    """List agents and what they are."""
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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(text: str, as_json: bool) -> None:
    """Show an agent: what it is, its options, and exactly what it is sent for a sample task."""
    factory, spec = find(AgentSpec.parse(text))
    options = text_options(factory)
    meanings = _meanings(factory)
    sent, remark = _sent(factory, spec, options)
    if as_json:
        listed = [
            {
                "name": option.name,
                "form": option.form,
                "default": _default(option),
                "required": option.required,
                "meaning": meanings.get(option.name, ""),
            }
            for option in options
        ]
        found = {"agent": spec.label, "about": _about(factory), "options": listed, "sent": sent, "remark": remark}
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    console = open_console()
    console.print(f"[bold]{escape(spec.label)}[/]\n{escape(_about(factory))}\n")
    table = Table("option", "value", "default", "meaning", box=None, pad_edge=False)
    for option in options:
        default = "(required)" if option.required else _default(option)
        table.add_row(option.name, escape(option.form), escape(default), escape(meanings.get(option.name, "")))
    if options:
        print_table(console, table)
    for message in sent:
        _print_message(message)
    if remark:
        console.print(f"\n[dim]{escape(remark)}[/]", soft_wrap=True)


def _summary(name: str) -> tuple[str, list[str]]:
    try:
        factory = AGENTS.get(name)
    except ProctorError as error:
        return f"({error.message})", []
    return _about(factory).split("\n")[0], [option.name for option in text_options(factory)]


def _about(factory: Any) -> str:
    return inspect.cleandoc(factory.__doc__ or "")


def _default(option: Option) -> str:
    if option.required or option.default is None:
        return ""
    if option.kind is bool:
        return "on" if option.default else "off"
    return str(option.default)


def _meanings(factory: Any) -> dict[str, str]:
    """Return what each option means, from the constructor's docstring."""
    _, _, listed = (inspect.getdoc(factory.__init__) or "").partition("Args:\n")
    return dict(re.findall(r"^ {4}(\w+): (.+)$", listed, re.MULTILINE))


class _Unasked:
    """A model that is named but never asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ask(self, messages: Sequence[Message], *, max_tokens: int = 2048, temperature: float | None = None) -> Reply:
        """Refuse."""
        _refuse()


def _refuse() -> NoReturn:
    raise SpecError("an agent that is only shown asks no model")


def _sent(factory: Any, spec: AgentSpec, options: list[Option]) -> tuple[list[dict[str, Any]], str]:
    """Return what an agent is sent for the sample task, or a remark why that cannot be shown."""
    if not factory.__module__.startswith("proctor.") or not (hasattr(factory, "sent") or hasattr(factory, "messages")):
        return [], "What it is sent is its own affair: it is handed the brief and the observations."
    needed = {option.name for option in options if option.required} - spec.options.keys()
    if missing := sorted(needed - set(MODELS)):
        return [], f"Give {', '.join(missing)} to see what it is sent."
    named = {option: spec.options.get(option, SOME_MODEL) for option in MODELS}
    others = {option: text for option, text in spec.options.items() if option not in MODELS}
    unasked = {option: _Unasked(model) for option, model in named.items()}
    try:
        agent: Any = open_agent(AgentSpec(spec.name, others), **unasked)
    except ProctorError as error:
        return [], str(error)
    brief, observation = sample_brief(), sample_observation(wanted(agent))
    try:
        if hasattr(agent, "sent"):
            return [_shortened(message) for message in agent.sent(brief, observation)], ""
        agent.start(brief)
        return [_plain(message) for message in agent.messages(observation)], ""
    finally:
        close(agent)


def _plain(message: Message) -> dict[str, Any]:
    parts = [f"[picture, {part.media}]" if isinstance(part, Picture) else part for part in message.parts]
    return {"role": message.role, "parts": parts}


def _shortened(message: dict[str, Any]) -> dict[str, Any]:
    picture = message.get("screenshot")
    return message | {"screenshot": f"<PNG as base64, {len(picture)} characters>"} if picture else message


def _print_message(message: dict[str, Any]) -> None:
    click.secho(f"\n--- {message.get('role') or message['type']} ---", fg="cyan")
    text = "\n".join(message["parts"]) if "parts" in message else json.dumps(message, indent=2)
    # Not through the console, which would replace tabs.
    click.echo(text)
