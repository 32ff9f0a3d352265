"""When and where a run is carried out: here and now, but for the demo, whose past days are lived through anew."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.utils import timezone


def _now() -> datetime:
    return timezone.now()


def _local_hosts() -> Mapping[str, tuple[str, int]]:
    return settings.AUDIT_LOCAL_HOSTS


@dataclass(frozen=True, slots=True)
class Circumstances:
    """`now` is the time that is written beside what is found (leases and delays keep to the real one); `local_hosts`
    are names that lead audits to an address and port of this machine; `local_pause`: seconds between two requests to
    one of them, none but where it is measured how audits pause."""

    now: Callable[[], datetime] = _now
    local_hosts: Mapping[str, tuple[str, int]] = field(default_factory=_local_hosts)
    local_pause: float = 0.0
