"""Ways of people who did not write the tasks: fair ones count, careless ones do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.suites.core import SUITE as CORE
from proctor.suites.parts.ways import by_python, by_shell
from proctor.suites.pool import SUITE as POOL
from proctor.tasks.task import Task, Way
from tests.prove.test_ways_by_code import carried_out

SEED = 2
LINES, PLACES = "Documents/harwood-science-week-", "Documents/glenrock-chess-tournament-"
PHOTO, SPEECH = "Pictures/harwood-charity-run-", "Music/eastlake-house-move-"
STAGE, SIGNED = "Pictures/fernhill-sailing-course-", "Documents/caldwell-choir-weekend-signed-49.odt"
SORTED, CATEGORY = f"{LINES}alphabetical-93.txt", '<cat key="99" name="Left over"/>'
WAVE = """import wave
def read(path):
    with wave.open(path) as file:
        return file.getparams(), file.readframes(file.getnframes())
def write(path, form, data):
    with wave.open(path, 'wb') as file:
        file.setparams(form)
        file.writeframes(data)
"""
PART = """import re, zipfile
with zipfile.ZipFile({path!r}) as package:
    parts = {{info: package.read(info) for info in package.infolist()}}
with zipfile.ZipFile({path!r}, 'w') as package:
    for info, data in parts.items():
        text = data.decode() if info.filename == 'content.xml' else ''
        package.writestr(info, {change} if text else data)
"""
FASTER = f"form, data = read('{SPEECH}opening-speech.wav')\nsecond = form.framerate * form.sampwidth * form.nchannels\n"
BOLD = (
    '<style:style style:name="LB" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    "</office:automatic-styles>"
)


def task(name: str) -> Task:
    suite = POOL if name.startswith("pool/") else CORE
    return suite.task(name.rpartition("/")[2], SEED)


@pytest.mark.turns
@pytest.mark.parametrize(
    ("name", "after", "way", "right"),
    [
        ("pool/sort-the-lines", None, by_shell("s", f"sort -f -o {SORTED} {LINES}checklist.txt"), True),
        ("pool/sort-the-lines", 0, by_shell("s", f"sort -f -o {LINES}checklist.txt {LINES}checklist.txt"), False),
        ("pool/sort-the-lines", None, by_shell("s", f"sort -r {LINES}checklist.txt > {SORTED}"), False),
        ("pool/take-a-column", None,
         by_shell("s", f"tail -n +2 {PLACES}room-plan.csv | cut -d, -f1 > {PLACES}names-56.txt"), True),
        ("pool/take-a-column", None, by_shell("s", f"cut -d, -f1 {PLACES}room-plan.csv > {PLACES}names-56.txt"), False),
        ("pool/convert-picture", None, by_shell("s", f"cp {PHOTO}group-photo.png {PHOTO}for-the-web-5.jpg"), False),
        ("pool/mirror-picture", None, by_python("p", "from PIL import Image\n"
         f"Image.open('{STAGE}stage-photo.png').transpose(Image.FLIP_LEFT_RIGHT).save('{STAGE}mirror-90.png')"), True),
        ("pool/keep-first-seconds", None,
         by_python("p", f"{WAVE}{FASTER}write('{SPEECH}cut-7.wav', form, data[: 2 * second])"), True),
        ("pool/keep-first-seconds", None,
         by_python("p", f"{WAVE}{FASTER}width = form.sampwidth * form.nchannels\n"
                        f"few = b''.join(data[at : at + width] for at in range(0, 2 * second, 4 * width))\n"
                        f"write('{SPEECH}cut-7.wav', form._replace(framerate=form.framerate // 4), few)"), False),
        ("pool/sign-a-document", 0, by_python("p", PART.format(path=SIGNED, change=(
            "text.replace('</text:p>', '<office:annotation><text:p>left over</text:p></office:annotation></text:p>', 1)"
         ))), False),
        ("sign-the-letter", None, by_shell("s", "echo 'Ines Berger' >> Documents/letter.txt"), True),
        ("sign-the-letter", 0, by_shell("s", "sed -i 's/$/\\r/' Documents/letter.txt"), False),
        ("record-a-purchase", 0,
         by_shell("s", f"sed -i 's,</homebank>,{CATEGORY}</homebank>,' Documents/household.xhb"), False),
        ("client-with-a-new-name", None, by_python("p", PART.format(path="Documents/contract-369.odt", change=(
            f"re.sub(r'\\bBerg\\b', 'Lund', text).replace('Lund', '<text:span text:style-name=\"LB\">Lund</text:span>')"
            f".replace('</office:automatic-styles>', '{BOLD}')"
         ))), False),
        ("client-with-a-new-name", None, by_python("p", PART.format(path="Documents/contract-369.odt", change=(
            "re.sub(r'\\bBerg\\b', 'Lund', text)"
         ))), True),
        ("cut-the-tuning", 0, by_python("p", f"{WAVE}form, data = read('Music/viktor-song.wav')\n"
         "high = bytes((byte + 128) & 255 for byte in data[form.sampwidth - 1 :: form.sampwidth])\n"
         "write('Music/viktor-song.wav', form._replace(sampwidth=1), high)"), False),
    ],
)  # fmt: skip
def test_what_a_stranger_does_is_judged_by_what_it_leaves(
    name: str, after: int | None, way: Way, right: bool, tmp_path: Path
) -> None:
    asked = task(name)
    for each in ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Videos"):
        (tmp_path / each).mkdir()
    before = asked.other_ways[after].moves if after is not None else ()
    assert carried_out(asked, Way(name="stranger", moves=(*before, *way.moves)), tmp_path) is right
