"""What a tool is: a name and arguments outside, and what a call of it asks of a computer."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from proctor.actions.action import Action
from proctor.actions.dialects.space import Space
from proctor.computers.capabilities import Capability
from proctor.computers.computer import Computer
from proctor.errors import SpecError, UnknownName
from proctor.interop.elements import TreeForm, with_place
from proctor.interop.mcp.arguments import Param, read, schema
from proctor.observations.observation import Observation

Shown = Literal["screenshot", "zoom", "pointer", "tree", "windows", "size", "state"]
Group = Literal["see", "input", "shell"]

GROUPS: dict[Group, str] = {
    "see": "looking at the screen",
    "input": "mouse and keyboard",
    "shell": "commands and files",
}
USUAL: tuple[Group, ...] = ("see", "input")
"""What is granted where nothing is named."""
MOST_SAID = 100_000
"""Characters of a call that a record keeps."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What one call asks for: actions, or something to be shown, or an errand that is neither."""

    actions: tuple[Action, ...] = ()
    shown: Shown | None = None
    region: tuple[float, float, float, float] | None = None
    """For `zoom`: left, top, right and bottom, in desktop pixels."""
    form: TreeForm = "outline"
    """For `tree`: how elements are listed."""
    errand: Callable[[Computer], str] | None = None
    """Does something else on a computer and returns what is to be said of it."""
    code: str = ""
    """The same as shell code, where an examination can do it: there everything is an action."""
    code_sec: float = 60.0
    """How long that may take."""
    said: str = ""
    """What is answered when actions were carried out."""


@dataclass(frozen=True, kw_only=True)
class DeskTool:
    """One tool that clients may be given."""

    name: str
    group: Group
    what: str
    params: tuple[Param, ...] = ()
    needs: tuple[Capability, ...] = ()
    """Parts without which a computer does not offer it."""
    ask: Callable[[Mapping[str, object], Space], Asked]
    """What its arguments, already read, ask for; raises AgentError where that is impossible."""
    errand: bool = False
    """Whether it does something beside screen and input; where that is also code, an examination can grant it."""
    is_code: bool = False
    reads: bool = False
    """Whether it only reads, as all that look at the screen do."""

    @property
    def changes(self) -> bool:
        """Whether anything may be another way after it."""
        return not (self.reads or self.group == "see")

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of its arguments."""
        return schema(self.params)

    def read(self, given: Mapping[str, object], space: Space, listed: Observation | None = None) -> Asked:
        """Return what a call asks for; raises AgentError that says how to write it.

        `listed` is what was seen when the elements were listed last, whose ids a call may name.
        """
        arguments = read(self.params, given)
        if arguments.get("element") is not None:
            arguments = {**with_place(arguments, listed, space), "element": arguments["element"]}
        return self.ask(arguments, space)


def call_words(name: str, given: Mapping[str, object]) -> str:
    """Return a call in the words of its client, as the record keeps it."""
    # Half of a surrogate pair is valid JSON, but no text that could be stored.
    text = json.dumps({"tool": name, "arguments": given}, ensure_ascii=False, default=str)
    return text[:MOST_SAID].encode("utf-8", "replace").decode()


def grant_tools(tools: Sequence[DeskTool], grants: Sequence[str] | None) -> list[DeskTool]:
    """Return the tools that are allowed: those that are named, by themselves or by their group.

    None stands for the usual ones.

    Raises UnknownName for what is neither, SpecError where nothing is named.
    """
    wanted: Collection[str] = USUAL if grants is None else grants
    if not wanted:
        raise SpecError("an empty grant would allow nothing", remedy="name tools, or see, input, shell")
    known = {*GROUPS, *(tool.name for tool in tools)}
    for name in wanted:
        if name not in known:
            raise UnknownName("tool to grant", name, _near(name, known), listing="proctor serve mcp --list")
    return [tool for tool in tools if tool.name in wanted or tool.group in wanted]


def _near(name: str, known: Collection[str]) -> list[str]:
    """Return the names that may have been meant; all where none is near."""
    return difflib.get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)
