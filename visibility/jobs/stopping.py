"""Whether this worker process is asked to end: runs then store what they have and leave the rest to another."""

import threading

stopping = threading.Event()
"""Set once, when the process is asked to end."""


class Stopping(Exception):
    """The worker is asked to end: put the run back as it is."""
