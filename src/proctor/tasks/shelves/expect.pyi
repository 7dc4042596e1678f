"""The names of the shelf `check` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call

def account_book_kept(
    of: object,
    before: object,
) -> Call:
    """The book still has its accounts, with their initial balances, its payees and its categories."""

def addresses_lack(
    of: object,
    words: Sequence[str],
) -> Call:
    """The browser's history has no address with any of these words in it."""

def alarm_set(
    of: object,
    name: str,
    time: str,
) -> Call:
    """There is exactly one alarm of this name; it is on, and rings once at a time like `07:45`."""

def all_of(
    of: Sequence[Call],
) -> Call:
    """All of the checks hold; there is no partial credit."""

def answer_has(
    of: object,
    words: Sequence[str],
    not_any_of: Sequence[str] | None = ...,
    about: Sequence[Mapping[str, Any]] | None = ...,
) -> Call:
    """The answer asserts every one of these words or phrases, and none of those that would be wrong."""

def answer_is(
    of: object,
    text: str,
) -> Call:
    """The answer is this text; ignores case, spacing and punctuation at its ends."""

def answer_number(
    of: object,
    value: float,
    tolerance: float = ...,
    names: Sequence[str] | None = ...,
    not_any_of: Sequence[float] | None = ...,
    about: Sequence[Mapping[str, Any]] | None = ...,
    unit: str = ...,
) -> Call:
    """The answer asserts this number, and no other for the same thing, with any words around it."""

def any_of(
    of: Sequence[Call],
) -> Call:
    """At least one of the checks holds; the best of them counts."""

def archive_format(
    of: object,
    form: str,
) -> Call:
    """An archive has this format, whatever its name: `zip`, `tar`, `tar.gz`, `tar.bz2`, `tar.xz`."""

def archive_holds(
    of: object,
    files: Mapping[str, str | None],
    exactly: bool = ...,
    top: str = ...,
    flat: bool = ...,
) -> Call:
    """An archive holds these files with these texts (None: any), and nothing else if `exactly`."""

def archive_lacks(
    of: object,
    names: Sequence[str],
) -> Call:
    """An archive has no members with these names, in any folder."""

def archive_member_is(
    of: object,
    name: str,
    text: str,
) -> Call:
    """One member of an archive has this text, compared as by `text_is`."""

def archive_member_line(
    of: object,
    name: str,
    words: Sequence[str],
    not_any_of: Sequence[str] | None = ...,
) -> Call:
    """One member of an archive is a line with these whole words, in any case, and no wrong ones."""

def asked_about(
    of: object,
    words: Sequence[str],
) -> Call:
    """A question to the user is about one of these words, as the user understands it, and in time."""

def asked_at_most(
    of: object,
    count: int,
) -> Call:
    """The user was asked at most this many questions."""

def balance_is(
    of: object,
    account: str,
    amount: float,
) -> Call:
    """An account has this balance, counting all its transactions."""

def begins_like(
    of: object,
    other: object,
) -> Call:
    """A document begins with exactly the paragraphs of another."""

def book_is(
    of: object,
    title: str | None = ...,
    author: str | None = ...,
    chapters: int | None = ...,
) -> Call:
    """An e-book has this title, this author and this many chapters, where given."""

def bookmark_exists(
    of: object,
    url: str,
    folder: str | None = ...,
    title: str | None = ...,
) -> Call:
    """A page is bookmarked, in this folder (`Bookmarks bar/Recipes`) and under this title if given."""

def bookmark_folder_is(
    of: object,
    folder: str,
    urls: Sequence[Sequence[str]],
) -> Call:
    """A folder on the bookmarks bar has one address of each of these groups, and no other."""

def bookmark_missing(
    of: object,
    url: str,
) -> Call:
    """A page is not, or no longer, bookmarked."""

def bookmark_titled(
    of: object,
    page: int,
    title: str,
) -> Call:
    """The bookmark of a page has this title, whatever the case."""

def bookmarks_are(
    of: object,
    pages: Sequence[int],
) -> Call:
    """A document has bookmarks on exactly these pages, whatever their titles."""

def bookmarks_bar_is(
    of: object,
    folders: Sequence[str] | None = ...,
    urls: Sequence[str] | None = ...,
) -> Call:
    """The bookmarks bar holds exactly these folders, or exactly these addresses, in any order."""

def branch_is(
    of: object,
    branch: str,
) -> Call:
    """A repository is on this branch, which exists and has commits."""

def branch_merged(
    of: object,
) -> Call:
    """A branch, as it was, is part of the repository's current branch (of `see.merged`)."""

def branch_unmoved(
    of: object,
) -> Call:
    """A branch is still at the commit of the task's beginning (of `see.branch_place`)."""

def branches_are(
    of: object,
    branches: Sequence[str],
) -> Call:
    """A repository has exactly these branches, in any order."""

def browser_look_is(
    of: object,
    looks: Sequence[Literal['light', 'dark', 'system']],
) -> Call:
    """The browser itself has one of these looks (of `see.browser_look`)."""

def browser_setting_is(
    of: object,
    value: bool | int | str,
) -> Call:
    """A setting has this value."""

def cell_agrees(
    of: object,
    cell: str,
    rule: Mapping[str, Any],
    sheet: int | str = ...,
) -> Call:
    """The content of a cell satisfies a rule."""

def cell_follows(
    of: object,
    cell: str,
    values: Sequence[bool | int | float | str | None],
    sheet: str | None = ...,
    tolerance: float = ...,
    now: bool | int | float | str | None = ...,
) -> Call:
    """A cell is visibly computed, and has the right value in each trial of `see.recalculated`."""

def cell_formula(
    of: object,
    cell: str,
    formulas: Sequence[str],
    sheet: str | None = ...,
) -> Call:
    """A cell has one of these formulas, ignoring case, blanks, `$` and the form of references."""

def cell_is(
    of: object,
    cell: str,
    value: bool | int | float | str | None,
    sheet: str | None = ...,
    tolerance: float = ...,
) -> Call:
    """A cell holds this value, typed or computed; ignores formats and blanks around a text."""

def cell_is_formula(
    of: object,
    cell: str,
    value: bool | int | float | str | None,
    uses: Sequence[str],
    sheet: str | None = ...,
    tolerance: float = ...,
) -> Call:
    """A cell is visibly right and computed: its formula refers to every cell in these ranges."""

def cell_looks(
    of: object,
    cell: str,
    rules: Mapping[Literal['number_format', 'font_name', 'font_family', 'font_color', 'font_bold', 'font_italic', 'font_underline', 'font_size', 'fill_type', 'bgcolor', 'fgcolor', 'hyperlink', 'horizontal', 'vertical'], Mapping[str, Any]],
    sheet: int | str = ...,
) -> Call:
    """The look of a cell satisfies the rules; colours may include opacity, `FF0000FF`."""

def cell_style(
    of: object,
    cells: str,
    sheet: str | None = ...,
    bold: bool | None = ...,
    italic: bool | None = ...,
    underline: bool | None = ...,
    fill: str | None = ...,
    colour: str | None = ...,
    align: Literal['left', 'center', 'right'] | None = ...,
) -> Call:
    """Every filled cell of a range looks as given; colours are `#rrggbb`, or `none` for none set."""

def cells_are(
    of: object,
    cells: str,
    values: Sequence[Sequence[bool | int | float | str | None]],
    sheet: str | None = ...,
    tolerance: float = ...,
) -> Call:
    """A range such as `B2:C9` visibly has these rows of values, whatever their format and spacing."""

def cells_merged(
    of: object,
    cells: str,
    sheet: str | None = ...,
) -> Call:
    """These cells are merged into one."""

def cells_say(
    of: object,
    cell: str,
    texts: Sequence[Sequence[str]],
    sheet: int | str = ...,
) -> Call:
    """The cells of a column, from one downwards, each have one of the texts given for it."""

def chart_exists(
    of: object,
    kind: Literal['column', 'bar', 'line', 'pie', 'doughnut', 'area', 'scatter'] | Sequence[Literal['column', 'bar', 'line', 'pie', 'doughnut', 'area', 'scatter']] | None = ...,
    sheet: str | None = ...,
    title: str | None = ...,
    x_title: str | None = ...,
    y_title: str | None = ...,
    values: Sequence[str] | None = ...,
    categories: str | None = ...,
    alone: bool = ...,
) -> Call:
    """A chart, on any sheet or on one, is of this kind with these titles and ranges."""

