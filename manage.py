"""Runs the commands of the service, with the embedded PostgreSQL where no DATABASE_URL names another."""

import logging
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, connection

from config.database import why_away
from config.postgres import embedded_server

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The pool repeats what the database says at each try, and then raises something else: it is said below, once.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    try:
        with embedded_server():
            execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database does not work: {why_away(connection.get_connection_params()) or error}")
