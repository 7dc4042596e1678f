"""OSWorld's metrics of pictures, recordings, films, books and archives in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from proctor.suites.foreign.faults import truth
from proctor.suites.foreign.osworld_form import ForeignComparison
from proctor.suites.foreign.osworld_looks import Metric, Sides, file_of, hint_of, pair_metric, url_of
from proctor.suites.foreign.translation import NotJudgedYet, check, probe
from proctor.tasks.call import Call

LOOKS = {
    "text": "text",
    "csv": "text",
    "docx": "document",
    "ppt": "pptx",
    "pptx": "pptx",
    "image": "picture",
    "xlsx": "spreadsheet",
    "epub": "epub",
    "html": "text",
    "audio": "sound",
    "video": "film",
}
"""What kinds of files in archives are looked at as."""
CHECKS = {
    "text": "same_letters",
    "csv": "same_lines",
    "docx": "same_paragraphs",
    "ppt": "same_slides",
    "pptx": "same_slides",
    "xlsx": "same_cells",
    "epub": "like_book",
    "html": "same_html",
}
"""How such a file is compared with the one that is expected."""
CHECKS_OF_LIKENESS = {"image": "picture_like", "audio": "sound_like", "video": "film_like"}
SAME_PDF = 0.95


def compare_images(each: ForeignComparison, looks: Sides) -> Call:
    """A picture shows what another shows."""
    same_size = truth(each.options.get("require_same_size"))
    of, to = (looks.side(side, "picture") for side in (each.result, each.expected))
    return check("picture_like", of=of, to=to, same_size=same_size)


def check_palette_and_structure_sim(each: ForeignComparison, looks: Sides) -> Call:
    """A picture shows what another shows, in colours of a palette."""
    palette = check("picture_palette", of=looks.side(each.result, "measured_picture"))
    return check("all_of", of=[palette, compare_images(each, looks)])


def compare_image_list(each: ForeignComparison, looks: Sides) -> Call:
    """Each of several pictures is, pixel for pixel, its counterpart."""
    count = _count(each)
    pairs = [[looks.side(side, "picture", place=at) for side in (each.result, each.expected)] for at in range(count)]
    found = [check("picture_unchanged", of=of, original=original) for of, original in pairs]
    return found[0] if count == 1 else check("all_of", of=found)


def compare_images_in_folder(each: ForeignComparison, looks: Sides) -> Call:
    """The pictures in a folder are like those in another."""
    if any(side.get("type") not in ("vm_dir", "vm_file") for side in (each.result, each.expected)):
        raise NotJudgedYet("'compare_images_in_folder' of what is no folder of the computer")
    of, other = (probe("pictures_in", path=file_of(side)) for side in (each.result, each.expected))
    return check("same_picture_folder", of=of, other=other, same_size=truth(each.options.get("require_same_size")))


def _of_measures(name: str) -> Metric:
    def metric(each: ForeignComparison, looks: Sides) -> Call:
        return check(name, of=looks.side(each.result, "measured_picture"))

    return metric


def check_image_mirror(each: ForeignComparison, looks: Sides) -> Call:
    """A picture is another one, mirrored."""
    of, original = (looks.side(side, "picture") for side in (each.result, each.expected))
    return check("picture_turned", of=of, original=original, turn="mirrored", same_size=False)


def check_image_size(each: ForeignComparison, looks: Sides) -> Call:
    """A picture has a width, a height, or both."""
    rules = looks.rules(each.expected)
    size = {side: int(rules[side]) for side in ("width", "height") if rules.get(side) is not None}
    if not size or truth(rules.get("ignore_transparent")):
        raise NotJudgedYet("'check_image_size' of what is not transparent")
    return check("picture_size", of=looks.side(each.result, "picture"), **size)


def check_image_file_size(each: ForeignComparison, looks: Sides) -> Call:
    """A file is smaller than so many bytes."""
    most = int(looks.rules(each.expected)["max_size"]) - 1
    return check("size_between", of=looks.side(each.result, "file"), least=1, most=most)


def compare_image_text(each: ForeignComparison, looks: Sides) -> Call:
    """A text, or one of several, can be read on a picture."""
    told = looks.rules(each.expected)["text"]
    of = looks.side(each.result, "picture_text")
    found = [check("text_on_screen", of=of, text=str(text)) for text in (told if isinstance(told, list) else [told])]
    return found[0] if len(found) == 1 else check("any_of", of=found)


def check_mp3_meta(each: ForeignComparison, looks: Sides) -> Call:
    """The tags of a recording are as rules say."""
    rules = {name: {key: rule[key] for key in ("method", "ref")} for name, rule in looks.rules(each.expected).items()}
    return check("tags_agree", of=looks.side(each.result, "sound"), rules=rules)


def compare_zip_files(each: ForeignComparison, looks: Sides) -> Call:
    """An archive holds the files of another; PDF files have the same text."""
    of, other = (looks.side(side, "archive") for side in (each.result, each.expected))
    whole = check("same_archive", of=of, other=other, besides=[".pdf"])
    names = [name for name in _members(other) if name.lower().endswith(".pdf")]
    found = [_same_pdf(each, looks, name, least=SAME_PDF) for name in names]
    return check("all_of", of=[whole, *found]) if found else whole


def compare_archive(each: ForeignComparison, looks: Sides) -> Call:
    """An archive holds the files of another by name, and each is like its counterpart."""
    kind, inside = str(each.options.get("file_type", "text")), str(each.options.get("file_path", "")).strip("/")
    if kind not in LOOKS and kind != "pdf":
        raise NotJudgedYet(f"archives of files of the kind {kind!r}")
    of, other = (looks.side(side, "archive") for side in (each.result, each.expected))
    names = [name for name in _members(other) if not inside or f"{inside}/" in f"/{name}"]
    whole = check("same_archive", of=of, other=other, names_only=True)
    found = [_same_pdf(each, looks, name) if kind == "pdf" else _same_member(each, looks, name, kind) for name in names]
    return check("all_of", of=[whole, check("mean_of", of=found)]) if found else whole


def compare_folders_exactly(each: ForeignComparison, looks: Sides) -> Call:
    """Two unpacked archives hold the same."""
    if any(side.get("type") != "file_unzipped" for side in (each.result, each.expected)):
        raise NotJudgedYet("'compare_folders_exactly' of what is no archive")
    sides = [
        {**side, "type": "cloud_file" if "://" in str(side["path"]) else "vm_file"}
        for side in (each.result, each.expected)
    ]
    of, other = (looks.side(side, "archive") for side in sides)
    return check("same_archive", of=of, other=other)


def _members(seen: object) -> list[str]:
    """Return the files in an archive that is at hand; none while only what is missing is found out."""
    listed = cast("list[Mapping[str, str]]", seen.get("members", [])) if isinstance(seen, Mapping) else []
    return [each["name"] for each in listed if each["kind"] == "file"]


def _same_pdf(each: ForeignComparison, looks: Sides, name: str, **least: float) -> Call:
    content = looks.into.member(url_of(each.expected), hint_of(each.expected), name)
    other = Call("probe", "given_pdf", {"base64": content, "name": name})
    return check("like_pdf", of=probe("archived_pdf", path=file_of(each.result), member=name), other=other, **least)


def _same_member(each: ForeignComparison, looks: Sides, name: str, kind: str) -> Call:
    of = probe("archived_file", path=file_of(each.result), member=name, look=LOOKS[kind])
    other = looks.side(each.expected, "archived_file", member=name, look=LOOKS[kind])
    if kind in CHECKS_OF_LIKENESS:
        return check(CHECKS_OF_LIKENESS[kind], of=of, to=other)
    return check(CHECKS[kind], of=of, other=other)


def _count(each: ForeignComparison) -> int:
    counts = {len(side["path"]) if isinstance(side.get("path"), list) else 1 for side in (each.result, each.expected)}
    if len(counts) != 1:
        raise NotJudgedYet(f"{each.metric!r} of {max(counts)} files and {min(counts)}")
    return counts.pop()


def _adjustment(**directions: str) -> Metric:
    return pair_metric("picture_adjusted", "picture", "original", **directions)


MEDIA_METRICS: Mapping[str, Metric] = {
    "compare_images": compare_images,
    "check_structure_sim": compare_images,
    "check_structure_sim_resized": compare_images,
    "check_structure_sim_with_threshold": compare_images,
    "check_file_exists_and_structure_sim": compare_images,
    "check_palette_and_structure_sim": check_palette_and_structure_sim,
    "check_brightness_decrease_and_structure_sim": _adjustment(brightness="less"),
    "decrease_brightness": _adjustment(brightness="less"),
    "check_saturation_increase_and_structure_sim": _adjustment(saturation="more"),
    "increase_saturation": _adjustment(saturation="more"),
    "check_contrast_increase_and_structure_sim": pair_metric(
        "picture_contrast", "picture", "original", direction="more"
    ),
    "check_green_background": pair_metric("ground_painted", "picture", "original", colour="green"),
    "check_sharper": pair_metric("picture_sharper", "measured_picture", "original"),
    "check_textbox_on_leftside": _of_measures("dark_at_left"),
    "check_triangle_position": _of_measures("shape_in_middle"),
    "check_image_mirror": check_image_mirror,
    "check_image_size": check_image_size,
    "check_image_file_size": check_image_file_size,
    "compare_image_list": compare_image_list,
    "compare_images_in_folder": compare_images_in_folder,
    "compare_image_text": compare_image_text,
    "compare_audios": pair_metric("sound_like", "sound", "to"),
    "compare_videos": pair_metric("film_like", "film", "to"),
    "check_mp3_meta": check_mp3_meta,
    "compare_epub": pair_metric("like_book", "epub", "other"),
    "compare_zip_files": compare_zip_files,
    "compare_archive": compare_archive,
    "compare_folders_exactly": compare_folders_exactly,
}
