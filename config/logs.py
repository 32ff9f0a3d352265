"""What the log says of an outage, and does not say of health; and its form for programs."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime

from apikeys.errors import is_away

current_job: ContextVar[tuple[str, str]] = ContextVar("current_job", default=("", ""))
"""The ids of the job that is carried out and of its run; empty outside of one."""


class JsonLines(logging.Formatter):
    """Each record as a line of JSON: time, level, logger, message, and what there is of request, run, job, stack."""

    def format(self, record: logging.LogRecord) -> str:
        job, run = current_job.get()
        request = getattr(record, "request_id", "-")
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request": "" if request == "-" else request,
            "run": run,
            "job": job,
            "stack": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return json.dumps({name: value for name, value in line.items() if value}, ensure_ascii=False)


class OneLineOutages(logging.Filter):
    """Makes one line of a database that is away or full: a stack for each call would say nothing more."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_away(error):
            record.msg, record.args = f"{record.getMessage()}: {' '.join(str(error).split())}", ()
            record.exc_info = record.exc_text = None
        return True


class WithoutHealth(logging.Filter):
    """Leaves out that `/readyz` answered 503: it is asked each second, and whoever asks is answered why."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(getattr(record, "request", None), "path_info", "") != "/readyz"
