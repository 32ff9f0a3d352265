"""What operators read in the log."""

import json
import logging

import psycopg
import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.log import log_response

from apikeys.edge.requestid import RequestIdFilter
from apikeys.edge.requestid import current as current_request
from config.logs import JsonLines, OneLineOutages, current_job


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


def test_json_lines_have_ids_of_request_job_and_run():
    record = logging.LogRecord("a", logging.WARNING, __file__, 1, "The %s failed", ("call",), None)
    request, job = current_request.set("r1"), current_job.set(("7", "run-1"))
    try:
        RequestIdFilter().filter(record)
        line = json.loads(JsonLines().format(record))
    finally:
        current_request.reset(request)
        current_job.reset(job)
    assert {name: line[name] for name in ("level", "message", "request", "job", "run")} == {
        "level": "WARNING",
        "message": "The call failed",
        "request": "r1",
        "job": "7",
        "run": "run-1",
    }


def test_a_json_line_is_one_line_with_its_stack():
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        information = (type(error), error, error.__traceback__)
    record = logging.LogRecord("a", logging.ERROR, __file__, 1, "Failed", (), information)
    text = JsonLines().format(record)
    assert "\n" not in text and "ValueError: two" in json.loads(text)["stack"]
