"""The version of Proctor; the build reads it from here, and so does every record."""

VERSION = "0.1.0"
