"""The names of the shelf `probe` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call

def account_book(
    path: str,
) -> Call:
    """A saved HomeBank account book: accounts with their balance, and transactions."""

def account_book_before(
    path: str,
) -> Call:
    """A HomeBank account book as it was when the task began."""

def alarms() -> Call:
    """The alarms of GNOME Clocks: name, time such as `07:45`, whether they are on, days of the week."""

def answer() -> Call:
    """What the agent answered; absent if it ended in any other way."""

def application_settings(
    app: str,
) -> Call:
    """All settings of an application (`vlc`), or of the `desktop`, by file and name."""

def archive(
    path: str,
) -> Call:
    """The members of a zip or tar archive: kind, size, mode, digest and short text of each."""

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
    """One file in a zip or tar archive, read as what it is: a `document`, a `picture`."""

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
    """The bookmarks that Okular has for a document: pages, counted from 1, and their titles."""

def branch_place(
    path: str,
    branch: str,
) -> Call:
    """The commit of a branch at the beginning (`tip`) and `now`, empty if it is gone."""

def browser_look() -> Call:
    """Whether Chromium itself is light, dark, or follows the system."""

def browser_setting(
    browser: Literal['chromium', 'firefox'],
    name: str,
) -> Call:
    """One setting by its name in the profile; None if it has its default."""

def calendar(
    title: str,
) -> Call:
    """Every event of a calendar of the service; times are in UTC, the computer's own time zone."""

def calendars() -> Call:
    """Every calendar of the service with all details of its events; times are in UTC."""

def changes(
    besides: Sequence[str] | None = ...,
    apps: Sequence[str] | None = ...,
) -> Call:
    """The user's own files that were created, changed or deleted since the task began."""

def chat() -> Call:
    """Everything in a chat: its channels with topic, modes and members, and what users did and said."""

def chat_log(
    where: str = ...,
) -> Call:
    """What users other than the scripted people did in a channel, or said to one of them (`where`)."""

def clipboard(
    selection: Literal['clipboard', 'primary'] = ...,
) -> Call:
    """The text on the clipboard; absent if it is empty or holds something else."""

def controls(
    app: str | None = ...,
    window: str | None = ...,
) -> Call:
    """The controls that are showing, of all applications, one of them or one window: names and texts."""

def copies(
    paths: Sequence[str],
) -> Call:
    """Which other files, outside the trash, now have the content that files had when the task began."""

def csv(
    path: str,
    delimiter: str = ...,
) -> Call:
    """The rows of a file of comma-separated values; empty rows are left out."""

def cursor() -> Call:
    """The position of the pointer at the end, and the element under it."""

def database(
    path: str,
) -> Call:
    """The tables of an SQLite database, as saved in its file: their columns and rows."""

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
    """A .docx as saved: tab stops, subscripts, equations, positions of pictures, words in tables."""

def drawing(
    path: str,
) -> Call:
    """The shapes of an SVG or LibreOffice drawing, bottom to top: position, look and text of each."""

def drawing_shown(
    path: str,
    width: int,
    height: int,
    part: Sequence[int] | None = ...,
    font: str = ...,
) -> Call:
    """What an SVG drawing, or a part of it, shows at this size, rendered by the computer itself."""

def drawn_pdf(
    path: str,
) -> Call:
    """The first pages of a PDF file as pictures, rendered by the computer's `pdftoppm`."""

def elements() -> Call:
    """Every element of the accessibility tree, with its parent, attributes and states."""

def epub(
    path: str,
) -> Call:
    """An e-book: title, author and language, and the plain text of its chapters in order."""

def file(
    path: str,
) -> Call:
    """What is at a path: kind, size and mode; links are not followed, files not opened."""

def film(
    path: str,
) -> Call:
    """Details of a video: length, size, rate, streams, title, and the mean colour of each second."""

def first_letter(
    path: str,
) -> Call:
    """The first email, by file name, in a folder with one file per email (`Maildir/new`)."""

def folder(
    path: str,
    deep: bool = ...,
) -> Call:
    """What is in a folder (with `deep`, also in its subfolders): names, kinds, sizes and modes."""

def folder_digests(
    path: str,
) -> Call:
    """The SHA-256 of all files in a folder and its subfolders, sorted."""

def given_drawn_pdf(
    base64: str,
    name: str = ...,
) -> Call:
    """The first pages, as pictures, of a PDF file that comes with the task, to compare with."""

