"""What operators read in the log."""

import logging

import psycopg
import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.log import log_response

from config.logs import OneLineOutages


def line_of(error: Exception) -> str:
    """What the log says of a call that failed so."""
    try:
        raise error
    except Exception as raised:
        record = logging.LogRecord(
            "a",
            logging.ERROR,
            __file__,
            1,
            "The call %s failed",
            ("x",),
            (type(raised), raised, raised.__traceback__),
        )
    assert OneLineOutages().filter(record)
    return logging.Formatter("%(message)s").format(record)


@pytest.mark.parametrize("error", [OperationalError, psycopg.errors.DiskFull, psycopg.OperationalError])
def test_an_outage_is_one_line(error):
    assert line_of(error("could not extend file\nHINT: free some space")) == (
        "The call x failed: could not extend file HINT: free some space"
    )


def test_any_other_failure_comes_with_its_stack():
    assert "Traceback" in line_of(ValueError("a fault"))


@pytest.mark.parametrize(("path", "lines"), [("/readyz", 0), ("/api/v1/brands", 1)])
def test_a_process_that_is_not_ready_says_so_to_who_asks_and_not_in_the_log(caplog, path, lines):
    log_response("Service Unavailable", response=HttpResponse(status=503), request=RequestFactory().get(path))
    assert len(caplog.records) == lines