def chat_mentioned(
    of: object,
    who: str,
    words: Sequence[str],
) -> Call:
    """One message of someone asserts all of these phrases, as whole words, without reservation."""

def chat_said(
    of: object,
    who: str,
    text: str,
    alone: bool = ...,
    exactly: bool = ...,
) -> Call:
    """Someone said this, exactly once; other messages do not matter, unless it must be the only one."""

def chat_silent(
    of: object,
    who: str,
) -> Call:
    """Someone said nothing at all."""

def chat_topic(
    of: object,
    topic: str,
    exactly: bool = ...,
) -> Call:
    """The topic was set, and is now this one."""

def checkpoints(
    names: Sequence[str],
    of: Sequence[Call],
    weights: Sequence[float],
    guards: Sequence[Call],
    given: int = ...,
) -> Call:
    """Each checkpoint that holds earns its weight; nothing does where a guard fails."""

def clicked(
    of: object,
    text: str,
    role: str | None = ...,
) -> Call:
    """An element with this name (or text, where it has no name) was clicked."""

def clipboard_is(
    of: object,
    text: str,
) -> Call:
    """The clipboard holds this text."""

def clipboard_number(
    of: object,
    value: float,
    tolerance: float = ...,
) -> Call:
    """The clipboard holds this number and nothing else."""

def code_kept(
    of: object,
    before: object,
    besides: Sequence[str],
) -> Call:
    """A source file is unchanged except for these functions (of `see.text` and `see.before`)."""

def colours_dark(
    of: object,
    name: str,
    usual: str,
    most: int = ...,
) -> Call:
    """A player's setting that lists colours, three numbers each, has only dark ones."""

def column_exists(
    of: object,
    table: str,
    column: str,
) -> Call:
    """A table has a column of this name, whatever the case."""

def column_is(
    of: object,
    header: str,
    values: Sequence[bool | int | float | str | None],
    sheet: str | None = ...,
    tolerance: float = ...,
) -> Call:
    """The column under a heading in the first row visibly holds exactly these values in order."""

def columns_hidden(
    of: object,
    columns: Sequence[str],
    sheet: str | None = ...,
) -> Call:
    """Exactly these columns are hidden; none with an empty list."""

def comments_are(
    of: object,
    comments: Sequence[str],
) -> Call:
    """The comments in a document are exactly these; their order and their authors do not matter."""

def commits_include(
    of: object,
    subjects: Sequence[str],
) -> Call:
    """Commits with these first lines are part of the current branch, in any order."""

def control_between(
    of: object,
    name: str,
    least: float,
    most: float,
    role: str | None = ...,
) -> Call:
    """A named slider, spin button or bar has a value in a range, both ends included."""

def control_has(
    of: object,
    name: str,
    state: str,
    role: str | None = ...,
    present: bool = ...,
) -> Call:
    """A named control has a state such as `checked`, `selected` or `pressed`, or lacks it."""

def cookies_have(
    of: object,
    host: str,
) -> Call:
    """A host still has a cookie."""

def cookies_lack(
    of: object,
    host: str,
) -> Call:
    """No cookie of a host is left."""

def count_of_lines(
    of: object,
    pattern: str,
    count: int,
) -> Call:
    """This many lines of a text match a pattern."""

def course_taken(
    of: object,
    steps: Sequence[Mapping[str, Any]],
    begun: bool = ...,
) -> Call:
    """Exactly these actions were taken, in this order; moving the pointer and waiting do not count."""

def csv_has_rows(
    of: object,
    rows: Sequence[Sequence[str | int | float]],
) -> Call:
    """A table has at least these rows, anywhere."""

def csv_lacks_rows(
    of: object,
    rows: Sequence[Sequence[str | int | float]],
) -> Call:
    """A table has none of these rows."""

def csv_rows(
    of: object,
    rows: Sequence[Sequence[str | int | float]],
    ordered: bool = ...,
) -> Call:
    """A table has exactly these rows, header included, whatever the spacing and form of numbers."""

def dark_at_left(
    of: object,
    within: float = ...,
) -> Call:
    """Something dark, such as letters, begins within this share of the width (of `measured_picture`)."""

def diagram_links(
    of: object,
    links: Sequence[Sequence[str]],
    either_way: bool = ...,
    arrows: bool = ...,
) -> Call:
    """The lines of a diagram connect exactly these texts; with `arrows`, headed at the end only."""

def diagram_texts(
    of: object,
    texts: Sequence[str],
    in_shapes: bool = ...,
) -> Call:
    """The objects of a diagram carry exactly these texts, in any order."""

def digest_is(
    of: object,
    sha256: str,
) -> Call:
    """A file has exactly this content, given by its SHA-256."""

def document_format(
    of: object,
    format: Literal['odt', 'docx'],
) -> Call:
    """A document is saved in this format, whatever its name ends in."""

def document_has_text(
    of: object,
    texts: Sequence[str],
) -> Call:
    """Every one of these texts can be read in some paragraph or row; case matters, looks do not."""

def document_lacks_text(
    of: object,
    texts: Sequence[str],
    whole_words: bool = ...,
) -> Call:
    """None of these texts occurs anywhere, headers and footers included; case matters, looks do not."""

def document_table_cell(
    of: object,
    row: int,
    column: int,
    text: str,
    table: int = ...,
) -> Call:
    """A cell of a table, counted from 1, holds this text."""

def document_table_is(
    of: object,
    rows: Sequence[Sequence[str]],
    table: int = ...,
) -> Call:
    """The table of this number holds exactly these texts, row by row; looks and widths do not matter."""

def document_text_is(
    of: object,
    text: Sequence[str],
) -> Call:
    """A document has exactly this text, by paragraph, table rows as `one | two`; looks do not matter."""

def document_title_is(
    of: object,
    title: str,
) -> Call:
    """The title in the properties of a document, not its first heading, is this one."""

def document_unchanged_except(
    of: object,
    before: object,
    edits: Sequence[Mapping[str, Any]],
) -> Call:
    """A document is unchanged except for these paragraphs: texts, headings, lists and looks."""

def download_exists(
    of: object,
    name: str,
) -> Call:
    """A file of this name was downloaded completely and is not empty."""

def drawing_count(
    of: object,
    shapes: int,
) -> Call:
    """A drawing has exactly this many shapes and texts."""

def drawing_has_shape(
    of: object,
    kind: str | None = ...,
    fill: str | None = ...,
    id: str | None = ...,
    count: int | None = ...,
) -> Call:
    """A drawing shows a shape of this kind, fill and id, or exactly this many of them."""

def drawing_keeps(
    of: object,
    shapes: Sequence[Mapping[str, Any]],
    within: float = ...,
) -> Call:
    """A drawing still has these shapes, by their ids, as described."""

def drawing_size(
    of: object,
    width: float,
    height: float,
    within: float = ...,
) -> Call:
    """A drawing has this size in pixels and shows all of itself, neither shifted nor scaled."""

def drawing_text(
    of: object,
    text: str,
    times: int = ...,
) -> Call:
    """A drawing shows this text this many times, each as a separate text, in any font and position."""

def drawing_texts_are(
    of: object,
    texts: Sequence[str],
) -> Call:
    """A drawing shows exactly these texts where they can be read, and nothing else."""

def elements_match(
    of: object,
    selectors: Sequence[Sequence[str]],
) -> Call:
    """For each of these lists of CSS selectors, one finds an element of the screen."""

def entries_are(
    of: object,
    entries: Sequence[Mapping[str, Any]],
) -> Call:
    """The safe has exactly these entries, in any order."""

def entry_exists(
    of: object,
    entry: Mapping[str, Any],
) -> Call:
    """The safe has exactly one entry with this title, as given, user and password exact."""

def entry_missing(
    of: object,
    title: str,
) -> Call:
    """The safe has no entry with this title, apart from its recycle bin."""

def event_count(
    of: object,
    count: int,
) -> Call:
    """A calendar has this many events; a recurring one counts once."""

def event_exists(
    of: object,
    event: Mapping[str, Any],
) -> Call:
    """A calendar has exactly one such event, not cancelled, whatever case and spacing."""

