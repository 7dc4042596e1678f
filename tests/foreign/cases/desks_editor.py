"""Cases of Visual Studio Code: its settings, keys, extensions and files."""

from __future__ import annotations

import io
import json
import zipfile

from tests.foreign.acts import give_up
from tests.foreign.case import Act, Case, case, shell, write
from tests.foreign.workshop import Workshop

USER = ".config/Code/User"


def settings(**held: object) -> Act:
    """Return an act that leaves settings as the program writes them: with a comment, a comma at the end."""
    lines = json.dumps(held, indent=4)[:-2]
    return write(f"{USER}/settings.json", f"// Place your settings in this file\n{lines},\n}}\n".encode())


def packed(**files: str) -> bytes:
    """Return an archive of some files; `__` in names stands for folders."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return held.getvalue()


@case("osworld", "0512bb38")
def install_from_a_file(shop: Workshop) -> Case:
    package = json.dumps({"name": "test", "version": "0.0.1", "engines": {"vscode": "^1.80.0"}})
    made = packed(**{"extension/package.json": package, "extension.vsixmanifest": "<x/>"})
    return Case(
        files={"test.vsix": made},
        satisfied=shell("code --install-extension test.vsix"),
        near_miss=shell("mkdir -p .vscode/extensions; cp test.vsix .vscode/extensions/"),
    )


@case("osworld", "276cc624")
def wrap_at_fifty(shop: Workshop) -> Case:
    return Case(
        satisfied=settings(**{"editor.wordWrapColumn": 50}),
        near_miss=write("project/.vscode/settings.json", b'{"editor.wordWrapColumn": 50}'),
    )


@case("osworld", "57242fad")
def begin_a_program(shop: Workshop) -> Case:
    return Case(satisfied=write("Desktop/test.py", b""), near_miss=write("test.py", b""))


@case("osworld", "5e2d93d8")
def keep_a_workspace(shop: Workshop) -> Case:
    workspace = json.dumps({"folders": [{"path": "."}], "settings": {}}, indent="\t").encode()
    return Case(
        files={"main.py": b"print(1)\n", "README.md": b"# It\n", "settings.json": b"{}\n"},
        satisfied=write("project/project.code-workspace", workspace),
        near_miss=write("project/workspace.code-workspace", workspace),
    )


@case("osworld", "70745df8")
def save_by_itself(shop: Workshop) -> Case:
    held = packed(**{"HW-8-main/main.py": "print(1)\n"})
    after = {"files.autoSave": "afterDelay"}
    return Case(
        files={"HW-8-main-20240320T121653Z-001.zip": held},
        satisfied=settings(**after, **{"files.autoSaveDelay": 500}),
        near_miss=settings(**after, **{"files.autoSaveDelay": 1000}),
    )


@case("osworld", "7c4cc09e")
def speak_arabic(shop: Workshop) -> Case:
    return Case(satisfied=give_up, near_miss=write(".config/Code/User/locale.json", b'{"locale": "ar"}'))


@case("osworld", "9439a27b")
def stay_in_the_console(shop: Workshop) -> Case:
    name = "debug.focusEditorOnBreak"
    return Case(satisfied=settings(**{name: False}), near_miss=settings(**{name: "false"}))


@case("osworld", "c6bf789c")
def hide_caches(shop: Workshop) -> Case:
    held = packed(**{"hw_python_oop-master/a.py": "x = 1\n"})
    return Case(
        files={"hw_python_oop-master-20240320T121244Z-001.zip": held},
        satisfied=settings(**{"files.exclude": {"**/__pycache__": True, "**/.git": True}}),
        near_miss=settings(**{"search.exclude": {"**/__pycache__": True}}),
    )


@case("osworld", "e2b5e914")
def overlook_imports(shop: Workshop) -> Case:
    name = "python.analysis.diagnosticSeverityOverrides"
    return Case(
        satisfied=settings(**{name: {"reportMissingImports": "none"}}),
        near_miss=settings(**{name: {"reportMissingModuleSource": "none"}}),
    )


@case("osworld", "ea98c5d7")
def free_a_key(shop: Workshop) -> Case:
    def keys(command: str) -> Act:
        held = {"key": "ctrl+f", "command": command, "when": "listFocus && listSupportsFind"}
        return write(f"{USER}/keybindings.json", f"// Keys\n{json.dumps([held], indent=4)}\n".encode())

    return Case(satisfied=keys("-list.find"), near_miss=keys("list.find"))
