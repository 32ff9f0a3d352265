"""The queue of the embedded service: kombu's folder of messages, made safe for readers beside writers.

A message appears whole or not at all, and one that cannot be read is passed over: kombu's own channel lets a reader
take a file that is still being written, which ends the worker.
"""

import logging
import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.encoding import bytes_to_str, str_to_bytes
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)


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
            taken = file.with_suffix(".taken")
            try:
                file.rename(taken)
            except FileNotFoundError:
                continue
            body = taken.read_bytes()
            taken.unlink()
            try:
                message: dict[str, Any] = loads(bytes_to_str(body))
            except ValueError:
                logger.warning("Message %s cannot be read and is passed over", name)
                continue
            return message
        raise Empty


class Transport(filesystem.Transport):
    """Use it as `filesystem://`; see config.celery."""

    Channel = Channel
