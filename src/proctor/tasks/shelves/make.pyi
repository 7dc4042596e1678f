"""The names of the shelf `setup` with their types.

Written by `python -m proctor.tasks.shelves.stubs` from the functions themselves; do not change it by hand.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from proctor.tasks.call import Call

def account_book(
    path: str,
    accounts: Sequence[Mapping[str, Any]],
    transactions: Sequence[Mapping[str, Any]] | None = ...,
    categories: Sequence[str] | None = ...,
    payees: Sequence[str] | None = ...,
) -> Call:
    """Write a HomeBank account book, in euros."""

def actions(
    actions: Sequence[Mapping[str, Any]],
) -> Call:
    """Perform these actions with keyboard and pointer in order, each once the screen is still."""

def archive(
    path: str,
    files: Mapping[str, str],
) -> Call:
    """Pack texts by name into a .zip, .tar or .tar.gz; a name ending in / is an empty folder."""

def arrange(
    window: str,
    x: int,
    y: int,
    width: int,
    height: int,
) -> Call:
    """Move and resize a window, borders included; terminals only come close to the size."""

def asset_file(
    path: str,
    asset: str,
) -> Call:
    """Copy a file from next to the task file to the computer, creating missing folders."""

def audacity_at_hand() -> Call:
    """Make Audacity start at once, without questions and without its effects written in Lisp."""

def big_file(
    path: str,
    size: int,
    begins: str = ...,
) -> Call:
    """Create a file of this many bytes that takes no space: zeros after the text `begins`."""

def bring_forward(
    window: str,
    whole: bool = ...,
    by_class: bool = ...,
) -> Call:
    """Bring a window with this title, or of this application, to the front, if there is one."""

def browser_profile(
    browser: Literal['chromium', 'firefox'],
    bookmarks: Sequence[Mapping[str, Any]] | None = ...,
    folders: Sequence[str] | None = ...,
    home_page: str = ...,
    settings: Mapping[str, bool | int | str] | None = ...,
) -> Call:
    """Prepare a browser before its first start: bookmarks and their folders, home page, settings."""

def calc(
    path: str,
) -> Call:
    """Open a spreadsheet in LibreOffice Calc and wait until its window has its size and settles."""

def calendar_service(
    address: str,
    password: str,
    calendars: Sequence[Mapping[str, Any]],
) -> Call:
    """Start a calendar server on loopback (CalDAV on port 5232) with these calendars of one user."""

def chat_say(
    messages: Sequence[Mapping[str, Any]],
) -> Call:
    """Make people say something, and return when HexChat has received all of it."""

def chat_server(
    channels: Sequence[Mapping[str, Any]],
    replies: Sequence[Mapping[str, Any]] | None = ...,
) -> Call:
    """Start a chat server on loopback and return when the people in its channels are there."""

def clipboard(
    text: str,
) -> Call:
    """Put a text into the clipboard."""

def close_if_open(
    window: str,
    whole: bool = ...,
    by_class: bool = ...,
) -> Call:
    """Close a window with this title, or of this application, if there is one, and wait for that."""

def close_tabs(
    urls: Sequence[str],
) -> Call:
    """Close the tabs of Chromium that show some pages."""

def close_window(
    window: str,
) -> Call:
    """Close a window as a user would and wait until it is gone."""

def code_command() -> Call:
    """Provide `code`, which opens files in the text editor and manages extensions."""

def code_extension(
    id: str,
    version: str = ...,
) -> Call:
    """Mark an extension of Visual Studio Code as installed, by its name only."""

def command(
    argv: Sequence[str],
    root: bool = ...,
    input: str = ...,
) -> Call:
    """Run a command that must succeed, as the user or as root of the machine."""

def copy_file(
    source: str,
    target: str,
) -> Call:
    """Copy a file or folder inside the computer, creating missing folders."""

def csv_file(
    path: str,
    rows: Sequence[Sequence[str | int | float | bool | None]],
    delimiter: str = ...,
) -> Call:
    """Write rows as comma-separated values."""

def data_file(
    path: str,
    base64: str,
) -> Call:
    """Write a file of these bytes, creating missing folders."""

def database(
    path: str,
    tables: Mapping[str, Mapping[str, Any]],
) -> Call:
    """Write an SQLite database with these tables."""

def dconf(
    key: str,
    value: str,
) -> Call:
    """Set a dconf key, such as `/org/xfce/mousepad/preferences/view/word-wrap`."""

def desktop_language(
    language: Literal['de', 'es', 'fr'],
) -> Call:
    """Let panels, the desktop and what is opened from them speak another language from now on."""

def dialog(
    title: str,
    text: str,
    buttons: Sequence[str] = ...,
) -> Call:
    """Show a dialog in front of everything, as another program would; each button closes it."""

def disturb_window(
    how: Literal['move', 'shrink', 'minimise', 'cover', 'take_focus'],
) -> Call:
    """Do something to the window that has the focus; it must be an ordinary one."""

def document(
    path: str,
    blocks: Sequence[str | Mapping[str, Any]],
    title: str = ...,
    header: str = ...,
    footer: str = ...,
    orientation: Literal['portrait', 'landscape'] = ...,
) -> Call:
    """Write a text document, .odt or .docx by its name; a string in `blocks` is a paragraph."""

def drawing(
    path: str,
    width: int,
    height: int,
    shapes: Sequence[Mapping[str, Any]],
    background: str | None = ...,
) -> Call:
    """Write an SVG drawing of shapes; each keeps its id."""

def element_shown(
    name: str,
    role: str | None = ...,
) -> Call:
    """Wait until an element is on the screen, after the window of its application is up."""

def end_application(
    again: Sequence[str],
) -> Call:
    """End the application in use as a crash does; a dialog offers to open it again, by this command."""

def epub(
    path: str,
    title: str,
    author: str,
    chapters: Sequence[Mapping[str, Any]],
) -> Call:
    """Write an e-book."""

def executable(
    path: str,
) -> Call:
    """Make a file executable."""

def film(
    path: str,
    size: Sequence[int],
    scenes: Sequence[Mapping[str, Any]],
    rate: int = ...,
    notes: Sequence[Mapping[str, Any]] = ...,
    title: str = ...,
) -> Call:
    """Write a video of still scenes in the format of its file name (mp4, mkv, webm)."""

def focus_window(
    window: str,
) -> Call:
    """Bring a window to the front and give it the focus."""

def folder(
    path: str,
) -> Call:
    """Create a folder and its parents."""

def gnome_settings() -> Call:
    """Let `gsettings` know settings of GNOME's shell, such as its favourites; nothing shows them."""

