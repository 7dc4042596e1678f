"""A pool of tiny subtasks over all categories of applications, for tests; a few on text run on the fake computer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import ClassVar

from proctor.graphs.compose.initial import INITIAL_KINDS
from proctor.graphs.compose.resource import Resource, is_a, kind_of
from proctor.graphs.compose.subtask import Bound, Subtask, Work
from proctor.graphs.compose.theme import Theme
from proctor.graphs.goals.goal import Goal, GoalPart, Start
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import NearMiss

ENDINGS = {
    "text_file": ".txt", "table_file": ".csv", "code_file": ".sh", "spreadsheet": ".ods", "document": ".odt",
    "slides": ".odp", "pdf": ".pdf", "image": ".png", "audio": ".wav", "video": ".mp4", "archive": ".zip",
    "web_page": ".html", "database": ".db", "drawing": ".svg",
}  # fmt: skip
STEMS = ("list", "plan", "notes", "summary", "draft", "copy", "overview", "report", "sheet", "pack", "extract", "final")


class Synthetic(Subtask):
    """Gives new things named after the theme, whose content says who made them and from what."""

    takes: ClassVar[Mapping[str, str]] = {}
    gives: ClassVar[Mapping[str, str]] = {}
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """What its parameters may be."""

    def plan(self, draw: Draw, theme: Theme, takes: Mapping[str, Resource]) -> Bound:
        gives = {port: self.given(draw, theme, kind, takes) for port, kind in self.gives.items()}
        return Bound(takes=takes, gives=gives, params={name: draw.choice(some) for name, some in self.choices.items()})

    def given(self, draw: Draw, theme: Theme, kind: str, takes: Mapping[str, Resource]) -> Resource:
        stem = f"{draw.choice(STEMS)}-{draw.randint(1, 99)}"
        lines = [f"{self.name} for {theme.title}", *(taken.value for taken in takes.values())]
        if kind_of(kind).slot:
            return Resource(kind, f"{theme.title} {stem}", content=lines)
        if is_a(kind, "file") or kind == "folder":
            return Resource(kind, f"Documents/{theme.slug}-{stem}{ENDINGS.get(kind, '')}", content=lines)
        return Resource(kind, f"{theme.occasion} {stem}", content=lines)

    def work(self, bound: Bound) -> Work:
        raise NotImplementedError


class TextSubtask(Synthetic):
    """Writes a text file with Mousepad, on the fake computer too; the empty file is open from the beginning."""

    app = "mousepad"
    demand = "Office/Documentation/Writing"

    def work(self, bound: Bound) -> Work:
        (given,) = bound.gives.values()
        path, text = given.value, "\n".join(given.content) + "\n"
        window = path.rsplit("/", 1)[-1]
        # Windows are staggered, so that the left edge of each can be seen; closing it uncovers the others.
        raised = hand.click(role="frame", window=window, at=(0.005, 0.5))
        typed = (raised, hand.press("ctrl+a"), hand.type(text))
        return Work(
            moves=(*typed, hand.press("ctrl+s"), hand.press("ctrl+w")),
            check=expect.text_is(see.text(path), text),
            near_misses=(NearMiss(name="not saved", moves=typed),),
            expected=(path,),
            setup=(make.text_file(path, ""), make.launch(["mousepad", path], window=window)),
        )


class WriteText(TextSubtask):
    gives = {"text": "text_file"}
    asks = ("write the text {text}", "draw up {text}")
    steps = ("Open Mousepad.", "Write the text.", "Save it as {text}.")


class CopyText(TextSubtask):
    takes = {"source": "text_file"}
    gives = {"text": "text_file"}
    asks = ("copy {source} into a new text {text}", "make a copy of {source} named {text}")
    steps = ("Open {source} in Mousepad.", "Save it as {text}.")


class JoinTexts(TextSubtask):
    takes = {"first": "text_file", "second": "text_file"}
    gives = {"text": "text_file"}
    asks = ("join {first} and {second} into {text}", "put {first} and then {second} into one text {text}")
    steps = ("Open {first} in Mousepad.", "Add {second}.", "Save it as {text}.")


class GatherTexts(TextSubtask):
    takes = {"first": "text_file", "second": "text_file", "third": "text_file"}
    gives = {"text": "text_file"}
    asks = ("gather {first}, {second} and {third} in {text}", "collect {first}, {second} and {third} in {text}")
    steps = ("Open {first} in Mousepad.", "Add {second} and {third}.", "Save it as {text}.")


TONES = {"tone": ("friendly", "short", "formal", "cheerful")}
SIZES = {"size": ("small", "large", "square")}

# Class name; application; what it takes; what it gives; the first wording; the demand; the name of its parameter.
TABLE = """
NumberLines|mousepad|source:text_file|text:text_file|number the lines of {source} in {text}|W|
FillForm|mousepad|clip:clipboard_text|text:text_file|paste {clip} into {text}|W|
CopyFirstLine|mousepad|source:text_file|clip:clipboard_text|copy the first line of {source} as {clip}|W|
CopyLastLine|gedit|source:text_file|clip:clipboard_text|copy the last line of {source} as {clip}|C|
PasteIntoScript|gedit|clip:clipboard_text|script:code_file|paste {clip} into the script {script}|C|
WriteScript|geany||script:code_file|write the script {script}|C|
ScriptFromText|geany|source:text_file|script:code_file|turn {source} into the script {script}|C|
RunScript|lxterminal|script:code_file|text:text_file|run {script} and keep what it prints in {text}|C|
SortLines|lxterminal|source:text_file|text:text_file|sort the lines of {source} into {text}|C|
PackInTerminal|lxterminal|source:file|archive:archive|pack {source} into {archive} from the terminal|F|
CountWords|lxterminal|source:text_file|text:text_file|count the words of {source} in {text}|C|
FillDatabase|sqlitebrowser|source:table_file|database:database|import {source} into {database}|D|
QueryDatabase|sqlitebrowser|database:database|table:table_file|export {database} as {table}|D|
MergeDatabases|sqlitebrowser|one:database,two:database|database:database|merge {one} and {two} into {database}|D|
MakeFolder|thunar||folder:folder|make the folder {folder}|F|
FileAway|thunar|source:file,folder:folder|copy:file|put a copy {copy} of {source} into {folder}|F|
CopyFile|pcmanfm|source:file|copy:file|make the copy {copy} of {source}|F|
CopyFolder|pcmanfm|source:folder|folder:folder|copy {source} as {folder}|F|
SetWallpaper|xfce4-settings|picture:image|wallpaper:wallpaper|make {picture} the {wallpaper}|S|
DescribeWallpaper|xfce4-appearance|wallpaper:wallpaper|setting:setting|choose {setting} to go with {wallpaper}|S|
NoteSettings|xfce4-appearance|setting:setting|text:text_file|write {setting} down in {text}|S|
PackFile|file-roller|source:file|archive:archive|pack {source} into the archive {archive}|F|
PackTwo|file-roller|first:file,second:file|archive:archive|pack {first} and {second} into {archive}|F|
PackThree|xarchiver|one:file,two:file,three:file|archive:archive|pack {one}, {two} and {three} into {archive}|F|
UnpackArchive|xarchiver|archive:archive|folder:folder|unpack {archive} into {folder}|F|
UnpackText|file-roller|archive:archive|text:text_file|take the text {text} out of {archive}|F|
PrintToPdf|evince|source:pdf|pdf:pdf|print {source} into {pdf}|R|
CopyFromPdf|evince|pdf:pdf|clip:clipboard_text|copy the title of {pdf} as {clip}|R|
ExportPdfText|okular|pdf:pdf|text:text_file|export the text of {pdf} to {text}|R|
AddBook|calibre|source:document|pdf:pdf|convert {source} to {pdf}|R|
Calculate|gnome-calculator||clip:clipboard_text|work out the {tone} budget and copy it as {clip}|M|tone
WriteLetter|libreoffice-writer||document:document|write a {tone} letter {document}|W|tone
LetterFromText|libreoffice-writer|source:text_file|document:document|turn {source} into the document {document}|W|
PasteIntoDocument|libreoffice-writer|clip:clipboard_text|document:document|paste {clip} into {document}|W|
ExportDocument|libreoffice-writer|document:document|pdf:pdf|export {document} as {pdf}|W|
Illustrate|libreoffice-writer|document:document,picture:image|result:document|add {picture} to {document}: {result}|W|
ImportTable|libreoffice-calc|table:table_file|sheet:spreadsheet|open {table} as the spreadsheet {sheet}|T|
MakeBudget|libreoffice-calc||sheet:spreadsheet|draw up a {tone} budget {sheet}|T|tone
ExportTable|libreoffice-calc|sheet:spreadsheet|table:table_file|export {sheet} as {table}|T|
ExportSheet|libreoffice-calc|sheet:spreadsheet|pdf:pdf|export {sheet} as {pdf}|T|
JoinSheets|libreoffice-calc|one:spreadsheet,two:spreadsheet|sheet:spreadsheet|join {one} and {two} in {sheet}|T|
MakeSlides|libreoffice-impress|source:text_file|slides:slides|make the slides {slides} from {source}|P|
SlideWithPicture|libreoffice-impress|slides:slides,picture:image|result:slides|put {picture} on {slides} as {result}|P|
ExportSlides|libreoffice-impress|slides:slides|pdf:pdf|export {slides} as {pdf}|P|
PictureOfSlide|libreoffice-impress|slides:slides|picture:image|save the first slide of {slides} as {picture}|P|
ScalePicture|gimp|source:image|picture:image|make a {size} version {picture} of {source}|I|size
JoinPictures|gimp|first:image,second:image|picture:image|put {first} beside {second} in {picture}|I|
PaintPicture|kolourpaint||picture:image|paint a {size} picture {picture}|I|size
FramePicture|kolourpaint|source:image|picture:image|frame {source} as {picture}|I|
DrawPoster|inkscape||drawing:drawing|draw a {size} poster {drawing}|G|size
ExportDrawing|inkscape|drawing:drawing|picture:image|export {drawing} as {picture}|G|
PosterWithText|inkscape|clip:clipboard_text|drawing:drawing|draw a poster {drawing} that says {clip}|G|
DrawDiagram|dia|source:text_file|drawing:drawing|draw a diagram {drawing} of {source}|G|
CutSound|audacity|source:audio|sound:audio|cut {source} and save it as {sound}|V|
MixSound|audacity|first:audio,second:audio|sound:audio|mix {first} and {second} into {sound}|V|
PlaySong|rhythmbox|sound:audio|track:playing_track|play {sound} as {track}|U|
NoteTrack|rhythmbox|track:playing_track|text:text_file|write the title of {track} into {text}|U|
PlayFilm|vlc|film:video|track:playing_track|play {film} as {track}|U|
TakeFrame|vlc|film:video|picture:image|take a frame {picture} from {film}|U|
SoundOfFilm|vlc|film:video|sound:audio|save the sound of {film} as {sound}|U|
RotatePicture|ristretto|source:image|picture:image|turn {source} and save it as {picture}|U|
ViewPictures|eog|source:image|picture:image|save {source} as {picture}|U|
CaptureScreen|xfce4-screenshooter||picture:image|take a {size} screenshot {picture}|S|size
CapturePicture|xfce4-screenshooter|source:image|picture:image|show {source} and capture it as {picture}|S|
CapturePage|xfce4-screenshooter|page:web_page|picture:image|show {page} and capture it as {picture}|S|
SavePage|firefox||page:web_page|save the page of the event as {page}|N|
CopyFromPage|firefox|page:web_page|clip:clipboard_text|copy the heading of {page} as {clip}|N|
PageFromText|chromium|source:text_file|page:web_page|save {source} as the page {page}|N|
PrintPage|chromium|page:web_page|pdf:pdf|print {page} to {pdf}|N|
PictureFromPage|chromium|page:web_page|picture:image|save the picture of {page} as {picture}|N|
SendText|thunderbird|source:text_file|letter:letter|send {source} with the {tone} mail {letter}|E|tone
SendFile|thunderbird|source:file|letter:letter|mail {source} with {letter}|E|
SaveLetter|thunderbird|letter:letter|text:text_file|save {letter} as {text}|E|
PasteIntoLetter|thunderbird|clip:clipboard_text|letter:letter|mail {clip} with {letter}|E|
AddContact|thunderbird||contact:contact|add the contact {contact}|E|
ChatText|hexchat|clip:clipboard_text|message:message|post {clip} as {message}|H|
SaveChat|hexchat|message:message|text:text_file|save {message} as {text}|H|
InviteContact|hexchat|contact:contact|message:message|invite {contact} with {message}|H|
PlanEvent|gnome-calendar||event:event|enter a {tone} appointment {event}|K|tone
EventFromLetter|gnome-calendar|letter:letter|event:event|enter the appointment {event} from {letter}|K|
ExportEvent|gnome-calendar|event:event|text:text_file|export {event} to {text}|K|
RemindOfEvent|gtg|event:event|reminder:reminder|enter the reminder {reminder} for {event}|O|
RemindOfText|gtg|source:text_file|reminder:reminder|enter the reminder {reminder} to read {source}|O|
ListReminders|gtg|reminder:reminder|text:text_file|export {reminder} to {text}|O|
WriteNote|gnote||note:note|write a {tone} note {note}|Q|tone
NoteFromText|gnote|source:text_file|note:note|write the note {note} about {source}|Q|
CopyNote|gnote|note:note|clip:clipboard_text|copy {note} as {clip}|Q|
ExportNote|zim|note:note|page:web_page|export {note} as {page}|Q|
NoteWithPicture|zim|picture:image|note:note|put {picture} into the note {note}|Q|
RecordCosts|homebank|table:table_file|text:text_file|enter {table} and keep the balance in {text}|B|
ExportCosts|gnucash||table:table_file|export the {tone} accounts as {table}|B|tone
AccountFromSheet|gnucash|sheet:spreadsheet|table:table_file|enter {sheet} and export {table}|B|
SetAlarm|gnome-clocks|event:event|setting:setting|set the alarm {setting} for {event}|A|
"""
DEMANDS = {
    "W": "Office/Documentation/Writing",
    "C": "Knowledge/Skills Practice/Coding",
    "F": "System/Files and Applications/Files",
    "D": "Knowledge/Knowledge/Data Retrieval",
    "S": "System/Personalization/Appearance",
    "R": "Knowledge/Reading and Learning/E-book",
    "M": "Knowledge/Skills Practice/Math",
    "T": "Office/Data/Tabling",
    "P": "Office/Documentation/Presentation",
    "I": "Creativity/Digital Content Creation/Image Editing",
    "G": "Creativity/Digital Content Creation/Diagram Drawing",
    "V": "Entertainment/Video and Music/Music",
    "U": "Entertainment/Video and Music/Video",
    "N": "Knowledge/Knowledge/Data Retrieval",
    "E": "Office/Communication/Emailing",
    "H": "Office/Communication/Messaging",
    "K": "Office/Schedule/Calendar",
    "O": "Office/Schedule/ToDo",
    "Q": "Knowledge/Knowledge/Notes and Mindmaps",
    "B": "Life/Finance/Transaction Management",
    "A": "System/Personalization/System Settings",
}


def _ports(text: str) -> dict[str, str]:
    return dict(port.split(":") for port in text.split(",") if port)


def _made(row: str) -> type[Synthetic]:
    name, app, takes, gives, ask, demand, param = row.split("|")
    fields = {
        "__module__": __name__,
        "app": app,
        "takes": _ports(takes),
        "gives": _ports(gives),
        "asks": (ask, f"for the occasion, {ask}"),
        "steps": (f"{ask[0].upper()}{ask[1:]}.",),
        "demand": DEMANDS[demand],
        "choices": {param: {**TONES, **SIZES}[param]} if param else {},
    }
    made = type(name, (Synthetic,), fields)
    globals()[name] = made  # where another process looks for it
    return made


TEXTS: tuple[Subtask, ...] = (WriteText(), CopyText(), JoinTexts(), GatherTexts())
"""Those that run on the fake computer."""

SUBTASKS: tuple[Subtask, ...] = (*TEXTS, *(_made(row)() for row in TABLE.strip().splitlines()))


def goals_of(subtasks: Iterable[Subtask], *, count: int = 12, size: int = 26) -> list[Goal]:
    """Make goals of random subtasks, in which each may work on whatever fits."""
    listed, goals = sorted(subtasks, key=lambda one: one.name), []
    for number in range(count):
        random = Random(number)
        chosen = random.sample(listed, min(size, len(listed)))
        kinds = sorted({kind for one in chosen for kind in one.takes.values()} & INITIAL_KINDS)
        starts = {f"old {kind}": _start(kind) for kind in kinds}
        given = {name: start.kind for name, start in starts.items()}
        parts: list[GoalPart] = []
        while left := [one for one in chosen if f"new {one.name}" not in given]:
            fitting = [(one, _sources(one, given)) for one in left]
            able = [(one, sources) for one, sources in fitting if all(sources)]
            if not able:
                break
            one, sources = random.choice(able)
            parts.append(GoalPart(f"new {one.name}", one.name, sources, "because"))
            given[f"new {one.name}"] = next(iter(one.gives.values()))
        wanted = frozenset(part.role for part in parts)
        goals.append(
            Goal(
                f"goal-{number}", ("fair", "feast"), "places", "Office/Documentation", ("somebody",), "Get it done.",
                ("See you on {day}",), "stock", False, starts, tuple(parts), wanted,
            )
        )  # fmt: skip
    return goals


def _sources(subtask: Subtask, given: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(name for name, there in given.items() if is_a(there, kind)) for kind in subtask.takes.values())


def _start(kind: str) -> Start:
    rows = kind in ("table_file", "spreadsheet", "database")
    return Start(f"old {kind}", "text_file" if kind == "file" else kind, "stock" if rows else "minutes")
