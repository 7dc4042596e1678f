"""Cases of AgentStudio: files and folders, programs, settings of the code editor, questions."""

from __future__ import annotations

import json

from proctor.actions.action import Answer
from proctor.tasks.move_context import MoveContext
from tests.foreign.case import Act, Case, case, shell, then
from tests.foreign.workshop import Workshop

ROOT = "/home/user/agent_studio"
SETTINGS = "/home/user/.config/Code/User/settings.json"
BY_SHELL = {
    # id: (what is asked for, nearly that), in AgentStudio's folder
    "1485713f": ("echo -n 2 > tmp/data/count.txt", "echo -n 11 > tmp/data/count.txt"),
    "1e205d38": ("echo -n 'Meeting at 10am' > tmp/notes.txt", "echo -n 'Meeting at 10 am' > tmp/notes.txt"),
    "314cad7b": ("echo -n 196 > tmp/data/average.txt", "echo -n 196.33 > tmp/data/average.txt"),
    "1d6765b3": ("echo -n 196 > tmp/data/average.txt", "echo -n 198 > tmp/data/average.txt"),
    "31c509db": (
        'for n in 1 2; do echo -n "Report $n data" > tmp/data/report$n.txt; done',
        "for n in 1 2; do echo -n 'Report 1 data' > tmp/data/report$n.txt; done",
    ),
    "0139a355": (
        'for n in 1 2; do echo -n "Report $n data" > tmp/data/report$n.txt; done',
        "echo -n 'Report 1 data' > tmp/data/report1.txt; mkdir tmp/data/report2.txt",
    ),
    "41b79d45": (
        "cd tmp/downloads; mkdir -p images texts; mv *.jpg images; mv *.txt texts",
        "cd tmp/downloads; mkdir -p images texts; mv *.jpg images; cp *.txt texts",
    ),
    "51fa0739": ("echo -n 15676 > tmp/data/count.txt", "echo -n 15675+1 > tmp/data/count.txt"),
    "7ea3ae8d": ("sed -i s/ERROR/WARN/ tmp/logs/*.log", "sed -i s/ERROR/WARN/ tmp/logs/server.log"),
    "814353b2": (
        "cat tmp/notes/note1.txt tmp/notes/note2.txt > tmp/combined_notes.txt",
        "cat tmp/notes/note2.txt tmp/notes/note1.txt > tmp/combined_notes.txt",
    ),
    "9d5d3188": (
        "echo -n 'Updated Meeting Agenda' > tmp/meetings/agenda.txt",
        "echo -n 'Updated Meeting Agenda' > tmp/meetings/Agenda.txt",
    ),
    "49e457e8": (
        "echo -n 'Updated Meeting Agenda' > tmp/meetings/agenda.txt",
        "echo -n ' Updated Meeting Agenda' >> tmp/meetings/agenda.txt",
    ),
    "9e3072d3-9c77": ("touch tmp/new_file.txt", "echo > tmp/new_file.txt"),
    "b9503909": (
        "mkdir -p tmp/backup; cp tmp/settings/* tmp/backup",
        "mkdir -p tmp/backup; mv tmp/settings/* tmp/backup",
    ),
    "c8285e0b": (
        "mkdir -p tmp/backup; cp tmp/settings/* tmp/backup",
        "rm -rf tmp/backup; cp tmp/settings/* tmp/backup",
    ),
    "cc3553b2": (
        "mkdir -p tmp/archive; mv tmp/draft.txt tmp/archive",
        "mkdir -p tmp/archive; cp tmp/draft.txt tmp/archive",
    ),
    "7cc0d54a": ("mkdir -p tmp/archive; mv tmp/draft.txt tmp/archive", "rm tmp/draft.txt; mkdir -p tmp/archive"),
    "ed52765c": (
        "mv tmp/reports/old_report.txt tmp/reports/new_report.txt",
        "cp tmp/reports/old_report.txt tmp/reports/new_report.txt",
    ),
    "56b12bf1": ("mkdir -p tmp/projects/2024/Q1", "mkdir -p tmp/projects/2024; touch tmp/projects/2024/Q1"),
}
SET = {
    # id: (settings as asked for, nearly that)
    "8a48df09": ({"debug.focusEditorOnBreak": False}, {"debug.focusEditorOnBreak": True}),
    "8bbe5ae1": ({"workbench.colorTheme": "Visual Studio Dark"}, {"workbench.colorTheme": "Visual Studio 2017 Dark"}),
    "93b4281d": ({"workbench.editor.wrapTabs": True, "editor.tabSize": 2}, {"workbench.wrapTabs": True}),
    "df81e919": (
        {"python.analysis.diagnosticSeverityOverrides": {"reportMissingImports": "none"}},
        {"python.analysis.diagnosticSeverityOverrides": {"reportMissingModuleSource": "none"}},
    ),
}


def inside(code: str) -> Act:
    """Return an act that runs code in AgentStudio's folder."""
    return shell(f"mkdir -p {ROOT}; cd {ROOT}; {code}")


def settings(held: object) -> Act:
    """Return an act that writes the settings of the code editor, as it does: with comments."""
    return lambda hand: hand.computer.write_file(SETTINGS, f"// mine\n{json.dumps(held, indent=4)}".encode())


def say(text: str) -> Act:
    """Return an act that answers a question."""

    def act(hand: MoveContext) -> None:
        hand.say(Answer(text=text))

    return act


