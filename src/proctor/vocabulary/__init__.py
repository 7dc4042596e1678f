"""The words of tasks: what applications, formats, services and the desktop offer to prepare, look at, judge and do."""
