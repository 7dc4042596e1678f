"""Account books, read: functions of bytes that run in the reader's cage."""

from proctor.tasks.findings import CannotSee

MOST_ENTRIES = 10_000


def ledger_entries(data: bytes, path: str) -> list[str]:
    """Return the entries of a book."""
    entries = data.decode().splitlines()
    if len(entries) > MOST_ENTRIES:
        raise CannotSee("refused", f"{path} has more than {MOST_ENTRIES} entries")
    return entries
