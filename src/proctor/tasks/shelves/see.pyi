"""The names of the shelf `probe` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call

def account_book(
    path: str,
) -> Call:
    """An account book of HomeBank as it is saved: accounts with their balance, and transactions."""

def account_book_before(
    path: str,
) -> Call:
    """An account book of HomeBank as it was when the task began."""

def alarms() -> Call:
    """The alarms of GNOME Clocks: name, time such as `07:45`, whether they ring, days of the week."""

def answer() -> Call:
    """What the agent answered; absent when it ended with something else than an answer."""

def application_settings(
    app: str,
) -> Call:
    """Everything that is set in an application (`vlc`), or on the `desktop`, by file and name."""

def archive(
    path: str,
) -> Call:
    """What a zip or tar archive holds: members with kind, size, mode, digest and short text."""

def archived(
    path: str,
    member: str,
) -> Call:
    """The SHA-256 of one file in a zip or tar archive, to compare it with a file outside."""

def archived_file(
    path: str,
    member: str,
    look: Literal['text', 'document', 'spreadsheet', 'pptx', 'picture', 'sound', 'film', 'epub'],
) -> Call:
    """One file in a zip or tar archive, looked at as what it is: a `document`, a `picture`."""

def archived_pdf(
    path: str,
    member: str,
) -> Call:
    """The text on each page of a PDF file in a zip or tar archive."""

def before(
    path: str,
) -> Call:
    """The text of a file as it was when the task began."""

def bookmarks(
    path: str,
) -> Call:
    """The bookmarks that Okular has in a document: pages, counted from 1, and their titles."""

def branch_place(
    path: str,
    branch: str,
) -> Call:
    """The commit where a branch was at the beginning (`tip`) and is `now`, empty where it is gone."""

def browser_look() -> Call:
    """Whether Chromium itself is light, dark, or as the system is."""

def browser_setting(
    browser: Literal['chromium', 'firefox'],
    name: str,
) -> Call:
    """One setting by its name in the profile; None where it has its default."""

def calendar(
    title: str,
) -> Call:
    """Every event of a calendar of the service; times are in UTC, the computer's own."""

def calendars() -> Call:
    """Every calendar of the service with all that its events say; times are in UTC."""

def changes(
    besides: Sequence[str] | None = ...,
    apps: Sequence[str] | None = ...,
) -> Call:
    """The user's own files that were created, changed or deleted since the task began."""

def chat() -> Call:
    """All of a chat: its channels with topic, modes and members, and what others did and said."""

def chat_log(
    where: str = ...,
) -> Call:
    """What others than the scripted people did in a channel, or said to one of them (`where`)."""

def clipboard(
    selection: Literal['clipboard', 'primary'] = ...,
) -> Call:
    """The text in the clipboard; absent when it is empty or holds something else."""

def controls(
    app: str | None = ...,
    window: str | None = ...,
) -> Call:
    """The controls that are showing, of all applications, one or one window: names and texts."""

def copies(
    paths: Sequence[str],
) -> Call:
    """Where the content that files had when the task began lies in other files now, but the trash."""

def csv(
    path: str,
    delimiter: str = ...,
) -> Call:
    """The rows of a file of comma-separated values; empty rows are left out."""

def cursor() -> Call:
    """Where the pointer is at the end, and the element under it."""

def database(
    path: str,
) -> Call:
    """The tables of an SQLite database: their columns and rows, as they are written to the file."""

def dconf(
    key: str,
) -> Call:
    """The value of a dconf key that was set."""

def diagram(
    path: str,
) -> Call:
    """The objects of a Dia diagram with their texts, and which objects its lines connect."""

def digest(
    path: str,
) -> Call:
    """The SHA-256 of a file, now and when the task began (None where it did not exist then)."""

def digest_before(
    path: str,
) -> Call:
    """The SHA-256 of a file as it was when the task began."""

def document(
    path: str,
) -> Call:
    """A text document, .odt or .docx: paragraphs with styles and runs, tables, changes, comments."""

