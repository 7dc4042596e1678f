"""Setup steps that write notebooks of Zim."""

from __future__ import annotations

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP
from proctor.vocabulary.apps.notes.constants import WRITTEN

ZIM_HEADER = f"Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\nCreation-Date: {WRITTEN}+00:00\n\n"

ZIM_NOTEBOOKS = ".config/zim/notebooks.list"


@SETUP.register_before_use
def notebook(context: SetupContext, path: str, pages: dict[str, str]) -> None:
    """Write a Zim notebook and register it: texts by page, named like `Recipes:Soup`."""
    name = path.rpartition("/")[2]
    context.computer.write_file(f"{path}/notebook.zim", f"[Notebook]\nname={name}\nversion=0.6\n".encode())
    for page, text in pages.items():
        file = page.replace(":", "/").replace(" ", "_")
        heading = f"====== {page.rpartition(':')[2]} ======\n\n"
        context.computer.write_file(f"{path}/{file}.txt", f"{ZIM_HEADER}{heading}{text}".encode())
    listed = f"[NotebookList]\nDefault=~/{path}\n1=~/{path}\n\n[Notebook 1]\nuri=~/{path}\nname={name}\n"
    context.computer.write_file(ZIM_NOTEBOOKS, listed.encode())
