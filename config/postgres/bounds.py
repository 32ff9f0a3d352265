"""How long PostgreSQL may take: the server is told, and does not have to be believed.

A statement that is slow, or waits for a lock, the server ends itself. A server that stands still ends nothing, and
the kernel of its machine goes on confirming what it is sent: so the client does not wait much longer either, and
gives the connection up, as its answer may still come.
"""

from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus

Result = TypeVar("Result")

GRACE_SECONDS = 2.0
"""The server ends what is slow; the client waits so much longer for it to say so."""


class NoAnswer(psycopg.OperationalError):
    """The server said nothing for so long that the connection was given up."""


class Bounds:
    """What holds in this process: seconds for each statement, half of them for a lock; None is without end.

    Commands of an operator have none: whoever started one may end it.
    """

    statement: float | None = None

    def set(self, seconds: float) -> None:
        """Before the first connection is made. 0 is without end."""
        self.statement = seconds or None

    def options(self) -> str:
        """What the server is told, as libpq takes it."""
        if self.statement is None:
            return ""
        milliseconds = int(self.statement * 1000)
        return f"-c statement_timeout={milliseconds} -c lock_timeout={max(milliseconds // 2, 1)}"


BOUNDS = Bounds()


class BoundedConnection(psycopg.Connection[Any]):
    """Waits for an answer no longer than the bound; one that comes too late nobody reads."""

    patience: float | None = None
    """Seconds, where they are fewer than those of the process."""

    def wait(self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None) -> Result:
        """As psycopg's, which every call to the server comes through."""
        bound = self.patience or (BOUNDS.statement and BOUNDS.statement + GRACE_SECONDS)
        if timeout is not None or bound is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, bound)
        except psycopg.OperationalError as error:
            if self.info.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.close()
            raise NoAnswer(f"no answer within {bound:g} seconds") from error