def gnote_notes(
    notes: Sequence[Mapping[str, Any]],
) -> Call:
    """Write the notes in Gnote."""

def gsetting(
    schema: str,
    key: str,
    value: str,
) -> Call:
    """Set a key of a GSettings schema; the value is written as GVariant, such as `true` or `'dark'`."""

def hexchat(
    nick: str,
    channels: Sequence[str],
) -> Call:
    """Open HexChat, connected under a name, with its channels open, the last one in front."""

def hexchat_account(
    nick: str,
    channels: Sequence[str],
) -> Call:
    """Configure HexChat to connect under a name and join these channels whenever it is opened."""

def ini_file(
    path: str,
    sections: Mapping[str, Mapping[str, str]],
) -> Call:
    """Write a settings file of sections with `key=value` lines, the way desktop programs do."""

def json_file(
    path: str,
    data: Any,
) -> Call:
    """Write data as JSON, indented."""

def keep_every_format() -> Call:
    """Let LibreOffice keep the format of each document that is saved, without asking."""

def keep_format() -> Call:
    """Keep a document's format, such as xlsx, when LibreOffice asks about it on saving."""

def keyboard_layout(
    layout: Literal['de', 'es', 'fr', 'gb', 'us'],
) -> Call:
    """Change the layout of the keyboard."""

def launch(
    argv: Sequence[str],
    window: str | None = ...,
    timeout_sec: float = ...,
) -> Call:
    """Start an application and wait until its window (with this in its title) is open and settled."""

def mail_delivered(
    address: str,
    letters: Sequence[Mapping[str, Any]],
) -> Call:
    """Deliver emails to the inbox of an account of the mail service, which must be running."""

def mail_service(
    accounts: Sequence[Mapping[str, Any]],
) -> Call:
    """Start a mail server on loopback (IMAP on 143, SMTP on 587) that keeps these accounts."""

def maximise(
    window: str,
) -> Call:
    """Maximise a window."""

def minimise(
    window: str,
) -> Call:
    """Minimise a window."""

def miniwob_page(
    name: str,
    seed: int,
    seconds: float = ...,
) -> Call:
    """Open a page of MiniWoB++ and start its problem for a seed; 0 seconds means no limit."""

def modified(
    path: str,
    at: str,
) -> Call:
    """Set when a file was last modified, such as `2026-02-01T08:00:00`, by the computer's clock."""

def move_file(
    source: str,
    target: str,
) -> Call:
    """Move or rename a file or folder inside the computer, creating missing folders."""

