"""Every example runs, on the fake computer or on a small record."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_lines import parse, words_of
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


def snippet(page: Path) -> str:
    """Return the first piece of Python on a page."""
    return page.read_text().split("```python\n")[1].split("```")[0]


@pytest.mark.sandbox("starter")
def test_the_snippet_of_the_features_really_edits_its_file(project: Path, tmp_path: Path) -> None:
    written = snippet(project / "docs" / "features.md")
    assert 'write_file("notes.txt", b"hello")' in written
    # Verbatim, and then one more look at the file from outside the snippet.
    looked = written + '    print("FILE", repr(computer.read_file("notes.txt").decode()))\n'
    done = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, timeout=200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hello, naïve <b>\n")
    assert "FILE 'hello, naïve <b>'" in done.stdout


@pytest.mark.sandbox("starter")
def test_the_agent_of_the_readme_passes_its_task(project: Path, tmp_path: Path) -> None:
    page = project / "README.md"
    (tmp_path / "mine.py").write_text(snippet(page))
    command = re.search(r"`proctor (run sign-the-letter .*mine:Agent)`", page.read_text())
    assert command
    words = [sys.executable, "-m", "proctor", *command[1].split(), "--json", "-n", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=200, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agents"][0]["success"] == 1


def test_the_commands_of_the_readme_can_be_typed(project: Path) -> None:
    """They parse, as those of the help pages do; each of our pages that a line names exists."""
    text = project.joinpath("README.md").read_text()
    calls = [line for block in text.split("```sh\n")[1:] for line in block.split("```")[0].splitlines()]
    named = [line for line in calls if line.startswith("proctor ")] + re.findall(r"`(proctor [^`]+)`", text)
    assert len(named) > 5
    for line in named:
        for words in words_of(re.sub(r"\s+#.*", "", line)):
            if words not in (["COMMAND", "--help"], []):
                parse(words)
    missing = [path for path in re.findall(r"\]\(([^)#]+)", text) if ":" not in path and not (project / path).exists()]
    assert not missing