def given_pdf(
    base64: str,
    name: str = ...,
) -> Call:
    """The text on each page of a PDF file that comes with the task, to compare with."""

def gnote() -> Call:
    """The notes of Gnote: title, text without the title, and the notebook they are filed in."""

def gsetting(
    schema: str,
    key: str,
) -> Call:
    """The value of a GSettings key, or its default if it was never set."""

def history() -> Call:
    """Every action that was performed, in order, with the element and the program it went to."""

def home_page(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """What the home button opens; empty for the new tab page."""

def ini(
    path: str,
) -> Call:
    """The sections of a settings file with their keys; those before the first are in section ``."""

def json(
    path: str,
    comments: bool = ...,
) -> Call:
    """The data of a JSON file; with `comments`, it may have comments and stray commas."""

def link(
    path: str,
) -> Call:
    """The target of a symbolic link, as written; it is not followed."""

def lost_mail() -> Call:
    """The emails that a world began with and that are in no folder any more, or in the trash."""

def mail_file(
    path: str,
) -> Call:
    """The emails in a file in which a mail program stores a folder (mbox)."""

def mail_folders(
    address: str,
) -> Call:
    """The names of an account's folders; a dot separates a folder from its subfolder."""

def mailbox(
    address: str,
    folder: str = ...,
) -> Call:
    """The emails in one folder of an account, each with its flags."""

def mailboxes() -> Call:
    """Every account with its folders and emails, without the trash and copies of sent emails."""

def measured_picture(
    path: str,
) -> Call:
    """Measurements of a full-size picture: sharpness, palette, where dark begins, where a shape is."""

def merged(
    path: str,
    branch: str,
) -> Call:
    """Whether everything in a branch when the task began is part of the current branch."""

def miniwob_goal(
    name: str,
) -> Call:
    """The instruction of a MiniWoB++ page, in its own words."""

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
    """What a command run as the user prints, and its exit status."""

def page(
    path: str,
) -> Call:
    """The text that can be read on a web page in a file, with line breaks as in a browser."""

def page_address() -> Call:
    """The address of the front page in Chromium."""

def page_parts(
    parts: Sequence[Mapping[str, Any]],
    url: str = ...,
) -> Call:
    """The texts of some parts of the front page in Chromium, as JSON, without missing ones."""

def page_source(
    url: str = ...,
) -> Call:
    """The current source of the front page in Chromium, or of the one with an address."""

def password_safe(
    path: str,
    passphrase: str,
) -> Call:
    """A saved KeePassXC safe: its groups, and its entries with all their fields and files."""

def pdf(
    path: str,
) -> Call:
    """A PDF file: the text that can be read on each page, extracted by the computer's `pdftotext`."""

def pdf_margins(
    path: str,
) -> Call:
    """A PDF file: how much of each page is empty below its last word, in points."""

def picture(
    path: str,
    part: Sequence[int] | None = ...,
) -> Call:
    """Details of a picture, or a part: format, size, colours, opacity, digest of pixels, thumbnail."""

def picture_before(
    path: str,
    part: Sequence[int] | None = ...,
) -> Call:
    """A picture, or a part of it, as it was when the task began."""

def picture_inside(
    path: str,
    shown: str,
) -> Call:
    """The part of a picture that shows another one, upright, at any size, and what is `around` it."""

def picture_text(
    path: str,
) -> Call:
    """What can be read on a picture in a file, line by line, read like `screen_text`."""

def pictures_in(
    path: str,
) -> Call:
    """The pictures directly in a folder, each as `picture` returns it, with its `name`."""

def player(
    name: Literal['vlc', 'rhythmbox'],
) -> Call:
    """What a running player is playing: its state, the file and its title."""

def playlist(
    path: str,
) -> Call:
    """The files on a playlist (M3U, PLS or XSPF), in order, by their full paths."""

def posted_mail() -> Call:
    """Every email sent by anyone on the computer since it started, with its recipients."""

def pptx(
    path: str,
) -> Call:
    """The slides of a .pptx as saved: shapes, paragraphs with alignment, runs with formatting."""

def printed_page(
    url: str,
) -> Call:
    """The text on each page that a web page took when `print_page` printed it."""

def processes() -> Call:
    """The programs that are running: short name and command line, and whether they are stopped."""

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
    """What a function of a Python file returns for some arguments, called without privileges."""

def query(
    path: str,
    sql: str,
) -> Call:
    """The result of a SELECT by the task's author in an SQLite database."""

def questions() -> Call:
    """The questions that the agent asked the user, with the replies."""

def recalculated(
    path: str,
    inputs: Sequence[Mapping[str, bool | int | float | str | None]],
) -> Call:
    """The results of the formulas of an OpenDocument spreadsheet with other values, for each trial."""

def repository(
    path: str,
) -> Call:
    """Branches, tags, commits (newest first, `changed` for the last), status, and files at HEAD."""

def rhythmbox() -> Call:
    """Everything Rhythmbox stores: every playlist, and the library with ratings and tags."""

def rhythmbox_playlist(
    name: str,
) -> Call:
    """The files on a playlist made in Rhythmbox, in order, by their full paths."""

def rhythmbox_playlists() -> Call:
    """Every playlist made in Rhythmbox: its kind, its files in order, and its rules."""

def rhythmbox_ratings() -> Call:
    """The ratings of songs in Rhythmbox, if any, by the full paths of their files."""

def screen_picture(
    like: str,
    window: str | None = ...,
    showing: str | None = ...,
) -> Call:
    """What the screen, or the part of it with a window, shows at the end, as large as `like`."""

def screen_size() -> Call:
    """The width and height of the screen in pixels."""

def screen_text() -> Call:
    """The text that can be read in a screenshot, line by line, top to bottom."""

def shown(
    reads: Sequence[str] | None = ...,
) -> Call:
    """What the agent was shown and told until it ended, without what it wrote itself."""

def site_log(
    site: str,
) -> Call:
    """The requests that a site answered, in order: method, path and who was signed in."""

def site_records(
    site: str,
    kind: str = ...,
) -> Call:
    """What the forms of a site received, in order, or only one kind of them, such as orders."""

def slide_picture(
    path: str,
    number: int = ...,
    behind: bool = ...,
) -> Call:
    """The first picture on a slide of a .pptx, as `picture` returns it, or the one `behind` all else."""

def slide_sound(
    path: str,
    number: int = ...,
) -> Call:
    """The sound on a slide of a .pptx, as `sound` returns it, whether embedded or linked."""

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
    """Details of a recording: length, rate, channels, tags, loudness and pitch per tenth of a second."""

def sound_before(
    path: str,
) -> Call:
    """A recording as it was when the task began."""

def spreadsheet(
    path: str,
) -> Call:
    """The sheets of a spreadsheet with their cells, formatting, charts, filters and frozen panes."""

def spreadsheet_before(
    path: str,
) -> Call:
    """A spreadsheet as it was when the task began."""

def started_programs() -> Call:
    """Programs started since the task began that are still running, each command line once."""

def suite_verdict(
    files: Mapping[str, str],
    suite: str,
    function: str = ...,
) -> Call:
    """What a test function returns for Python files, which lie next to it under these names."""

def terminal() -> Call:
    """The text of the frontmost terminal; absent when none is open."""

def text(
    path: str,
) -> Call:
    """The text of a file, read as UTF-8, and its line endings."""

def todo() -> Call:
    """GTG's tasks: title, text, status (Active, Done or Dismiss), dates, recurrence, tags."""

def visited_pages(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """The addresses that a browser remembers having shown."""

def vlc_settings() -> Call:
    """The settings of VLC that differ from its defaults."""

def wallpaper() -> Call:
    """The picture that is set as wallpaper, as `picture` returns it; absent if there is none."""

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
    """The plain files in the downloads folder, without unfinished downloads."""

def web_extensions(
    browser: Literal['chromium', 'firefox'] = ...,
) -> Call:
    """The extensions in Chromium's profile, with name and folder, including unpacked ones."""

def web_logins(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """The logins that a browser has saved: sites, and digests of the encrypted parts."""

def web_tabs() -> Call:
    """The tabs that Chromium shows: address and title of each, the front one of each window first."""

def whole_picture(
    path: str,
) -> Call:
    """All of a picture: its regions, opacity, and its metadata, such as where it was taken."""

def windows() -> Call:
    """The open windows, bottom to top: title, application, position, whether active or minimised."""

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
    """The data of a YAML file, as `json` returns it; dates are texts."""
