"""Runs the commands of the service, with the embedded PostgreSQL where no DATABASE_URL names another."""

import os
import sys

from django.core.management import execute_from_command_line

from config.postgres import embedded_server

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with embedded_server():
        execute_from_command_line(sys.argv)