def document_before(
    path: str,
) -> Call:
    """A text document as it was before the agent began, in the same form."""

def docx(
    path: str,
) -> Call:
    """A .docx as written: tab stops, lowered letters, equations, places of pictures, words in tables."""

def drawing(
    path: str,
) -> Call:
    """The shapes of a drawing, SVG or of LibreOffice, bottom to top, with place, looks and text."""

def drawing_shown(
    path: str,
    width: int,
    height: int,
    part: Sequence[int] | None = ...,
    font: str = ...,
) -> Call:
    """What an SVG drawing, or a part of it, shows at this size, drawn by the computer itself."""

def drawn_pdf(
    path: str,
) -> Call:
    """The first pages of a PDF file as pictures, drawn by the computer's `pdftoppm`."""

def elements() -> Call:
    """Every element of the accessibility tree, with what it hangs on, its attributes and its states."""

def epub(
    path: str,
) -> Call:
    """An e-book: title, author and language, and the plain text of its chapters in order."""

def file(
    path: str,
) -> Call:
    """What stands at a path: kind, size and mode; not followed, not opened."""

def film(
    path: str,
) -> Call:
    """What a film is: length, size, rate, streams, title, and the mean colour of each second."""

def first_letter(
    path: str,
) -> Call:
    """The first letter, by the name of its file, in a folder with a file for each (`Maildir/new`)."""

def folder(
    path: str,
    deep: bool = ...,
) -> Call:
    """What a folder holds: names (below each other with `deep`), kinds, sizes and modes."""

def folder_digests(
    path: str,
) -> Call:
    """The SHA-256 of all files in a folder and the folders in it, sorted."""

def given_drawn_pdf(
    base64: str,
    name: str = ...,
) -> Call:
    """The first pages, as pictures, of a PDF file that the task brings with it, to compare with."""

def given_pdf(
    base64: str,
    name: str = ...,
) -> Call:
    """The text on each page of a PDF file that the task brings with it, to compare with."""

def gnote() -> Call:
    """The notes of Gnote: title, text without the title, and the notebook they are filed in."""

def gsetting(
    schema: str,
    key: str,
) -> Call:
    """The value of a key of a GSettings schema, its default where it was never set."""

def history() -> Call:
    """Every action that was performed, in order, with the element and the program it went to."""

