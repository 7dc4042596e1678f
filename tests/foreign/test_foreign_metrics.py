"""Metrics of other systems, judged on a computer: what is right passes, what is nearly right does not."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from docx.shared import Mm
from PIL import Image, ImageFilter
from pptx import Presentation
from pptx.util import Mm as SlideMm

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.tasks.judge import judge
from proctor.tasks.probe_context import Ending
from proctor.tasks.verdict import Verdict
from tests.foreign.files import agentstudio, judged, read_one

HERE = "/home/user/Desktop"
GOLD = "https://files.example/data/gold"


def saved(made: Any) -> bytes:
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


def verdict(
    folder: Path, data: dict[str, Any], files: dict[str, bytes], gold: dict[str, bytes], format: str = "osworld"
) -> Verdict:
    """Return what is found on a computer that has these files, with these at hand to compare with."""
    assets = folder / "assets"
    assets.mkdir(exist_ok=True)
    for name, content in gold.items():
        (assets / name).write_bytes(content)
    found = read_one(folder, data, format, assets)
    assert found.status == "ready", found.reasons
    assert found.make is not None
    computer = FakeComputer()
    computer.start()
    for path, content in files.items():
        computer.write_file(path, content)
    return judge(found.make(), computer, Ending("done"))


def slides(*, top: float = 80, wide: float = 40) -> bytes:
    made = Presentation()
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "Welcome"
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Product"
    slide.shapes.add_picture(io.BytesIO(picture()), SlideMm(50), SlideMm(top), SlideMm(wide), SlideMm(40))
    return saved(made)


def picture(colour: str = "red", size: int = 60) -> bytes:
    held = io.BytesIO()
    made = Image.new("RGB", (size, size), "white")
    made.paste(colour, (10, 10, 40, 50))
    made.save(held, "PNG")
    return held.getvalue()


def blurred(radius: float) -> bytes:
    held = io.BytesIO()
    Image.open(io.BytesIO(picture())).filter(ImageFilter.GaussianBlur(radius)).save(held, "PNG")
    return held.getvalue()


def paletted() -> bytes:
    held = io.BytesIO()
    Image.open(io.BytesIO(picture())).quantize(8).save(held, "PNG")
    return held.getvalue()


def book(value: float = 20.5, zoom: int = 100, second: str = "Atlanta") -> bytes:
    made = openpyxl.Workbook()
    sheet = made.active
    for row in (["Name", "Year", "City"], ["ICLR", 2013, "Scottsdale, USA"], ["ICML", value, second]):
        sheet.append(row)
    sheet.sheet_view.zoomScale = zoom
    return saved(made)


def letter(*texts: str, tab: float = 0) -> bytes:
    made = docx.Document()
    for text in texts:
        paragraph = made.add_paragraph(text)
        if tab:
            paragraph.paragraph_format.tab_stops.add_tab_stop(Mm(tab))
    return saved(made)


def packed(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return held.getvalue()


def database(starred: int) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table stars (letter, value)")
    connection.executemany("insert into stars values (?, 1)", [(each,) for each in range(starred)])
    connection.commit()
    return connection.serialize()


def mbox(*subjects: str) -> bytes:
    return b"".join(b"From - x\nFrom: a@b.example\nSubject: %s\n\nHello\n\n" % each.encode() for each in subjects)


LINE = "one two three\tfour"
TRAINS = ["06:00,T1,a", "06:05,T2,a", "06:10,T1,b"]
FILTER = (
    b'version="9"\nname="a"\nenabled="yes"\naction="Move to folder"\nactionValue="x"\ncondition="AND (subject,is,%s)"\n'
)
CITIES = {"expected": ["Scottsdale", ["Atlanta", "ATL"]]}
Case = tuple[str, str, dict[str, Any], Any, bytes, bytes, bytes | None]


def rules(**given: Any) -> dict[str, Any]:
    return given


def of_table(**rule: Any) -> dict[str, Any]:
    return {"rules": [{"sheet_idx0": 0, "sheet_idx1": "EI0", "sheet_idx": 0, **rule}]}


MOVED = {"examine_shape": False, "examine_top_position": True}
SIZED = {"examine_shape": False, "examine_image_size": True}
CASES: list[Case] = [
    ("compare_pptx_files", "a.pptx", MOVED, None, slides(top=5), slides(top=70), slides()),
    ("compare_pptx_files", "a.pptx", SIZED, None, slides(top=5), slides(wide=90), slides()),
    ("compare_pptx_files", "a.pptx", {"examine_modify_height": True}, None, slides(), slides(top=5), slides()),
    ("compare_table", "a.xlsx", of_table(type="zoom", method="gt", ref=200), None, book(zoom=260), book(), book()),
    ("compare_table", "a.xlsx", of_table(type="style", props=["font_bold"]), None, book(), b"PK", book()),
    ("compare_table", "a.xlsx", of_table(type="sheet_print"), None, book(), book(20.6), book()),
    ("compare_docx_lines", "a.docx", {}, None, letter("b", "a"), letter("a"), letter("a", "b")),
    ("compare_docx_exactly", "a.docx", {}, None, letter("a"), letter("b"), letter("a")),
    ("compare_init_lines", "a.docx", {}, None, letter("a", "b"), letter("b", "a"), letter("a")),
    (
        "check_tabstops", "a.docx", {"word_number_split_by_tabstop": 3, "index": 0}, None,
        letter(LINE, tab=90), letter("one two\tfour", tab=90), letter(LINE, tab=90),
    ),
    ("evaluate_conversion", "a.docx", {}, None, letter("small"), letter("LARGE"), None),
    ("fuzzy_place_math", "a.docx", {}, rules(expected=["a", "b", "c"]), letter("a b c"), letter("a b"), None),
    ("check_sharper", "a.png", {}, None, blurred(1), blurred(3), blurred(2)),
    ("check_palette_and_structure_sim", "a.png", {}, None, paletted(), picture(), picture()),
    ("compare_image_list", "a.png", {}, None, picture(), picture("blue"), picture()),
    ("check_contrast_increase_and_structure_sim", "a.png", {}, None, picture("black"), picture("pink"), picture("red")),
    ("compare_zip_files", "a.zip", {}, None, packed(a=b"1"), packed(a=b"2"), packed(a=b"1")),
    (
        "compare_archive", "a.zip", {"file_type": "docx"}, None,
        packed(a=letter("x")), packed(a=letter("y")), packed(a=letter("x")),
    ),
    ("compare_archive", "a.zip", {"file_type": "image"}, None, packed(a=picture()), packed(), packed(a=picture())),
    (
        "compare_archive", "a.zip", {"file_type": "csv"}, None,
        packed(a=b"a,1\nb,2\n"), packed(a=b"a,1\nb,3\n"), packed(a=b"a,1\nb,2\n"),
    ),
    (
        "compare_docx_files", "a.docx", {"content_only": True, "similarity_threshold": "0.7"}, None,
        letter("small and green"), letter("LARGE"), letter("small and grey"),
    ),
    ("compare_archive", "a.zip", {}, None, packed(a=b"1"), packed(a=b"1", b=b"2"), packed(a=b"1")),
    (
        "compare_conference_city_in_order", "a.xlsx", {}, CITIES,
        book(second="in ATL"), book(second="Beijing"), None,
    ),
    ("run_sqlite3", "a.sqlite", {}, rules(sql="select count(*) > 1 from stars"), database(2), database(1), None),
    ("compare_python_pure_text", "a.py", {}, None, b"a = 1\n", b"a = 2", b"a=1"),
    ("compare_result_files", "a.txt", {}, None, b"12.50001", b"12.6", b"12.5"),
    ("compare_htmls", "a.html", {}, None, b"<p> a </p>", b"<p>b</p>", b"<p>a</p>"),
    ("check_html_background_image", "a.html", {}, rules(value="b.png"),
     b"<style>body { background-image: url('b.png'); }</style>", b"<style>body { color: red }</style> b.png", None),
    (
        "check_json", "a.yml", {"is_yaml": True}, rules(expect=[{"key": ["a", "b"], "method": "eq", "ref": 1}]),
        b"a:\n  b: 1\n", b"a:\n  b: 2\n", None,
    ),
    ("is_included_all_json_objects", "a.json", {}, None, b'{"a": 1, "b": 2}', b'{"a": 2}', b'{"a": 1}'),
    ("fuzzy_match", "a.txt", {}, rules(expected="Paris"), b"Paris\n", b"", None),
    ("literal_match", "a.txt", {"ignore_case": "true"}, rules(expected="Paris"), b"PARIS", b"Pari", None),
    ("literal_match", "a.txt", {"type": "list"}, rules(expected=["a", "b"]), b'["a", "b"]', b'["a"]', None),
    ("check_one_of_include", "a.txt", {}, rules(expected=["a", "b"]), b"x\na and b", b"a\nb", None),
    ("check_one_of_equal", "a.txt", {}, rules(expected="b"), b"a\nb\n", b"a b", None),
    (
        "check_thunderbird_filter", "a.dat", {},
        rules(expect=[{"action": "Move to folder", "condition": ["AND (subject,is,a)"]}]),
        FILTER % b"a", FILTER % b"b", None,
    ),
    ("check_thunderbird_folder", "have_seen", {"remove_deleted": True}, None, mbox("a"), mbox("a", "b"), mbox("a")),
    (
        "compare_pptx_files", "a.pptx", {"examine_number_of_slides": False, "examine_text": False}, None,
        slides(), slides(wide=90), slides(),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}-{list(case[2])[:1]}")
def test_metrics(case: Case, tmp_path: Path) -> None:
    metric, name, options, wanted, good, bad, gold = case
    expected = {"type": "cloud_file", "path": f"{GOLD}/gold-{name}", "dest": f"gold-{name}"}
    given = {"type": "rule", "rules": wanted} if wanted is not None else expected if gold is not None else None
    data = judged(metric, {"type": "vm_file", "path": f"{HERE}/{name}", "dest": name}, given, options=options)
    held = {} if gold is None else {f"gold-{name}": gold}
    assert verdict(tmp_path, data, {f"{HERE}/{name}": good}, held).score == 1
    for wrong in ({f"{HERE}/{name}": bad}, {}):
        assert verdict(tmp_path, data, wrong, held).score < 1


def test_a_sheet_by_its_number_alone_is_one_of_the_result(tmp_path: Path) -> None:
    def two(second: str) -> bytes:
        made = openpyxl.Workbook()
        made.active.append(["one"])
        made.create_sheet().append([second])
        return saved(made)

    options = {"rules": [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": 1}]}
    expected = {"type": "cloud_file", "path": f"{GOLD}/gold.xlsx", "dest": "gold.xlsx"}
    data = judged("compare_table", {"type": "vm_file", "path": f"{HERE}/a.xlsx"}, expected, options=options)
    for second, right in (("one", True), ("two", False)):
        assert verdict(tmp_path, data, {f"{HERE}/a.xlsx": two(second)}, {"gold.xlsx": two("two")}).passed is right


def test_what_a_slide_shows_is_compared(tmp_path: Path) -> None:
    for getter, place in (("image_in_slide", 1), ("background_image_in_slide", 1)):
        given = {"type": getter, "ppt_file_path": f"{HERE}/a.pptx", "slide_index": place, "dest": "a.png"}
        data = judged("compare_images", given, {"type": "cloud_file", "path": f"{GOLD}/b.png", "dest": "b.png"})
        found = verdict(tmp_path, data, {f"{HERE}/a.pptx": slides()}, {"b.png": picture()})
        assert found.passed is (getter == "image_in_slide")
        other = verdict(tmp_path, data, {f"{HERE}/a.pptx": slides()}, {"b.png": picture("blue")})
        assert not other.passed


def test_lines_of_trains_are_compared_with_those_before(tmp_path: Path) -> None:
    paths = [f"{GOLD}/gold.docx", f"{GOLD}/before.docx"]
    expected = {"type": "cloud_file", "path": paths, "dest": ["gold.docx", "before.docx"], "multi": True}
    data = judged("compare_unique_train_records", {"type": "vm_file", "path": f"{HERE}/a.docx"}, expected)
    held = {"gold.docx": letter(*TRAINS[:2]), "before.docx": letter(*TRAINS)}
    for lines, right in ((TRAINS[:2], True), (TRAINS, False), (TRAINS[:1], False), (["06:00,T1,z", TRAINS[1]], False)):
        assert verdict(tmp_path, data, {f"{HERE}/a.docx": letter(*lines)}, held).passed is right


def test_agentstudio_s_functions_are_the_same(tmp_path: Path) -> None:
    place = "${AS_ROOT}/data/b-1"
    lines = letter(LINE, tab=9)
    for function, names, good, bad, gold, name in (
        ("docs.compare_docx_lines", ("file1", "file2"), letter("a"), letter("b"), letter("a"), "a.docx"),
        ("docs.check_tabstops", ("docx_ref", "docx_file"), lines, letter(LINE), lines, "a.docx"),
        ("gimp.check_contrast_increase_and_structure_sim", ("tgt_path", "src_path"), picture("black"), picture("pink"),
         picture("red"), "a.png"),
    ):  # fmt: skip
        evaluator, _, called = function.partition(".")
        params = {names[0]: f"{place}/gold-{name}", names[1]: "${AS_ROOT}/w/" + name}
        data = agentstudio(
            reset_procedure=[], eval_procedure=[{"evaluator": evaluator, "function": called, "params": params}]
        )
        for content, right in ((good, True), (bad, False)):
            files = {f"/home/user/agent_studio/w/{name}": content}
            found = verdict(tmp_path, data, files, {f"gold-{name}": gold}, "agentstudio")
            assert found.passed is right, (function, found.feedback)


@pytest.mark.parametrize(
    ("metric", "options", "why"),
    [
        ("compare_pptx_files", {"examine_taste": True}, "examine_taste"),
        ("compare_archive", {"file_type": "soup"}, "soup"),
        ("compare_table", of_table(type="chart", chart_props=["taste"]), "taste"),
        ("compare_table", of_table(type="pivot_table", pivot_props=["taste"]), "taste"),
        ("compare_table", of_table(type="style", props=[]), "nothing"),
    ],
)
def test_what_has_no_counterpart_is_said(metric: str, options: dict[str, Any], why: str, tmp_path: Path) -> None:
    side = {"type": "vm_file", "path": f"{HERE}/a"}
    found = read_one(tmp_path, judged(metric, side, side, options=options))
    assert found.status == "not judged yet"
    assert any(why in reason.why for reason in found.reasons)


def test_a_single_file_of_agentstudio_is_what_is_judged(tmp_path: Path) -> None:
    params = {"tgt_path": "${AS_ROOT}/w/a.png"}
    procedure = {"evaluator": "gimp", "function": "check_triangle_position", "params": params}
    data = agentstudio(reset_procedure=[], eval_procedure=[procedure])
    middle = Image.new("RGB", (100, 100), "white")
    middle.paste("yellow", (40, 40, 60, 60))
    held = io.BytesIO()
    middle.save(held, "PNG")
    for content, right in ((held.getvalue(), True), (picture("yellow"), False)):
        files = {"/home/user/agent_studio/w/a.png": content}
        assert verdict(tmp_path, data, files, {}, "agentstudio").passed is right


def on_computer(getter: str, **given: Any) -> dict[str, Any]:
    return {"type": getter, **given}


VLCRC = "/home/user/.config/vlc/vlcrc"
SLIDER = b"[qt]\nqt-slider-colours=%s\n"
SAID = b"From: a@b.example\nTo: user@localhost\nSubject: x\n\n%s\n"
BLACKISH = on_computer("rule", rules={"type": "blackish"})
PAIRS = on_computer("vm_file", path=[f"{HERE}/a", f"{HERE}/b"], multi=True)
HELD: list[tuple[str, dict[str, Any], Any, dict[str, bytes], dict[str, bytes]]] = [
    (
        "check_qt_slider_colours", on_computer("vlc_config", dest="vlcrc"), BLACKISH,
        {VLCRC: SLIDER % b"1;2;3;4;5;6"}, {VLCRC: SLIDER % b"1;2;3;4;5;160"},
    ),
    (
        "check_qt_slider_colours", on_computer("vlc_config", dest="vlcrc"),
        on_computer("rule", rules={"type": "match", "expected_qt_slider_colours": "1;2;3"}),
        {VLCRC: SLIDER % b"1;2;3"}, {VLCRC: SLIDER % b"1;2;4"},
    ),
    (
        "check_global_key_play_pause", on_computer("vlc_config", dest="vlcrc"),
        on_computer("rule", rules={"expected_global_key_play_pause": 1}),
        {VLCRC: b"global-key-play-pause=Space\n"}, {VLCRC: b"#global-key-play-pause=\n"},
    ),
    (
        "compare_mail_content", on_computer("vm_first_mail_file_parsed"),
        on_computer("mail_attachments", to="user@localhost", body="Hello you"),
        {"/home/user/Maildir/new/1": SAID % b"Hello you"}, {"/home/user/Maildir/new/1": SAID % b"Hello"},
    ),
    (
        "compare_image_list", PAIRS, PAIRS,
        {f"{HERE}/a": picture(), f"{HERE}/b": picture("blue")}, {f"{HERE}/a": picture(), f"{HERE}/b": b"none"},
    ),
    (
        "check_thunderbird_folder", PAIRS, on_computer("vm_file", path=[f"{HERE}/c", f"{HERE}/d"]),
        {f"{HERE}/{name}": mbox(text) for name, text in zip("abcd", "xyxy", strict=True)},
        {f"{HERE}/{name}": mbox(text) for name, text in zip("abcd", "xyyx", strict=True)},
    ),
    (
        "compare_images_in_folder", on_computer("vm_dir", path=f"{HERE}/one"),
        on_computer("vm_dir", path=f"{HERE}/two"),
        {f"{HERE}/one/a": picture(), f"{HERE}/two/a": picture()},
        {f"{HERE}/one/a": picture(), f"{HERE}/two/b": picture()},
    ),
    (
        "compare_folders_exactly", on_computer("file_unzipped", path=f"{HERE}/a.zip"),
        on_computer("file_unzipped", path=f"{HERE}/b.zip"),
        {f"{HERE}/a.zip": packed(a=b"1"), f"{HERE}/b.zip": packed(a=b"1")},
        {f"{HERE}/a.zip": packed(a=b"1"), f"{HERE}/b.zip": packed(a=b"2")},
    ),
    (
        "literal_match", on_computer("vm_dir_file_hashes", path=f"{HERE}/one"),
        on_computer("vm_dir_file_hashes", path=f"{HERE}/two"),
        {f"{HERE}/one/a": b"1", f"{HERE}/two/b": b"1"}, {f"{HERE}/one/a": b"1", f"{HERE}/two/b": b"2"},
    ),
    (
        "literal_match",
        on_computer("content_from_vm_file", path=f"{HERE}/a.xlsx", file_type="xlsx", file_content="last_row"),
        on_computer("rule", rules={"expected": ["ICML", "20.5", "Atlanta"]}),
        {f"{HERE}/a.xlsx": book()}, {f"{HERE}/a.xlsx": book(second="Paris")},
    ),
    (
        "check_file_exists", on_computer("vm_file", path=f"{HERE}/a"), None,
        {f"{HERE}/a": b""}, {f"{HERE}/b": b""},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "written"), [
    ("check_json_settings", b'// Settings\n{\n  /* all */ "a.b": 50,\n  "c": "http://x", // here\n}\n'),
    ("check_json_keybindings", b'// Place your key bindings in this file\n[\n  {"a.b": 50, "c": "http://x"},\n]\n'),
])  # fmt: skip
def test_settings_of_an_editor_may_have_comments(metric: str, written: bytes, tmp_path: Path) -> None:
    path = "/home/user/.config/Code/User/settings.json"
    wanted = on_computer("rule", rules={"expected": {"a.b": 50, "c": "http://x"}})
    data = judged(metric, on_computer("vm_file", path=path), wanted)
    assert verdict(tmp_path, data, {path: written}, {}).score == 1
    assert verdict(tmp_path, data, {path: written.replace(b"50", b"51")}, {}).score == 0
    # What a comment says is not set.
    hidden = written.replace(b'"a.b": 50,', b'// "a.b": 50,\n')
    assert verdict(tmp_path, data, {path: hidden}, {}).score == 0


@pytest.mark.parametrize("case", HELD, ids=lambda case: f"{case[0]}-{case[1]['type']}")
def test_metrics_of_what_lies_on_the_computer(case: Any, tmp_path: Path) -> None:
    metric, result, expected, good, bad = case
    data = judged(metric, result, expected)
    assert verdict(tmp_path, data, good, {}).score == 1
    assert verdict(tmp_path, data, bad, {}).score < 1
    assert verdict(tmp_path, data, {}, {}).score < 1


@pytest.mark.parametrize(
    ("metric", "result", "expected", "name"),
    [
        ("is_vlc_playing", on_computer("vlc_playing_info"),
         on_computer("rule", rules={"type": "url", "url": "http://127.0.0.1:8000/b.m3u8"}), "playing_address"),
        ("is_vlc_fullscreen", on_computer("vm_screen_size"), on_computer("vm_window_size", app_class_name="vlc"),
         "window_fills_screen"),
        ("check_include_exclude", on_computer("default_video_player"),
         on_computer("rule", rules={"include": ["vlc.desktop"]}), "text_includes"),
        ("check_csv", on_computer("vm_command_line", command="cat a.csv"),
         on_computer("rule", rules={"expect": [{"a": "1"}]}), "printed_rows_agree"),
        ("compare_images", on_computer("vm_wallpaper", dest="a.png"), on_computer("vm_file", path="/a.png"),
         "picture_like"),
        ("compare_audios", on_computer("audio_in_slide", ppt_file_path="/a.pptx", slide_index=0),
         on_computer("vm_file", path="/a.wav"), "sound_like"),
        ("compare_pdfs", on_computer("vm_file", path="/a.pdf"), on_computer("vm_file", path="/b.pdf"), "like_pdf"),
        ("compare_pdf_images", on_computer("vm_file", path="/a.pdf"), on_computer("vm_file", path="/b.pdf"),
         "same_drawn_pages"),
        ("compare_videos", on_computer("vm_file", path="/a.mp4"), on_computer("vm_file", path="/b.mp4"), "film_like"),
        ("check_mp3_meta", on_computer("vm_file", path="/a.mp3"),
         on_computer("rule", rules={"title": {"method": "eq", "ref": "x"}}), "tags_agree"),
        ("compare_image_text", on_computer("vm_file", path="/a.png"),
         on_computer("rule", rules={"type": "text", "text": ["a", "b"]}), "any_of"),
        ("is_in_vm_clickboard", on_computer("rule", rules={"expected": "/a"}),
         on_computer("vm_command_line", command="xsel --clipboard --output"), "text_includes"),
        ("evaluate_presentation_fill_to_rgb_distance", on_computer("vm_file", path="/a.pptx"),
         on_computer("rule", rules={"rgb": [0, 0, 255]}), "grounds_near"),
        ("check_strikethrough", on_computer("vm_file", path="/a.pptx"), on_computer("rule", rules={
            "slide_index_s": [0], "shape_index_s": [1], "paragraph_index_s": [0]}), "paragraphs_struck"),
        ("check_page_number_colors", on_computer("vm_file", path="/a.pptx"),
         on_computer("rule", rules={"color": "red"}), "slide_numbers_coloured"),
        ("is_gold_text_included_in_pdf", on_computer("vm_file", path="/a.pdf"), on_computer("vm_file", path="/a.json"),
         "pdf_holds"),
        ("check_left_panel", on_computer("accessibility_tree"), None, "text_in_controls"),
        ("check_pdf_pages", on_computer("vm_file", path="/a.pdf"),
         on_computer("rule", rules={"relation": "ne", "ref_value": 3}), "any_of"),
        ("check_accessibility_tree", on_computer("accessibility_tree"),
         on_computer("rule", rules=[{"selectors": ["entry "], "text": 'a "b"', "exact": True}]), "elements_match"),
        ("check_libre_locale", on_computer("vm_file", path="/a.xcu"),
         on_computer("rule", rules={"locale_set": ["en-US", "de"]}), "any_of"),
    ],
)  # fmt: skip
def test_metrics_of_what_runs_are_put_into_our_words(
    metric: str, result: Any, expected: Any, name: str, tmp_path: Path
) -> None:
    found = read_one(tmp_path, judged(metric, result, expected))
    assert found.status == "ready", found.reasons
    assert found.make is not None and found.make().check.name == name