def notebook(
    path: str,
    pages: Mapping[str, str],
) -> Call:
    """Write a Zim notebook and register it: texts by page, named like `Recipes:Soup`."""

def notification(
    title: str,
    text: str,
    seconds: float = ...,
) -> Call:
    """Show a notification at the top right, which goes away by itself; it takes no focus."""

def open_browser(
    browser: Literal['chromium', 'firefox'],
    urls: Sequence[str],
    title: str,
) -> Call:
    """Open pages in a browser, a tab each, and wait until the one with this title is in front."""

def open_in_audacity(
    path: str,
) -> Call:
    """Open a recording in Audacity without its Lisp effects, each of which takes it a minute to test."""

def open_in_drawing(
    path: str,
) -> Call:
    """Open a picture in Drawing, maximised, with the names of its tools shown."""

def open_in_office(
    path: str,
    dialog: str = ...,
    timeout_sec: float = ...,
) -> Call:
    """Open a document in LibreOffice and wait until it can be edited, or its dialog is open."""

def open_path(
    path: str,
) -> Call:
    """Open a file or folder as a double click would, and wait until another window is open."""

def open_rhythmbox(
    songs: int,
) -> Call:
    """Open Rhythmbox and wait until it has found this many songs in the Music folder."""

def open_tabs(
    urls: Sequence[str],
    instead: bool = ...,
) -> Call:
    """Open pages in Chromium, a tab each, and wait until their window is open."""

def other_names() -> Call:
    """Make programs available under the names they have on Ubuntu, such as `google-chrome`."""

def page_script(
    url: str,
    script: str,
    reload: bool = ...,
    holds: bool = ...,
) -> Call:
    """Run a script in an open Chromium page with this address, and reload the page if asked."""

def password_safe(
    path: str,
    passphrase: str,
    entries: Sequence[Mapping[str, Any]] | None = ...,
) -> Call:
    """Write a KeePassXC safe with a passphrase, and answer the questions of its first start."""

def past_visits(
    pages: Sequence[Mapping[str, Any]],
) -> Call:
    """Add pages of any site to Chromium's history; it must not be running."""

def pause_services(
    seconds: float = ...,
) -> Call:
    """Let the services on loopback (mail, chat, sites, calendars) answer nobody for some seconds."""

def pdf(
    path: str,
    pages: Sequence[Sequence[str]],
    outline: Mapping[str, int] | None = ...,
) -> Call:
    """Write a PDF of pages of text lines; `outline` gives the page, from 1, of each title."""

def picture(
    path: str,
    width: int,
    height: int,
    background: str = ...,
    shapes: Sequence[Mapping[str, Any]] = ...,
    blur: float = ...,
    turned: Literal[0, 90, 180, 270] = ...,
    quality: int = ...,
) -> Call:
    """Paint a picture and write it in the format its name ends with."""

def playlist(
    path: str,
    files: Sequence[str],
    form: Literal['m3u', 'pls'] = ...,
) -> Call:
    """Write a playlist of files, named relative to its folder or by full path."""

def print_page(
    url: str,
) -> Call:
    """Print a web page with a Chromium that is not the user's, for `printed_page` to look at."""

def process(
    argv: Sequence[str],
) -> Call:
    """Start a program of the user in the background and wait until it is running."""

def quit_app(
    app: str,
) -> Call:
    """Close all windows of an application as a user would and wait until it has ended."""

def quit_browser(
    browser: Literal['chromium', 'firefox'],
) -> Call:
    """Close a browser, if one is running, as a user would, so that it saves its data."""

def quit_rhythmbox() -> Call:
    """End Rhythmbox, if it is still running, so that it saves everything."""

def read_only(
    path: str,
) -> Call:
    """Make a file or folder read-only."""

def remove_file(
    path: str,
) -> Call:
    """Delete a file or a whole folder, which must exist."""

def repository(
    path: str,
    commits: Sequence[Mapping[str, Any]],
    branch: str = ...,
    author: str = ...,
    stay_on: str = ...,
) -> Call:
    """Create a git repository with a history; it is clean, on its last branch or on `stay_on`."""

def screen_lock(
    seconds: float = ...,
) -> Call:
    """Lock the screen: nothing else can be seen or used until `Unlock` is clicked, or so long."""

def settings_written() -> Call:
    """Have what was set with `xfconf` written to its file now, which otherwise takes some seconds."""

