"""Code actions: a Python and a shell that remember, report truly, obey their time and share nothing of ours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.actions.action import RunCode
from proctor.computers.backends.sandbox.computer import SandboxComputer
from proctor.computers.computer import CodeResult
from proctor.errors import AgentError, ComputerError, UnknownName
from tests.unhurried import now

pytestmark = pytest.mark.sandbox


@pytest.fixture(scope="module")
def computer() -> Iterator[SandboxComputer]:
    with SandboxComputer(look="light", size=(800, 600)) as started:
        yield started


def python(computer: SandboxComputer, code: str, timeout_sec: float = 20.0) -> CodeResult:
    return computer.execute(code, timeout_sec=timeout_sec)


def shell(computer: SandboxComputer, code: str, timeout_sec: float = 20.0) -> CodeResult:
    return computer.execute(code, language="shell", timeout_sec=timeout_sec)


def test_programs_can_be_ended_as_everywhere(computer: SandboxComputer) -> None:
    # Process 1 ignores the signal for itself; what it starts must not inherit that.
    result = computer.run(["sh", "-c", "sleep 100 & kill $!; wait $!; echo $?"])
    assert result.stdout == "143\n"


# -- what stays --------------------------------------------------------------------------------------------------------


def test_python_remembers(computer: SandboxComputer) -> None:
    assert python(computer, "import os\nx = 41\ndef more(n): return n + 1") == CodeResult(output="")
    assert python(computer, "os.makedirs('/tmp/p', exist_ok=True)\nos.chdir('/tmp/p')\nx = more(x)").output == ""
    assert python(computer, "x, os.getcwd()").output == "(42, '/tmp/p')\n"
    assert python(computer, "class Box:\n  pass\nbox = Box()\nbox.x = x").error == ""
    assert python(computer, "box.x").output == "42\n"


def test_shell_remembers(computer: SandboxComputer) -> None:
    assert shell(computer, "x=41; more() { echo $(($1 + 1)); }; mkdir -p /tmp/s; cd /tmp/s; export Y=set; alias") == (
        CodeResult(output="")
    )
    assert shell(computer, "more $x; pwd; bash -c 'echo $Y'").output == "42\n/tmp/s\nset\n"
    assert shell(computer, "set -- a b; shopt -s extglob").error == ""
    assert shell(computer, "echo $#; case abc in +([a-c])) echo glob;; esac").output == "2\nglob\n"


def test_the_two_are_apart(computer: SandboxComputer) -> None:
    python(computer, "import os\nos.environ['ONLY_PYTHON'] = '1'")
    assert shell(computer, "echo ${ONLY_PYTHON:-unset}").output == "unset\n"


def test_both_are_the_agents_user_at_home() -> None:
    with SandboxComputer(look="light", size=(800, 600)) as fresh:
        assert shell(fresh, "id -un; pwd; echo $DISPLAY").output == "user\n/home/user\n:1\n"
        assert python(fresh, "import os\nos.getuid(), os.getcwd(), __name__").output == (
            "(1000, '/home/user', '__main__')\n"
        )


# -- what is told ------------------------------------------------------------------------------------------------------


def test_values_and_output(computer: SandboxComputer) -> None:
    assert python(computer, "print('a'); 'b'").output == "a\n'b'\n"
    assert python(computer, "None").output == ""
    assert python(computer, "1;2").output == "2\n"
    assert python(computer, "x = 5").output == ""
    assert python(computer, "").output == ""
    assert python(computer, "# nothing").output == ""
    assert shell(computer, "").output == ""


def test_output_and_errors_come_in_order(computer: SandboxComputer) -> None:
    code = "import sys\nfor i in range(4):\n  print(i)\n  print('e', i, file=sys.stderr)"
    assert python(computer, code).output == "".join(f"{i}\ne {i}\n" for i in range(4))
    assert shell(computer, "for i in 0 1 2 3; do echo $i; echo e $i >&2; done").output == "".join(
        f"{i}\ne {i}\n" for i in range(4)
    )
    children = "import subprocess\nprint('before')\nsubprocess.run(['echo', 'child'])\nprint('after')"
    assert python(computer, children).output == "before\nchild\nafter\n"


def test_output_can_be_named_as_a_file(computer: SandboxComputer) -> None:
    assert computer.execute("echo both | tee /dev/stderr > /dev/stdout", language="shell").output == "both\nboth\n"
    assert computer.execute("with open('/dev/stdout', 'w') as out:\n    out.write('here')").output == "here"


def test_errors_have_a_name_and_a_place(computer: SandboxComputer) -> None:
    done = python(computer, "def f():\n  return 1 / 0\nprint('so far')\nf()")
    assert done.error == "ZeroDivisionError"
    assert done.output.startswith("so far\nTraceback")
    assert 'File "<action>", line 2, in f' in done.output
    assert "kernel.py" not in done.output
    assert python(computer, "x = (").error == "SyntaxError"
    assert python(computer, "raise SystemExit(3)").error == "SystemExit"
    assert python(computer, "class Odd(BaseException): pass\nraise Odd").error == "Odd"
    assert python(computer, "1 + 1").output == "2\n"


def test_exit_status_of_a_shell(computer: SandboxComputer) -> None:
    assert shell(computer, "true").error == ""
    assert shell(computer, "false").error == "exit status 1"
    assert shell(computer, "(exit 42)").error == "exit status 42"
    assert "not found" in shell(computer, "no_such_command_at_all").output
    assert shell(computer, "no_such_command_at_all").error == "exit status 127"
    assert "syntax error" in shell(computer, "if then").output
    assert shell(computer, "echo 'unfinished").error != ""
    assert shell(computer, "kill -9 $BASHPID; true").error != ""
    assert shell(computer, "echo again").output == "again\n"


def test_leaving_starts_afresh(computer: SandboxComputer) -> None:
    shell(computer, "z=kept")
    assert shell(computer, "exit 7").error != ""
    assert shell(computer, "echo ${z:-gone}").output == "gone\n"
    python(computer, "z = 1")
    assert python(computer, "import os\nos._exit(3)").error != ""
    assert python(computer, "z").error == "NameError"


def test_any_text(computer: SandboxComputer) -> None:
    text = "naïve <b> 日本語 🎉 'single' \"double\" \\ $HOME `x` %s \t"
    assert python(computer, f"print({text!r})").output == text + "\n"
    assert python(computer, f"s = '''{text}'''\nlen(s)").output == f"{len(text)}\n"
    assert shell(computer, f"cat <<'END'\n{text}\nEND").output == text + "\n"
    # Bytes that are not text are shown as such rather than lost.
    assert "\ufffd" in shell(computer, r"printf '\xff\xfe'").output


def test_there_is_nothing_to_read(computer: SandboxComputer) -> None:
    assert python(computer, "input()").error == "EOFError"
    assert shell(computer, "cat; read x || echo end").output == "end\n"
    assert shell(computer, "cat /dev/stdin | wc -c").output == "0\n"


# -- size and time -----------------------------------------------------------------------------------------------------


def test_large_code(computer: SandboxComputer) -> None:
    lines = [f"value_{number} = '{'x' * 80}'" for number in range(5500)]
    code = "\n".join([*lines, "len(value_5499)"])
    assert len(code) > 500_000
    assert python(computer, code).output == "80\n"
    script = "\n".join([*(f"value_{number}='{'x' * 80}'" for number in range(5000)), "echo ${#value_4999}"])
    assert shell(computer, script).output == "80\n"


def test_large_output_keeps_both_ends(computer: SandboxComputer) -> None:
    done = python(computer, "print('first')\nfor i in range(200000): print('line', i)\nprint('last')")
    assert done.error == ""
    assert done.output.startswith("first\nline 0\n")
    assert done.output.endswith("line 199999\nlast\n")
    assert "left out" in done.output
    assert len(done.output) < 200_000


def test_python_is_interrupted_and_remembers(computer: SandboxComputer) -> None:
    python(computer, "count = 0")
    began = now()
    done = python(computer, "print('begun')\nwhile True: count += 1", timeout_sec=1)
    assert done.timed_out
    assert done.error == "KeyboardInterrupt"
    assert done.output.startswith("begun\n")
    assert now() - began < 3
    assert python(computer, "count > 1000").output == "True\n"
    slept = python(computer, "import time\ntime.sleep(60)", timeout_sec=0.5)
    assert (slept.timed_out, slept.error) == (True, "KeyboardInterrupt")
    child = python(computer, "import subprocess\nsubprocess.run(['sleep', '60'])", timeout_sec=0.5)
    assert (child.timed_out, child.error) == (True, "KeyboardInterrupt")
    assert python(computer, "'still here'").output == "'still here'\n"


def test_shell_is_interrupted_and_remembers(computer: SandboxComputer) -> None:
    shell(computer, "kept=yes")
    done = shell(computer, "echo begun; sleep 60", timeout_sec=0.5)
    assert done.timed_out
    assert done.output.startswith("begun\n")
    assert shell(computer, "echo $kept").output == "yes\n"


def test_a_busy_shell_is_ended(computer: SandboxComputer) -> None:
    began = now()
    done = shell(computer, "echo begun; while :; do :; done", timeout_sec=0.5)
    assert done.timed_out
    assert done.output.startswith("begun\n")
    assert now() - began < 4
    assert shell(computer, "echo well").output == "well\n"


def test_children_in_the_background_hold_nothing_up(computer: SandboxComputer) -> None:
    began = now()
    assert shell(computer, "sleep 60 & echo started").output == "started\n"
    code = "import subprocess\nchild = subprocess.Popen(['sleep', '60'])\nchild.poll() is None"
    assert python(computer, code).output == "True\n"
    assert now() - began < 5
    assert shell(computer, "jobs -p | wc -l; kill %1").output.startswith("1\n")
    assert python(computer, "child.kill(); child.wait()").output == "-9\n"


def test_windows_opened_by_code_stay(computer: SandboxComputer) -> None:
    shell(computer, "mousepad >/dev/null 2>&1 &")
    computer.wait_for(lambda c: any(window.app == "Mousepad" for window in c.windows()), what="an editor")
    shell(computer, "pkill mousepad")


# -- walls -------------------------------------------------------------------------------------------------------------


def test_programs_inherit_no_descriptor_of_ours(computer: SandboxComputer) -> None:
    assert shell(computer, "ls -1 /proc/self/fd | grep -vc '^[0-3]$'").output == "0\n"
    # The third is the listing's own.
    assert shell(computer, "bash -c 'readlink /proc/self/fd/3 /proc/self/fd/4' || true").output == ""
    listing = "subprocess.run(['ls', '/proc/self/fd'], stdout=-1, text=True, close_fds=False)"
    code = f"import subprocess\n{listing}.stdout.split()"
    assert python(computer, code).output == "['0', '1', '2', '3']\n"
    done = python(computer, "import os\nsorted(os.readlink(f'/proc/self/fd/{n}').split(':')[0] for n in (0, 1, 2))")
    assert done.output == "['/dev/null', 'pipe', 'pipe']\n"


def test_what_cannot_be_run_is_refused(computer: SandboxComputer) -> None:
    with pytest.raises(UnknownName, match="perl"):
        computer.execute("print 1", language="perl")
    with pytest.raises(AgentError, match="NUL"):
        computer.perform(RunCode(code="print(1)\0print(2)"))
    assert python(computer, "'well'").output == "'well'\n"


def test_an_interpreter_killed_from_elsewhere_is_replaced(computer: SandboxComputer) -> None:
    python(computer, "import os")
    pid = int(python(computer, "os.getpid()").output)
    computer.run(["kill", "-9", str(pid)])
    computer.wait_for(lambda c: c.run(["kill", "-0", str(pid)]).code != 0, what="its end")
    done = python(computer, "1 + 1")
    assert (done.output, done.error) == ("2\n", "")


def test_after_the_end_there_is_nothing_to_run_on() -> None:
    computer = SandboxComputer(look="light", size=(800, 600))
    with computer:
        python(computer, "1")
    with pytest.raises(ComputerError, match="closed"):
        python(computer, "1")


@pytest.mark.parametrize("report", ["'[' * 3000", "'{\"status\": 1e999}'", "'[]'", "'{'"])
def test_a_report_that_cannot_be_read_is_the_forgers_loss(computer: SandboxComputer, report: str) -> None:
    # It ends in a read that nothing comes to, so that no true report follows.
    forged = python(
        computer, f"import os\n_ = os.write(4, ({report} + chr(10)).encode())\n_ = os.read(os.pipe()[0], 1)"
    )
    assert forged.error == "the interpreter's report was not understood"
    pid = computer.run(["pgrep", "-f", "kernel.py"]).stdout.split()[0]
    computer.run(["kill", "-9", pid])
    # Code that comes while it still ends would be told that it ended.
    computer.wait_for(lambda c: c.run(["kill", "-0", pid]).code != 0, what="its end")


def test_an_interpreter_that_cannot_be_started_is_what_the_code_comes_to(computer: SandboxComputer) -> None:
    place = computer.run(["readlink", "-f", "/usr/bin/python3"]).stdout.strip()
    python(computer, "import os\nos._exit(0)")
    computer.run(["chmod", "000", place], root=True)
    try:
        assert "could not be started: Permission denied" in python(computer, "1").error
        assert "could not be started: Permission denied" in python(computer, "1").error
    finally:
        computer.run(["chmod", "755", place], root=True)
    assert python(computer, "1 + 1").output == "2\n"


def test_code_runs_in_a_home_that_its_user_has_locked(computer: SandboxComputer) -> None:
    python(computer, "import os\nos.chmod('/home/user', 0)\nos._exit(0)")
    try:
        assert python(computer, "1").output == "1\n"
    finally:
        computer.run(["chmod", "755", "/home/user"], root=True, cwd="/")
