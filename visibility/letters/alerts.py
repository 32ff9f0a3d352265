"""Alerts: the few things that people hear of at once. A kind is a row of one table; its words are the template of its
name. Each cause is told to a person once, and each kind can be turned off."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from apikeys.language import written_in
from apikeys.mail.choices import unsubscribe_address
from apikeys.mail.post import post
from apikeys.mail.words import Button, notice
from apikeys.models import Mail, User
from visibility.letters import causes
from visibility.letters.causes import Cause
from visibility.letters.schedule import preference_of
from visibility.recommendations.words import words_of

ALERT = "alert:"
"""With the name of a kind: the mailing that a person can end."""
Audience = Literal["brand", "owner", "operator"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of alert: who gets it (those who see the brand, the owner of an account, operators), what it is called
    where it is turned off, and what causes it. Its words are `templates/advice/alerts/NAME.md`."""

    name: str
    audience: Audience
    label: Promise
    find: Callable[[datetime], Iterator[Cause]]

    @property
    def mailing(self) -> str:
        """The mailing that a person ends to hear no more of it."""
        return f"{ALERT}{self.name}"


KINDS = (
    Kind("change", "brand", gettext_lazy("A clear fall or rise of a score"), causes.changes),
    Kind("overtaken", "brand", gettext_lazy("A competitor is ahead that was not before"), causes.overtakers),
    Kind("scan", "brand", gettext_lazy("A scan failed, or a limit stopped it"), causes.troubled_scans),
    Kind("closed", "brand", gettext_lazy("A site is closed to AI crawlers"), causes.closed_sites),
    Kind("key", "owner", gettext_lazy("An API key ends within 14 days"), causes.ending_keys),
    Kind("credits", "owner", gettext_lazy("The credits of the month are nearly used"), causes.used_credits),
    Kind("app", "owner", gettext_lazy("The connection of an app ended"), causes.ended_connections),
    Kind("engine", "operator", gettext_lazy("An AI engine fails"), causes.failing_engines),
    Kind("spend", "operator", gettext_lazy("The day has nearly cost what it may"), causes.spent_money),
    Kind("queue", "operator", gettext_lazy("Jobs wait for too long"), causes.late_jobs),
    Kind("backup", "operator", gettext_lazy("The last backup is old"), causes.old_backups),
)


def kinds_for(person: User) -> list[Kind]:
    """The kinds that a person can get."""
    return [kind for kind in KINDS if kind.audience != "operator" or person.is_staff]


def write_alerts(now: datetime) -> None:
    """Write the alerts that nobody has written yet."""
    for kind in KINDS:
        try:
            for cause in kind.find(now):
                _write(kind, cause)
        except Exception:  # the trouble of one kind must not hide the others
            logger.exception("Alerts of the kind %s could not be written", kind.name)


def _write(kind: Kind, cause: Cause) -> None:
    reached = User.objects.reached_by_mail().filter(pk__in=[person.pk for person in cause.people])
    keys = {f"alert:{kind.name}:{cause.key}:{person.pk}": person for person in reached}
    written = set(Mail.objects.filter(once__in=keys).values_list("once", flat=True))
    for once in keys.keys() - written:
        _post(kind, cause, keys[once], once)


def _post(kind: Kind, cause: Cause, person: User, once: str) -> None:
    with written_in(preference_of(person).language):
        parts = words_of(f"alerts/{kind.name}", **cause.facts).plain.parts
        lines = [parts[name] for name in ("line", "more") if name in parts]
        button = Button(parts["act"], f"{settings.PUBLIC_URL}{cause.path}")
        words = notice(parts["subject"], lines, button, unsubscribe=unsubscribe_address(person, kind.mailing))
    post(
        words,
        to=person.email,
        kind=f"alert-{kind.name}",
        once=once,
        person=person,
        mailing=kind.mailing,
        brand=cause.brand,
    )
