"""Every example runs, on the fake computer."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = {
    "hello_desktop.py": ([], "changed /home/user/notes.txt"),
    "vector_env.py": (["--steps", "3", "-n", "2"], "step 3: rewards"),
}


def test_every_example_is_listed_here(project: Path) -> None:
    assert {path.name for path in (project / "examples").glob("*.py")} == EXAMPLES.keys()


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example(project: Path, name: str) -> None:
    arguments, expected = EXAMPLES[name]
    command = [sys.executable, str(project / "examples" / name), "--backend", "fake", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_desktops_can_live_in_processes_of_their_own(project: Path) -> None:
    command = [sys.executable, str(project / "examples" / "vector_env.py"), "--backend", "fake", "--processes"]
    done = subprocess.run([*command, "--steps", "1"], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert "screens: (2, 720, 1280, 3)" in done.stdout
