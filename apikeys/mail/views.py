"""Unsubscribing: mail programs send one POST without a session (RFC 8058); people see a page with a button."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from apikeys.language import in_language
from apikeys.mail.choices import choose, subscription_of


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
@in_language
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """End a mailing by POST; by GET, which mail programs and scanners send unasked, nothing happens."""
    subscription = subscription_of(token)
    if subscription is None:
        raise Http404
    has_ended = request.method == "POST"
    if has_ended:
        choose(*subscription, is_wanted=False)
    return render(request, "unsubscribe.html", {"has_ended": has_ended})


urlpatterns = [path("unsubscribe/<str:token>", unsubscribe, name="unsubscribe")]
