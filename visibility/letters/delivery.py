"""Writes the letters that are due. A letter is one row of mail for a person, a brand and a week: after a kill another
worker goes on where the first one was, and after a day without any the letter of that week is late, and one."""

import logging
from datetime import date, datetime

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from apikeys.accounts.caller import Caller
from apikeys.language import written_in
from apikeys.mail.choices import unsubscribe_address
from apikeys.mail.post import post
from apikeys.mail.words import words_of
from apikeys.models import Mail, MailPreference, User
from brands.models import Brand
from visibility.letters.letter import Letter, read_letter
from visibility.letters.schedule import brands_of, last_slot, mailing_of, next_slot
from visibility.overview.brief import week_before

logger = logging.getLogger(__name__)


def due_readers(now: datetime) -> QuerySet[MailPreference]:
    """The people whose hour has come, who wait longest first."""
    due = MailPreference.objects.filter(next_letter_at__lte=now, person__in=User.objects.reached_by_mail())
    return due.select_related("person").order_by("next_letter_at")


def write_due_letters(now: datetime) -> None:
    """Write the letters of everybody whose hour has come, and set their next hour when all are written."""
    for preference in due_readers(now):
        day = last_slot(preference, now).date()
        brands = list(brands_of(preference.person))
        for brand in brands:
            try:
                write_letter(preference, brand, day)
            except Exception:  # one brand's trouble must not delay the others
                logger.exception("The letter on brand %s could not be written", brand.pk)
        served = MailPreference.objects.filter(pk=preference.pk, next_letter_at=preference.next_letter_at)
        served.update(next_letter_at=next_slot(preference, now) if brands else None)


def write_letter(preference: MailPreference, brand: Brand, today: date) -> bool:
    """Write the letter on the last whole week before a day; returns whether it is a new one. Of weeks without a
    measured day only the first after one has a letter."""
    person = preference.person
    once = f"letter:{person.pk}:{brand.pk}:{week_before(today)[0]}"
    if Mail.objects.filter(once=once).exists():
        return False
    with written_in(preference.language):
        letter = read_letter(Caller.from_user(person), brand.pk, today)
        if not letter.is_measured:
            once = f"letter-silence:{person.pk}:{brand.pk}:{letter.last_day or 'never'}"
        return _post(person, letter, once)


def _post(person: User, letter: Letter, once: str) -> bool:
    mailing, picture = mailing_of(letter.brand.pk), letter.picture() if letter.is_measured else b""
    context = {
        "letter": letter,
        "has_picture": bool(picture),
        "unsubscribe": unsubscribe_address(person, mailing),
        "preferences": f"{settings.PUBLIC_URL}{reverse('account')}#mail",
    }
    return post(
        words_of("letter", letter.subject, context),
        to=person.email,
        kind="letter",
        once=once,
        person=person,
        mailing=mailing,
        brand=letter.brand.pk,
        images={"chart": picture} if picture else None,
    )
