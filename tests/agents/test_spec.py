"""Agents named by text: reading, labels, options, and what is refused."""

from __future__ import annotations

import pickle
import string
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents import AGENTS, find, open_agent, options_of
from proctor.agents.idle import Idle
from proctor.agents.oracle import Oracle
from proctor.agents.spec import AgentSpec, vary
from proctor.errors import SpecError, UnknownName
from tests.agents.own import Mine

MINE = "tests.agents.own:Mine"


def test_a_name_alone() -> None:
    assert AgentSpec.parse(" idle ") == AgentSpec("idle")


def test_options_follow_after_commas() -> None:
    spec = AgentSpec.parse("prompted,model=openai/gpt-4o, observe=tree,history=3")
    assert spec.name == "prompted"
    assert spec.options == {"model": "openai/gpt-4o", "observe": "tree", "history": "3"}


def test_the_label_does_not_depend_on_the_order() -> None:
    one, other = AgentSpec.parse("prompted,observe=tree,model=a/b"), AgentSpec.parse("prompted,model=a/b,observe=tree")
    assert one.label == other.label == "prompted,model=a/b,observe=tree"
    assert hash(one) == hash(other)


@pytest.mark.parametrize("text", ["cmd:awk -f a,b=c.awk", "http://127.0.0.1:80/x,y=1", "https://host/agent"])
def test_commands_and_addresses_are_taken_whole(text: str) -> None:
    assert AgentSpec.parse(text) == AgentSpec(text)


@given(
    st.text(string.ascii_letters + "._:", min_size=1).filter(lambda name: not name.startswith(("cmd:", "http"))),
    st.dictionaries(
        st.from_regex(r"[a-z]{1,6}_?", fullmatch=True).filter(lambda name: name not in ("key", "token", "secret")),
        st.text(string.ascii_letters + string.digits + "./-=+", max_size=7),
        max_size=4,
    ),
)
def test_a_label_reads_back_as_the_same_agent(name: str, options: dict[str, str]) -> None:
    spec = AgentSpec(name, options)
    assert AgentSpec.parse(spec.label) == spec
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(SpecError, match="'tree' is not an option; option 'history' is given twice"):
        AgentSpec.parse("prompted,tree,history=1,history=2")
    with pytest.raises(SpecError, match="without a name"):
        AgentSpec.parse(" ")


@pytest.mark.parametrize(
    "text",
    [
        "prompted,api_key=abc",
        "prompted,model=openai/x,base_url=https://me:hunter2@host/v1",
        "http://user:secret@host",
        "http://host/?token=abcdef",
        "cmd:agent --api-key abcdef",
        "cmd:agent sk-abcdefghijklmnop1234",
    ],
)
def test_secrets_are_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(SpecError, match="environment variable") as caught:
        AgentSpec.parse(text)
    for secret in ("hunter2", "user:secret", "abcdef"):
        assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["prompted,max_tokens=100", "http,url=http://h,token_env=MINE", "cmd:agent --tokens 5"]
)
def test_harmless_options_are_no_secrets(text: str) -> None:
    AgentSpec.parse(text)


def test_varying_one_option() -> None:
    spec = AgentSpec.parse("prompted,model=a/b,observe=tree")
    assert [each.label for each in vary(spec, "observe", ["tree", "marks"])] == [
        "prompted,model=a/b,observe=tree",
        "prompted,model=a/b,observe=marks",
    ]


def test_options_become_what_the_constructor_asks_for() -> None:
    agent = open_agent(f"{MINE},count=3,speed=0.5,loud=on,name=x,mood=eager,home=/tmp")
    assert cast(Mine, agent).options == (3, 0.5, True, "x", "eager", Path("/tmp"))


