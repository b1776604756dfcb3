"""The ways in for people: console, archive files, and later Discord and the web."""
