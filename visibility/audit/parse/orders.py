"""What the starter and the process that forks for it write to each other."""

import struct

ORDER = struct.Struct(">cqqq")
"""A verb (`p` and `f`: fork one that reads pages, or files; `?`: has one ended?), the id of a process for `?`,
seconds of processor time for a document, bytes of memory."""
RESULT = struct.Struct(">q")
"""The id of the new process, or the exit code of one."""
RUNNING, NO_CHILD = 1_000, 1_001
"""In place of an exit code."""