def test_every_wrong_option_is_named_with_what_was_meant() -> None:
    with pytest.raises(SpecError) as caught:
        open_agent(f"{MINE},cuont=3,speed=fast,loud=maybe,mood=calmm")
    message = str(caught.value)
    assert "there is no option 'cuont', did you mean 'count'?" in message
    assert "speed='fast' must be a number" in message
    assert "loud='maybe' must be on or off" in message
    assert "mood='calmm' must be one of: calm, eager, did you mean 'calm'?" in message
    assert "mood is calm | eager" in message


def test_what_cannot_be_text_is_no_option() -> None:
    assert "thing" not in options_of(AgentSpec(MINE))
    with pytest.raises(SpecError, match="no option 'thing'"):
        open_agent(f"{MINE},thing=x")


def test_what_is_offered_reaches_those_who_take_it() -> None:
    thing = object()
    assert cast(Mine, open_agent(MINE, thing=thing, moves=print)).thing is thing
    assert isinstance(open_agent("oracle", moves=print), Oracle)
    assert isinstance(open_agent("idle", moves=print), Idle)


def test_a_missing_option_is_named() -> None:
    with pytest.raises(SpecError, match="needs the option 'model'"):
        open_agent("tests.agents.own:Needy")


@pytest.mark.parametrize(("text", "near"), [("promted", "prompted"), ("orcale,x=1", "oracle")])
def test_an_unknown_agent_gets_a_suggestion(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"did you mean '{near}'"):
        open_agent(text)


@pytest.mark.parametrize("target", ["tests.agents.own:NoAgent", "tests.agents.own:Nothing", "tests.no_such:Thing"])
def test_what_is_no_agent_is_refused(target: str) -> None:
    with pytest.raises(SpecError, match="not an agent|cannot be loaded"):
        open_agent(target)


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(SpecError, match="int, not a class"):
        open_agent("tests.agents.own:NUMBER")


def test_a_module_of_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brought_along.py").write_text(
        "class Mine:\n    def start(self, brief): ...\n    def act(self, observation): ...\n"
    )
    monkeypatch.chdir(tmp_path)
    assert type(open_agent("brought_along:Mine")).__module__ == "brought_along"


def test_a_module_that_is_no_python_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_written.py").write_text("class Mine(:\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError, match="cannot be loaded"):
        open_agent("half_written:Mine")


def test_short_forms_stand_for_their_first_option() -> None:
    assert find(AgentSpec("cmd: sh -c true"))[1].options == {"command": "sh -c true"}
    assert find(AgentSpec("http://h:1/x"))[1].options == {"url": "http://h:1/x"}
    assert find(AgentSpec("cmd:sh", {"patience": "3"}))[1].options == {"command": "sh", "patience": "3"}


def test_listing_names_imports_nothing_heavy() -> None:
    assert "prompted" in AGENTS.names()


def test_an_alias_is_the_label_and_no_option() -> None:
    spec = AgentSpec.parse("prompted,as=my best,model=a/b")
    assert (spec.label, spec.options) == ("my best", {"model": "a/b"})
    assert spec.whole == "prompted,model=a/b"
    assert AgentSpec.parse("cmd:./agent --fast,as=fast") == AgentSpec("cmd:./agent --fast", alias="fast")
    assert [one.label for one in vary(spec, "history", ["1", "2"])] == ["my best history=1", "my best history=2"]


@pytest.mark.parametrize("text", ["idle,as=", f"idle,as={'x' * 61}", "idle,as=a\x1bb", "cmd:x,as=a\nb"])
def test_an_alias_must_be_a_name(text: str) -> None:
    with pytest.raises(SpecError, match="cannot be called|names nothing"):
        AgentSpec.parse(text)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1/v1"),
        ("http://[::1]:8000/v1", "http://[::1]/v1"),
        ("http://[::1]/v1", "http://[::1]/v1"),
        ("https://models.example/v1", "https://models.example/v1"),
    ],
)
def test_the_port_of_a_server_makes_no_other_agent(address: str, told: str) -> None:
    spec = AgentSpec("prompted", {"base_url": address})
    assert spec.label == f"prompted,base_url={told}"
    assert spec.options["base_url"] == address
