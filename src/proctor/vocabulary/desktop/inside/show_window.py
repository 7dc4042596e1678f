"""Show a dialog or a notification; runs inside, with GTK's own library and nothing else."""

import ctypes
import json
import os
import sys

order = json.loads(sys.argv[1])
gtk = ctypes.CDLL("libgtk-3.so.0")
glib = ctypes.CDLL("libglib-2.0.so.0")
gobject = ctypes.CDLL("libgobject-2.0.so.0")
pointer, text = ctypes.c_void_p, ctypes.c_char_p
handler = ctypes.CFUNCTYPE(None, pointer, pointer)
timer = ctypes.CFUNCTYPE(ctypes.c_int, pointer)
for name in ("gtk_window_new", "gtk_box_new", "gtk_label_new", "gtk_button_new_with_label"):
    getattr(gtk, name).restype = pointer
gobject.g_signal_connect_data.argtypes = [pointer, text, handler, pointer, pointer, ctypes.c_int]
glib.g_markup_escape_text.argtypes, glib.g_markup_escape_text.restype = [text, ctypes.c_ssize_t], text
glib.g_timeout_add.argtypes = [ctypes.c_uint, timer, pointer]


def _end(_widget: int, _data: int) -> None:
    gtk.gtk_main_quit()


def _end_in_time(_data: int) -> int:
    gtk.gtk_main_quit()
    return 0


def _open_again(_widget: int, _data: int) -> None:
    """Start what ended, and close."""
    if os.fork() == 0:
        os.setsid()
        os.execvp(order["again"][0], order["again"])
    gtk.gtk_main_quit()


end_handler, end_timer, again_handler = handler(_end), timer(_end_in_time), handler(_open_again)


def _call(name: str, *arguments: object) -> None:
    getattr(gtk, name)(*[pointer(each) if isinstance(each, int) and each > 2**31 else each for each in arguments])


def _add(box: int, widget: int, grow: int = 0) -> None:
    gtk.gtk_box_pack_start(pointer(box), pointer(widget), grow, grow, 0)


def _label(words: str, bold: bool = False) -> int:
    made: int = gtk.gtk_label_new(words.encode())
    _call("gtk_label_set_line_wrap", made, 1)
    _call("gtk_label_set_max_width_chars", made, 48)
    if bold:
        _call("gtk_label_set_markup", made, b"<b>" + glib.g_markup_escape_text(words.encode(), -1) + b"</b>")
    return made


glib.g_set_prgname(b"desktop-messages")
gtk.gtk_init(None, None)
passing = order["kind"] == "notification"
window = gtk.gtk_window_new(1 if passing else 0)
_call("gtk_window_set_title", window, order["title"].encode())
_call("gtk_container_set_border_width", window, 14)
box = gtk.gtk_box_new(1, 10)
_call("gtk_container_add", window, box)
_add(box, _label(order["title"], bold=True))
_add(box, _label(order["text"]), 1)
if order["buttons"]:
    row = gtk.gtk_box_new(0, 8)
    _add(box, row)
    for place, words in enumerate(order["buttons"]):
        button = gtk.gtk_button_new_with_label(words.encode())
        pressed = again_handler if order.get("again") and place == 0 else end_handler
        gobject.g_signal_connect_data(button, b"clicked", pressed, None, None, 0)
        gtk.gtk_box_pack_end(pointer(row), pointer(button), 0, 0, 0)
gobject.g_signal_connect_data(window, b"destroy", end_handler, None, None, 0)
if order["box"]:
    x, y, width, height = order["box"]
    _call("gtk_window_set_default_size", window, width, height)
    _call("gtk_window_move", window, x, y)
else:
    _call("gtk_window_set_position", window, 1)
_call("gtk_window_set_keep_above", window, int(order["above"]))
if order["kind"] == "lock":
    _call("gtk_window_fullscreen", window)
_call("gtk_widget_show_all", window)
_call("gtk_window_present", window)
if order["box"]:
    # The window manager has chosen a place of its own by now.
    _call("gtk_window_move", window, *order["box"][:2])
if order["seconds"]:
    glib.g_timeout_add(int(1000 * order["seconds"]), end_timer, None)
gtk.gtk_main()
