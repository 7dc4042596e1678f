"""Roles of elements, by AT-SPI's names, in both spellings where toolkits differ."""

from __future__ import annotations

_NAMES = """
    accelerator label, alert, animation, application, arrow, article, audio, autocomplete, block quote, button,
    calendar, canvas, caption, chart, check box, check menu item, color chooser, column header, combo box, comment,
    content deletion, content insertion, date editor, definition, description list, description term,
    description value, desktop frame, desktop icon, dial, dialog, directory pane, document email, document frame,
    document presentation, document spreadsheet, document text, document web, drawing area, editbar, embedded, entry,
    extended, file chooser, filler, focus traversable, font chooser, footer, footnote, form, frame, glass pane,
    grouping, header, heading, html container, icon, image, image map, info bar, input method window, internal frame,
    invalid, label, landmark, layered pane, level bar, link, list, list box, list item, log, mark, marquee, math,
    math fraction, math root, menu, menu bar, menu button, menu item, notification, option pane, page, page tab,
    page tab list, panel, paragraph, password text, popup menu, progress bar, push button, push button menu,
    radio button, radio menu item, rating, redundant object, root pane, row header, ruler, scroll bar, scroll pane,
    section, separator, slider, spin button, split pane, static, status bar, subscript, suggestion, superscript,
    switch, table, table cell, table column header, table row, table row header, tearoff menu item, terminal, text,
    timer, title bar, toggle button, tool bar, tool tip, tree, tree item, tree table, unknown, video, viewport, window
"""
ROLES = frozenset(" ".join(name.split()) for name in _NAMES.split(","))
