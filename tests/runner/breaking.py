"""Agents that put their own computer into disorder by code, and then say that they are done."""

from __future__ import annotations

from proctor.actions.action import Action, Click, Done, RunCode, Type
from proctor.observations.observation import Observation, Want
from proctor.records import Brief

X = """
import socket, struct
x = socket.socket(socket.AF_UNIX)
x.connect("/tmp/.X11-unix/X1")
x.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
x.recv(65536)
"""
ATTACKS = {
    "nothing": "1 + 1",
    "chmod_home": "import os\nos.chmod(os.path.expanduser('~'), 0)",
    "all_pids": """
import os, time
try:
    while True:
        if os.fork() == 0:
            time.sleep(600)
except OSError:
    pass
""",
    "stop_everything": """
import os, signal
if os.fork() == 0:
    os.setsid()
    while True:
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                try:
                    os.kill(int(name), signal.SIGSTOP)
                except OSError:
                    pass
""",
    "kill_everything": "import os, signal\nos.kill(-1, signal.SIGKILL)",
    "kill_the_bus": "import subprocess\nsubprocess.run(['pkill', '-9', 'dbus-daemon'])",
    "grab_the_server": X + 'x.sendall(struct.pack("<BxH", 36, 1))',
    "fill_run": """
import os
for place in ("/run/user/1000", "/run/lock", "/tmp", os.path.expanduser("~")):
    try:
        with open(place + "/filler", "wb") as file:
            while True:
                file.write(bytes(1 << 20))
    except OSError as error:
        print(place, error)
""",
    "trace_me": """
import ctypes, os, signal
ctypes.CDLL(None).ptrace(0, 0, 0, 0)
os.kill(os.getpid(), signal.SIGUSR1)
""",
    "churn": """
import os
for _ in range(4):
    if os.fork() == 0:
        os.chdir(os.path.expanduser("~"))
        while True:
            os.makedirs(f"d{os.getpid()}/e/f", exist_ok=True)
            open(f"d{os.getpid()}/e/f/g", "w").close()
            os.unlink(f"d{os.getpid()}/e/f/g")
            os.removedirs(f"d{os.getpid()}/e/f")
""",
    "spin": """
import os
for _ in range(200):
    if os.fork() == 0:
        while True:
            pass
""",
    "eat_memory": "kept = []\nwhile True:\n  kept.append(bytearray(64 << 20))",
}


class Breaker:
    """Runs one of the attacks, does two things more at the desktop, and says that it is done."""

    def __init__(self, attack: str = "nothing", observe: str = "screenshot") -> None:
        self._code = ATTACKS[attack]
        self.want = Want(tree=observe == "tree", windows=observe == "tree", terminal=observe == "tree")

    def start(self, brief: Brief) -> None:
        """Begin."""
        self._turns: list[Action] = [
            RunCode(code=self._code, timeout_sec=10),
            RunCode(code="echo still here", language="shell", timeout_sec=5),
            Click(x=300, y=300),
            Type(text="Lucia Ferrari"),
            RunCode(code="print('and here')", timeout_sec=5),
        ]

    def act(self, observation: Observation) -> Action:
        """Go on with the next thing."""
        return self._turns.pop(0) if self._turns else Done()
