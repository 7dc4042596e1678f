"""The SDKs speak to the server they are given and to nobody else."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
called = []
def watch(event, arguments):
    if event == "socket.connect":
        called.append(str(arguments[1]))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        called.append(str(arguments[0]))
sys.addaudithook(watch)
from proctor.models import open_model
from proctor.models.model import Message
from tests.models.provider import provider
from tests.models.wires import WIRES
with provider() as server:
    for wire in WIRES:
        server.answers.clear()
        server.will(wire.answer("fine"))
        model = open_model(wire.name, base_url=server.url)
        assert model.ask([Message("user", ("hello",))]).text == "fine"
        model.close()
print(sorted({place for place in called if "127.0.0.1" not in place}), len(called) >= 3)
"""


def test_nobody_else_is_called() -> None:
    command = [sys.executable, "-W", "error", "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[] True", "")