for _id, (_right, _wrong) in BY_SHELL.items():
    case("agentstudio", _id)(lambda shop, right=_right, wrong=_wrong: Case(inside(right), inside(wrong)))  # type: ignore[misc]
for _id, (_held, _near) in SET.items():
    case("agentstudio", _id)(lambda shop, held=_held, near=_near: Case(settings(held), settings(near)))  # type: ignore[misc]


@case("agentstudio", "4e95c9af")
def more_connections(shop: Workshop) -> Case:
    text = "[Database]\nmax_connections={}\n[User]\nname=admin"
    return Case(
        satisfied=inside("sed -i s/100/150/ tmp/config/settings.ini"),
        # In the section of somebody else.
        near_miss=inside("printf '\\nmax_connections=150\\n' >> tmp/config/settings.ini"),
        files={"settings_ref.ini": text.format(150).encode()},
    )


@case("agentstudio", "80cb8446")
def numbers_sorted_by_a_program(shop: Workshop) -> Case:
    program = "import sys\n\ndef bubbleSort(arr):\n    {}\n\nx = [5, 34, 32, 12, 25]\nbubbleSort(x)\nprint(*x)\n"
    [packed] = shop.run(
        "zip -q bubbleSort.zip bubbleSort.py",
        give={"bubbleSort.py": program.format("pass  # yours").encode()},
        take=["bubbleSort.zip"],
    )
    [gold] = shop.run("python3 a.py > a.txt", give={"a.py": program.format("arr.sort()").encode()}, take=["a.txt"])

    def do(body: str) -> Act:
        return inside(
            "cd docs/bubbleSort; unzip -oq bubbleSort.zip; "
            f"sed -i 's/pass  # yours/{body}/' bubbleSort.py; python3 bubbleSort.py > res.txt"
        )

    files = {"bubbleSort.zip": packed, "Bubble_Sort_tutorial.docx": shop.office(b"Sort!\n", "a.txt", to="docx")}
    return Case(do("arr.sort()"), do("arr.sort(reverse=True)"), {**files, "res_Gold.txt": gold})


@case("agentstudio", "0d38e311")
def the_file_with_an_import(shop: Workshop) -> Case:
    files = {"simple-project/api.py": b"import openai\n", "simple-project/main.py": b"import os\n"}
    return Case(
        satisfied=inside("rm vscode_workspace/api.py"),
        near_miss=inside("rm vscode_workspace/main.py"),
        files=files,
    )


@case("agentstudio", "1c0ab6a9")
def another_version(shop: Workshop) -> Case:
    text = "This is version 1.0\nand version 1.0 stays here\n"
    return Case(
        satisfied=inside("sed -i 's/version 1.0/version 1.5/' vscode_workspace/example_file.txt"),
        near_miss=inside("sed -i '1s/version 1.0/version 1.5/' vscode_workspace/example_file.txt"),
        files={"example_file.txt": text.encode(), "ref_file.txt": text.replace("1.0", "1.5").encode()},
    )


@case("agentstudio", "3b3098d8")
def a_text_saved(shop: Workshop) -> Case:
    return Case(
        satisfied=inside("echo hello > vscode_workspace/README.md"),
        near_miss=inside("echo hello > vscode_workspace/Readme.md"),
    )


@case("agentstudio", "3dcc6db1")
def the_editor_with_a_file(shop: Workshop) -> Case:
    return Case(
        satisfied=inside("setsid code vscode_workspace/README.md > /dev/null 2>&1 & sleep 1"),
        near_miss=inside("setsid mousepad vscode_workspace/README.md > /dev/null 2>&1 & sleep 1"),
    )


@case("agentstudio", "d2c5244a")
def a_folder_more_in_a_workspace(shop: Workshop) -> Case:
    def folders(*paths: str) -> Act:
        held = json.dumps({"folders": [{"path": path} for path in paths], "settings": {}}, indent="\t")
        return inside(f"cat > vscode_workspace/vscode_workspace.code-workspace <<'EOF'\n{held}\nEOF")

    before = json.dumps({"folders": [{"path": "."}], "settings": {}}, indent="\t").encode()
    return Case(folders(".", "../data1"), folders(".", "../data2"), {"vscode_workspace.code-workspace": before})


@case("own studio", "qa-1")
def a_question_answered(shop: Workshop) -> Case:
    return Case(satisfied=say("It holds [[[17]]] files."), near_miss=say("It holds [[[170]]] files."))


@case("own studio", "qa-2")
def a_plain_answer(shop: Workshop) -> Case:
    return Case(satisfied=say("Blue"), near_miss=say("Bluetooth"))


@case("own studio", "modes")
def rights_of_files(shop: Workshop) -> Case:
    return Case(inside("chmod 640 a.txt; chmod 755 b.sh"), inside("chmod 640 a.txt; chmod 754 b.sh"))


@case("own studio", "processes")
def a_program_that_runs(shop: Workshop) -> Case:
    return Case(
        satisfied=inside("setsid mousepad > /dev/null 2>&1 & sleep 1"),
        near_miss=inside("setsid lxterminal > /dev/null 2>&1 & sleep 1"),
    )


@case("own studio", "several")
def files_programs_and_an_answer(shop: Workshop) -> Case:
    """The product of all: each of three has to hold."""
    done = inside("sort names.txt > sorted.txt")
    return Case(then(done, say("[[[3]]]")), done)
