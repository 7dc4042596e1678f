"""Steps that prepare account books."""

from proctor.tasks.setup_context import SetupContext
from proctor.tasks.shelves import SETUP


@SETUP.register
def ledger_book(context: SetupContext, path: str, entries: list[str]) -> None:
    """Write a book with some entries."""
    context.computer.write_file(path, "".join(f"{entry}\n" for entry in entries).encode())
