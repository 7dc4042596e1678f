"""Servers as agents, and every way in which a server can misbehave."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from proctor.actions.action import Click, Done
from proctor.agents import open_agent
from proctor.agents.agent import Agent
from proctor.agents.external.web import WebAgent
from proctor.agents.sample import sample_brief, sample_observation
from proctor.agents.wire import MAX_REPLY_BYTES
from proctor.errors import AgentError, SpecError
from proctor.testing import AgentContract

Answer = Callable[["Handler", dict[str, Any]], None]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        server.heard.append((self.path, dict(self.headers), message))
        if self.path.endswith("/start"):
            self.answer(b"{}")
        else:
            server.say(self, message)

    def answer(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None: ...


class Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, say: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.say = say
        self.heard: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *arguments: Any) -> None:
        """An agent that hangs up is not news."""


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], Server]]:
    running: list[tuple[Server, threading.Thread]] = []

    def begin(say: Answer) -> Server:
        server = Server(say)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        running.append((server, thread))
        return server

    yield begin
    for server, thread in running:
        server.shutdown()
        server.server_close()
        thread.join()


Serve = Callable[[Answer], Server]


def done(handler: Handler, message: dict[str, Any]) -> None:
    handler.answer(b'{"type": "done"}')


class TestWebAgent(AgentContract):
    @pytest.fixture(autouse=True)
    def server(self, serve: Serve) -> None:
        self.url = serve(done).url

    def new_agent(self) -> Agent:
        return WebAgent(self.url)


def test_the_server_is_posted_the_brief_and_observations(serve: Serve) -> None:
    server = serve(done)
    agent = open_agent(f"{server.url}/agent/")
    assert isinstance(agent, WebAgent)
    agent.start(sample_brief())
    assert agent.act(sample_observation()).actions == (Done(),)
    (start_path, start_headers, start), (act_path, act_headers, seen) = server.heard
    assert (start_path, act_path) == ("/agent/start", "/agent/act")
    assert start_headers["Proctor-Episode"] == act_headers["Proctor-Episode"]
    assert [start, seen] == json.loads(json.dumps(agent.first_messages(sample_brief(), sample_observation())))


def test_each_episode_has_a_name_of_its_own(serve: Serve) -> None:
    server = serve(done)
    agent = WebAgent(server.url)
    agent.start(sample_brief())
    agent.start(sample_brief())
    assert len({headers["Proctor-Episode"] for _, headers, _ in server.heard}) == 2


def test_a_token_comes_from_the_environment(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(done)
    monkeypatch.setenv("MY_AGENT_TOKEN", "very-secret-token")
    WebAgent(server.url, token_env="MY_AGENT_TOKEN").start(sample_brief())
    assert server.heard[0][1]["Authorization"] == "Bearer very-secret-token"
    with pytest.raises(SpecError, match="NOT_SET"):
        WebAgent(server.url, token_env="NOT_SET")


def test_actions_are_read(serve: Serve) -> None:
    agent = WebAgent(serve(lambda handler, _: handler.answer(b'[{"type": "click", "x": 1, "y": 2}]')).url)
    agent.start(sample_brief())
    assert agent.act(sample_observation()).actions == (Click(x=1, y=2),)


def test_garbage_is_a_problem(serve: Serve) -> None:
    agent = WebAgent(serve(lambda handler, _: handler.answer(b"<html>oops</html>")).url)
    agent.start(sample_brief())
    assert "not JSON" in agent.act(sample_observation()).problem


def test_an_endless_body_is_not_read_to_its_end(serve: Serve) -> None:
    def endless(handler: Handler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(20 * MAX_REPLY_BYTES // 65_536):
            handler.wfile.write(b"x" * 65_536)

    agent = WebAgent(serve(endless).url)
    agent.start(sample_brief())
    assert "longer than 8 MB" in agent.act(sample_observation()).problem


def test_a_server_that_never_answers_is_given_up(serve: Serve) -> None:
    release = threading.Event()
    agent = WebAgent(serve(lambda handler, _: (release.wait(60), handler.close_connection)[1]).url, patience=0.2)
    agent.start(sample_brief())
    with pytest.raises(AgentError, match=r"did not answer within 0\.2 s"):
        agent.act(sample_observation())
    release.set()


def test_a_server_that_drips_is_given_up(serve: Serve) -> None:
    release = threading.Event()

    def drip(handler: Handler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not release.wait(0.05):
            handler.wfile.write(b" ")

    agent = WebAgent(serve(drip).url, patience=0.3)
    agent.start(sample_brief())
    with pytest.raises(AgentError, match="did not answer"):
        agent.act(sample_observation())
    release.set()


def test_a_failure_is_told_with_what_the_server_says(serve: Serve) -> None:
    agent = WebAgent(serve(lambda handler, _: handler.answer(b"no GPU left" + b"x" * 10_000, 500)).url)
    agent.start(sample_brief())
    with pytest.raises(AgentError, match="status 500: no GPU left") as caught:
        agent.act(sample_observation())
    assert len(str(caught.value)) < 1_000


def test_a_server_that_hangs_up_is_an_error(serve: Serve) -> None:
    agent = WebAgent(serve(lambda handler, _: handler.connection.shutdown(socket.SHUT_RDWR)).url)
    agent.start(sample_brief())
    with pytest.raises(AgentError, match="dropped the connection at /act"):
        agent.act(sample_observation())


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        agent = WebAgent(f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(SpecError, match="nothing listens at http://127"):
            agent.start(sample_brief())
        with pytest.raises(AgentError, match="no longer listens"):
            agent.act(sample_observation())


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(SpecError, match=r"nothing listens at http://no-such-host\.invalid"):
        WebAgent("http://no-such-host.invalid").start(sample_brief())


@pytest.mark.parametrize("url", ["ftp://host", "host:80", "http://", "http:///x"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SpecError, match="not an address"):
        WebAgent(url)
