"""How the counts of a measured day are kept: a few kilobytes a day, by the keys of wordings, topics and subjects."""

import zlib
from datetime import date

import numpy as np
import orjson

from visibility.metrics.pairs import DayCounts

_NAMES = ("subjects", "engines", "prompts", "topics")
_TABLES = ("named", "answers", "mentioned", "cited")


def packed(counts: DayCounts) -> bytes:
    """The counts as JSON, compressed: `prompts` are keys of wordings, `topics` the topic of each."""
    content = {name: getattr(counts, name) for name in _NAMES}
    content |= {name: np.ascontiguousarray(getattr(counts, name), dtype=np.uint32) for name in _TABLES}
    content["averaged"] = sorted(counts.averaged)
    return zlib.compress(orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY))


def unpacked(day: date, content: bytes) -> DayCounts:
    """What `packed` keeps of that day."""
    stored = orjson.loads(zlib.decompress(content))
    subjects, engines, prompts, topics = (tuple(stored[name]) for name in _NAMES)
    shape = (len(engines), len(prompts), len(subjects))
    return DayCounts(
        day=day,
        subjects=subjects,
        engines=engines,
        averaged=frozenset(stored["averaged"]),
        prompts=prompts,
        topics=topics,
        named=np.array(stored["named"], dtype=bool).reshape(shape[1:]),
        answers=np.array(stored["answers"], dtype=float).reshape(shape[:2]),
        mentioned=np.array(stored["mentioned"], dtype=float).reshape(shape),
        cited=np.array(stored["cited"], dtype=float).reshape(shape),
    )
