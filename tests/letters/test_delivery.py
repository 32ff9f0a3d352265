"""Letters reach those who asked for them, each week's once, and only where something was measured."""

from datetime import timedelta

import pytest

from apikeys.models import Mail, MailPreference
from tests.factories import CollaboratorFactory
from tests.letters.conftest import MONDAY, NEXT_MONDAY, subscribed
from tests.mail.server import send_waiting
from tests.mail.test_mail import of_type
from tests.scores.conftest import answers, imported
from visibility import jobs
from visibility.letters.delivery import write_due_letters

pytestmark = pytest.mark.django_db


def test_a_letter_arrives_with_its_chart_and_a_link_in_each_sentence(brand, letterbox):
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY)
    send_waiting()
    [mail] = letterbox.mails
    assert (mail["To"], mail["Subject"]) == (brand.owner.email, "Kryton: nothing happened, 5 to 11 Jan 2026")
    assert of_type(mail, "image/png")["Content-ID"] == "<chart>"
    html, text = (of_type(mail, kind).get_content() for kind in ("text/html", "text/plain"))
    assert 'src="cid:chart"' in html and f"/brands/{brand.pk}/answers?stance=mentioned" in html
    assert "AI answers mention you in 51 %" in text and f"/brands/{brand.pk}/answers" in text
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_letter_speaks_the_language_of_its_reader(brand, letterbox):
    subscribed(brand.owner, brand, language="de")
    write_due_letters(MONDAY)
    mail = Mail.objects.get()
    assert mail.subject == "Kryton: nichts geschehen, 5.–11. Jan. 2026"
    assert '<html lang="de">' in mail.html


def test_a_week_has_one_letter_however_often_it_is_due(brand, letterbox):
    for _ in range(3):
        subscribed(brand.owner, brand)
        write_due_letters(MONDAY)
    assert Mail.objects.count() == 1
    assert MailPreference.objects.get().next_letter_at == NEXT_MONDAY


@pytest.mark.parametrize("late", [timedelta(days=1), timedelta(days=5)])
def test_a_worker_that_was_away_sends_the_letter_of_that_week_late(brand, letterbox, late):
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY + late)
    assert Mail.objects.get().once.endswith("2026-01-05")
    assert MailPreference.objects.get().next_letter_at == NEXT_MONDAY


def test_another_day_brings_no_second_letter_on_the_same_week(brand, letterbox):
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY)
    subscribed(brand.owner, brand, weekday=1)
    write_due_letters(MONDAY + timedelta(days=1))
    assert Mail.objects.count() == 1


def test_who_lost_access_gets_none(brand, letterbox):
    viewer = CollaboratorFactory(brand=brand, role="viewer")
    subscribed(viewer.user, brand)
    viewer.delete()
    write_due_letters(MONDAY)
    assert not Mail.objects.exists()


def lose_access(viewer):
    viewer.delete()


def lose_brand(viewer):
    viewer.brand.delete()


@pytest.mark.parametrize("lose", [lose_access, lose_brand])
def test_a_letter_that_waits_is_closed_where_its_reader_may_not_see_the_brand_any_more(brand, letterbox, lose):
    viewer = CollaboratorFactory(brand=brand, role="viewer")
    subscribed(viewer.user, brand)
    write_due_letters(MONDAY)
    lose(viewer)
    send_waiting()
    assert not letterbox.mails
    assert Mail.objects.get().problem == "Not sent: the person may not see any more what it tells."


def test_an_address_that_nobody_has_proven_gets_none(brand, letterbox):
    brand.owner.has_confirmed_address = False
    brand.owner.save()
    subscribed(brand.owner, brand)
    write_due_letters(MONDAY)
    assert not Mail.objects.exists()


def test_a_week_without_measurement_has_one_letter(letterbox):
    brand = imported(answers((1, 2)))
    subscribed(brand.owner, brand)
    for week in range(3):
        write_due_letters(MONDAY + timedelta(weeks=week))
        MailPreference.objects.update(next_letter_at=MONDAY)
    mail = Mail.objects.get()
    assert mail.subject == "Kryton: not measured, 5 to 11 Jan 2026"
    assert "Nothing was measured" in mail.text and "No scan is planned." in mail.text


def test_the_trouble_of_one_brand_delays_no_other(brand, letterbox, monkeypatch, caplog):
    broken = imported(
        answers((6,)),
    )
    broken.owner = brand.owner
    broken.domain = "broken.example"
    broken.save()
    write = jobs.write_due_letters.__globals__["read_letter"]

    def read(caller, brand_id, today):
        if brand_id == broken.pk:
            raise RuntimeError("broken")
        return write(caller, brand_id, today)

    monkeypatch.setattr("visibility.letters.delivery.read_letter", read)
    subscribed(brand.owner, brand, broken)
    write_due_letters(MONDAY)
    assert str(brand.pk) in Mail.objects.get().once
    assert "could not be written" in caplog.text


@pytest.mark.parametrize(("has_mail", "number"), [(True, 1), (False, 0)])
def test_the_sweep_has_letters_written_where_there_is_mail(brand, letterbox, settings, monkeypatch, has_mail, number):
    deferred = []
    monkeypatch.setattr("visibility.jobs.letters.defer", lambda: deferred.append(1))
    jobs.defer_letters()
    assert not deferred, "nobody waits"
    subscribed(brand.owner, brand)
    settings.HAS_MAIL = has_mail
    jobs.defer_letters()
    assert len(deferred) == number
