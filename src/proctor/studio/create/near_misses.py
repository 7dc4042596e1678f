"""Near misses proposed from a solution: the same work left unfinished, unsaved or slightly wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Plain = dict[str, object]

SAVES = frozenset({"ctrl+s", "ctrl+shift+s"})
MOST = 5
WAITS = frozenset({"await_window", "await_element", "await_file", "await_saved", "await_closed", "await_ended"})


def near_misses_of(solution: Sequence[Plain]) -> list[Plain]:
    """Return named ways to get it nearly right; the proof shows whether they score 0."""
    found: list[Plain] = []
    for name, moves in _misses(list(solution)):
        if moves and moves != list(solution) and all(moves != each["moves"] for each in found):
            found.append({"name": name, "moves": moves, "accepted": len(found) < MOST})
    return found


def follow_solution(misses: Sequence[Plain], old: Sequence[Plain], new: Sequence[Plain]) -> list[Plain]:
    """Return near misses as they are once a solution was edited.

    Those that were proposed are proposed anew, each accepted as before. In what a person wrote, moves that the solution
    has no more are what has taken their place, or gone.
    """
    proposed = {each["name"]: each["moves"] for each in near_misses_of(old)}
    accepted = {each["name"]: each.get("accepted") for each in misses}
    written = [each for each in misses if each["moves"] != proposed.get(each["name"])]
    names = {each["name"] for each in written}
    found = [each for each in near_misses_of(new) if each["name"] not in names]
    # One that was proposed before and removed by hand is not brought back.
    found = [each for each in found if each["name"] in accepted or each["name"] not in proposed]
    found = [{**each, "accepted": accepted.get(each["name"], each["accepted"])} for each in found]
    kept = [{**each, "moves": _follow(each["moves"], old, new)} for each in written]
    return found + [each for each in kept if each["moves"]]


def _follow(moves: object, old: Sequence[Plain], new: Sequence[Plain]) -> list[object]:
    now = dict(enumerate(new)) if len(old) == len(new) else {}
    edited = [(move, now.get(place)) for place, move in enumerate(old) if move not in new]
    found = (next((after for before, after in edited if before == move), move) for move in _listed(moves))
    return [move for move in found if move is not None]


def _listed(moves: object) -> list[object]:
    return moves if isinstance(moves, list) else []


def _misses(solution: list[Plain]) -> Iterator[tuple[str, list[Plain]]]:
    saves = [place for place, move in enumerate(solution) if _is_save(move)]
    if saves:
        without = [move for place, move in enumerate(solution) if place not in saves]
        yield "not saved", without
    for place in reversed([place for place, move in enumerate(solution) if move.get("move") == "type"]):
        text = str(solution[place]["text"])
        if wrong := _misspelt(text):
            yield f"misspelt: {_short(wrong)}", _with(solution, place, {**solution[place], "text": wrong})
    for place, move in enumerate(solution):
        if move.get("move") == "answer":
            yield "a wrong answer", _with(solution, place, {**move, "text": f"not {move['text']}"})
    for place in reversed([place for place, move in enumerate(solution) if move.get("move") == "type"]):
        kept = [move for at, move in enumerate(solution) if at != place]
        yield f"without typing {_short(str(solution[place]['text']))}", kept
    working = [place for place, move in enumerate(solution) if move.get("move") not in WAITS]
    for left in (1, 2):
        if len(working) > left:
            yield f"stopped {left} {'step' if left == 1 else 'steps'} before the end", solution[: working[-left]]


def _is_save(move: Plain) -> bool:
    if move.get("move") == "press":
        return str(move.get("keys", "")).lower() in SAVES
    return move.get("move") == "click" and str(move.get("name", "")).rstrip("….") == "Save"


def _with(solution: list[Plain], place: int, move: Plain) -> list[Plain]:
    return [*solution[:place], move, *solution[place + 1 :]]


def _misspelt(text: str) -> str:
    letters = [place for place, char in enumerate(text) if char.isalnum()]
    for place in reversed(letters[:-1]):
        if text[place + 1].isalnum() and text[place] != text[place + 1]:
            return text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    return text[: letters[-1] + 1] + text[letters[-1] :] if letters else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else f"{line[:27]}..."