def event_moved(
    of: object,
    summary: str,
    start: str,
    end: str,
    location: str | None = ...,
) -> Call:
    """The only event with this title is now at these times."""

def experiments_are(
    of: object,
    names: Sequence[str],
) -> Call:
    """Exactly these experiments of Chromium are set, in this order (of its `Local State`)."""

def extension_loaded(
    of: object,
    path: str,
) -> Call:
    """An extension was loaded from this folder (of `see.web_extensions`)."""

def extensions_include(
    of: object,
    names: Sequence[str],
) -> Call:
    """Extensions of these names are installed, among others (of `see.web_extensions`)."""

def file_at_head(
    of: object,
    path: str,
    text: str | None = ...,
    exactly: bool = ...,
) -> Call:
    """The last commit holds a file, with this text if one is given, compared as by `text_is`."""

def file_exists(
    of: object,
) -> Call:
    """There is a regular file at the path."""

def film_duration(
    of: object,
    seconds: float,
    within: float = ...,
) -> Call:
    """A video lasts this long, give or take `within` seconds."""

def film_like(
    of: object,
    to: object,
    within: float = ...,
) -> Call:
    """A video is as long as another and has, second by second, the same mean colours."""

def film_shows(
    of: object,
    colours: Sequence[str],
    within: float = ...,
) -> Call:
    """A video has, second by second, pictures of these mean colours, and nothing after them."""

def film_size(
    of: object,
    width: int,
    height: int,
) -> Call:
    """The frames of a video have this size in pixels."""

def filter_buttons(
    of: object,
    cells: str,
    sheet: str | None = ...,
) -> Call:
    """A range has filter buttons in its first row; empty rows after its end do not matter."""

def first_line_centred(
    of: object,
) -> Call:
    """The first paragraph of a document is centred."""

def folder_exists(
    of: object,
) -> Call:
    """There is a folder at the path."""

def folder_holds(
    of: object,
    exactly: Sequence[str] | None = ...,
    at_least: Sequence[str] | None = ...,
    none_of: Sequence[str] | None = ...,
    hidden: bool = ...,
) -> Call:
    """A folder has exactly these names, or at least these, and none of those."""

def font_throughout(
    of: object,
    font: str,
) -> Call:
    """All text of a document is in this font."""

def footer_has(
    of: object,
    text: str,
) -> Call:
    """The footer of every page contains this."""

def footer_is(
    of: object,
    text: str,
) -> Call:
    """The footer of every page is exactly this."""

def form_says(
    of: object,
    text: str,
    fields: Mapping[str, str],
    not_any_of: Sequence[str] | None = ...,
) -> Call:
    """A text is this one, as by `text_is`, with these answers after the beginnings of its lines."""

def ground_painted(
    of: object,
    original: object,
    colour: Literal['red', 'green', 'blue'] = ...,
) -> Call:
    """All of a picture except what was black in another is mostly of a colour; the black remains."""

def grounds_near(
    of: object,
    colour: str,
) -> Call:
    """How close the backgrounds of slides (of `slides`) are to a colour, on average, as the score."""

def has_colour(
    of: object,
    colour: str,
    least: float,
    most: float = ...,
    within: float = ...,
) -> Call:
    """A colour, including similar ones, takes this share of the area; only main colours count."""

def has_lines(
    of: object,
    lines: Sequence[str],
    together: bool = ...,
) -> Call:
    """A text has each of these as a line of its own, anywhere; ignores what `lines_are` ignores."""

def header_is(
    of: object,
    text: str,
) -> Call:
    """The header of every page is exactly this."""

def heading_is(
    of: object,
    text: str,
    level: int,
) -> Call:
    """A paragraph is a heading of this level, 0 for none; large or bold text is not a heading."""

def headings_are(
    of: object,
    headings: Sequence[Mapping[str, Any]],
) -> Call:
    """The headings of a document are exactly these, in this order."""

def history_has(
    of: object,
    urls: Sequence[str],
) -> Call:
    """The browser's history still has these pages."""

def history_is(
    of: object,
    subjects: Sequence[str],
) -> Call:
    """The commits have exactly these first lines, newest first."""

def history_lacks(
    of: object,
    host: str,
) -> Call:
    """The browser's history has no page of a host."""

def home_page_is(
    of: object,
    url: str,
) -> Call:
    """The home page is this one."""

def ini_value(
    of: object,
    section: str,
    key: str,
    value: str | int | float | bool,
) -> Call:
    """A key in a section of a settings file has this value, whatever quotes or form of number."""

def inputs_agree(
    of: object,
    rules: Sequence[Mapping[str, Mapping[str, Any]]],
    sheet: int | str = ...,
) -> Call:
    """The data validation rules of a sheet are exactly these."""

def is_executable(
    of: object,
) -> Call:
    """The owner may run a file, and read it: a script that cannot be read cannot be run."""

def is_read_only(
    of: object,
) -> Call:
    """Nobody may write to a file, its owner included."""

def is_writable(
    of: object,
) -> Call:
    """The owner may write to a file."""

def italics_sized(
    of: object,
    size: float,
) -> Call:
    """Everything in italics in a document has this size in points, and something is in italics."""

def joined_channel(
    of: object,
    who: str,
) -> Call:
    """Someone is in the channel now."""

def json_agrees(
    of: object,
    expect: Sequence[Mapping[str, Any]] | None = ...,
    unexpect: Sequence[Mapping[str, Any]] | None = ...,
) -> Call:
    """The values under some keys satisfy rules, and those under others do not."""

def json_covers(
    of: object,
    other: object,
) -> Call:
    """The object in a JSON file has all entries of another file's object, whatever else it has."""

def json_includes(
    of: object,
    entries: Mapping[str, Any],
) -> Call:
    """The object in a JSON file has these entries, whatever else it and the objects in it have."""

def json_lacks(
    of: object,
    at: Sequence[str | int],
) -> Call:
    """There is nothing at a place of a JSON file; the file itself must be there."""

def json_lists(
    of: object,
    item: Any,
) -> Call:
    """The list in a JSON file has this item."""

def json_number(
    of: object,
    at: Sequence[str | int],
    least: float,
    most: float,
) -> Call:
    """The value at a place is a number in a range, both ends included."""

def json_value(
    of: object,
    at: Sequence[str | int],
    value: Any,
) -> Call:
    """The value at a place (keys, positions from 0) is this one; 1 is 1.0 and is not true."""

def last_commit(
    of: object,
    subject: str | None = ...,
    files: Sequence[str] | None = ...,
    before: Sequence[str] | None = ...,
) -> Call:
    """The last commit has this first line and exactly these files, and follows these commits."""

def last_paragraph_struck(
    of: object,
    other: object,
) -> Call:
    """The last paragraph of a document is struck through, and all of it says what another does."""

def last_row_is(
    of: object,
    values: Sequence[str | int | float],
    case: bool = ...,
    sheet: int | str = ...,
) -> Call:
    """The last non-empty row of a sheet has these values, as they are written."""

def left_alone(
    of: Sequence[Call],
    feedback: str,
) -> Call:
    """None of the checks holds; what could not be seen does not hold."""

def left_channel(
    of: object,
    who: str,
) -> Call:
    """Someone is not, or no longer, in the channel."""

def letter_answers(
    of: object,
    mailbox: object,
    subject: str,
    answered: str,
) -> Call:
    """An email with this subject was sent in reply to the one with that subject in a mailbox."""

def letter_brings(
    of: object,
    file: object,
    subject: str,
) -> Call:
    """An email with this subject was sent with a file equal to this one (of `see.digest`)."""

def letter_file_says(
    of: object,
    file: str,
    text: str,
) -> Call:
    """Every sent file of this name has this text, whatever blanks end lines or text."""

def letter_holds(
    of: object,
    subject: str,
    lines: Sequence[str],
) -> Call:
    """An email with this subject has each of these lines, even if quoted, forwarded or attached."""

def letter_is(
    of: object,
    subject: str,
    to: Sequence[str] | None = ...,
    lines: Sequence[str] | None = ...,
    files: Sequence[str] | None = ...,
    letters: bool = ...,
    courtesy: bool = ...,
) -> Call:
    """One email with this subject was sent, to exactly these people, with these lines and files."""

