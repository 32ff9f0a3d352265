"""The web server's worker: plain HTTP alone, and a reload during which somebody always answers.

gunicorn's own reload (SIGHUP) asks the old workers to end as soon as it has forked the new ones, which import for
seconds, and ends altogether when one of these cannot start. Here a worker that is asked to end for a reload goes on
until those that follow it answer. Its master holds nothing of the service but this file, `config.gunicorn` and
`config.local.processes`, so that what is forked imports the code as it is on disk.
"""

import signal
import time
from multiprocessing.sharedctypes import RawArray, RawValue
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

LOOK_SECONDS = 0.2
PATIENCE_SECONDS = 30.0
"""So long a worker waits for the last of its successors, where at least one answers: the code is good then."""
DRAIN_SECONDS = 45.0
"""How long a replaced worker serves what is under way, and lets idle connections be closed by their clients."""
FAILED_SECONDS = 5.0
"""A worker that cannot start while others serve is tried again no sooner."""
REFUSAL = "refusal"
"""The name under which the application leaves in the lifespan's state why it does not start."""
_SLOTS = 1024
_MAX_REFUSAL = 1000


class Generations:
    """What all processes of one server know of its reloads: memory that they share, made before the first fork.

    Generations are numbered from 1; each is started by a reload.
    """

    def __init__(self) -> None:
        self._current = RawValue("q", 1)
        self._ends = RawValue("b", 0)
        self._up = RawArray("q", _SLOTS)
        self._refusal = RawArray("c", _MAX_REFUSAL)

    @property
    def current(self) -> int:
        """The newest generation, up or not."""
        return int(self._current.value)

    @property
    def ends(self) -> bool:
        """Whether the whole server is asked to end."""
        return bool(self._ends.value)

    @property
    def serving(self) -> bool:
        """Whether any worker has ever answered."""
        return any(self._up)

    @property
    def refusal(self) -> str:
        """Why the last worker that could not start did not; empty where none said."""
        return bytes(self._refusal.value).decode(errors="replace")

    def begin(self) -> None:
        """A reload: the workers that are forked from now on are another generation."""
        self._current.value += 1

    def end(self) -> None:
        """The server is asked to end."""
        self._ends.value = 1

    def answers(self, age: int, generation: int) -> None:
        """The worker of this age, as gunicorn numbers them, answers. Each writes to a place of its own."""
        self._up[age % _SLOTS] = generation

    def answering(self) -> int:
        """How many workers of the newest generation answer."""
        return sum(number == self.current for number in self._up)

    def refuse(self, reason: str) -> None:
        """Why a worker cannot start, for the last line of the server."""
        self._refusal.value = reason.encode()[: _MAX_REFUSAL - 1]


GENERATIONS = Generations()


class HttpProtocol(ASGIProtocol):  # type: ignore[misc]
    """Leaves an Upgrade to WebSocket to the application, as any other header (RFC 9110, section 7.8).

    The server would answer such a request beside the application: uncounted, and with a 403 that says nothing.
    """

    def _is_websocket_upgrade(self, request: Any) -> bool:
        return False


class HttpWorker(gasgi.ASGIWorker):  # type: ignore[misc]
    """The server's own worker for ASGI with this protocol, which it has no setting for, and with that reload."""

    asgi: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """In the master, before the fork."""
        super().__init__(*args, **kwargs)
        self._generation = GENERATIONS.current
        self._answers = False
        self._asked_at: float | None = None
        self._leaves_at: float | None = None

    def init_process(self) -> None:
        """Start and serve. One that cannot start leaves those that serve alone: gunicorn would end them all."""
        gasgi.ASGIProtocol = HttpProtocol
        try:
            super().init_process()
        except (Exception, SystemExit) as error:
            if self._answers:
                raise
            refusal = self.state.get(REFUSAL, "")
            if not GENERATIONS.serving:
                GENERATIONS.refuse(refusal)
                raise
            self.log.error(
                "A new worker cannot start, the earlier ones go on: put it right and reload again. %s",
                refusal or repr(error),
                exc_info=not isinstance(error, SystemExit),
            )
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            time.sleep(FAILED_SECONDS)
            raise SystemExit(1) from error

    def notify(self) -> None:
        """Called each second, for the first time when it has begun to listen."""
        super().notify()
        self._answers = True
        GENERATIONS.answers(self.age, self._generation)

    def load_wsgi(self) -> None:
        """The application, which tells its clients to come back on another connection while the worker leaves."""
        super().load_wsgi()
        super().notify()  # a long start is no standstill
        serve = self.asgi

        async def application(scope: Any, receive: Any, send: Any) -> None:
            async def closing(message: Any) -> None:
                if message["type"] == "http.response.start":
                    message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
                await send(message)

            leaves = self._leaves_at is not None and scope["type"] == "http"
            await serve(scope, receive, closing if leaves else send)

        self.asgi = application

    def handle_exit_signal(self) -> None:
        """SIGTERM: because of a reload, because the server ends, or because there is one worker too many."""
        if self._asked_at is None:  # gunicorn asks once a second
            self._asked_at = time.monotonic()
            self._leave_when_replaced()

    def _leave_when_replaced(self) -> None:
        """For a reload: answer as ever until the successors do, then take no new connection, and end when the last is
        gone. gunicorn's own end closes those that it has just promised to keep."""
        now = time.monotonic()
        if GENERATIONS.current == self._generation or GENERATIONS.ends:
            super().handle_exit_signal()
            return
        if self._leaves_at is None and self._is_replaced(now):
            self._leaves_at = now
            # asyncio drops what it has just accepted when a server is closed at once: it is closed at the end.
            for listening in (listening for server in self.servers for listening in server.sockets):
                self.loop.remove_reader(listening.fileno())
        # The first second is for connections that are accepted and not yet counted.
        gone = self._leaves_at is not None and now > self._leaves_at + (DRAIN_SECONDS if self.nr_conns else 1.0)
        if gone:
            super().handle_exit_signal()
        else:
            self.loop.call_later(LOOK_SECONDS, self._leave_when_replaced)

    def _is_replaced(self, now: float) -> bool:
        waited = now - (self._asked_at or now)
        return GENERATIONS.answering() >= (1 if waited > PATIENCE_SECONDS else self.cfg.workers)
