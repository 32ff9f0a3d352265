"""The queue of the embedded service: kombu's folder of messages, made safe for readers beside writers.

A message appears whole or not at all, and one that nobody can read is set aside, aloud: kombu's own channel lets a
reader take a file that is still being written, and either ends the worker.
"""

import logging
import os
import time
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty
from typing import Any, TypeVar

from kombu.transport import filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 1_000_000
"""Ours have less than a thousandth of that."""
SET_ASIDE = "malformed"
Result = TypeVar("Result")


class Channel(filesystem.Channel):
    """Messages are files `TIME_UUID.QUEUE.msg` in one folder, oldest first."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Write the message under a name that no reader looks for, then rename it."""
        file = Path(self.data_folder_out, f"{time.time_ns():020d}_{uuid.uuid4()}.{queue}.msg")
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(str_to_bytes(dumps(payload)))
        unfinished.rename(file)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        """Take the oldest message; of several readers one gets it."""
        for name in sorted(os.listdir(self.data_folder_in)):
            if name.partition(".")[2] != f"{queue}.msg":
                continue
            file = Path(self.data_folder_in, name)
            taken_file = file.with_suffix(".taken")
            try:
                file.rename(taken_file)
            except OSError:
                continue
            try:
                message = _read(taken_file)
            except Exception as error:  # whatever lies there must not end the worker
                self._set_aside(taken_file, name, error)
                continue
            taken_file.unlink()
            return message
        raise Empty

    def basic_consume(self, queue: str, *args: Any, **kwargs: Any) -> Any:
        """As kombu's; what comes of a message that has another form than ours stays with that message."""
        tag = super().basic_consume(queue, *args, **kwargs)
        callbacks: Any = self.connection._callbacks
        callbacks[queue] = partial(self._deliver_or_set_aside, callbacks[queue])
        return tag

    def _deliver_or_set_aside(self, deliver: Callable[[Any], Any], message: dict[str, Any]) -> Any:
        try:
            if not all(isinstance(message.get(part), dict) for part in ("properties", "headers")):
                raise TypeError("its properties and its headers are no objects")
            return deliver(message)
        except Exception as error:
            name = f"{time.time_ns():020d}_{uuid.uuid4()}.msg"
            copy = Path(self.data_folder_in, name).with_suffix(".taken")
            copy.write_bytes(str_to_bytes(dumps(message)))
            self._set_aside(copy, name, error)
            self._let_go(message)

    def _let_go(self, message: dict[str, Any]) -> None:
        """A message that was counted as under way would take the place of a good one for ever."""
        try:
            tag = message["properties"]["delivery_tag"]
            if tag in (self.qos._delivered or {}):
                self.basic_ack(tag)
        except (KeyError, TypeError):
            return

    def _set_aside(self, file: Path, name: str, error: Exception) -> None:
        folder = Path(self.data_folder_in, SET_ASIDE)
        logger.error(
            "The message %r in the queue is malformed (%s: %s). It is passed over and kept in %s",
            name,
            type(error).__name__,
            str(error)[:200],
            folder,
        )
        folder.mkdir(mode=0o700, exist_ok=True)
        file.rename(folder / name)

    def get_table(self, exchange: str) -> Any:
        """As kombu's, which ends the worker where the list was written in part."""
        return self._with_readable_list(exchange, partial(super().get_table, exchange))

    def _queue_bind(self, exchange: str, *args: Any) -> None:
        self._with_readable_list(exchange, partial(super()._queue_bind, exchange, *args))

    def _with_readable_list(self, exchange: str, use: Callable[[], Result]) -> Result:
        """Workers write the list of an exchange's queues anew when they start: a broken one is of no worth."""
        try:
            return use()
        except (ValueError, TypeError):
            logger.warning("The list of queues of the exchange %r is malformed and begun anew", exchange)
            self._exchange_file(exchange).unlink(missing_ok=True)  # type: ignore[attr-defined]
            return use()


def _read(file: Path) -> dict[str, Any]:
    """The message in a file; raises whatever speaks against it."""
    if file.is_symlink() or not file.is_file():
        raise ValueError("it is no regular file")
    if file.stat().st_size > MAX_MESSAGE_BYTES:
        raise ValueError(f"it has more than {MAX_MESSAGE_BYTES} bytes")
    message = loads(bytes_to_str(file.read_bytes()))
    if not isinstance(message, dict):
        raise TypeError("it is no object")
    return message


class Transport(filesystem.Transport):
    """Use it as `filesystem://`; see config.celery."""

    Channel = Channel
