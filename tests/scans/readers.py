"""What readers see of a brand's measurement, and a reader who looks all the time."""

import threading
from collections.abc import Callable
from contextlib import contextmanager
from datetime import date

from django.db import connection
from django.test import Client
from django.urls import reverse

from visibility.models import Citation, DailyScore, Mention
from visibility.services.reading import reporting as reading
from visibility.services.reading.scores import visibility_scores

WINDOW = {"first": date(2026, 1, 1), "last": date(2026, 12, 31)}


def trend(caller, brand):
    items = reading.trend(caller, brand_id=brand.pk, **WINDOW).trend
    return tuple((item.date, item.score, item.share_of_voice, item.citation_rate) for item in items)


def runs(caller, brand):
    return tuple((run.id, run.score, run.low, run.high) for run in reading.runs(caller, brand_id=brand.pk).runs)


def mentions(caller, brand):
    return tuple(
        Mention.objects.filter(answer__brand=brand).order_by("answer", "start").values_list("answer", "text")
    )


def citations(caller, brand):
    rows = Citation.objects.filter(answer__brand=brand).order_by("answer", "position")
    return tuple(rows.values_list("answer", "owner"))


def rivals(caller, brand):
    return DailyScore.objects.filter(brand=brand, competitor__isnull=False).count()


def page(caller, brand):
    """The page as a whole: its trend, recommendations and runs come from several statements."""
    client = Client()
    client.force_login(caller.user)
    return client.get(reverse("brand-page", args=[brand.pk])).content.decode()


def page_figures(html):
    """What the page says of the measurement; not how far the next one is."""
    lines = (line.strip() for line in html.splitlines())
    return tuple(line for line in lines if line and "measured again" not in line and "csrf" not in line)


def recommendations(caller, brand):
    items = reading.recommendations(caller, brand_id=brand.pk, status=None).recommendations
    return sorted((item.kind, item.title, item.priority, item.status) for item in items)


def report(caller, brand):
    """The latest day, the trend, all shares and what changed: put together from several statements."""
    return visibility_scores(caller, brand_id=brand.pk, **WINDOW)


def whole_page(caller, brand):
    return page_figures(page(caller, brand))


OF_ALL_DAYS = (trend, runs, mentions, citations, rivals, report, whole_page)


@contextmanager
def watching(read: Callable[[], object], pause=0.0):
    """Read over and over until the block ends, and once more after it; gives what was seen, whenever it changed."""
    seen, errors, ended = [read()], [], threading.Event()

    def poll():
        try:
            last = False
            while not last:
                last = ended.wait(pause)
                now = read()
                if now != seen[-1]:
                    seen.append(now)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    reader = threading.Thread(target=poll)
    reader.start()
    try:
        yield seen
    finally:
        ended.set()
        reader.join()
    assert not errors, errors
