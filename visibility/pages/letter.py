"""The letter on the last week as a page: to read, to share and to print."""

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from visibility.letters.letter import read_letter
from visibility.letters.schedule import subscribed_to
from visibility.pages.frame import Visit, brand_page


@brand_page
def letter(visit: Visit) -> HttpResponse:
    """The letter as it would be written today."""
    read = read_letter(visit.caller, visit.brand.pk, timezone.now().date())
    has_letter = visit.brand.pk in subscribed_to(visit.request.user)  # type: ignore[arg-type]  # signed in
    return visit.show("letter.html", "overview", letter=read, has_letter=has_letter, has_mail=settings.HAS_MAIL)