def home_page(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """What the home button leads to; empty for the new tab page."""

def ini(
    path: str,
) -> Call:
    """The sections of a settings file with their keys; those before the first are in section ``."""

def json(
    path: str,
) -> Call:
    """The data of a JSON file."""

def link(
    path: str,
) -> Call:
    """Where a symbolic link leads, as it is written; it is not followed."""

def mail_file(
    path: str,
) -> Call:
    """The letters in a file in which a mail program keeps a folder (mbox)."""

def mail_folders(
    address: str,
) -> Call:
    """The names of an account's folders; a dot stands between a folder and one inside it."""

def mailbox(
    address: str,
    folder: str = ...,
) -> Call:
    """The letters of one folder of an account, each with its marks."""

def mailboxes() -> Call:
    """Every account with its folders and letters, without the trash and copies of sent letters."""

def measured_picture(
    path: str,
) -> Call:
    """Figures of a picture at full size: sharpness, palette, where dark begins, where a shape is."""

def merged(
    path: str,
    branch: str,
) -> Call:
    """Whether all that a branch was when the task began is part of what a repository is on now."""

def miniwob_goal(
    name: str,
) -> Call:
    """What a page of MiniWoB++ asks for, in its own words."""

def miniwob_reward(
    name: str,
) -> Call:
    """How a page of MiniWoB++ rates what was done: whether it is over, its raw reward, and why."""

def notebook(
    path: str,
) -> Call:
    """The pages of a Zim notebook: names like `Recipes:Soup`, and texts without headers and title."""

def output(
    argv: Sequence[str],
    stream: str = ...,
) -> Call:
    """What a command prints that the user runs, and with which status it ends."""

def page(
    path: str,
) -> Call:
    """The text that can be read on a web page in a file, as a browser breaks its lines."""

def page_address() -> Call:
    """The address of the page in front in Chromium."""

def page_parts(
    parts: Sequence[Mapping[str, Any]],
    url: str = ...,
) -> Call:
    """The texts in places of the page in front in Chromium, as JSON; without what is not there."""

def page_source(
    url: str = ...,
) -> Call:
    """The source of the page in front in Chromium as it stands now, or of the one with an address."""

def password_safe(
    path: str,
    passphrase: str,
) -> Call:
    """A KeePassXC safe as it is saved: its groups, and its entries with all their fields and files."""

def pdf(
    path: str,
) -> Call:
    """A PDF file: the text that can be read on each page, found by the computer's `pdftotext`."""

def picture(
    path: str,
    part: Sequence[int] | None = ...,
) -> Call:
    """What a picture, or a part, is: format, size, colours, opacity, digest of pixels, thumbnail."""

def picture_before(
    path: str,
    part: Sequence[int] | None = ...,
) -> Call:
    """What a picture was when the task began, or a part of it."""

def picture_inside(
    path: str,
    shown: str,
) -> Call:
    """The part of a picture that shows another one, upright, at any size, and what is `around`."""

def picture_text(
    path: str,
) -> Call:
    """What can be read on a picture in a file, line by line, as `screen_text` reads the screen."""

def pictures_in(
    path: str,
) -> Call:
    """The pictures that lie directly in a folder, each as `picture` tells it, with its `name`."""

def player(
    name: Literal['vlc', 'rhythmbox'],
) -> Call:
    """What a running player plays: its state, the file and its title."""

def playlist(
    path: str,
) -> Call:
    """The files on a play list (M3U, PLS or XSPF), in order, by their full paths."""

def posted_mail() -> Call:
    """Every letter that anybody on the computer has sent since it started, with those it was sent to."""

def pptx(
    path: str,
) -> Call:
    """The slides of a .pptx as written: shapes, paragraphs with alignment, runs with looks."""

def processes() -> Call:
    """The programs that are running: short name and command line, and whether they are halted."""

def program_output(
    path: str,
    text: str,
) -> Call:
    """What a Python program prints when given the name of a file with this text."""

def python_results(
    path: str,
    function: str,
    cases: Sequence[Sequence[Any]],
) -> Call:
    """What a function of a Python file returns for some arguments, called inside by nobody special."""

def query(
    path: str,
    sql: str,
) -> Call:
    """What a SELECT of the task's author finds in an SQLite database."""

def questions() -> Call:
    """The questions that the agent asked the user, with the replies."""

def recalculated(
    path: str,
    inputs: Sequence[Mapping[str, bool | int | float | str | None]],
) -> Call:
    """What the formulas of an OpenDocument spreadsheet come to with other values, for each trial."""

def repository(
    path: str,
) -> Call:
    """Branches, tags, commits (newest first, `changed` for the last), status, and files at HEAD."""

def rhythmbox() -> Call:
    """All that Rhythmbox keeps: every list, and the library with ratings and tags."""

def rhythmbox_playlist(
    name: str,
) -> Call:
    """The files on a list that was made in Rhythmbox, in order, by their full paths."""

def rhythmbox_playlists() -> Call:
    """Every list that somebody made in Rhythmbox: its kind, its files in order, and its rules."""

def rhythmbox_ratings() -> Call:
    """The stars that songs have in Rhythmbox, by the full paths of their files, if any."""

def screen_picture(
    like: str,
    window: str | None = ...,
    showing: str | None = ...,
) -> Call:
    """What the screen, or the place of a window on it, shows at the end, as large as `like`."""

def screen_size() -> Call:
    """The width and height of the screen in pixels."""

def screen_text() -> Call:
    """What can be read off a picture of the screen, line by line, top to bottom."""

def shown(
    reads: Sequence[str] | None = ...,
) -> Call:
    """What the agent was shown and told until it ended, without what it wrote itself."""

def site_log(
    site: str,
) -> Call:
    """The requests a site answered, in order: method, path and who was signed in."""

def site_records(
    site: str,
    kind: str = ...,
) -> Call:
    """What the forms of a site received, in order, or only one kind of it, such as orders."""

def slide_picture(
    path: str,
    number: int = ...,
    behind: bool = ...,
) -> Call:
    """The first picture on a slide of a .pptx, as `picture` tells it, or the one `behind` all else."""

def slide_sound(
    path: str,
    number: int = ...,
) -> Call:
    """The sound on a slide of a .pptx, as `sound` tells it, be it in the file or linked."""

def slides(
    path: str,
) -> Call:
    """A presentation, .odp or .pptx: for each slide title, texts, notes, layout, pictures, shapes."""

def slides_before(
    path: str,
) -> Call:
    """A presentation as it was before the agent began, in the same form."""

def sound(
    path: str,
) -> Call:
    """What a recording is: length, rate, channels, tags, loudness and pitch per tenth of a second."""

def sound_before(
    path: str,
) -> Call:
    """What a recording was when the task began."""

def spreadsheet(
    path: str,
) -> Call:
    """The sheets of a spreadsheet with their cells, looks, charts, filters and frozen panes."""

def spreadsheet_before(
    path: str,
) -> Call:
    """A spreadsheet as it was when the task began."""

def started_programs() -> Call:
    """The programs that were started since the task began and still run, each command line once."""

def suite_verdict(
    files: Mapping[str, str],
    suite: str,
    function: str = ...,
) -> Call:
    """What a function of tests returns about Python files, which lie beside it under these names."""

def terminal() -> Call:
    """The text of the frontmost terminal; absent when none is open."""

def text(
    path: str,
) -> Call:
    """The text of a file, read as UTF-8, and how its lines end."""

def todo() -> Call:
    """The tasks of GTG: title, text, status (Active, Done or Dismiss), dates, how it recurs, tags."""

def visited_pages(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """The addresses that a browser remembers having shown."""

def vlc_settings() -> Call:
    """The settings of VLC that differ from how it comes."""

def wallpaper() -> Call:
    """The picture that is set as wallpaper, as `picture` tells it; absent where none is shown."""

def web_bookmarks(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """Every bookmark, with its title and address, below the folders that hold it."""

def web_cookies(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """The sites that have stored cookies in a browser, and the names of these cookies."""

def web_downloads(
    folder: str = ...,
) -> Call:
    """The plain files in the folder for downloads, without those that are still on their way."""

def web_extensions(
    browser: Literal['chromium', 'firefox'] = ...,
) -> Call:
    """The extensions in Chromium's profile: name and folder of each, also those loaded from one."""

def web_logins(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """What a browser keeps to sign in with: sites, and digests of what is locked."""

def web_tabs() -> Call:
    """The tabs that Chromium shows: address and title of each, the front one of each window first."""

def whole_picture(
    path: str,
) -> Call:
    """All of a picture: its regions, opacity, and what its file says, such as where it was taken."""

def windows() -> Call:
    """The open windows, bottom to top: title, application, place, whether active or minimised."""

def workbook(
    path: str,
) -> Call:
    """Details of an .xlsx by sheet: pivot tables, zoom, styles, validations, frames of charts."""

def world_clocks() -> Call:
    """The cities that GNOME Clocks shows, in its order, each with the code of its weather station."""

def xfconf(
    channel: str,
    property: str,
) -> Call:
    """The value of a property of an xfconf channel, as text or a list of texts."""

def xml(
    path: str,
) -> Call:
    """The elements of an XML file: tag without its namespace, attributes, text, children."""

def yaml(
    path: str,
) -> Call:
    """The data of a YAML file, as `json` tells it; dates are texts."""
