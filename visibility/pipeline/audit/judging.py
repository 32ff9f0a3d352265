"""What an answer means for an audit: a page to read, a failure, nothing of this site, or a refusal of all of it."""

from collections.abc import Collection

from visibility.audit.checks.addresses import page_key, same_site
from visibility.models import AuditPage
from visibility.pipeline.audit.client import Reply

State = AuditPage.State
REFUSALS = frozenset({401, 403, 429})
FOR_NOW = frozenset({"timeout", "connection", "tls", "no_such_host"})
"""Reasons of failed fetches that say nothing of the page itself."""
_HTML = ("text/html", "application/xhtml+xml")


class NotAudited(Exception):
    """The audit ends here, with a code and a sentence: what happened and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def site_refused(what: str, user_agent: str) -> NotAudited:
    """The site refuses us, which says nothing of how it treats others."""
    return NotAudited(
        "site_refused",
        f"The site could not be audited: {what}. That says nothing about how it treats AI crawlers. Allow the user "
        f"agent {user_agent.partition(' ')[0]} and audit again.",
    )


def site_unreachable(what: str) -> NotAudited:
    """The site, or its home page, is not there."""
    return NotAudited("site_unreachable", f"The site could not be audited: {what}. Mend that and audit again.")


def is_refusal(reply: Reply) -> bool:
    """Whether a home page's answer refuses us."""
    return reply.fetched.status in REFUSALS or reply.is_challenge


def refusal_in_words(reply: Reply) -> str:
    """How the answer refuses us, as the beginning of a sentence."""
    if reply.is_challenge:
        return "its home page asks visitors to prove that they are people"
    return f"its home page answered {reply.fetched.status} to our crawler, twice"


def is_html(reply: Reply) -> bool:
    """Whether the body is an HTML page, by its type; without one, by how it begins."""
    media = reply.content_type.partition(";")[0].strip().lower()
    return media in _HTML if media else reply.body.lstrip()[:1] == b"<"


def judge(reply: Reply, home_url: str, taken: Collection[str]) -> tuple[AuditPage.State, str]:
    """What the answer of a page of the crawl is, with a code where it is no page to read.

    `taken`: the keys of addresses that other pages of the crawl have, or led to.
    """
    fetched = reply.fetched
    if fetched.error:
        return (State.FAILED if fetched.error in FOR_NOW else State.ASIDE), fetched.error
    if fetched.status == 429 or fetched.status >= 500:
        return State.FAILED, f"http_{fetched.status}"
    if reply.is_challenge:
        return State.FAILED, "challenge"
    if fetched.status != 200:
        return State.ASIDE, f"http_{fetched.status}"
    if not same_site(fetched.final_url, home_url):
        return State.ASIDE, "elsewhere"
    if page_key(fetched.final_url) in taken:
        return State.ASIDE, "same_page"
    return (State.FETCHED, "") if is_html(reply) else (State.ASIDE, "not_html")
