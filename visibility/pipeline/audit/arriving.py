"""The first stage: where the site stands, whether it lets us in, and its home page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from visibility.audit.checks.addresses import same_site
from visibility.pipeline.audit.addresses import origin_of
from visibility.pipeline.audit.client import BUSY, Client, Reply
from visibility.pipeline.audit.judging import (
    REFUSALS,
    NotAudited,
    is_html,
    is_refusal,
    refusal_in_words,
    site_refused,
    site_unreachable,
)
from visibility.pipeline.audit.reading import FileReader
from visibility.pipeline.audit.rules import UNREADABLE, Rules

SERVER_ERRORS = frozenset(range(500, 600))


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where the site stands and what it lets us do.

    `home` is null where robots.txt alone is audited; `barred` says why, then.
    """

    home_url: str
    rules: Rules
    home: Reply | None = None
    barred: str = ""


async def arrive(client: Client, files: FileReader, domain: str, own_domains: Sequence[str]) -> Arrival:
    """Find the site, https first, and fetch its robots.txt and its home page as far as we may.

    `own_domains`: further ones that the home page may lead to. Raises NotAudited where the site is not to be had,
    refuses us, or stands elsewhere.
    """
    origin, rules = await _first_that_answers(client, files, domain)
    arrival = _admitted(rules, f"{origin}/")
    if arrival:
        return arrival
    home = await client.page(f"{origin}/", BUSY | REFUSALS | SERVER_ERRORS)
    _require_home(home, client.user_agent)
    final = home.fetched.final_url
    if not any(same_site(final, f"https://{own}/") for own in (domain, *own_domains)) and not _is_below(
        final, domain
    ):
        raise NotAudited(
            "site_moved",
            f"The site could not be audited: {domain} leads to {origin_of(final)}, which is not a domain of this "
            "brand. Change the brand's domain, or add that one to its own domains, and audit again.",
        )
    if origin_of(final) != origin:
        # robots.txt holds for one host and scheme only.
        rules = Rules(await files.robots(await _robots(client, origin_of(final))), client.user_agent)
        arrival = _admitted(rules, final)
        if arrival:
            return arrival
    return Arrival(final, rules, home)


async def _first_that_answers(client: Client, files: FileReader, domain: str) -> tuple[str, Rules]:
    """The first origin of the domain whose robots.txt, or home page, is answered."""
    silent: list[tuple[str, Reply]] = []
    for origin in _origins(domain):
        reply = await _robots(client, origin)
        if not reply.fetched.error:
            return origin, Rules(await files.robots(reply), client.user_agent)
        silent.append((origin, reply))
    for origin, reply in silent:
        # Only robots.txt may be at fault: a site that answers otherwise closes itself to all crawlers by that.
        if reply.fetched.error in UNREADABLE and not (await client.page(f"{origin}/", ())).fetched.error:
            return origin, Rules(await files.robots(reply), client.user_agent)
    raise site_unreachable(f"{silent[0][0]} did not answer ({silent[0][1].fetched.detail.rstrip('.')})")


async def _robots(client: Client, origin: str) -> Reply:
    return await client.page(f"{origin}/robots.txt", BUSY | SERVER_ERRORS)


def _origins(domain: str) -> Iterator[str]:
    for scheme in ("https", "http"):
        yield f"{scheme}://{domain}"
        yield f"{scheme}://www.{domain}"


def _is_below(url: str, domain: str) -> bool:
    """Whether the address stands on a host below the domain."""
    return same_site(url, f"https://{domain}/") or origin_of(url).endswith(f".{domain}")


def _admitted(rules: Rules, home_url: str) -> Arrival | None:
    """The end of the way where robots.txt lets us no further; null where it does. Raises NotAudited."""
    status = rules.robots.fetched.status
    if status == 429:
        raise site_refused("its robots.txt answered 429 (too many requests), twice", rules.user_agent)
    if rules.unreachable:
        what = f"answered {status}" if status else "could not be fetched"
        return Arrival(home_url, rules, barred=f"robots.txt {what}: crawlers must fetch nothing then.")
    if rules.allow(home_url):
        return None
    barred = rules.barred_searchers(home_url)
    if not barred:
        raise site_refused("its robots.txt bars our crawler", rules.user_agent)
    return Arrival(home_url, rules, barred=f"robots.txt bars our crawler, and {', '.join(barred)}.")


def _require_home(home: Reply, user_agent: str) -> None:
    fetched = home.fetched
    if fetched.error:
        raise site_unreachable(f"{fetched.url} did not answer ({fetched.detail.rstrip('.')})")
    if is_refusal(home):
        raise site_refused(refusal_in_words(home), user_agent)
    if fetched.status != 200:
        raise site_unreachable(f"its home page {fetched.final_url} answered {fetched.status}")
    if not is_html(home):
        raise site_unreachable(f"its home page {fetched.final_url} is no HTML page")
