"""What is stored of a site and of what its addresses answered, as JSON and back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from apikeys.text.storable import storable
from visibility.audit.parse.sitemaps import ReadSitemap
from visibility.audit.robots import RobotsRules
from visibility.audit.site import (
    AgentProbe,
    Coverage,
    Fetched,
    Probe,
    ProbeName,
    Robots,
    Sitemap,
    Target,
    TextFacts,
)


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What an audit knows of its site beside the pages. Null: that stage is still to do."""

    robots: Robots | None = None
    barred: str = ""
    """Why no page was fetched, where robots.txt alone is audited."""
    sitemaps: tuple[Sitemap, ...] | None = None
    probes: Mapping[ProbeName, Probe] | None = None
    agents: tuple[AgentProbe, ...] | None = None
    sampled: tuple[Fetched, ...] | None = None
    linked_from: Mapping[str, str] = field(default_factory=dict)
    """Of the sampled addresses."""
    coverage: Mapping[Target, Coverage] = field(default_factory=dict)
    out_of_bytes: bool = False


FileFacts = RobotsRules | ReadSitemap | TextFacts
_SITE = TypeAdapter(SiteFacts)
_FETCHED = TypeAdapter(Fetched)


def site_as_json(facts: SiteFacts) -> dict[str, Any]:
    """For `Audit.site`."""
    stored: dict[str, Any] = storable(_SITE.dump_python(facts, mode="json"))
    return stored


def site_from_json(stored: Mapping[str, Any]) -> SiteFacts:
    """From `Audit.site`."""
    return _SITE.validate_python(dict(stored))


def read_files(stored: Mapping[str, Any]) -> dict[str, FileFacts]:
    """What was said of the files of a site, by key, from `Audit.site`; nothing where that has an older form."""
    try:
        facts = site_from_json(stored)
    except ValidationError:
        return {}
    read: dict[str, FileFacts] = {probe.key: probe.text for probe in (facts.probes or {}).values() if probe.key}
    read |= {
        sitemap.key: ReadSitemap(sitemap.kind, sitemap.entries, sitemap.total, sitemap.problem, sitemap.children)
        for sitemap in facts.sitemaps or ()
        if sitemap.key
    }
    if facts.robots and facts.robots.key:
        read[facts.robots.key] = facts.robots.rules
    return read


def fetched_as_json(fetched: Fetched) -> dict[str, Any]:
    """For `AuditPage.fetched`."""
    stored: dict[str, Any] = storable(_FETCHED.dump_python(fetched, mode="json"))
    return stored


def fetched_from_json(stored: Mapping[str, Any]) -> Fetched:
    """From `AuditPage.fetched`."""
    return _FETCHED.validate_python(dict(stored))
