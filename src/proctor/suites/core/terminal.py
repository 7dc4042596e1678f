"""Tasks about programs that one runs: scripts, permissions, processes that hang."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.files import select
from proctor.suites.parts.ways import by_hand, by_python, by_shell
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Way
from proctor.tasks.template import template


@template(apps=("thunar",), level=2, demand="System/Files and Applications/App Configuration")
def let_the_script_run(draw: Draw) -> Draft:
    """One of two scripts is made executable."""
    wanted, other = draw.some(("backup.sh", "cleanup.sh", "resize.sh", "sync.sh", "upload.sh"), 2)
    folder = draw.choice(("bin", "Scripts", "Tools"))
    script = f"#!/bin/sh\n# {wanted}\necho done\n"

    def allow(name: str) -> tuple[Call, ...]:
        return (
            *select(name),
            hand.press("alt+Return"),
            hand.click("Permissions", role="page tab", window="Properties"),
            hand.click("Allow this file to run as a program", role="check box"),
            hand.click("Close", role="push button", window="Properties"),
        )

    return Draft(
        instruction=f'I get "permission denied" when I try to start {wanted} in my {folder} folder. Please '
        "make it executable, but not the other script in there.",
        paraphrases=(f"Make {folder}/{wanted} executable. Only that one.",),
        setup=(
            make.text_file(f"{folder}/{wanted}", script),
            make.text_file(f"{folder}/{other}", "#!/bin/sh\nrm -rf /tmp/old\n"),
            make.launch(["thunar", folder], window=folder),
        ),
        check=expect.all_of(
            [
                expect.is_executable(see.file(f"{folder}/{wanted}")),
                expect.text_is(see.text(f"{folder}/{wanted}"), script),
                expect.mode_is(see.file(f"{folder}/{other}"), "644"),
            ]
        ),
        expected=(f"{folder}/{wanted}",),
        solution=allow(wanted),
        near_misses=(
            NearMiss(name="the other script", moves=allow(other)),
            NearMiss(name="both scripts", moves=(*allow(wanted), *allow(other))),
        ),
        other_ways=(
            by_shell("by the command line", f"chmod +x {folder}/{wanted}"),
            by_shell("for the owner alone", f"chmod 700 {folder}/{wanted}"),
            by_python("by Python", f"import os\nos.chmod('{folder}/{wanted}', 0o755)"),
        ),
        cheats=(
            by_shell("everything in the folder", f"chmod +x {folder}/*"),
            by_shell("an empty program in its place", f": > {folder}/{wanted}", f"chmod +x {folder}/{wanted}"),
            by_shell("another script under its name", f"cd {folder}", f"cp {other} {wanted}", f"chmod +x {wanted}"),
        ),
    )


FAULTS = (
    ("total = total + flot(amount)", "total = total + float(amount)"),
    ("total = total + float(amuont)", "total = total + float(amount)"),
    ("    for line in lines", "    for line in lines:"),
)


TRIED = (("a 1.25\nb 2.50\n", 3.75), ("a 4.00\n", 4), ("a 1.10\nb 2.25\nc 10.00\nd 0.50\ne 3.00\nf 7.35\n", 24.2))
"""Files with amounts, and their sums."""


@template(apps=("lxterminal", "mousepad"), level=3, demand="Knowledge/Skills Practice/Coding", version=3)
def mend_the_sum_script(draw: Draw) -> Draft:
    """A script stops with an error and is fixed so that it runs."""
    fault, cure = draw.choice(FAULTS)
    amounts = [draw.amount(5, 60) for _ in range(4)]
    total = f"{sum(amounts):.2f}"
    month = draw.choice(("march", "april", "may"))
    broken = _script().replace(cure, fault)
    listed = "".join(
        f"{item} {amount:.2f}\n" for item, amount in zip(("rent", "food", "bus", "cinema"), amounts, strict=True)
    )
    run = f"python3 total.py {month}.txt"

    def wait(text: str) -> Call:
        return hand.await_element(role="terminal", text=text)

    def correct(text: str) -> tuple[Call, ...]:
        return (
            hand.type("mousepad total.py &\n"),
            hand.await_window("total.py"),
            hand.press("ctrl+a"),
            hand.type(text),
            hand.press("ctrl+s"),
            hand.press("alt+F4"),
            hand.await_window("total.py - Mousepad", gone=True),
        )

    keep = (hand.type(f"{run} > {month}-total.txt; echo rea''dy\n"), wait("/\\nready/"))
    return Draft(
        instruction="The script total.py in the money folder is supposed to print the sum of the amounts in a "
        f"file, but `{run}` ends with an error. Please fix the script so that it works, and save the output of "
        f"that command to {month}-total.txt in the same folder.",
        paraphrases=(
            f"`{run}` (in the money folder) fails. Fix total.py so that it adds up whatever file it's given, "
            f"and put its output for {month}.txt in {month}-total.txt next to it.",
        ),
        setup=(
            make.text_file("money/total.py", broken),
            make.text_file(f"money/{month}.txt", listed),
            make.terminal("money"),
        ),
        check=expect.all_of(
            [
                expect.same_text(see.text(f"money/{month}-total.txt"), see.program_output("money/total.py", listed)),
                _is_sum(see.program_output("money/total.py", listed), float(total)),
                *(_is_sum(see.program_output("money/total.py", lines), of) for lines, of in TRIED),
                expect.text_is(see.text(f"money/{month}.txt"), listed),
            ]
        ),
        expected=("money/total.py", f"money/{month}-total.txt"),
        solution=(hand.type(f"{run}\n"), wait("Error"), *correct(_script()), *keep),
        near_misses=(
            NearMiss(
                name="the sum written without fixing the script",
                moves=(hand.type(f"echo {total} > {month}-total.txt; echo rea''dy\n"), wait("/\\nready/")),
            ),
            NearMiss(name="fixed and not run", moves=correct(_script())),
            NearMiss(name="a script that knows one answer", moves=(*correct(f"print('{total}')\n"), *keep)),
        ),
        other_ways=_ways_to_mend(run, month),
        cheats=_cheats_at_the_sum(run, month, total),
    )


def _is_sum(of: Call, value: float) -> Call:
    """Check that a text is a sum and nothing else, with as many decimals as one likes."""
    return expect.text_number(of, value, tolerance=0.001, alone=True)


def _ways_to_mend(run: str, month: str) -> tuple[Way, ...]:
    return (
        Way(
            name="by the command line",
            moves=(
                hand.run_code(
                    f"cd {HOME}/money && sed -i 's/flot(/float(/; s/amuont/amount/; "
                    f"s/in lines$/in lines:/' total.py && {run} > {month}-total.txt"
                ),
            ),
        ),
        Way(
            name="written anew in another manner",
            moves=(
                hand.run_code(
                    f"cd {HOME}/money && printf '%s\n' 'import sys' "
                    "'print(f\"{sum(float(line.split()[-1]) for line in open(sys.argv[1])):.2f}\")' "
                    f"> total.py && {run} > {month}-total.txt"
                ),
            ),
        ),
    )


def _cheats_at_the_sum(run: str, month: str, total: str) -> tuple[Way, ...]:
    return (
        Way(
            name="the sum written, the script emptied",
            moves=(hand.run_code(f"cd {HOME}/money && echo {total} > {month}-total.txt && : > total.py"),),
        ),
        Way(
            name="a script that prints the sum whatever the file",
            moves=(
                hand.run_code(f"cd {HOME}/money && echo \"print('{total}')\" > total.py && {run} > {month}-total.txt"),
            ),
        ),
        by_python(
            "a script that adds the first and the last",
            "code = 'import sys\\nlines = list(open(sys.argv[1]))\\n"
            'print(f"{sum(float(line.split()[-1]) for line in (lines[0], lines[-1])):.2f}")\\n\'\n'
            f"open('money/total.py', 'w').write(code)\nopen('money/{month}-total.txt', 'w').write({total!r})\n",
        ),
    )


def _script() -> str:
    return (
        "import sys\n\n\ndef total_of(lines):\n    total = 0\n    for line in lines:\n"
        "        amount = line.split()[-1]\n        total = total + float(amount)\n    return total\n\n\n"
        'print(f"{total_of(open(sys.argv[1])):.2f}")\n'
    )


ENTRIES = ("Stop", "Terminate", "Kill")


UPLOAD = """import signal
import sys
from pathlib import Path

