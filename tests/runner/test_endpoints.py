"""Servers are tried once before a run: what is away is said with address, model and remedy."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from proctor.agents.spec import AgentSpec
from proctor.errors import ModelError, ProctorError, SpecError
from proctor.models.retry import Patience
from proctor.runner.endpoints import PATIENCE, try_endpoints
from tests.models.provider import Provider, provider
from tests.models.wires import WIRES, Wire


@pytest.fixture
def server() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture
def dead() -> Iterator[str]:
    """The address of a port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def spec(url: str, model: str = "openai/some-model", agent: str = "prompted") -> AgentSpec:
    return AgentSpec(agent, {"model": model, "base_url": url})


def hurried(waits: list[float]) -> Patience:
    """Return the usual patience, by a clock that only waiting moves."""
    return replace(PATIENCE, wait=waits.append, clock=lambda: sum(waits), jitter=lambda: 1.0)


def refused(*agents: AgentSpec) -> ProctorError:
    with pytest.raises(ProctorError) as caught:
        try_endpoints(agents, patience=hurried([]))
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_a_server_that_answers_is_asked_once(server: Provider, wire: Wire) -> None:
    server.will(wire.answer("OK"))
    said: list[str] = []
    try_endpoints([spec(server.url, wire.name), spec(server.url, wire.name, "coder")], said.append)
    assert len(server.asked) == 1
    assert said == [f"trying {wire.name} at {server.url}"]


def test_a_dead_port(dead: str) -> None:
    error = refused(spec(dead))
    assert isinstance(error, SpecError)
    assert f"nothing listens at {dead} for openai/some-model" in error.message


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
@pytest.mark.parametrize("status", [529, 500, 502, 503, 504, 408])
def test_one_bad_moment_refuses_no_run_and_is_said(server: Provider, wire: Wire, status: int) -> None:
    server.will({"error": {"message": "try later"}}, status)
    server.will(wire.answer("OK"))
    said: list[str] = []
    waits: list[float] = []
    try_endpoints([spec(server.url, wire.name)], said.append, patience=hurried(waits))
    assert len(server.asked) == 2 and waits == [1.0]
    assert f"HTTP {status}" in said[1] and "try 2 of" in said[1]


def test_trouble_that_does_not_pass_is_said_with_what_was_tried(server: Provider) -> None:
    for _ in range(6):
        server.will({"error": {"message": "broken inside"}}, 529)
    error = refused(spec(server.url))
    assert isinstance(error, ModelError) and "HTTP 529" in error.message
    assert "it was tried 6 times in 31 s before the run" in error.message
    assert len(server.asked) == 6


def test_a_wait_that_is_longer_than_the_patience_is_said(server: Provider) -> None:
    server.will({"error": {"message": "come back"}}, 503, headers={"retry-after": "900"})
    assert "asks to wait 900 s" in refused(spec(server.url)).message
    assert len(server.asked) == 1


def test_a_connection_that_broke_off_is_made_again(server: Provider) -> None:
    server.will(reset=True)
    server.will(WIRES[0].answer("OK"))
    try_endpoints([spec(server.url, WIRES[0].name)], patience=hurried([]))
    assert len(server.asked) == 2


@pytest.mark.parametrize("status", [401, 404])
def test_a_server_that_refuses_is_not_asked_again(server: Provider, status: int) -> None:
    server.will({"error": {"message": "broken inside"}}, status)
    error = refused(spec(server.url))
    assert isinstance(error, ModelError)
    for words in ("openai/some-model", server.url, f"HTTP {status}", "broken inside"):
        assert words in error.message
    assert len(server.asked) == 1


def test_something_else_on_that_port(server: Provider) -> None:
    server.will(b"<html>welcome</html>")
    assert "unknown form" in refused(spec(server.url)).message


@pytest.mark.parametrize("status", [429])
def test_a_server_that_is_only_busy_will_do(server: Provider, status: int) -> None:
    server.will({"error": {"message": "slow down"}}, status)
    try_endpoints([spec(server.url)])


def test_a_model_of_computer_tools_may_know_no_plain_question(server: Provider) -> None:
    server.will({"error": {"message": "only /responses"}}, 404)
    try_endpoints([spec(server.url, agent="native")])


def test_a_grounder_is_tried_at_its_own_address(server: Provider, dead: str) -> None:
    server.will(WIRES[0].answer("OK"))
    options = {"model": WIRES[0].name, "base_url": server.url, "grounder": "openai/points", "grounder_url": dead}
    assert "openai/points" in refused(AgentSpec("grounded", options)).message


def test_an_agent_that_is_a_server_must_listen(dead: str) -> None:
    assert f"nothing listens at {dead}" in refused(AgentSpec.parse(dead)).message


def test_agents_without_a_server_are_left_alone() -> None:
    own = AgentSpec("tests.agents.own:Needy", {"model": "of/their-own"})
    try_endpoints([AgentSpec("idle"), AgentSpec("prompted", {"model": "scripted/x"}), own])
