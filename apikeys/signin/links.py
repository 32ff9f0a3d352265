"""Links that let whoever has them choose a password: no log holds one."""

import logging
import re

_LINK = re.compile(r"(/password/reset/)[^/\s?]+/[^/\s?]+")


class LinkFilter(logging.Filter):
    """Takes the links out of what a logger writes."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _LINK.sub(r"\1(not logged)", record.getMessage()), ()
        return True