def letter_reads(
    of: object,
    to: str = ...,
    subject: str | None = ...,
    body: str | None = ...,
    how: Literal['equals', 'contains'] = ...,
    blanks: bool = ...,
    files: Sequence[str] | None = ...,
) -> Call:
    """An email to someone has this text; `files` are the SHA-256 of all its attachments."""

def letters_sent(
    of: object,
    count: int,
) -> Call:
    """This many emails were sent in all, whatever they are."""

def like_book(
    of: object,
    other: object,
) -> Call:
    """How similar an e-book is to another: the shares of its text and its names are the score."""

def like_cells(
    of: object,
    other: object,
    rules: Sequence[Mapping[str, Any]],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """Some ranges of a sheet have the content of another workbook's, as loosely as the rules say."""

def like_document(
    of: object,
    other: object,
    base: float = ...,
    after: str = ...,
    least: float | None = ...,
) -> Call:
    """How similar the text of a document is to another's: the share above `base` is the score."""

def like_pdf(
    of: object,
    other: object,
    least: float | None = ...,
) -> Call:
    """How similar the text of a PDF file is to another's: the score, unless `least` is given."""

def line_count(
    of: object,
    least: int,
    most: int | None = ...,
) -> Call:
    """A text has this many lines that are not blank, or a number of them in a range."""

def line_distances(
    of: object,
    percents: Sequence[int],
) -> Call:
    """The first paragraphs of a document have this line spacing, in percent: 100 is single."""

def lines_are(
    of: object,
    lines: Sequence[str],
    ordered: bool = ...,
) -> Call:
    """A text has exactly these lines, in this order unless specified otherwise."""

def lines_match(
    of: object,
    every: Sequence[str] | None = ...,
    none: Sequence[str] | None = ...,
) -> Call:
    """Each of these patterns is found in some line of a text, and those in no line."""

def link_to(
    of: object,
    target: str,
) -> Call:
    """A symbolic link has this target, as written; a trailing slash does not matter."""

def list_is(
    of: object,
    items: Sequence[Any],
    case: bool = ...,
) -> Call:
    """What was printed is this list; case matters only with `case`."""

def list_items_are(
    of: object,
    items: Sequence[str],
    marks: Literal['bullet', 'number'] | None = ...,
) -> Call:
    """A list, not just typed, has exactly these items in order, with bullets or numbers if asked."""

def looked(
    of: object,
    questions: object,
    windows: Sequence[str] | None = ...,
    names: Sequence[str] | None = ...,
    words: Sequence[str] | None = ...,
    about: Sequence[str] | None = ...,
    screen: object = ...,
    opened: Sequence[str] | None = ...,
) -> Call:
    """The agent looked where the task cannot be done, as recorded by earlier versions."""

def mail_filters_agree(
    of: object,
    expect: Sequence[Mapping[str, str | Sequence[str]]] | None = ...,
    unexpect: Sequence[Mapping[str, str | Sequence[str]]] | None = ...,
) -> Call:
    """Thunderbird's filters, read from their file, contain each of these and none of those."""

def mail_folder_exists(
    of: object,
    folder: str,
) -> Call:
    """An account has a folder with exactly this name."""

def mail_sent(
    of: object,
    to: Sequence[str],
    cc: Sequence[str] | None = ...,
    subject: str = ...,
    says: Sequence[str] | None = ...,
    never: Sequence[str] | None = ...,
    holds: Sequence[str] | None = ...,
    attached: Mapping[str, str] | None = ...,
    lacks: Sequence[str] | None = ...,
) -> Call:
    """Exactly one email was sent, to exactly these people, and it satisfies the rest."""

def mail_to(
    of: object,
    to: Sequence[str],
    cc: Sequence[str] | None = ...,
    says: Sequence[str] | None = ...,
    never: Sequence[str] | None = ...,
    holds: Sequence[str] | None = ...,
    attached: Mapping[str, str] | None = ...,
    about: str = ...,
    brings: object = ...,
) -> Call:
    """Of all emails sent, exactly one went to exactly these people, and it satisfies the rest."""

def mailbox_holds(
    of: object,
    subjects: Sequence[str],
    texts: Mapping[str, str] | None = ...,
    files: Mapping[str, Sequence[str]] | None = ...,
) -> Call:
    """A folder has emails with exactly these subjects, in any order, whatever their flags."""

def mean_colour(
    of: object,
    colour: str,
    within: float = ...,
) -> Call:
    """The colours of a picture (or of the examined part) are, on average, close to this one."""

def mean_of(
    of: Sequence[Call],
) -> Call:
    """Partial credit as in OSWorld: the mean of the checks' scores, or 0 if any of them is 0."""

def message_in(
    of: object,
    subject: str,
    sender: str = ...,
    times: int = ...,
) -> Call:
    """A folder has exactly this many emails with this subject (and sender), whatever their flags."""

def messages_marked(
    of: object,
    mark: Literal['read', 'starred', 'answered', 'draft', 'forwarded'],
    subjects: Sequence[str],
) -> Call:
    """Of all emails in a folder, exactly those with these subjects have a flag."""

def miniwob_solved(
    of: object,
) -> Call:
    """The page has ended its problem with a raw reward above 0, however long it took."""

def mode_is(
    of: object,
    mode: str,
) -> Call:
    """A file has exactly these permissions, such as `640`."""

def no_capitals(
    of: object,
) -> Call:
    """No text in a document, tables included, is in capitals."""

def no_cell_errors(
    of: object,
) -> Call:
    """No cell of a spreadsheet shows an error such as #DIV/0!."""

def no_event(
    of: object,
    summary: str,
    start: str = ...,
) -> Call:
    """A calendar has no event with this title (at this time)."""

def no_mail_lost(
    of: object,
) -> Call:
    """Every email that a world began with is still there, and not in the trash (`see.lost_mail`)."""

def no_message(
    of: object,
    subject: str,
    sender: str = ...,
) -> Call:
    """A folder has no email with this subject (and sender)."""

def no_site_record(
    of: object,
) -> Call:
    """A site received no form of the kind at all."""

def no_tracked_changes(
    of: object,
) -> Call:
    """There are no tracked changes left to accept or reject."""

def none_of(
    of: Sequence[Call],
    feedback: str,
) -> Call:
    """None of the checks holds; a check that could not see what it judges does not count as failed."""

def not_kept_elsewhere(
    of: object,
) -> Call:
    """The former content of some files is nowhere else, not even hidden (of `see.copies`)."""

def not_linked(
    of: object,
) -> Call:
    """A file is a file of its own (of `see.digest`): not a hard link to another."""

def note_exists(
    of: object,
    title: str,
) -> Call:
    """There is exactly one note with this title, which in Zim is its path, like `Recipes:Soup`."""

def note_has(
    of: object,
    title: str,
    lines: Sequence[str],
) -> Call:
    """A note has each of these lines once, whatever else it has or bullets precede them."""

def note_in_notebook(
    of: object,
    title: str,
    notebook: str,
) -> Call:
    """A note is in this notebook; an empty name means none."""

def note_is(
    of: object,
    title: str,
    text: str,
) -> Call:
    """A note has exactly this text."""

def note_lacks(
    of: object,
    title: str,
    phrases: Sequence[str],
) -> Call:
    """A note contains none of these, whatever the case."""

def note_lines_are(
    of: object,
    title: str,
    lines: Sequence[str],
    ordered: bool = ...,
) -> Call:
    """A note has exactly these lines, in any order unless specified, whatever bullets precede them."""

def note_missing(
    of: object,
    title: str,
) -> Call:
    """There is no note with this title."""

def notes_are(
    of: object,
    titles: Sequence[str],
) -> Call:
    """There are notes with exactly these titles, whatever the case."""

def notes_have(
    of: object,
    number: int,
    text: str,
) -> Call:
    """The speaker's notes of a slide contain this."""

def nothing_changed(
    of: object,
) -> Call:
    """None of the user's files was created, changed or deleted (of `see.changes`)."""

def nothing_highlighted(
    of: object,
) -> Call:
    """Nothing in a document is highlighted."""

def nothing_sent(
    of: object,
) -> Call:
    """No email was sent."""

def nothing_there(
    of: object,
) -> Call:
    """There is nothing at a path, or no longer."""

def now_playing(
    of: object,
    file: str,
    state: Literal['playing', 'paused'] = ...,
) -> Call:
    """A player is playing this file, or has paused it."""

def number_format(
    of: object,
    cells: str,
    sheet: str | None = ...,
    kind: Literal['general', 'number', 'currency', 'percentage', 'date', 'time', 'text'] | None = ...,
    decimals: int | None = ...,
    symbol: str | None = ...,
    code: str | None = ...,
    grouping: bool | None = ...,
) -> Call:
    """Every filled cell is shown in this format, as far as given; `code` is like `yyyy-mm-dd`."""

def one_item(
    of: object,
    item: Any = ...,
    pieces: Sequence[str] | None = ...,
) -> Call:
    """One item of a printed list, or else one line, is this, or contains all of these pieces."""

def only_mail_to(
    of: object,
    people: Sequence[str],
) -> Call:
    """No email was sent to anybody but these people."""

def open_pages_are(
    of: object,
    urls: Sequence[str],
) -> Call:
    """The tabs show exactly these pages, in any order."""

def open_pages_include(
    of: object,
    urls: Sequence[str],
) -> Call:
    """Tabs show these pages, among others."""

def operated(
    of: object,
    steps: Sequence[Mapping[str, Any]],
    programs: Sequence[str] | None = ...,
) -> Call:
    """These operations were made in this order, in one of these programs; others may come between."""

def other_events_unchanged(
    of: object,
    before: Sequence[Mapping[str, Any]],
    changed: Sequence[str],
) -> Call:
    """Every event is there as it was, and no new one is, but for those with `changed` titles."""

def output_above(
    of: object,
    number: float,
) -> Call:
    """What was printed is a number greater than this one."""

def output_among(
    of: object,
    texts: Sequence[str],
) -> Call:
    """What was printed is exactly one of these; a line break at the end does not matter."""

def output_has(
    of: object,
    entries: Mapping[str, Any],
    within: bool = ...,
) -> Call:
    """What was printed is a JSON object with these entries; `within`, texts contain the given ones."""

def output_is(
    of: object,
    text: str,
    strip: bool = ...,
) -> Call:
    """What was printed, or is in a file, is exactly this."""

def output_items(
    of: object,
    items: Sequence[str],
) -> Call:
    """What was printed is a list with exactly these items, in any order."""

def page_asks(
    of: object,
    values: Mapping[str, str],
) -> Call:
    """The front page's address has these values in its query string (of `see.page_address`)."""

def page_breaks(
    of: object,
    count: int | None = ...,
) -> Call:
    """A document has this many paragraphs that begin a page, or at least one."""

def page_in_front(
    of: object,
    url: str,
) -> Call:
    """The front page is this one, ignoring `http`, `https`, `www.` and a trailing slash."""

def page_margins(
    of: object,
    margins_mm: Mapping[Literal['top', 'bottom', 'left', 'right'], float],
) -> Call:
    """The named margins have these widths on every page, within a millimetre, without headers."""

def page_orientation(
    of: object,
    orientation: Literal['portrait', 'landscape'],
) -> Call:
    """Every page has this orientation: wider than high is landscape, whatever the paper."""

def page_requested(
    of: object,
    path: str,
    at_most: int | None = ...,
) -> Call:
    """Someone visited a page of a site, at most this often; a query after `?` counts only if given."""

def page_size(
    of: object,
    width_mm: float,
    height_mm: float,
    within_mm: float = ...,
) -> Call:
    """Every page has this size."""

def pages_numbered(
    of: object,
) -> Call:
    """The footer of every section of a document has a number, or a page number field."""

def panes_frozen(
    of: object,
    rows: int = ...,
    columns: int = ...,
    sheet: str | None = ...,
) -> Call:
    """Exactly this many rows at the top and columns at the left are frozen."""

def paragraph_aligned(
    of: object,
    text: str,
    align: Literal['left', 'right', 'center', 'justify'],
) -> Call:
    """A paragraph has this alignment."""

def paragraph_style(
    of: object,
    text: str,
    style: str,
) -> Call:
    """A paragraph has this style, by its name, whatever the case and its look."""

def paragraphs_struck(
    of: object,
    slides: Sequence[int],
    shapes: Sequence[int],
    paragraphs: Sequence[int],
) -> Call:
    """These paragraphs of these shapes on these slides, counted from 1, are struck through."""

def pdf_has_text(
    of: object,
    texts: Sequence[str],
    page: int | None = ...,
) -> Call:
    """A PDF file, or one page of it, contains all of these, ignoring blanks and line breaks."""

def pdf_holds(
    of: object,
    other: object,
) -> Call:
    """A PDF file contains every key and every value of the object in a JSON file."""

def pdf_lacks_text(
    of: object,
    texts: Sequence[str],
) -> Call:
    """A PDF file contains none of these on any page."""

def pdf_length(
    of: object,
    least: int = ...,
    most: int | None = ...,
) -> Call:
    """A PDF file has a number of pages in a range, both ends included."""

def pdf_lines_are(
    of: object,
    lines: Sequence[str],
) -> Call:
    """A PDF file has exactly these lines in this order."""

def pdf_pages(
    of: object,
    count: int,
) -> Call:
    """A PDF file has this many pages."""

def pdf_reaches_down(
    of: object,
    most: float,
) -> Call:
    """No page of a PDF file has more points than this below its last word (`see.pdf_margins`)."""

def person_heard(
    of: object,
    person: Mapping[str, Any],
    about: str = ...,
    stage: Literal['answers', 'asks_back', 'lost'] = ...,
    at_least: int = ...,
) -> Call:
    """Somebody was asked so often for what they know, by what was said in a chat or sent by email."""

def picture_adjusted(
    of: object,
    original: object,
    brightness: Literal['more', 'less', 'same'] | None = ...,
    saturation: Literal['more', 'less', 'same'] | None = ...,
) -> Call:
    """A picture shows the same, but is noticeably brighter, darker, more or less colourful."""

def picture_changed(
    of: object,
    original: object,
) -> Call:
    """A picture differs, in some pixel, from what another one was."""

def picture_contrast(
    of: object,
    original: object,
    direction: Literal['more', 'less'] = ...,
) -> Call:
    """A picture shows the same, but with more contrast, or less."""

def picture_fills_slide(
    of: object,
    number: int = ...,
    within_mm: float = ...,
) -> Call:
    """A picture on a slide, by its number, extends to all its edges, or nearly."""

def picture_format(
    of: object,
    format: Literal['PNG', 'JPEG', 'WEBP', 'BMP', 'GIF', 'TIFF'],
) -> Call:
    """A picture really is of this format, whatever its name ends with."""

def picture_framed(
    of: object,
    to: object,
    least: int,
) -> Call:
    """A picture shows all of another, with this many pixels of something else above and below it."""

def picture_grey(
    of: object,
    original: object,
) -> Call:
    """A picture is another one without its colours, however the grey was mixed."""

def picture_like(
    of: object,
    to: object,
    same_size: bool = ...,
) -> Call:
    """A picture shows the same as another."""

def picture_marked(
    of: object,
    colour: str,
    mark: str = ...,
    corner: Literal['upper left', 'upper right', 'lower left', 'lower right'] = ...,
) -> Call:
    """A picture has one colour except for a square in a corner, a quarter of its shorter side wide."""

def picture_of_screen(
    of: object,
    screen: object,
) -> Call:
    """A picture mostly shows what the screen or a window shows."""

def picture_on_slide(
    of: object,
    number: int,
    picture: object,
) -> Call:
    """A slide shows a picture; its size and position do not matter."""

def picture_palette(
    of: object,
) -> Call:
    """A picture uses a colour palette (of `measured_picture`)."""

def picture_sharper(
    of: object,
    original: object,
) -> Call:
    """A picture is sharper than another one (both of `measured_picture`)."""

def picture_size(
    of: object,
    width: int | None = ...,
    height: int | None = ...,
    within: int = ...,
) -> Call:
    """A picture has this width and height in pixels, give or take `within`, as far as given."""

def picture_transparent(
    of: object,
    least: float = ...,
    most: float = ...,
) -> Call:
    """This much of a picture, as a share of its area, is transparent."""

def picture_turned(
    of: object,
    original: object,
    turn: Literal['left', 'right', 'half', 'mirrored', 'upside down'],
    same_size: bool = ...,
) -> Call:
    """A picture is another one rotated or mirrored like this; ignores format and compression."""

def picture_unchanged(
    of: object,
    original: object,
) -> Call:
    """A picture is, pixel for pixel, what another one was; ignores format and metadata."""

def pictures_placed(
    of: object,
    other: object,
) -> Call:
    """A document has its pictures after the same paragraphs as another one."""

def player_setting(
    of: object,
    values: Mapping[str, str],
    missing: Mapping[str, str] | None = ...,
) -> Call:
    """A player's settings have these values; `missing` is the value of a setting that is not saved."""

def player_setting_made(
    of: object,
    name: str,
    made: bool = ...,
) -> Call:
    """A player's setting has a value, or has none."""

def playing_address(
    of: object,
    address: str,
) -> Call:
    """A player is playing what is at an address, or a part of a list there."""

def playing_file_named(
    of: object,
    name: str,
) -> Call:
    """A player is playing a file of this name, wherever it is."""

def playlist_is(
    of: object,
    files: Sequence[str],
    in_order: bool = ...,
) -> Call:
    """A playlist names exactly these files, relative to the home folder; titles do not matter."""

def prefs_agree(
    of: object,
    expect: Mapping[str, Mapping[str, Any]] | None = ...,
    unexpect: Mapping[str, Mapping[str, Any]] | None = ...,
) -> Call:
    """The settings in a Mozilla `prefs.js` satisfy rules, and others do not."""

def pressed(
    of: object,
    keys: str,
) -> Call:
    """Keys were pressed together, such as `ctrl+s`, whatever the spelling."""

def printed_rows_agree(
    of: object,
    expect: Sequence[Mapping[str, str]] | None = ...,
    unexpect: Sequence[Mapping[str, str]] | None = ...,
) -> Call:
    """A printed table of separated values has a row with these entries each, and none with those."""

def process_gone(
    of: object,
    name: str,
    argument: str | None = ...,
) -> Call:
    """No program of this name is running, or none with this somewhere in its command line."""

def process_running(
    of: object,
    name: str,
    argument: str | None = ...,
    early: bool = ...,
) -> Call:
    """A program of this name is running, not stopped or slowed down, with this in its command line."""

def query_finds(
    of: object,
    rows: Sequence[Sequence[str | int | float | None]],
    ordered: bool = ...,
) -> Call:
    """A query finds exactly these rows."""

def query_holds(
    of: object,
) -> Call:
    """The first value of a query's result is a number other than 0."""

def records_once(
    of: object,
    before: object,
    wanted: object | None = ...,
    key: int = ...,
    separator: str = ...,
) -> Call:
    """Of the lines of a document with the same field, such as a number, one each is left, unchanged."""

def replied_to(
    of: object,
    id: str,
    to: Sequence[str],
    says: Sequence[str] | None = ...,
    never: Sequence[str] | None = ...,
    accepts: Sequence[str] | None = ...,
    counts: Mapping[str, int] | None = ...,
) -> Call:
    """Exactly one letter was sent in reply to the one with this Message-ID, to exactly these people."""

def repository_clean(
    of: object,
) -> Call:
    """Nothing is changed, staged or new since the last commit; ignored files do not count."""

def repository_status(
    of: object,
    paths: Sequence[str],
) -> Call:
    """Exactly these files are changed, staged or new since the last commit."""

def returns(
    of: object,
    values: Sequence[Any],
    tolerance: float = ...,
) -> Call:
    """A function returns these values for its cases, in order; numbers may differ by the tolerance."""

def row_count(
    of: object,
    table: str,
    count: int,
) -> Call:
    """A table has this many rows."""

def row_exists(
    of: object,
    table: str,
    values: Mapping[str, str | int | float | None],
    times: int = ...,
) -> Call:
    """A table has exactly this many rows with these values in these columns."""

def row_missing(
    of: object,
    table: str,
    values: Mapping[str, str | int | float | None],
) -> Call:
    """A table has no row with these values in these columns."""

def rows_agree(
    of: object,
    expect: Sequence[Mapping[str, str]] | None = ...,
    unexpect: Sequence[Mapping[str, str]] | None = ...,
) -> Call:
    """A table with a header has a row with these entries each, and none with those."""

def rows_sorted(
    of: object,
    by: Sequence[Mapping[str, Any]],
    before: object = ...,
    sheet: str | None = ...,
) -> Call:
    """The rows under the header are sorted by these columns; texts ignoring case."""

def runs_formatted(
    of: object,
    look: Literal['bold', 'italic', 'underline', 'strike'],
    words: Sequence[str],
    headings: bool = ...,
) -> Call:
    """Exactly these words have this look; blanks and punctuation do not matter."""

def same_archive(
    of: object,
    other: object,
    names_only: bool = ...,
    besides: Sequence[str] | None = ...,
) -> Call:
    """An archive has the files of another, byte for byte, or `names_only`; folders do not count."""

def same_cells(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
    precision: int = ...,
) -> Call:
    """A sheet has the content of another: texts exactly, numbers rounded to `precision`."""

def same_charts(
    of: object,
    other: object,
    parts: Sequence[Literal['type', 'title', 'xtitle', 'ytitle', 'direction', 'legend', 'width', 'height', 'anchor']] | None = ...,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """A sheet has charts of the same series as another one, and these parts of them are the same."""

def same_content(
    of: object,
    other: object,
) -> Call:
    """Two files are equal byte for byte (of `see.digest`), and neither is a hard link to the other."""

def same_digests(
    of: object,
    other: object,
) -> Call:
    """Two folders have files with the same content, whatever their names (of `see.folder_digests`)."""

def same_drawn_pages(
    of: object,
    other: object,
) -> Call:
    """The pages of a PDF file look like those of another, one by one."""

def same_equations(
    of: object,
    other: object,
) -> Call:
    """A document has as many equations as another, and the same ones where both can be read."""

def same_filters(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """A sheet has filter buttons where that of another workbook has them."""

def same_highlights(
    of: object,
    other: object,
) -> Call:
    """The same pieces of text are highlighted in two documents."""

def same_html(
    of: object,
    other: object,
) -> Call:
    """Two web pages have the same elements with the same attributes and texts, ignoring blanks."""

def same_layout(
    of: object,
    other: object,
) -> Call:
    """A document has the paragraphs of another with the same layout, and pictures of the same sizes."""

def same_letters(
    of: object,
    other: object,
    blanks: bool = ...,
    case: bool = ...,
) -> Call:
    """Two texts are equal, character by character; blanks count only with `blanks`, case with `case`."""

def same_letters_kept(
    of: object,
    other: object,
    struck: bool = ...,
    twice: bool = ...,
) -> Call:
    """A folder of a mail program has the emails of another; deleted ones count with `struck`."""

def same_line_spacing(
    of: object,
    other: object,
) -> Call:
    """A document has the paragraphs of another, each with the same line spacing."""

def same_lines(
    of: object,
    other: object,
    case: bool = ...,
    strict: bool = ...,
) -> Call:
    """Two texts have the same lines in the same order; blanks at their ends count only if `strict`."""

def same_panes(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """A sheet has as many frozen rows and columns as that of another workbook."""

def same_paragraphs(
    of: object,
    other: object,
    blanks: bool = ...,
    empty: bool = ...,
    case: bool = ...,
    ordered: bool = ...,
    once: bool = ...,
) -> Call:
    """A document has exactly the paragraphs of another."""

def same_picture_folder(
    of: object,
    other: object,
    same_size: bool = ...,
) -> Call:
    """A folder has pictures of the same names as another one, each like its counterpart."""

def same_pictures(
    of: object,
    other: object,
) -> Call:
    """The pictures in a document are those in another, in the same order, byte for byte."""

def same_pivots(
    of: object,
    other: object,
    parts: Sequence[Literal['name', 'source', 'rows', 'columns', 'pages', 'left_out', 'data']],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """A sheet has pivot tables that agree in these parts with those of another sheet, in any order."""

def same_result(
    of: object,
    other: object,
    anywhere: bool = ...,
) -> Call:
    """A text is the same result as another: the same number, or the same text."""

def same_sections(
    of: object,
    other: object,
) -> Call:
    """A settings file has the sections of another with the same keys and values, in any order."""

def same_sheet_names(
    of: object,
    other: object,
) -> Call:
    """A workbook has the sheets of another by name, in its order."""

def same_shown(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The cells of a sheet display the same, as printed, as those of another sheet."""

def same_sizes(
    of: object,
    other: object,
    way: Literal['rows', 'columns'],
    parts: Sequence[Literal['hidden', 'collapsed', 'outline_level', 'height', 'width']],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The rows, or columns, of a sheet are hidden, grouped and sized like those of another."""

def same_slides(
    of: object,
    other: object,
    compared: Mapping[str, Any] | None = ...,
) -> Call:
    """A presentation equals another in all that is compared: shapes, paragraphs, text, notes."""

def same_sparklines(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The same cells of two sheets have sparklines of the same ranges."""

def same_styles(
    of: object,
    other: object,
    parts: Sequence[Literal['number_format', 'font_name', 'font_family', 'font_color', 'font_bold', 'font_italic', 'font_underline', 'font_size', 'fill_type', 'bgcolor', 'fgcolor', 'hyperlink', 'horizontal', 'vertical']],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The cells of a sheet look like those of another in these parts, conditional formats included."""

def same_subscripts(
    of: object,
    other: object,
    any_count: bool = ...,
) -> Call:
    """The same characters of a document are subscript as in another, and there are some."""

def same_tables(
    of: object,
    other: object,
) -> Call:
    """The tables of a document have the content of those of another, cell by cell."""

def same_tabstops(
    of: object,
    other: object,
    words: int | None = ...,
    part: int = ...,
) -> Call:
    """Paragraphs have tab stops where those of another document do; the closeness is the score."""

def same_text(
    of: object,
    other: object,
    exactly: bool = ...,
) -> Call:
    """Two texts are equal; ignores, unless they are to be so `exactly`, what `text_is` ignores."""

def same_without_blanks(
    of: object,
    other: object,
) -> Call:
    """Two texts are equal but for blanks and line breaks."""

def says_something(
    of: object,
) -> Call:
    """A text is not empty, or something was printed."""

def script_is(
    of: object,
    lines: Sequence[str],
) -> Call:
    """A script has exactly these lines, with quotes, dashes, blanks and line endings for a shell."""

def setting_between(
    of: object,
    least: float,
    most: float,
) -> Call:
    """A setting of the desktop is a number in a range, both ends included."""

def setting_is(
    of: object,
    value: str | int | float | bool | Sequence[str | int | float | bool],
) -> Call:
    """A setting of the desktop has this value, however numbers and truth values are written."""

def shape_in_middle(
    of: object,
    within: float = ...,
) -> Call:
    """The second most frequent colour is in the middle (of `measured_picture`)."""

def shape_nearer(
    of: object,
    other: object,
    edge: Literal['top', 'bottom', 'right'],
    line_mm: float,
    number: int | None = ...,
    kind: Literal['picture', 'table', 'text', 'no text'] = ...,
    says: str = ...,
) -> Call:
    """Shapes are nearer to an edge than in another presentation, past a line; others have not moved."""

def sheet_adds_up(
    of: object,
    header: str,
    count: int | None = ...,
    sheet: str | None = ...,
) -> Call:
    """A visible formula under a heading adds up all numbers there, of which there are so many."""

def sheet_exists(
    of: object,
    name: str,
) -> Call:
    """A spreadsheet has a sheet of this name, exactly."""

def sheet_order(
    of: object,
    names: Sequence[str],
) -> Call:
    """A spreadsheet has exactly these sheets in this order."""

def sheet_row(
    of: object,
    values: Sequence[str | float],
    sheet: str | None = ...,
    times: int = ...,
) -> Call:
    """A sheet has exactly this many rows that visibly hold these values, each in its own cell."""

def sheet_unchanged(
    of: object,
    before: object,
    sheet: str | None = ...,
    apart_from: Sequence[str] | None = ...,
    renamed: str | None = ...,
) -> Call:
    """A sheet is unchanged, every value and formula, apart from some ranges."""

def site_record(
    of: object,
    fields: Mapping[str, str],
    account: str | None = ...,
    among: Mapping[str, str] | None = ...,
) -> Call:
    """A site received exactly one form of the kind, with these fields, from this account."""

def site_record_among(
    of: object,
    fields: Mapping[str, str],
) -> Call:
    """What a site received of the kind includes at least one form with these fields."""

def site_records_are(
    of: object,
    records: Sequence[Mapping[str, str]],
    account: str | None = ...,
) -> Call:
    """A site received exactly these forms, in any order; ignores what `site_record` does."""

def size_between(
    of: object,
    least: int,
    most: int,
) -> Call:
    """A file has a number of bytes in a range, both ends included."""

def slide_background(
    of: object,
    number: int,
    colour: str,
    within: int = ...,
) -> Call:
    """A slide has a plain background of this colour, each of red, green and blue within a tolerance."""

def slide_comes_in(
    of: object,
    number: int,
    by: str,
) -> Call:
    """A slide has this transition, as its format calls it."""

def slide_count(
    of: object,
    count: int,
) -> Call:
    """A presentation has this many slides."""

def slide_layout(
    of: object,
    number: int,
    layout: str,
) -> Call:
    """A slide has this layout: `blank`, `title only`, `title slide`, `title and content`..."""

def slide_notes_are(
    of: object,
    number: int,
    notes: str,
) -> Call:
    """The speaker's notes of a slide are these; line breaks count as blanks."""

def slide_numbers_coloured(
    of: object,
    colour: Literal['red', 'green', 'blue', 'black'],
) -> Call:
    """The number of every slide has a colour, on the slide itself or by its layout."""

def slide_text_has(
    of: object,
    number: int,
    texts: Sequence[str],
) -> Call:
    """All of these texts are on a slide, in its title, a bullet point or a shape."""

def slide_text_lacks(
    of: object,
    number: int,
    texts: Sequence[str],
) -> Call:
    """None of these texts is on a slide, which must exist."""

def slide_title(
    of: object,
    number: int,
    title: str,
) -> Call:
    """A slide has this title."""

def slide_titles_are(
    of: object,
    titles: Sequence[str],
) -> Call:
    """The titles of the slides are these, in this order; other content does not matter."""

def slide_transition(
    of: object,
    number: int,
    has: bool = ...,
) -> Call:
    """A slide has a transition of any kind, or none."""

def slides_are(
    of: object,
    slides: Sequence[Mapping[str, Any]],
) -> Call:
    """The slides have exactly this content in this order, whatever their look: titles, points, notes."""

def slides_format(
    of: object,
    format: Literal['odp', 'pptx'],
) -> Call:
    """A presentation is saved in this format, whatever its name ends in."""

def slides_hidden(
    of: object,
    numbers: Sequence[int],
) -> Call:
    """Exactly these slides are hidden."""

def slides_upright(
    of: object,
) -> Call:
    """The slides of a presentation are in portrait format."""

def song_ratings(
    of: object,
    stars: Mapping[str, int],
) -> Call:
    """Exactly these songs have ratings, and these; relative names start at the home folder."""

def sound_channels(
    of: object,
    channels: int,
) -> Call:
    """A recording has this many channels: 1 is mono, 2 is stereo."""

def sound_duration(
    of: object,
    seconds: float,
    within: float = ...,
) -> Call:
    """A recording plays this long, give or take `within` seconds."""

def sound_format(
    of: object,
    format: str,
) -> Call:
    """A recording really is of this format (wav, flac, ogg, mp3), whatever its name ends with."""

def sound_heard_between(
    of: object,
    start: float,
    end: float,
) -> Call:
    """Something can be heard between one second and another."""

def sound_is_stretch(
    of: object,
    original: object,
    start: float,
    end: float | None = ...,
) -> Call:
    """A recording is another one between two seconds: the same tones, as long, loud and fine."""

def sound_like(
    of: object,
    to: object,
) -> Call:
    """A recording sounds like another from beginning to end; ignores format and loudness."""

def sound_louder(
    of: object,
    original: object,
    decibels: float = ...,
) -> Call:
    """A recording is louder than another by at least this much, or quieter if it is negative."""

def sound_notes(
    of: object,
    hertz: Sequence[float],
    within: float = ...,
) -> Call:
    """A recording has exactly these tones in order, whatever their length, loudness and pauses."""

def sound_silent_between(
    of: object,
    start: float,
    end: float,
) -> Call:
    """Nothing can be heard from one second to another, except in the first and last 0.1 s."""

def sound_tags(
    of: object,
    tags: Mapping[str, str],
) -> Call:
    """A recording has these tags, whatever other tags, case of names and blanks around values."""

def sound_throughout(
    of: object,
    original: object,
) -> Call:
    """A recording is heard throughout, save short pauses, as loud and fine as another, never louder."""

def sound_unchanged(
    of: object,
    original: object,
) -> Call:
    """A recording sounds as another did; ignores tags and format."""

def spreadsheet_format(
    of: object,
    format: Literal['ods', 'xlsx', 'csv'],
) -> Call:
    """A file really is of this format, whatever its name ends in."""

def tab_open(
    of: object,
    url: str,
) -> Call:
    """A tab shows this page."""

def table_exists(
    of: object,
    table: str,
) -> Call:
    """A database has a table of this name, whatever the case."""

def table_is(
    of: object,
    rows: Sequence[Sequence[bool | int | float | str | None]],
    sheet: str | None = ...,
    ordered: bool = ...,
    tolerance: float = ...,
    case: bool = ...,
) -> Call:
    """A sheet visibly has these rows from A1 on, and nothing else."""

def table_rows_are(
    of: object,
    table: str,
    rows: Sequence[Sequence[str | int | float | None]],
    ordered: bool = ...,
) -> Call:
    """A table has exactly these rows, each as often as given; their order matters only if required."""

def tables_are(
    of: object,
    tables: Mapping[str, Sequence[Sequence[str | int | float | None]]],
    columns: Mapping[str, Sequence[str]] | None = ...,
    numbers_as_texts: bool = ...,
    as_declared: bool = ...,
) -> Call:
    """A database has exactly these tables with these rows, in any order, under these columns."""

def tabs_are(
    of: object,
    urls: Sequence[str],
) -> Call:
    """The tabs show exactly these pages, in any order; ignores empty new tabs."""

def tag_exists(
    of: object,
    tag: str,
) -> Call:
    """A repository has this tag."""

def tags_agree(
    of: object,
    rules: Mapping[str, Mapping[str, Any]],
) -> Call:
    """The tags of a recording satisfy rules."""

def terminal_shows(
    of: object,
    phrases: Sequence[str],
) -> Call:
    """The frontmost terminal shows every one of these phrases."""

def text_has(
    of: object,
    phrases: Sequence[str],
    case: bool = ...,
) -> Call:
    """A text contains every one of these phrases."""

def text_in_controls(
    of: object,
    text: str,
    role: str | None = ...,
) -> Call:
    """A control that is showing has this in its name or text, ignoring case (of `see.controls`)."""

def text_includes(
    of: object,
    every: Sequence[str] | None = ...,
    none: Sequence[str] | None = ...,
) -> Call:
    """A text contains exactly each of these pieces and none of those."""

def text_is(
    of: object,
    text: str,
    exactly: bool = ...,
) -> Call:
    """A text is this one, line by line."""

def text_lacks(
    of: object,
    phrases: Sequence[str],
    case: bool = ...,
) -> Call:
    """A text has none of these phrases; blanks, line breaks and the kind of quotes do not matter."""

def text_like(
    of: object,
    other: object,
) -> Call:
    """How much of two texts is the same, line by line; the share is the score."""

def text_matches(
    of: object,
    pattern: str,
) -> Call:
    """A regular expression is found in a text; `^` and `$` stand for the ends of lines."""

def text_near(
    of: object,
    text: str,
) -> Call:
    """How similar a text is to another, character by character; the share is the score."""

def text_number(
    of: object,
    value: float,
    tolerance: float = ...,
    alone: bool = ...,
) -> Call:
    """The only number in a text is this one."""

def text_on_screen(
    of: object,
    text: str,
) -> Call:
    """A text can be read on the screen (of `see.screen_text`)."""

def text_shown(
    of: object,
    screen: object,
    text: str,
) -> Call:
    """A text is in a control (of `see.controls`) or can be read on the screen."""

def text_under_cursor(
    of: object,
    text: str,
) -> Call:
    """The element under the pointer has this in its name or text, ignoring case."""

def todo_done(
    of: object,
    titles: Sequence[str],
) -> Call:
    """Exactly these tasks are done."""

def todo_due(
    of: object,
    title: str,
    due: str | None,
    tags: Sequence[str] | None = ...,
) -> Call:
    """The task with this title (and these tags) is due on this day, or on none."""

def todo_exists(
    of: object,
    title: str,
    due: str | None = ...,
    tags: Sequence[str] | None = ...,
    status: Literal['Active', 'Done', 'Dismiss'] = ...,
) -> Call:
    """There is exactly one task with this title and status, and this due date and tags if given."""

def todo_text_is(
    of: object,
    title: str,
    text: str,
) -> Call:
    """The one task of this title has this text, whatever empty lines and blanks around lines."""

def todos_are(
    of: object,
    tasks: Sequence[Mapping[str, Any]],
) -> Call:
    """The list has exactly these tasks with their status, due date and tags."""

def transaction_count(
    of: object,
    count: int,
) -> Call:
    """The book has this many transactions."""

def transaction_exists(
    of: object,
    transaction: Mapping[str, Any],
    times: int = ...,
) -> Call:
    """The book has this transaction exactly this many times."""

def transactions_are(
    of: object,
    transactions: Sequence[Mapping[str, Any]],
) -> Call:
    """The book has exactly these transactions, in any order."""

def typed(
    of: object,
    text: str,
) -> Call:
    """A text was typed, in one go or in several consecutive ones."""

def unchanged(
    of: object,
) -> Call:
    """A file is, byte for byte, what it was when the task began (of `see.digest`)."""

def was_shown(
    of: object,
    questions: object,
    at: Sequence[Sequence[str]] | None = ...,
    windows: Sequence[Sequence[str]] | None = ...,
    searched: Sequence[Sequence[str]] | None = ...,
    about: Sequence[str] | None = ...,
) -> Call:
    """The agent was shown the evidence that the task cannot be done before it said so."""

def web_bookmarks_are(
    of: object,
    pages: Mapping[str, Sequence[str]],
    titles: Mapping[str, str] | None = ...,
) -> Call:
    """The bookmarks are exactly these addresses by folder, in any order."""

def weighed(
    of: Sequence[Call],
    weights: Sequence[float],
) -> Call:
    """Partial credit: each check contributes its weight's share of the score."""

def window_active(
    of: object,
    title: str,
    app: str | None = ...,
) -> Call:
    """The window that has the focus has this in its title; `/.../` is a regular expression."""

def window_closed(
    of: object,
    title: str,
    app: str | None = ...,
) -> Call:
    """No window with this in its title is open; `/.../` is a regular expression."""

def window_fills_screen(
    of: object,
    screen: object,
    app: str,
) -> Call:
    """A window of an application is as large as the screen (of `screen_size`) and not minimised."""

def window_minimised(
    of: object,
    title: str,
    minimised: bool = ...,
) -> Call:
    """Every window with this in its title is minimised, or none is."""

def window_open(
    of: object,
    title: str,
    app: str | None = ...,
) -> Call:
    """A window with this in its title is open, minimised or not; `/.../` is a regular expression."""

def words_coloured(
    of: object,
    colours: Mapping[str, str],
    others: str,
) -> Call:
    """Words in a document's tables have colours by their first letters, all `others` one colour."""

def words_near(
    of: object,
    words: Sequence[str],
    count: int = ...,
) -> Call:
    """A document has this many words, each similar to one of these; the mean similarity is the score."""

def world_clock_has(
    of: object,
    city: str,
    station: str = ...,
) -> Call:
    """There is a clock for this city, whatever others there are."""

def world_clocks_are(
    of: object,
    cities: Mapping[str, str],
) -> Call:
    """The clocks show the time of exactly these cities, in any order."""

def xml_value(
    of: object,
    at: str,
    value: str | int | float | bool,
) -> Call:
    """An element or attribute of an XML file has this text."""

def zoom_agrees(
    of: object,
    rule: Mapping[str, Any],
    sheet: int | str = ...,
) -> Call:
    """The zoom of a sheet, in percent, satisfies a rule."""
