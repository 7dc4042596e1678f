"""Checks on recordings and on their tags."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from proctor.tasks.findings import Finding, right, unless, wrong
from proctor.tasks.shelf import Seen
from proctor.tasks.shelves import CHECKS
from proctor.vocabulary.formats.rules import ValueRule

Slices = list[tuple[int, float]]
"""Pitch and loudness, one tenth of a second after another."""
QUIET_DB = -50.0
"""What nobody hears."""
SAME_DB = 4.0
"""Decibels between what is as loud: programs that make two channels of one differ by 3, half as loud is 6."""
MOST_IMPURE = 0.15
"""By how much less a slice may be its strongest tone than those around it."""
MOST_QUIET_SEC = 0.5
"""How long a recording may be quieter where it is joined or cut, and at its ends."""
MOST_LATE = 2
"""Slices by which two recordings may begin one after the other: some formats put silence first."""
SHORTEST = 2
"""Slices; what is heard for less than this is not a note but the crack between two."""


@CHECKS.register
def sound_duration(of: Seen, seconds: float, within: float = 0.15) -> Finding:
    """A recording plays this long, give or take `within` seconds."""
    found = of["seconds"]
    near = abs(found - seconds) <= within
    return right() if near else wrong(f"{of['path']} plays for {found:.2f} s, expected {seconds:g} s.")


@CHECKS.register
def sound_notes(of: Seen, hertz: list[float], within: float = 0.03) -> Finding:
    """A recording has exactly these tones in order, whatever their length, loudness and pauses."""
    found = _notes(of)
    heard = ", ".join(str(note) for note in found) or "nothing"
    same = len(found) == len(hertz) and all(
        abs(note - wanted) <= within * wanted for note, wanted in zip(found, hertz, strict=True)
    )
    listed = ", ".join(f"{note:g}" for note in hertz)
    return right() if same else wrong(f"{of['path']} holds the tones {heard} Hz, expected {listed} Hz.")


@CHECKS.register
def sound_format(of: Seen, format: str) -> Finding:
    """A recording really is of this format (wav, flac, ogg, mp3), whatever its name ends with."""
    same = of["format"] == format.lower()
    return right() if same else wrong(f"{of['path']} is a {of['format']} file, expected {format.lower()}.")


@CHECKS.register
def sound_channels(of: Seen, channels: int) -> Finding:
    """A recording has this many channels: 1 is mono, 2 is stereo."""
    same = of["channels"] == channels
    return right() if same else wrong(f"{of['path']} has {of['channels']} channels, expected {channels}.")


@CHECKS.register
def sound_silent_between(of: Seen, start: float, end: float) -> Finding:
    """Nothing can be heard from one second to another, except in the first and last 0.1 s."""
    loud = _loudest(of, start, end)
    if loud is None:
        return wrong(f"{of['path']} ends before second {end:g}.")
    return right() if loud <= QUIET_DB else wrong(f"{of['path']} is not silent from {start:g} s to {end:g} s.")


@CHECKS.register
def sound_heard_between(of: Seen, start: float, end: float) -> Finding:
    """Something can be heard between one second and another."""
    loud = _loudest(of, start, end)
    if loud is None:
        return wrong(f"{of['path']} ends before second {end:g}.")
    return right() if loud > QUIET_DB else wrong(f"{of['path']} is silent from {start:g} s to {end:g} s.")


@CHECKS.register
def sound_louder(of: Seen, original: Seen, decibels: float = 3.0) -> Finding:
    """A recording is louder than another by at least this much, or quieter if it is negative."""
    change = _overall(of) - _overall(original)
    enough = change >= decibels if decibels >= 0 else change <= decibels
    if enough:
        return right()
    wanted = f"{abs(decibels):g} dB {'louder' if decibels >= 0 else 'quieter'}"
    return wrong(f"{of['path']} differs from {original['path']} by {change:+.1f} dB, expected at least {wanted}.")


@CHECKS.register
def sound_unchanged(of: Seen, original: Seen) -> Finding:
    """A recording sounds as another did; ignores tags and format."""
    problems = []
    if abs(of["seconds"] - original["seconds"]) > 0.1:
        problems.append(f"{of['path']} plays for {of['seconds']:.2f} s, not {original['seconds']:.2f} s as before.")
    elif _notes(of) != _notes(original) or abs(_overall(of) - _overall(original)) > 1.0 or _is_cracked(of, original):
        problems.append(f"{of['path']} does not sound as {original['path']} did.")
    return unless(problems)


@CHECKS.register
def sound_like(of: Seen, to: Seen) -> Finding:
    """A recording sounds like another from beginning to end; ignores format and loudness."""
    wanted, found = _slices_of(to), _slices_of(of)
    louder = _overall(of) - _overall(to)
    level = [(pitch, loud - louder if loud > QUIET_DB else loud) for pitch, loud in found]
    best = max(_share_alike(level[off:], wanted) for off in range(MOST_LATE + 1))
    best = max(best, *(_share_alike(level, wanted[off:]) for off in range(1, MOST_LATE + 1)))
    return right() if best >= 0.9 else wrong(f"{of['path']} does not sound as {to['path']}: {best:.0%} is the same.")


@CHECKS.register
def tags_agree(of: Seen, rules: Annotated[dict[str, ValueRule], Field(min_length=1)]) -> Finding:
    """The tags of a recording satisfy rules."""
    found = of["tags"]
    return unless(
        f"The {name} of {of['path']} is {_tag_text(found, name)}, which is not right."
        for name, rule in rules.items()
        if name.lower() not in found or not rule.holds(found[name.lower()])
    )


@CHECKS.register
def sound_is_stretch(of: Seen, original: Seen, start: float, end: float | None = None) -> Finding:
    """A recording is another one between two seconds: the same tones, as long, loud and fine.

    One tenth of a second in ten may differ, since a cut falls between two of them, but none within what goes on alike;
    ignores tags and format.
    """
    if lost := _is_coarser(of, original):
        return wrong(f"{of['path']} has {lost} than {original['path']}.")
    first, last = (None if at is None else round(at / original["slice"]) for at in (start, end))
    wanted, found = _slices_of(original)[first:last], _slices_of(of)
    same = sum(_alike(*pair) for pair in zip(found, wanted, strict=False))
    if same >= 0.9 * max(len(wanted), len(found)) > 0 and not _is_cracked(of, original, first or 0, last):
        return right()
    until = "its end" if end is None else f"{end:g} s"
    return wrong(f"{of['path']} does not sound as {original['path']} did from {start:g} s to {until}.")


@CHECKS.register
def sound_throughout(of: Seen, original: Seen) -> Finding:
    """A recording is heard throughout, save short pauses, as loud and fine as another, never louder."""
    if lost := _is_coarser(of, original):
        return wrong(f"{of['path']} has {lost} than {original['path']}.")
    wanted = _overall(original)
    if any(loud - wanted > SAME_DB for loud in of["loudness"]):
        return wrong(f"{of['path']} is louder than {original['path']} in places.")
    off = sum(abs(loud - wanted) > SAME_DB for loud in of["loudness"]) * of["slice"]
    if off <= MOST_QUIET_SEC:
        return right()
    return wrong(f"{of['path']} is not as loud as {original['path']} for {off:.1f} s.")


@CHECKS.register
def sound_tags(of: Seen, tags: dict[str, str]) -> Finding:
    """A recording has these tags, whatever other tags, case of names and blanks around values."""
    found = of["tags"]
    return unless(
        f"The {name} of {of['path']} is {_tag_text(found, name)}, expected {value!r}."
        for name, value in tags.items()
        if " ".join(found.get(name.lower(), "").split()) != " ".join(value.split())
    )


def _tag_text(tags: dict[str, str], name: str) -> str:
    return repr(tags[name.lower()]) if name.lower() in tags else "missing"


def _notes(seen: Seen) -> list[int]:
    """Return the tones one after another; slices of one pitch are one until another or a pause."""
    notes: list[int] = []
    run: list[int] = []
    for pitch in [*seen["pitch"], 0]:
        if run and abs(pitch - run[-1]) > 0.03 * run[-1]:
            if len(run) >= SHORTEST:
                notes.append(sorted(run)[len(run) // 2])
            run = []
        if pitch:
            run.append(pitch)
    return notes


def _slices_of(seen: Seen) -> Slices:
    return list(zip(seen["pitch"], seen["loudness"], strict=False))


def _is_coarser(of: Seen, original: Seen) -> str:
    """Return of what a recording has less than another one; empty where that cannot be told."""
    for part, words in (("rate", "fewer samples a second"), ("bits", "fewer bits for each sample")):
        mine, wanted = of.get(part), original.get(part)
        if mine and wanted and mine < wanted:
            return words
    return ""


def _is_cracked(of: Seen, original: Seen, first: int = 0, last: int | None = None) -> bool:
    """Tell whether something else is heard where the other recording goes on alike before and after.

    Within a slice it swings more than anywhere around then, or is less of a tone.
    """
    found, wanted = _slices_of(of), _slices_of(original)[first:last]
    steady = [
        at
        for at in range(1, min(len(found), len(wanted) - 1))
        if _alike(wanted[at - 1], wanted[at]) and _alike(wanted[at], wanted[at + 1])
    ]
    swings, purities = (
        [(of[key][at], original[key][first:last][at - 1 : at + 2]) for at in steady] if key in of else []
        for key in ("swing", "purity")
    )
    return (
        any(not _alike(found[at], wanted[at]) for at in steady)
        or any(swing > max(usual) + SAME_DB for swing, usual in swings)
        or any(purity < min(usual) - MOST_IMPURE for purity, usual in purities)
    )


def _share_alike(found: Slices, wanted: Slices) -> float:
    same = sum(_alike(*pair) for pair in zip(found, wanted, strict=False))
    return same / max(len(found), len(wanted), 1)


def _alike(one: tuple[int, float], other: tuple[int, float]) -> bool:
    """Tell whether two slices sound the same; what nobody hears does."""
    if max(one[1], other[1]) <= QUIET_DB:
        return True
    return abs(one[0] - other[0]) <= 0.03 * other[0] and abs(one[1] - other[1]) <= SAME_DB


def _loudest(seen: Seen, start: float, end: float) -> float | None:
    if end > seen["seconds"] + seen["slice"]:
        return None
    first, last = round(start / seen["slice"]) + 1, round(end / seen["slice"]) - 1
    return float(max(seen["loudness"][first:last], default=-90.0))


def _overall(seen: Seen) -> float:
    heard = sorted(value for value in seen["loudness"] if value > QUIET_DB)
    return float(heard[len(heard) // 2]) if heard else -90.0
