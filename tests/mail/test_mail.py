"""Mails as a real server gets them: written once, tried again, given up, ended by a click."""

import logging
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from apikeys.accounts.operators import system_caller
from apikeys.mail import post as posting
from apikeys.mail.choices import choose, unsubscribe_address, wants
from apikeys.mail.post import post
from apikeys.mail.sending import CLAIM, GIVE_UP_AFTER
from apikeys.mail.words import Button, notice
from apikeys.models import Mail, MailImage, User
from brands.people import erase_person
from tests.factories import UserFactory
from tests.mail.server import send_waiting
from tests.people.browser import Browser, text_of
from visibility.jobs import defer_mail, purge

pytestmark = pytest.mark.django_db
LETTER = "letter:acme"
PNG = b"\x89PNG\r\n\x1a\n-pixels"


def write(to="anna@example.com", once="reset:1", **more) -> bool:
    words = notice("Grüße & <more>", ["First line.", "Last line."], Button("Open it", "https://example.com/open"))
    return post(words, to=to, kind="reset", once=once, **more)


def due(mail=None) -> None:
    """Let the waiting be over."""
    Mail.objects.exclude(next_try_at=None).update(next_try_at=timezone.now())


def of_type(mail, kind):
    return next(part for part in mail.walk() if part.get_content_type() == kind)


def test_a_mail_has_plain_text_and_html(letterbox):
    write()
    send_waiting()
    [mail] = letterbox.mails
    assert (mail["To"], mail["Subject"]) == ("anna@example.com", "Grüße & <more>")
    text = of_type(mail, "text/plain").get_content()
    assert "Grüße & <more>" in text and "https://example.com/open" in text and "Last line." in text
    html = of_type(mail, "text/html").get_content()
    assert "Grüße &amp; &lt;more&gt;" in html and 'href="https://example.com/open"' in html


def test_a_mail_shows_no_image_from_elsewhere_and_is_dark_where_the_reader_is(letterbox):
    write()
    html = Mail.objects.get().html
    assert not re.findall(r"src=|url\(|@import|<link|<script", html)
    assert "prefers-color-scheme: dark" in html


def test_images_come_along_inline(letterbox):
    write(images={"chart": PNG})
    send_waiting()
    image = of_type(letterbox.mails[0], "image/png")
    assert image["Content-ID"] == "<chart>" and image.get_content_disposition() == "inline"
    assert image.get_content() == PNG
    assert letterbox.mails[0].get_content_type() == "multipart/related"


def test_a_sent_mail_says_that_a_program_wrote_it(letterbox):
    write()
    send_waiting()
    assert letterbox.mails[0]["Auto-Submitted"] == "auto-generated"
    assert Mail.objects.get().state == "sent"


def test_the_same_is_written_once(letterbox):
    assert [write(), write(), write(once="reset:2")] == [True, False, True]
    send_waiting()
    assert len(letterbox.mails) == 2


@pytest.mark.parametrize("place", ["RCPT", "DATA"])
def test_a_mail_is_tried_again_after_a_temporary_refusal(letterbox, place):
    letterbox.answers[place] = ["451 try later", "451 try later"]
    write()
    waits = []
    for _ in range(2):
        before = timezone.now()
        send_waiting()
        mail = Mail.objects.get()
        assert (mail.state, mail.problem) == ("waiting", "451 try later")
        waits.append(round((mail.next_try_at - before).total_seconds() / 60))
        send_waiting()
        assert not letterbox.mails, "it waits its time"
        due()
    assert waits == [1, 2]
    send_waiting()
    assert len(letterbox.mails) == 1 and Mail.objects.get().state == "sent"


@pytest.mark.parametrize("place", ["RCPT", "DATA"])
def test_a_mail_that_is_refused_for_good_is_given_up(letterbox, place, caplog):
    letterbox.answers[place] = ["550 no such mailbox anna@example.com"]
    write()
    send_waiting()
    mail = Mail.objects.get()
    assert (mail.state, mail.problem) == ("given up", "550 no such mailbox anna@example.com")
    assert "is given up: 550 no such mailbox (address)" in caplog.text
    due()
    send_waiting()
    assert not letterbox.mails


def test_one_refused_mail_holds_up_no_other(letterbox):
    letterbox.answers["RCPT"] = ["550 no"]
    write(once="a")
    write(once="b")
    send_waiting()
    assert sorted(each.state for each in Mail.objects.all()) == ["given up", "sent"]


def test_a_server_that_is_away_is_asked_again(letterbox, settings):
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    write()
    send_waiting()
    assert Mail.objects.get().state == "waiting"
    settings.EMAIL_PORT = port
    due()
    send_waiting()
    assert len(letterbox.mails) == 1


def test_after_three_days_a_mail_is_given_up(letterbox, settings):
    settings.EMAIL_PORT = 1
    write()
    Mail.objects.update(created_at=timezone.now() - GIVE_UP_AFTER - timedelta(hours=1))
    send_waiting()
    assert Mail.objects.get().state == "given up"


def test_a_mail_to_no_address_is_given_up(letterbox):
    write(to="no address\nBcc: all@example.com")
    send_waiting()
    assert Mail.objects.get().state == "given up" and not letterbox.mails


