"""OpenEnv's server and its typed client keep the contract of doors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from proctor.actions.action import Action
from proctor.exam.door_run import DoorRun
from proctor.interop.openenv.app import make_app
from proctor.interop.openenv.client import DesktopEnv
from proctor.interop.openenv.models import DesktopAction
from proctor.interop.server_socket import listen
from proctor.interop.venue import Venue
from proctor.records import Result
from proctor.suites.suite import Suite
from proctor.tasks.template import fixed_template
from proctor.testing.doors import ENDINGS, LATE, DoorComputer, DoorContract, DoorEnding
from tests.interop.elsewhere.running import only_result


@contextmanager
def serving(ending: DoorEnding, run: DoorRun) -> Iterator[str]:
    suite = Suite("test", 1, "One task.", (fixed_template(ending.task),))
    app = make_app(suite, Venue(computer=DoorComputer, rules=ending.rules, run=run))
    with listen("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


def client(address: str) -> Any:
    return DesktopEnv(base_url=address).sync()


class TestOpenEnv(DoorContract):
    """A client over the websocket; one that leaves gets no verdict, so that ending is another here."""

    skips = frozenset({"left without a word"})

    def play(self, ending: DoorEnding, tmp_path: Path) -> Result:
        last = None
        with DoorRun(tmp_path / "run") as run, serving(ending, run) as address, client(address) as env:
            env.reset(index=0)
            for step in ending.script:
                if not isinstance(step, Action):
                    continue
                if ending.expected["stop"] == "void" and step is ending.script[-1]:
                    with pytest.raises(RuntimeError, match="void: "):
                        env.step(DesktopAction(**step.to_json()))
                    break
                last = env.step(DesktopAction(**step.to_json()))
                if last.done:
                    break
            if LATE in ending.script:
                with pytest.raises(RuntimeError, match="no episode"):
                    env.step(DesktopAction(type="done"))
        result = only_result(tmp_path / "run")
        if last is not None and not result.void:
            told = {name: last.metadata[name] for name in ("score", "stop", "clean", "collateral")}
            assert told == {name: getattr(result, name) for name in told}
        return result


def test_the_episode_of_a_client_that_leaves_is_void(tmp_path: Path) -> None:
    with DoorRun(tmp_path / "run") as run, serving(ENDINGS[0], run) as address, client(address) as env:
        env.reset(index=0)
        env.step(DesktopAction(type="press", keys="a"))
    result = only_result(tmp_path / "run")
    assert (result.stop, result.cause, result.steps) == ("void", "client", 1)
