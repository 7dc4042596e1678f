"""Spreadsheets as plain data: one shape for OpenDocument, OOXML and separated values."""
