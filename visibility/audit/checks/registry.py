"""All checks, by the id that the catalogue gives them, and how they are run."""

from collections.abc import Mapping
from types import MappingProxyType

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks import (
    agent_surfaces,
    citability,
    entity_trust,
    freshness,
    rendering,
    structure,
    structured_data,
)
from visibility.audit.checks.access import directives, rules, serving
from visibility.audit.checks.discovery import languages, links, sitemaps, texts
from visibility.audit.outcome import Check, Outcome, not_applicable
from visibility.audit.site import Site

_GROUPS: tuple[Mapping[str, Check], ...] = (
    rules.CHECKS,
    serving.CHECKS,
    directives.CHECKS,
    rendering.CHECKS,
    sitemaps.CHECKS,
    links.CHECKS,
    texts.CHECKS,
    languages.CHECKS,
    structured_data.CHECKS,
    entity_trust.CHECKS,
    structure.CHECKS,
    citability.CHECKS,
    freshness.CHECKS,
    agent_surfaces.CHECKS,
)
CHECKS: Mapping[str, Check] = MappingProxyType(
    {check: group[check] for check in CATALOGUE for group in _GROUPS if check in group}
)
"""In the order of the catalogue."""

WITHOUT_PAGES = frozenset({"ACC-01", "ACC-02", "ACC-04", "ACC-05", "ACC-08", "ACC-10"})
"""Checks that robots.txt alone can answer."""


def run_checks(site: Site) -> dict[str, Outcome]:
    """What each check of the catalogue finds, by its id. A site without pages lets nobody in: what needs pages does
    not apply to it."""
    return {
        name: not_applicable("The site lets nobody in: no page was read.")
        if site.home is None and name not in WITHOUT_PAGES
        else check(site)
        for name, check in CHECKS.items()
    }
