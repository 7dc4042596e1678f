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
    """The book has the accounts it had, which began with as much, and the payees and categories."""

def addresses_lack(
    of: object,
    words: Sequence[str],
) -> Call:
    """The browser remembers no address with one of these words in it."""

def alarm_set(
    of: object,
    name: str,
    time: str,
) -> Call:
    """There is exactly one alarm of this name; it is on, and rings once at a time like `07:45`."""

def all_of(
    of: Sequence[Call],
) -> Call:
    """Every one of the checks holds; no credit for some of them."""

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
    """The answer is this text; ignores case, the amount of blanks and punctuation at its ends."""

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
    """An archive is of this format, whatever its name: `zip`, `tar`, `tar.gz`, `tar.bz2`, `tar.xz`."""

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
    """An archive has no member of these names, in whatever folder."""

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
    """The user was asked no more than this many questions."""

def balance_is(
    of: object,
    account: str,
    amount: float,
) -> Call:
    """An account has this balance, all its transactions counted."""

def begins_like(
    of: object,
    other: object,
) -> Call:
    """A document begins with the paragraphs of another, to the letter."""

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
    """A folder on the bookmarks bar holds one address of each of these groups, and no other."""

def bookmark_missing(
    of: object,
    url: str,
) -> Call:
    """A page is not bookmarked, or not any more."""

def bookmark_titled(
    of: object,
    page: int,
    title: str,
) -> Call:
    """The bookmark on a page has this title, whatever the case."""

def bookmarks_are(
    of: object,
    pages: Sequence[int],
) -> Call:
    """A document has bookmarks on exactly these pages, however they are titled."""

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
    """A repository is on this branch, and has it: there are commits on it."""

def branch_merged(
    of: object,
) -> Call:
    """A branch as it was is part of what the repository is on now (of `see.merged`)."""

def branch_unmoved(
    of: object,
) -> Call:
    """A branch is still at the commit where it was when the task began (of `see.branch_place`)."""

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
    """What a cell holds is as a rule says."""

def cell_follows(
    of: object,
    cell: str,
    values: Sequence[bool | int | float | str | None],
    sheet: str | None = ...,
    tolerance: float = ...,
    now: bool | int | float | str | None = ...,
) -> Call:
    """A cell is computed, and comes to the right value in each trial of `see.recalculated`."""

def cell_formula(
    of: object,
    cell: str,
    formulas: Sequence[str],
    sheet: str | None = ...,
) -> Call:
    """A cell has one of these formulas, whatever case, blanks, `$` and form of references."""

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
    """A cell is right and computed: its formula leads to every cell in these ranges."""

def cell_looks(
    of: object,
    cell: str,
    rules: Mapping[Literal['number_format', 'font_name', 'font_family', 'font_color', 'font_bold', 'font_italic', 'font_underline', 'font_size', 'fill_type', 'bgcolor', 'fgcolor', 'hyperlink', 'horizontal', 'vertical'], Mapping[str, Any]],
    sheet: int | str = ...,
) -> Call:
    """How a cell looks is as the rules say; colours may be given with their opacity, `FF0000FF`."""

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
    """A range such as `B2:C9` holds these rows of values in sight, whatever format and blanks."""

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
    """The cells of a column, from one down, each hold one of the texts that are given for it."""

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
    """Some chart, on any or one sheet, is of this kind with these titles and ranges."""

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
    """Someone said this, exactly once; other messages do not matter, unless it was to be said alone."""

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
    """The topic was set, and is this one now."""

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
    """A source holds what it held but for these functions (of `see.text` and `see.before`)."""

def colours_dark(
    of: object,
    name: str,
    usual: str,
    most: int = ...,
) -> Call:
    """A setting of a player that lists colours, three numbers each, has dark ones only."""

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
    """The column under a heading in the first row holds exactly these values, from top to bottom."""

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
    """Commits with these first lines are part of what the repository is on, in any order."""

def control_between(
    of: object,
    name: str,
    least: float,
    most: float,
    role: str | None = ...,
) -> Call:
    """A slider, spin button or bar by name stands at a number in a range, both ends included."""

def control_has(
    of: object,
    name: str,
    state: str,
    role: str | None = ...,
    present: bool = ...,
) -> Call:
    """A control by name has a state such as `checked`, `selected` or `pressed`, or lacks it."""

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
    """So many lines of a text match a pattern."""

