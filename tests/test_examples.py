"""Every example runs, on the fake computer or on a small record."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.test_older_records import OLD

EXAMPLES = {
    "hello_desktop.py": (["--backend", "fake"], "changed /home/user/notes.txt"),
    "plot_a_run.py": ([str(OLD)], "3 episodes in steps.png"),
    "train_tiny_policy.py": (["--backend", "fake", "-n", "2", "--episodes", "4"], "episodes a minute"),
    "vector_env.py": (["--backend", "fake", "--steps", "3", "-n", "2"], "step 3: rewards"),
}


def test_every_example_is_listed_here(project: Path) -> None:
    assert {path.name for path in (project / "examples").glob("*.py")} == EXAMPLES.keys()


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example(project: Path, tmp_path: Path, name: str) -> None:
    arguments, expected = EXAMPLES[name]
    command = [sys.executable, str(project / "examples" / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_desktops_can_live_in_processes_of_their_own(project: Path) -> None:
    command = [sys.executable, str(project / "examples" / "vector_env.py"), "--backend", "fake", "--processes"]
    done = subprocess.run([*command, "--steps", "1"], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert "screens: (2, 720, 1280, 3)" in done.stdout


@pytest.mark.sandbox("starter")
def test_the_first_snippet_of_the_readme_really_edits_its_file(project: Path, tmp_path: Path) -> None:
    snippet = project.joinpath("README.md").read_text().split("```python\n")[1].split("```")[0]
    assert 'write_file("notes.txt", b"hello")' in snippet
    # Verbatim, and then one more look at the file from outside the snippet.
    looked = snippet + '    print("FILE", repr(computer.read_file("notes.txt").decode()))\n'
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, timeout=200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hello, naïve <b>\n")
    assert "FILE 'hello, naïve <b>'" in done.stdout
