"""The command line as a user meets it: help, version, mistakes and interruptions."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator

import click
import pytest

from proctor.cli.main import COMMANDS, cli, main
from proctor.errors import ImageError, ImageMissing, SpecError

HEAVY = ("numpy", "PIL", "dbus_fast", "rich", "proctor.computers")
FEW_MODULES = 10
"""What the help may load of the package: its names, errors and version."""
Boom = Callable[[BaseException], None]


def proctor(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "proctor", *args], capture_output=True, text=True, timeout=300, check=False
    )


def status_of(*args: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(args))
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_help_lists_every_command() -> None:
    done = proctor("--help")
    assert done.returncode == 0
    shown = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")}
    for name, command in COMMANDS.items():
        assert (name in shown) == (not command.hidden)
        assert command.hidden or command.summary.split()[0] in done.stdout


def test_help_imports_no_command() -> None:
    script = (
        "import sys; from proctor.cli.main import main\n"
        "try: main(['--help'])\n"
        f"finally: print('loaded', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.endswith("loaded []\n")


def test_help_loads_little_of_the_package() -> None:
    """A busy machine makes a stopwatch lie; what is loaded it cannot change."""
    script = (
        "import sys; from proctor.cli.main import main\n"
        "try: main(['--help'])\n"
        "finally: print('loaded', sum(name.startswith('proctor.') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=True)
    assert int(done.stdout.rpartition("loaded ")[2]) <= FEW_MODULES


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of() == 2
    assert "Commands:" in capsys.readouterr().err


def test_version() -> None:
    done = proctor("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("proctor 0.")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_exists_and_says_what_it_does(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = COMMANDS[name].target.partition(":")[0]
    assert importlib.util.find_spec(module), f"{module} is not written yet"
    assert status_of(name, "--help") == 0
    assert capsys.readouterr().out.startswith(f"Usage: proctor {name}")


def test_a_mistyped_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("docter") == 2
    assert "Did you mean 'doctor'?" in capsys.readouterr().err


def test_an_unknown_option_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of("doctor", "--jsn") == 2
    assert "--json" in capsys.readouterr().err


@pytest.fixture
def boom() -> Iterator[Boom]:
    """Adds a command `boom` that ends with a given error."""

    def add(error: BaseException) -> None:
        @cli.command("boom")
        def command() -> None:
            raise error

    yield add
    cli.commands.pop("boom", None)


def test_an_error_of_ours_is_a_message_and_its_remedy(boom: Boom, capsys: pytest.CaptureFixture[str]) -> None:
    boom(ImageError("image 'starter' is not built", remedy="proctor images build starter"))
    assert status_of("boom") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "error: image 'starter' is not built\nremedy: proctor images build starter\n"


def test_an_error_without_remedy_is_one_line(boom: Boom, capsys: pytest.CaptureFixture[str]) -> None:
    boom(SpecError("no such thing"))
    assert status_of("boom") == 1
    assert capsys.readouterr().err == "error: no such thing\n"


def test_an_interruption_has_its_own_status(boom: Boom, capsys: pytest.CaptureFixture[str]) -> None:
    boom(KeyboardInterrupt())
    assert status_of("boom") == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_declined_question_is_no_interruption(boom: Boom, capsys: pytest.CaptureFixture[str]) -> None:
    boom(click.Abort())
    assert status_of("boom") == 1
    assert "aborted" in capsys.readouterr().err


def test_a_defect_is_not_dressed_up(boom: Boom) -> None:
    boom(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        main(["boom"])


def test_a_command_goes_on_once_its_missing_image_was_built(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []

    def build(missing: ImageMissing) -> bool:
        built.append(missing.name)
        return True

    monkeypatch.setattr("proctor.cli.main._build", build)
    done: list[str] = []

    @cli.command("once")
    def once() -> None:
        if not built:
            missing = ImageMissing("not built")
            missing.name = "full"
            raise missing
        done.append("once")

    try:
        assert status_of("once") == 0
    finally:
        cli.commands.pop("once")
    assert (built, done) == (["full"], ["once"])


def test_a_missing_image_is_an_error_with_its_command_where_nobody_can_answer(
    boom: Boom, capsys: pytest.CaptureFixture[str]
) -> None:
    boom(ImageMissing("the image 'full' is not built yet", remedy="proctor images build full"))
    assert status_of("boom") == 1
    assert capsys.readouterr().err == ("error: the image 'full' is not built yet\nremedy: proctor images build full\n")