def site_changed(
    name: str,
    pages: Mapping[str, Mapping[str, Any]] | None = ...,
    forms: Mapping[str, Mapping[str, Any]] | None = ...,
    files: Mapping[str, str] | None = ...,
) -> Call:
    """Change pages, forms and files of a running website; whoever loads them next sees it."""

def site_copy(
    host: str,
    pages: Mapping[str, str],
) -> Call:
    """Serve a copy of a web site at the address that the original has, over HTTP and HTTPS."""

def slides(
    path: str,
    slides: Sequence[Mapping[str, Any]],
    title: str = ...,
) -> Call:
    """Write a presentation, .odp or .pptx by its name; each slide has a title and bullet points."""

def slow_down(
    seconds: float = ...,
) -> Call:
    """Let the application in use answer only now and then for some seconds."""

def sound(
    path: str,
    notes: Sequence[Mapping[str, Any]],
    tags: Mapping[str, str] | None = ...,
) -> Call:
    """Write a recording of notes, with tags (title, artist, genre), in the format of its file name."""

def spreadsheet(
    path: str,
    sheets: Sequence[Mapping[str, Any]],
    separator: str = ...,
) -> Call:
    """Write a spreadsheet, .ods, .xlsx or .csv (one sheet) by its name; same sheets, same bytes."""

def symlink(
    path: str,
    target: str,
) -> Call:
    """Create a symbolic link at a path; the target need not exist."""

def tab_in_front(
    url: str,
) -> Call:
    """Bring the Chromium tab that shows a page to the front."""

def terminal(
    folder: str = ...,
) -> Call:
    """Open a terminal in a folder and wait for its prompt."""

def text_changed_meanwhile(
    path: str,
    text: str,
    notice: str,
) -> Call:
    """Rewrite a file that is open in an application, and wait until it reports that in these words."""

def text_file(
    path: str,
    text: str,
) -> Call:
    """Write a text file (UTF-8, exactly as given), creating missing folders."""

def thunderbird(
    address: str,
    password: str,
    person: str,
    calendars: Sequence[str] | None = ...,
    show: str = ...,
) -> Call:
    """Open Thunderbird, configured for a mail account and for calendars of the calendar service."""

def thunderbird_account(
    address: str,
    password: str,
    person: str,
) -> Call:
    """Configure Thunderbird for a mail account, its password saved, without opening it."""

def todo(
    tasks: Sequence[Mapping[str, Any]],
) -> Call:
    """Write GTG's list of tasks, and provide the bus that it needs to start."""

def todo_at_hand() -> Call:
    """Provide the bus that GTG needs to start; its list stays as it is."""

def unsaved_typing(
    window: str,
    text: str,
    keys: Sequence[str] | None = ...,
    title: str = ...,
) -> Call:
    """Press keys and type a text into a window, and wait until its title shows it as unsaved."""

def visit_pages(
    urls: Sequence[str],
) -> Call:
    """Visit pages in the open Chromium, each in a tab that is closed again, to create a history."""

def vlc_at_hand() -> Call:
    """Let VLC play without a sound card, and without complaining about it."""

def web_site(
    name: str,
    title: str,
    pages: Mapping[str, Mapping[str, Any]],
    menu: Mapping[str, str] | None = ...,
    forms: Mapping[str, Mapping[str, Any]] | None = ...,
    accounts: Mapping[str, str] | None = ...,
    members: Sequence[str] | None = ...,
    invitations: Sequence[Mapping[str, Any]] | None = ...,
    files: Mapping[str, str] | None = ...,
    search: bool = ...,
    overlay: str = ...,
    footer: str = ...,
    port: int = ...,
) -> Call:
    """Start a website at `http://NAME/` and return when it answers."""

def world(
    name: str,
    made_from: str = ...,
    letters: Mapping[str, Sequence[Mapping[str, Any]]] | None = ...,
    events: Mapping[str, Sequence[Mapping[str, Any]]] | None = ...,
) -> Call:
    """Lay a world on the desktop: files, settings, and the mail and calendar services of its owner."""

def world_clocks(
    cities: Sequence[Literal['Auckland', 'Cairo', 'Lisbon', 'Melbourne', 'Nairobi', 'Oslo', 'Toronto']],
) -> Call:
    """Give GNOME Clocks clocks for exactly these cities."""

def writing_ended(
    path: str,
) -> Call:
    """Wait until no application has a file open any more, for example after a long export."""

def xfconf(
    channel: str,
    property: str,
    value: str,
    type: Literal['string', 'int', 'uint', 'bool', 'double'] = ...,
) -> Call:
    """Set a property of an xfconf channel, such as `/Net/ThemeName` of `xsettings`."""
