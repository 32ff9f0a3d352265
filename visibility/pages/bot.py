"""The page that explains our crawler to those whose sites it visits; its user agent names the address."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from visibility.audit.fetch.agent import product_token, under_name
from visibility.pipeline.audit.agents import KEY_PAGES
from visibility.pipeline.audit.client import AT_ONCE, MAX_BYTES, MAX_CRAWL_DELAY, NEUTRAL_AGENT, PER_SECOND
from visibility.pipeline.audit.reaching import MOST
from visibility.services.audits.starting import MAX_PAGES


@require_safe
def bot(request: HttpRequest) -> HttpResponse:
    """What the crawler does, how to allow or bar it, and whom to ask."""
    context = {
        "user_agent": settings.AUDIT_USER_AGENT,
        "token": product_token(settings.AUDIT_USER_AGENT),
        "neutral_agent": NEUTRAL_AGENT,
        "example_agent": under_name("OAI-SearchBot", settings.AUDIT_USER_AGENT),
        "key_pages": KEY_PAGES,
        "contact": settings.AUDIT_CONTACT,
        "max_pages": MAX_PAGES,
        "at_once": AT_ONCE,
        "max_links": MOST["link"],
        "per_second": f"{PER_SECOND:g}",
        "max_megabytes": MAX_BYTES // 10**6,
        "max_delay": f"{MAX_CRAWL_DELAY:g}",
    }
    return render(request, "visibility/bot.html", context)


urlpatterns = [path("bot", bot, name="bot")]