def course_taken(
    of: object,
    steps: Sequence[Mapping[str, Any]],
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
    """A table has exactly these rows, header included, whatever blanks and forms of numbers."""

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
    """None of these texts stands anywhere, headers and footers included; case matters, looks do not."""

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
    """A document says exactly this, by paragraphs, table rows as `one | two`; looks do not matter."""

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
    """A document is as it was but for these paragraphs: texts, headings, lists and looks."""

def download_exists(
    of: object,
    name: str,
) -> Call:
    """A file of this name was downloaded completely; it has something in it."""

def drawing_count(
    of: object,
    shapes: int,
) -> Call:
    """A drawing has exactly so many shapes and texts."""

def drawing_has_shape(
    of: object,
    kind: str | None = ...,
    fill: str | None = ...,
    id: str | None = ...,
    count: int | None = ...,
) -> Call:
    """A drawing shows a shape of this kind, fill and id, or has exactly so many."""

def drawing_keeps(
    of: object,
    shapes: Sequence[Mapping[str, Any]],
    within: float = ...,
) -> Call:
    """A drawing still has these shapes, by their ids, as is said of them."""

def drawing_size(
    of: object,
    width: float,
    height: float,
    within: float = ...,
) -> Call:
    """A drawing is of this size in pixels and shows all of itself, neither shifted nor scaled."""

def drawing_text(
    of: object,
    text: str,
    times: int = ...,
) -> Call:
    """A drawing shows this text so many times, each a text of its own, whatever font and place."""

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
    """The safe has exactly one entry of this title, as given, users and passwords to the letter."""

def entry_missing(
    of: object,
    title: str,
) -> Call:
    """The safe has no entry of this title; what lies in its recycle bin is not in it any more."""

def event_count(
    of: object,
    count: int,
) -> Call:
    """A calendar holds so many events; one that recurs counts once."""

def event_exists(
    of: object,
    event: Mapping[str, Any],
) -> Call:
    """A calendar holds an event as wanted once, not cancelled, whatever case and spacing."""

def event_moved(
    of: object,
    summary: str,
    start: str,
    end: str,
    location: str | None = ...,
) -> Call:
    """The one event of a title lies at these times now, and no other one of that title is left."""

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
    """There is a plain file."""

def film_duration(
    of: object,
    seconds: float,
    within: float = ...,
) -> Call:
    """A film lasts this long, give or take `within` seconds."""

def film_like(
    of: object,
    to: object,
    within: float = ...,
) -> Call:
    """A film is as long as another and shows, second by second, the same mean colours."""

def film_shows(
    of: object,
    colours: Sequence[str],
    within: float = ...,
) -> Call:
    """A film shows, second by second, pictures of these mean colours, and nothing after them."""

def film_size(
    of: object,
    width: int,
    height: int,
) -> Call:
    """The pictures of a film have this size in pixels."""

def filter_buttons(
    of: object,
    cells: str,
    sheet: str | None = ...,
) -> Call:
    """A range has filter buttons in its first row; rows below its end that are empty do not matter."""

def first_line_centred(
    of: object,
) -> Call:
    """The first paragraph of a document is centred."""

def folder_exists(
    of: object,
) -> Call:
    """There is a folder."""

def folder_holds(
    of: object,
    exactly: Sequence[str] | None = ...,
    at_least: Sequence[str] | None = ...,
    none_of: Sequence[str] | None = ...,
    hidden: bool = ...,
) -> Call:
    """A folder holds exactly these names, or at least these, and none of those."""

def font_throughout(
    of: object,
    font: str,
) -> Call:
    """All of the text of a document is in this font."""

def footer_has(
    of: object,
    text: str,
) -> Call:
    """The footer of every page has this in it."""

def footer_is(
    of: object,
    text: str,
) -> Call:
    """The footer of every page says exactly this."""

def form_says(
    of: object,
    text: str,
    fields: Mapping[str, str],
    not_any_of: Sequence[str] | None = ...,
) -> Call:
    """A text is this one, as by `text_is`, with these answers behind the beginnings of its lines."""

def ground_painted(
    of: object,
    original: object,
    colour: Literal['red', 'green', 'blue'] = ...,
) -> Call:
    """All of a picture but what was black in another one is mostly of a colour; the black stays."""

def grounds_near(
    of: object,
    colour: str,
) -> Call:
    """How near the grounds of slides (of `slides`) are to a colour, on average, as the score."""

def has_colour(
    of: object,
    colour: str,
    least: float,
    most: float = ...,
    within: float = ...,
) -> Call:
    """A colour, with those near it, takes this share of the area; only main colours count."""

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
    """The header of every page says exactly this."""

def heading_is(
    of: object,
    text: str,
    level: int,
) -> Call:
    """A paragraph is a heading of this level, 0 for none; large or bold letters make no heading."""

def headings_are(
    of: object,
    headings: Sequence[Mapping[str, Any]],
) -> Call:
    """The headings of a document are exactly these, in this order."""

def history_has(
    of: object,
    urls: Sequence[str],
) -> Call:
    """The browser still remembers these pages."""

def history_is(
    of: object,
    subjects: Sequence[str],
) -> Call:
    """The commits have exactly these first lines, newest first."""

def history_lacks(
    of: object,
    host: str,
) -> Call:
    """The browser remembers no page of a host."""

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
    """Each rule for what may be typed into a sheet is one of these, and each of these is there."""

def is_executable(
    of: object,
) -> Call:
    """The owner may run a file, and read it: a script that cannot be read cannot be run either."""

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
    """What stands under some keys is as rules say, and under others it is not."""

def json_covers(
    of: object,
    other: object,
) -> Call:
    """The object in a JSON file has all entries of another file's, whatever else it has."""

def json_includes(
    of: object,
    entries: Mapping[str, Any],
) -> Call:
    """The object in a JSON file has these entries, whatever else it has."""

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
    """The last row of a sheet that holds anything holds these values, as they are written."""

def left_channel(
    of: object,
    who: str,
) -> Call:
    """Someone is not in the channel, or not any more."""

def letter_answers(
    of: object,
    mailbox: object,
    subject: str,
    answered: str,
) -> Call:
    """A letter with this subject was sent as an answer to the one with that subject in a mailbox."""

def letter_brings(
    of: object,
    file: object,
    subject: str,
) -> Call:
    """A letter with this subject was sent with a file that is equal to this one (of `see.digest`)."""

def letter_file_says(
    of: object,
    file: str,
    text: str,
) -> Call:
    """Every file of this name that was sent is this text, whatever blanks end lines or text."""

def letter_holds(
    of: object,
    subject: str,
    lines: Sequence[str],
) -> Call:
    """One letter with this subject has each of these lines, be it quoted, forwarded or attached."""

def letter_is(
    of: object,
    subject: str,
    to: Sequence[str] | None = ...,
    lines: Sequence[str] | None = ...,
    files: Sequence[str] | None = ...,
    letters: bool = ...,
    courtesy: bool = ...,
) -> Call:
    """One letter with this subject was sent, to exactly these people, with these lines and files."""

def letter_reads(
    of: object,
    to: str = ...,
    subject: str | None = ...,
    body: str | None = ...,
    how: Literal['equals', 'contains'] = ...,
    blanks: bool = ...,
    files: Sequence[str] | None = ...,
) -> Call:
    """A letter goes to somebody and says this; `files` are the SHA-256 of all that comes with it."""

def letters_sent(
    of: object,
    count: int,
) -> Call:
    """So many letters were sent in all, whatever they are."""

def like_book(
    of: object,
    other: object,
) -> Call:
    """How much of an e-book is another: the shares of its text and its names count as score."""

def like_cells(
    of: object,
    other: object,
    rules: Sequence[Mapping[str, Any]],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """Some ranges of a sheet hold what those of another workbook hold, as loosely as the rules say."""

def like_document(
    of: object,
    other: object,
    base: float = ...,
    after: str = ...,
) -> Call:
    """How much of the text of a document is that of another: the share above `base` counts as score."""

def like_pdf(
    of: object,
    other: object,
    least: float | None = ...,
) -> Call:
    """How much of the text of a PDF file is that of another: the score, unless `least` is given."""

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
    """The first paragraphs of a document have these distances of lines, in percent: 100 is single."""

def lines_are(
    of: object,
    lines: Sequence[str],
    ordered: bool = ...,
) -> Call:
    """A text has exactly these lines, in this order unless told otherwise."""

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
    """A symbolic link leads to this path, as it is written; a slash at the end does not matter."""

def list_is(
    of: object,
    items: Sequence[Any],
    case: bool = ...,
) -> Call:
    """What was printed is this list; capitals count only with `case`."""

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
    """The agent looked where something cannot be done, as tasks recorded by earlier versions put it."""

def mail_filters_agree(
    of: object,
    expect: Sequence[Mapping[str, str | Sequence[str]]] | None = ...,
    unexpect: Sequence[Mapping[str, str | Sequence[str]]] | None = ...,
) -> Call:
    """The filters of Thunderbird, of the text of its file, hold each of these and none of those."""

def mail_folder_exists(
    of: object,
    folder: str,
) -> Call:
    """An account has a folder of this very name."""

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
    """Exactly one letter was sent, to exactly these people, and it is as wanted."""

def mailbox_holds(
    of: object,
    subjects: Sequence[str],
    texts: Mapping[str, str] | None = ...,
    files: Mapping[str, Sequence[str]] | None = ...,
) -> Call:
    """A folder holds letters with exactly these subjects, whatever their order and marks."""

def mean_colour(
    of: object,
    colour: str,
    within: float = ...,
) -> Call:
    """The colours of a picture (or of the part that was looked at) are, on average, near this one."""

def mean_of(
    of: Sequence[Call],
) -> Call:
    """Partial credit as in OSWorld: the mean of the checks' scores, and 0 where one gives 0."""

def message_in(
    of: object,
    subject: str,
    sender: str = ...,
    times: int = ...,
) -> Call:
    """A folder holds a letter with this subject (and sender) exactly so often, whatever its marks."""

def messages_marked(
    of: object,
    mark: Literal['read', 'starred', 'answered', 'draft', 'forwarded'],
    subjects: Sequence[str],
) -> Call:
    """Exactly the letters with these subjects carry a mark, of all letters in a folder."""

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
    """No piece of text in a document, tables included, is in capitals."""

def no_cell_errors(
    of: object,
) -> Call:
    """No cell of a spreadsheet shows an error such as #DIV/0!."""

def no_event(
    of: object,
    summary: str,
    start: str = ...,
) -> Call:
    """A calendar holds no event of this title (at this time)."""

def no_message(
    of: object,
    subject: str,
    sender: str = ...,
) -> Call:
    """A folder holds no letter with this subject (and sender)."""

def no_site_record(
    of: object,
) -> Call:
    """A site received no form of the kind at all."""

def no_tracked_changes(
    of: object,
) -> Call:
    """No recorded change waits to be accepted or rejected any more."""

def none_of(
    of: Sequence[Call],
    feedback: str,
) -> Call:
    """None of the checks holds; a check that could not see what it judges does not count as failed."""

def not_kept_elsewhere(
    of: object,
) -> Call:
    """What some files held lies nowhere else, moved or copied out of sight (of `see.copies`)."""

def not_linked(
    of: object,
) -> Call:
    """A file is one of its own (of `see.digest`): not a hard link to another name."""

def note_exists(
    of: object,
    title: str,
) -> Call:
    """There is exactly one note of this title, which in Zim is its place, like `Recipes:Soup`."""

def note_has(
    of: object,
    title: str,
    lines: Sequence[str],
) -> Call:
    """A note has each of these lines once, whatever else it says or marks of lists precede them."""

def note_in_notebook(
    of: object,
    title: str,
    notebook: str,
) -> Call:
    """A note is filed in this notebook; an empty name stands for none."""

def note_is(
    of: object,
    title: str,
    text: str,
) -> Call:
    """A note holds this text and nothing else."""

def note_lacks(
    of: object,
    title: str,
    phrases: Sequence[str],
) -> Call:
    """A note says none of these, whatever the case."""

def note_lines_are(
    of: object,
    title: str,
    lines: Sequence[str],
    ordered: bool = ...,
) -> Call:
    """A note has exactly these lines, in any order unless asked for, whatever marks of lists."""

def note_missing(
    of: object,
    title: str,
) -> Call:
    """There is no note of this title."""

def notes_are(
    of: object,
    titles: Sequence[str],
) -> Call:
    """There are notes of these titles, whatever their case, and no others."""

def notes_have(
    of: object,
    number: int,
    text: str,
) -> Call:
    """The speaker's notes of a slide have this in them."""

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
    """No letter was sent."""

def nothing_there(
    of: object,
) -> Call:
    """Nothing stands at a path any more, or never did."""

def now_playing(
    of: object,
    file: str,
    state: Literal['playing', 'paused'] = ...,
) -> Call:
    """A player plays this file, or has it on pause."""

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
    """One item of a list that was printed, or else one line, is this, or holds all of these pieces."""

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
    """These operations were made in this order, in one of these programs; others may lie between."""

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
    """What was printed is a number above this one."""

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
    """What was printed is a JSON object with these entries; `within`, each text holds what is given."""

def output_is(
    of: object,
    text: str,
    strip: bool = ...,
) -> Call:
    """What was printed, or stands in a file, is exactly this."""

def output_items(
    of: object,
    items: Sequence[str],
) -> Call:
    """What was printed is a list with exactly these items, in any order."""

def page_asks(
    of: object,
    values: Mapping[str, str],
) -> Call:
    """The address in front has these values behind its question mark (of `see.page_address`)."""

def page_breaks(
    of: object,
    count: int | None = ...,
) -> Call:
    """A document has so many paragraphs that begin a page, or at least one."""

def page_in_front(
    of: object,
    url: str,
) -> Call:
    """The page in front is this one, whatever `http`, `https`, `www.` and a slash at the end."""

def page_margins(
    of: object,
    margins_mm: Mapping[Literal['top', 'bottom', 'left', 'right'], float],
) -> Call:
    """The margins named have these widths on every page, within a millimetre, without headers."""

def page_orientation(
    of: object,
    orientation: Literal['portrait', 'landscape'],
) -> Call:
    """Every page lies or stands as wanted: wider than high is landscape, whatever the paper."""

def page_requested(
    of: object,
    path: str,
    at_most: int | None = ...,
) -> Call:
    """Someone saw a page of a site, at most so often; a query after `?` counts only where given."""

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
    """The footer of every part of a document has a number, or a field for one."""

def panes_frozen(
    of: object,
    rows: int = ...,
    columns: int = ...,
    sheet: str | None = ...,
) -> Call:
    """Exactly this many rows at the top and columns at the left stay in sight when one scrolls."""

def paragraph_aligned(
    of: object,
    text: str,
    align: Literal['left', 'right', 'center', 'justify'],
) -> Call:
    """A paragraph is aligned like this."""

def paragraph_style(
    of: object,
    text: str,
    style: str,
) -> Call:
    """A paragraph has this style, by its name whatever the case and whatever it looks like."""

def paragraphs_struck(
    of: object,
    slides: Sequence[int],
    shapes: Sequence[int],
    paragraphs: Sequence[int],
) -> Call:
    """Some paragraphs of some shapes on some slides are struck through, each counted from 1."""

def pdf_has_text(
    of: object,
    texts: Sequence[str],
    page: int | None = ...,
) -> Call:
    """A PDF file, or one page of it, says all of these, whatever the blanks and line breaks."""

def pdf_holds(
    of: object,
    other: object,
) -> Call:
    """A PDF file says every key and every value of the object in a JSON file."""

def pdf_lacks_text(
    of: object,
    texts: Sequence[str],
) -> Call:
    """A PDF file says none of these on any page."""

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
    """A PDF file says these lines in this order and nothing else."""

def pdf_pages(
    of: object,
    count: int,
) -> Call:
    """A PDF file has this many pages."""

def picture_adjusted(
    of: object,
    original: object,
    brightness: Literal['more', 'less', 'same'] | None = ...,
    saturation: Literal['more', 'less', 'same'] | None = ...,
) -> Call:
    """A picture still shows the same and is noticeably brighter, darker, more or less colourful."""

def picture_changed(
    of: object,
    original: object,
) -> Call:
    """A picture is not, pixel for pixel, what another one was."""

def picture_contrast(
    of: object,
    original: object,
    direction: Literal['more', 'less'] = ...,
) -> Call:
    """A picture still shows the same, and light and dark lie further apart in it, or nearer."""

def picture_fills_slide(
    of: object,
    number: int = ...,
    within_mm: float = ...,
) -> Call:
    """A picture on a slide, by its number, reaches to all its edges, or near."""

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
    """A picture shows another one whole, and above and below it this many pixels of something else."""

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
    """A picture has one colour but for a square in a corner, a quarter of its shorter side wide."""

def picture_of_screen(
    of: object,
    screen: object,
) -> Call:
    """A picture shows what the screen or a window shows, for the most part."""

def picture_on_slide(
    of: object,
    number: int,
    picture: object,
) -> Call:
    """A slide shows a picture; its size and place do not matter."""

def picture_palette(
    of: object,
) -> Call:
    """A picture takes its colours from a palette (of `measured_picture`)."""

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
    """A picture is another one turned or mirrored like this; ignores format and compression."""

def picture_unchanged(
    of: object,
    original: object,
) -> Call:
    """A picture is, pixel for pixel, what another one was; ignores format and what is not pixels."""

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
    """A player's settings have these values; `missing` is what counts where one is not written."""

def player_setting_made(
    of: object,
    name: str,
    made: bool = ...,
) -> Call:
    """A player's setting holds something, or holds nothing."""

def playing_address(
    of: object,
    address: str,
) -> Call:
    """A player plays what lies at an address, or a part of a list there."""

def playing_file_named(
    of: object,
    name: str,
) -> Call:
    """A player plays a file of this name, wherever it lies."""

def playlist_is(
    of: object,
    files: Sequence[str],
    in_order: bool = ...,
) -> Call:
    """A play list names exactly these files, relative to the home folder; titles do not matter."""

def prefs_agree(
    of: object,
    expect: Mapping[str, Mapping[str, Any]] | None = ...,
    unexpect: Mapping[str, Mapping[str, Any]] | None = ...,
) -> Call:
    """The settings in a `prefs.js` of Mozilla's are as rules say, and others are not so."""

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
    """A program of this name is running, not halted or slowed down, with this in its command line."""

def query_finds(
    of: object,
    rows: Sequence[Sequence[str | int | float | None]],
    ordered: bool = ...,
) -> Call:
    """A query finds exactly these rows."""

def query_holds(
    of: object,
) -> Call:
    """The first value that a query finds is a number other than 0."""

def records_once(
    of: object,
    before: object,
    wanted: object | None = ...,
    key: int = ...,
    separator: str = ...,
) -> Call:
    """Of the lines of a document that share a field, such as a number, one each is left, as it was."""

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
    """A table has a row with these values in these columns exactly so many times."""

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
    """A table with a heading has a row with these entries each, and none with those."""

def rows_sorted(
    of: object,
    by: Sequence[Mapping[str, Any]],
    before: object = ...,
    sheet: str | None = ...,
) -> Call:
    """The rows under the heading are sorted by these columns; texts whatever the case."""

def runs_formatted(
    of: object,
    look: Literal['bold', 'italic', 'underline', 'strike'],
    words: Sequence[str],
    headings: bool = ...,
) -> Call:
    """These words, and no others, have a look; blanks and punctuation do not matter."""

def same_archive(
    of: object,
    other: object,
    names_only: bool = ...,
    besides: Sequence[str] | None = ...,
) -> Call:
    """An archive holds the files of another, byte for byte, or `names_only`; folders do not count."""

def same_cells(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
    precision: int = ...,
) -> Call:
    """A sheet holds what another one holds: texts to the letter, numbers rounded to `precision`."""

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
    """Two folders hold files of the same content, whatever their names (of `see.folder_digests`)."""

def same_drawn_pages(
    of: object,
    other: object,
) -> Call:
    """The pages of a PDF file look, one after the other, like those of another."""

def same_equations(
    of: object,
    other: object,
) -> Call:
    """A document has as many equations as another, and they say the same where both can be read."""

def same_filters(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """A sheet has filter buttons where one of another workbook has them."""

def same_highlights(
    of: object,
    other: object,
) -> Call:
    """The same pieces of text are highlighted in two documents."""

def same_html(
    of: object,
    other: object,
) -> Call:
    """Two web pages have the same elements with the same attributes and texts, blanks left aside."""

def same_layout(
    of: object,
    other: object,
) -> Call:
    """A document has the paragraphs of another, set out as those, and pictures of the same sizes."""

def same_letters(
    of: object,
    other: object,
    blanks: bool = ...,
    case: bool = ...,
) -> Call:
    """Two texts are equal to the letter; blanks count only with `blanks`, capitals with `case`."""

def same_letters_kept(
    of: object,
    other: object,
    struck: bool = ...,
    twice: bool = ...,
) -> Call:
    """A folder of a mail program holds the letters of another; those struck off count with `struck`."""

def same_line_spacing(
    of: object,
    other: object,
) -> Call:
    """A document has the paragraphs of another, each with the same distance of lines."""

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
    """As many rows and columns of a sheet are frozen as of one of another workbook."""

def same_paragraphs(
    of: object,
    other: object,
    blanks: bool = ...,
    empty: bool = ...,
    case: bool = ...,
    ordered: bool = ...,
) -> Call:
    """A document has the paragraphs of another, to the letter."""

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
) -> Call:
    """A text is the result that another one holds: the same number, or the same text."""

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
    """The cells of a sheet show, as they are printed, what those of another sheet show."""

def same_sizes(
    of: object,
    other: object,
    way: Literal['rows', 'columns'],
    parts: Sequence[Literal['hidden', 'collapsed', 'outline_level', 'height', 'width']],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The rows, or columns, of a sheet are hidden, folded and sized as those of another one."""

def same_slides(
    of: object,
    other: object,
    compared: Mapping[str, Any] | None = ...,
) -> Call:
    """A presentation is like another in all that is compared: shapes, paragraphs, letters, notes."""

def same_sparklines(
    of: object,
    other: object,
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The same cells of two sheets hold small charts of the same ranges."""

def same_styles(
    of: object,
    other: object,
    parts: Sequence[Literal['number_format', 'font_name', 'font_family', 'font_color', 'font_bold', 'font_italic', 'font_underline', 'font_size', 'fill_type', 'bgcolor', 'fgcolor', 'hyperlink', 'horizontal', 'vertical']],
    sheet: int | str = ...,
    beside: int | str = ...,
) -> Call:
    """The cells of a sheet look as those of another in these parts, conditions that hold included."""

def same_subscripts(
    of: object,
    other: object,
) -> Call:
    """The same letters of a document are lowered as in another, and some are."""

def same_tables(
    of: object,
    other: object,
) -> Call:
    """The tables of a document hold what those of another hold, cell by cell."""

def same_tabstops(
    of: object,
    other: object,
    words: int | None = ...,
    part: int = ...,
) -> Call:
    """Paragraphs have tab stops where those of another document have them; how near counts as score."""

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
    """There is something in a text, or something was printed."""

def script_is(
    of: object,
    lines: Sequence[str],
) -> Call:
    """A script has exactly these lines, with quotes, dashes, blanks and line ends that a shell takes."""

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
    """What has the second most frequent colour stands in the middle (of `measured_picture`)."""

def shape_nearer(
    of: object,
    other: object,
    edge: Literal['top', 'bottom', 'right'],
    line_mm: float,
    number: int | None = ...,
    kind: Literal['picture', 'table', 'text', 'no text'] = ...,
    says: str = ...,
) -> Call:
    """Shapes stand nearer to an edge than in another presentation, and past a line; others stay."""

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

def sheet_unchanged(
    of: object,
    before: object,
    sheet: str | None = ...,
    apart_from: Sequence[str] | None = ...,
    renamed: str | None = ...,
) -> Call:
    """A sheet holds what it held: every value and formula, apart from some ranges."""

def site_record(
    of: object,
    fields: Mapping[str, str],
    account: str | None = ...,
) -> Call:
    """A site received exactly one form of the kind, with these fields, from this account."""

def site_record_among(
    of: object,
    fields: Mapping[str, str],
) -> Call:
    """Among what a site received of the kind is at least one form with these fields."""

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
    """A slide comes in by this transition, as its format calls it."""

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
    """The number of every slide is in letters of a colour, on the slide itself or by its design."""

def slide_text_has(
    of: object,
    number: int,
    texts: Sequence[str],
) -> Call:
    """Every one of these texts stands on a slide, in its title, a point or a shape."""

def slide_text_lacks(
    of: object,
    number: int,
    texts: Sequence[str],
) -> Call:
    """None of these texts stands on a slide, which must be there."""

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
    """The titles of the slides are these, in this order; what else stands on them does not matter."""

def slide_transition(
    of: object,
    number: int,
    has: bool = ...,
) -> Call:
    """A slide comes in with an effect of any kind, or without one."""

def slides_are(
    of: object,
    slides: Sequence[Mapping[str, Any]],
) -> Call:
    """The slides say exactly this in this order, whatever their looks: titles, points and notes."""

def slides_format(
    of: object,
    format: Literal['odp', 'pptx'],
) -> Call:
    """A presentation is saved in this format, whatever its name ends in."""

def slides_hidden(
    of: object,
    numbers: Sequence[int],
) -> Call:
    """These slides and no others are left out when the presentation is shown."""

def slides_upright(
    of: object,
) -> Call:
    """The slides of a presentation are higher than wide."""

def song_ratings(
    of: object,
    stars: Mapping[str, int],
) -> Call:
    """Exactly these songs have stars, and that many; relative names start at the home folder."""

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
    """Something is heard from one second to another."""

def sound_is_stretch(
    of: object,
    original: object,
    start: float,
    end: float | None = ...,
) -> Call:
    """A recording is what another held between two seconds: the same tones, as long and as loud."""

def sound_like(
    of: object,
    to: object,
) -> Call:
    """A recording sounds as another does from its beginning to its end; ignores format and loudness."""

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
    """A recording holds exactly these tones in turn, whatever their length, loudness and pauses."""

def sound_silent_between(
    of: object,
    start: float,
    end: float,
) -> Call:
    """Nothing is heard from one second to another, but for the first and last tenth of a second."""

def sound_tags(
    of: object,
    tags: Mapping[str, str],
) -> Call:
    """A recording has these tags, whatever other tags, case of names and blanks around values."""

def sound_throughout(
    of: object,
    original: object,
) -> Call:
    """A recording is heard throughout but for short pauses, as loud as another, nowhere louder."""

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
    """A sheet holds these rows from A1 on, in sight, and nothing else."""

def table_rows_are(
    of: object,
    table: str,
    rows: Sequence[Sequence[str | int | float | None]],
    ordered: bool = ...,
) -> Call:
    """A table has exactly these rows, each as often as given; their order counts only if asked for."""

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
    """The tags of a recording are as rules say."""

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
    """A text holds every one of these phrases."""

def text_in_controls(
    of: object,
    text: str,
    role: str | None = ...,
) -> Call:
    """A control that is showing has this in its name or text, whatever the case (of `see.controls`)."""

def text_includes(
    of: object,
    every: Sequence[str] | None = ...,
    none: Sequence[str] | None = ...,
) -> Call:
    """A text holds each of these pieces and none of those, to the letter."""

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
    """A text holds none of these phrases; blanks, line breaks and the kind of quotes do not matter."""

def text_like(
    of: object,
    other: object,
) -> Call:
    """How much of two texts is the same, line by line: the share counts as score."""

def text_matches(
    of: object,
    pattern: str,
) -> Call:
    """A regular expression is found in a text; `^` and `$` stand for the ends of lines."""

def text_near(
    of: object,
    text: str,
) -> Call:
    """How much of a text is another, letter by letter: the share counts as score."""

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
    """A text can be read off the screen (of `see.screen_text`)."""

def text_shown(
    of: object,
    screen: object,
    text: str,
) -> Call:
    """A text is in a control (of `see.controls`) or can be read off the screen."""

def text_under_cursor(
    of: object,
    text: str,
) -> Call:
    """The element under the pointer has this in its name or text, whatever the case."""

def todo_done(
    of: object,
    titles: Sequence[str],
) -> Call:
    """These tasks are done, and no others are."""

def todo_due(
    of: object,
    title: str,
    due: str | None,
    tags: Sequence[str] | None = ...,
) -> Call:
    """The task of this title (and these tags) is due on this day, or on none."""

def todo_exists(
    of: object,
    title: str,
    due: str | None = ...,
    tags: Sequence[str] | None = ...,
    status: Literal['Active', 'Done', 'Dismiss'] = ...,
) -> Call:
    """There is exactly one task of this title and status, with this due date and tags where given."""

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
    """The book has this transaction, exactly so many times."""

def transactions_are(
    of: object,
    transactions: Sequence[Mapping[str, Any]],
) -> Call:
    """The book has exactly these transactions, in any order."""

def typed(
    of: object,
    text: str,
) -> Call:
    """A text was typed, in one go or in several that follow one another."""

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
    """The agent was shown where it stands that something cannot be done, before it said so."""

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
    """Partial credit: each check brings its weight's share of the score."""

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
    """Words in the tables of a document are in colours by their first letters, all `others` in one."""

def words_near(
    of: object,
    words: Sequence[str],
    count: int = ...,
) -> Call:
    """A document has so many words, each like one of these; the mean of how like counts as score."""

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
    """How large a sheet is shown, in percent, is as a rule says."""