def test_a_mail_under_way_is_left_alone_until_its_claim_expires(letterbox):
    write()
    Mail.objects.update(next_try_at=timezone.now() + CLAIM, tries=1)
    send_waiting()
    assert not letterbox.mails


def test_without_a_server_nothing_is_written_and_the_log_says_it_once(settings, caplog):
    posting._say_that_there_is_none.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert not write() and not write(once="b")
    assert caplog.text.count("EMAIL_URL is not set") == 1
    assert not Mail.objects.exists()


@pytest.mark.parametrize(("has_mail", "jobs"), [(True, 1), (False, 0)])
def test_the_sweep_has_waiting_mail_sent(letterbox, settings, has_mail, jobs, monkeypatch):
    deferred = []
    monkeypatch.setattr("visibility.jobs.mail.defer", lambda: deferred.append(1))
    defer_mail()
    assert not deferred, "nothing waits"
    write()
    settings.HAS_MAIL = has_mail
    defer_mail()
    assert len(deferred) == jobs


# Words that open something


@pytest.mark.parametrize("answer", ["250 OK", "550 no"])
def test_words_with_a_secret_go_with_the_mail(letterbox, answer):
    letterbox.answers["DATA"] = [answer] if answer[0] == "5" else []
    write(has_secret=True)
    send_waiting()
    mail = Mail.objects.get()
    assert (mail.text, mail.html) == ("", "")


def test_the_admin_shows_no_words(letterbox, rf):
    write()
    mail = Mail.objects.get()
    browser = Browser(UserFactory(is_staff=True, is_superuser=True))
    for address in ("/admin/apikeys/mail/", f"/admin/apikeys/mail/{mail.pk}/change/"):
        page = text_of(browser.open(address))
        assert "anna@example.com" in page and "First line" not in page and "/open" not in page


def test_words_are_purged_after_thirty_days_and_rows_after_four_hundred(letterbox):
    for once, days in (("young", 29), ("old", 31), ("oldest", 401)):
        write(once=once, images={"chart": PNG})
        Mail.objects.filter(once=once).update(created_at=timezone.now() - timedelta(days=days))
    Mail.objects.update(next_try_at=None)
    purge(0)
    assert sorted(Mail.objects.exclude(text="").values_list("once", flat=True)) == ["young"]
    assert sorted(Mail.objects.values_list("once", flat=True)) == ["old", "young"]
    assert MailImage.objects.count() == 1


# Unsubscribing


def test_mails_that_nobody_has_to_get_are_ended_by_one_click(letterbox, reader):
    write(person=reader, mailing=LETTER)
    send_waiting()
    [mail] = letterbox.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = re.fullmatch(r"<http://[^/]+(/unsubscribe/\S+)>", mail["List-Unsubscribe"].replace(" ", ""))[1]
    client = Client(enforce_csrf_checks=True)
    answer = client.post(address, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200 and not answer.cookies
    assert not wants(reader, LETTER, default=True)
    assert not write(once="next", person=reader, mailing=LETTER)


def test_looking_at_the_page_ends_nothing(reader):
    address = unsubscribe_address(reader, LETTER).partition("/unsubscribe")
    page = Client().get("/unsubscribe" + address[2])
    assert "Unsubscribe?" in text_of(page) and page["Referrer-Policy"] == "same-origin"
    assert wants(reader, LETTER, default=True)


def test_other_mailings_and_mails_that_have_to_be_sent_go_on(letterbox, reader):
    choose(reader, LETTER, is_wanted=False)
    assert write(person=reader, mailing="letter:other") and write(once="b", person=reader)


def unsubscribe(person):
    choose(person, LETTER, is_wanted=False)


def deactivate(person):
    User.objects.filter(pk=person.pk).update(is_active=False)


def doubt_address(person):
    User.objects.filter(pk=person.pk).update(has_confirmed_address=False)


def change_address(person):
    User.objects.filter(pk=person.pk).update(email="new@example.com")


LOSSES = [unsubscribe, deactivate, doubt_address, change_address]


@pytest.mark.parametrize("lose", LOSSES)
def test_what_waits_of_a_mailing_is_closed_where_its_person_may_not_get_it_any_more(letterbox, reader, lose, caplog):
    write(person=reader, mailing=LETTER)
    lose(reader)
    send_waiting()
    mail = Mail.objects.get()
    assert not letterbox.mails and mail.state == "given up" and mail.problem.startswith("Not sent: ")
    assert not caplog.records, "nothing is broken"


@pytest.mark.parametrize("lose", LOSSES)
def test_mails_that_have_to_be_sent_are_sent_all_the_same(letterbox, reader, lose):
    write(person=reader)
    lose(reader)
    send_waiting()
    assert len(letterbox.mails) == 1


@pytest.mark.parametrize("token", ["x", "WzEsImxldHRlciJd:1x:forged", "a:b:c"])
def test_a_forged_link_ends_nothing(db, token):
    assert Client().post(f"/unsubscribe/{token}").status_code == 404


def test_mails_and_choices_go_with_the_person(letterbox, reader):
    write(person=reader, to="other@example.com")
    write(once="b", to="ANNA@example.com")
    write(once="c", to="ben@example.com")
    choose(reader, LETTER, is_wanted=True)
    erase_person(system_caller("command:test"), user=reader)
    assert Mail.objects.get().address == "ben@example.com"
    assert not reader.mail_choices.exists()
