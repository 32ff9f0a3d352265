"""Copies of the database in one file, and the way back; `manage.py backup` and `manage.py restore`."""
