"""What the log says of an outage, and does not say of health."""

import logging

from apikeys.errors import is_away


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