signal.signal(signal.SIGTERM, signal.SIG_IGN)
with (Path(__file__).parent / f"{sys.argv[1]}.log").open("a") as log:
    log.write("started\\n")
while True:
    signal.pause()
"""


@template(apps=("xfce4-taskmanager",), level=3, demand="System/Files and Applications/System Resources", version=3)
def end_the_hanging_upload(draw: Draw) -> Draft:
    """One of two identical programs hangs so badly that asking it to stop does not end it."""
    stuck, busy = draw.some(("Books", "Films", "Music", "Photos", "Recipes"), 2)
    program = f"{HOME}/bin/upload.py"
    first, second = draw.some((stuck, busy), 2)

    def choose_process(folder: str, entry: str) -> tuple[Call, ...]:
        return (
            hand.click(f"upload.py {folder}", role="table cell"),
            hand.click(f"upload.py {folder}", role="table cell", button="right"),
            hand.await_element(entry, role="menu item"),
            # With the keys: the list moves every second, and a menu over it does not like to be clicked at once.
            hand.press("Down", times=ENTRIES.index(entry) + 1),
            hand.press("Return"),
            hand.click("Yes", role="push button", at=(0.5, 0.5)),
        )

    gone = hand.await_element(f"upload.py {stuck}", role="table cell", gone=True)
    return Draft(
        instruction=f"My {stuck} upload has been stuck for an hour. Please kill that program. The {busy} "
        "upload is fine and needs to keep running. The task manager is open.",
        paraphrases=(f"Stop the stuck upload.py for {stuck} for good, but keep the one for {busy} running.",),
        setup=(
            make.text_file("bin/upload.py", UPLOAD),
            make.process(["python3", program, first]),
            make.process(["python3", program, second]),
            make.launch(["xfce4-taskmanager"], window="Task Manager"),
        ),
        check=expect.all_of(
            [
                expect.process_gone(see.processes(), "python3", f"{program} {stuck}"),
                expect.process_running(see.processes(), "python3", f"{program} {busy}", early=True),
                # Started once: a program that was killed and started again has lost what it was at.
                expect.unchanged(see.digest(f"bin/{busy}.log")),
                expect.text_is(see.text("bin/upload.py"), UPLOAD),
            ]
        ),
        solution=(*choose_process(stuck, "Terminate"), *choose_process(stuck, "Kill"), gone),
        near_misses=(
            NearMiss(name="only asked to end", moves=choose_process(stuck, "Terminate")),
            NearMiss(name="the wrong upload", moves=choose_process(busy, "Kill")),
            NearMiss(name="both uploads", moves=(*choose_process(stuck, "Kill"), *choose_process(busy, "Kill"))),
        ),
        other_ways=(
            by_hand("killed at once", *choose_process(stuck, "Kill"), gone),
            by_shell("by the command line", f"kill -9 $(pgrep -f 'upload.py {stuck}$')"),
        ),
        cheats=(
            by_shell(
                "both killed, and the other started again",
                "pkill -9 -f '^python3 .*upload.py'",
                f"(setsid python3 {program} {busy} > /dev/null 2>&1 &)",
            ),
            by_shell("only halted", f"kill -STOP $(pgrep -f 'upload.py {stuck}$')"),
            by_shell(
                "killed, and the other one halted",
                f"kill -9 $(pgrep -f 'upload.py {stuck}$')",
                f"kill -STOP $(pgrep -f 'upload.py {busy}$')",
            ),
            by_shell("asked again and again", *(f"kill $(pgrep -f 'upload.py {stuck}$')" for _ in range(3))),
        ),
    )
