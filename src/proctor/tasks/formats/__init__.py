"""File formats, one file each: functions of bytes that return plain data; the reader runs them."""
