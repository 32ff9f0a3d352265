"""What a site offers to agents, and hidden text that addresses them (AGT-01 to 06). All of it informs only."""

from collections.abc import Mapping

from apikeys.text.sentences import counted, joined, one_line
from visibility.audit.outcome import Check, Evidence, Outcome, failed, not_applicable, passed
from visibility.audit.site import Probe, ProbeName, Site

MIN_LLMS = 50
"""Characters of an llms.txt that says something."""
_PRICES = ("crawler-price", "crawler-max-price", "crawler-charged")
_CATALOGS = ("service-desc", "service-doc", "api-catalog")
_INTERFACES: Mapping[ProbeName, str] = {
    "mcp.json": "an MCP server",
    "mcp server card": "an MCP server card",
    "api-catalog": "an API catalog",
    "agent card": "an agent card",
}
_FURTHER: Mapping[ProbeName, str] = {
    "ucp": "a UCP profile",
    "web bot auth": "a directory of keys for Web Bot Auth",
}


def llms_txt(site: Site) -> Outcome:
    """AGT-01: an llms.txt, where there is one, has a heading, links and some text."""
    probe = site.probes.get("llms.txt")
    if probe is None or not probe.fetched.answered:
        return not_applicable("There is no llms.txt.")
    text = probe.text
    if text.is_html:
        missing = site.probes.get("missing page")
        if missing and missing.fetched.answered:
            return not_applicable(
                "The site answers 200 for pages that do not exist, so what is at /llms.txt is no file."
            )
        return _llms_fault(probe, "is a web page, not Markdown")
    faults = [
        *(["no heading (a line that begins with “# ”)"] if not text.has_heading else []),
        *(["no link in Markdown"] if not text.has_link else []),
        *([f"fewer than {MIN_LLMS} characters"] if text.characters < MIN_LLMS else []),
    ]
    return (
        _llms_fault(probe, f"has {joined(faults)}") if faults else passed("There is an llms.txt; Google ignores it.")
    )


def markdown(site: Site) -> Outcome:
    """AGT-02: pages are offered as Markdown, by negotiation or by a link."""
    probe = site.probes.get("markdown")
    if probe and probe.fetched.answered and probe.fetched.header("content-type").lower().startswith("text/markdown"):
        return passed("The home page answers with Markdown where it is asked for.")
    linked = [link for page in site.parsed() for link in page.linked("alternate") if link.type == "text/markdown"]
    if linked:
        return passed(f"Pages link versions in Markdown, such as {one_line(linked[0].url)}.")
    evidence = Evidence(site.home.url if site.home else site.home_url, "header content-type", "no text/markdown")
    return failed(evidence=[evidence], words={"finding": "Pages are offered as HTML only, not as Markdown."})


def interfaces(site: Site) -> Outcome:
    """AGT-03: descriptions of interfaces for agents, where there are any, can be read."""
    surfaces: list[tuple[str, Probe]] = []
    broken: list[tuple[str, Probe]] = []
    for name, what in _INTERFACES.items():
        probe = site.probes.get(name)
        if probe and probe.fetched.answered and not probe.text.is_html:
            (surfaces if _is_json(probe) else broken).append((what, probe))
    if broken:
        evidence = [Evidence(probe.fetched.url, "its content", one_line(probe.text.opening)) for _, probe in broken]
        names = joined([what for what, _ in broken])
        return failed(evidence=evidence, words={"finding": f"What should describe {names} is not JSON."})
    header = site.home.fetched.header("link") if site.home else ""
    said = [what for what, _ in surfaces]
    if any(f'rel="{rel}"' in header or f"rel={rel}" in header for rel in _CATALOGS):
        said.append("a description of its API in the Link header")
    if not said:
        return not_applicable("No interface for agents is announced; that is of use only where there is one.")
    return passed(f"The site announces {joined(said)}.")


def paid_crawling(site: Site) -> Outcome:
    """AGT-04: terms for paid crawling, where there are any, are told."""
    answers = [page.fetched for page in site.pages]
    terms = [
        *(["status 402"] if any(answer.status == 402 for answer in answers) else []),
        *(["a price header"] if any(answer.header(name) for answer in answers for name in _PRICES) else []),
        *(["an RSL licence"] if _has_rsl(site) else []),
    ]
    if not terms:
        return not_applicable("No terms for paid crawling are announced.")
    return passed(f"Terms for paid crawling are announced by {joined(terms)}.")


def no_hidden_text(site: Site) -> Outcome:
    """AGT-05: no text that people do not see addresses AI systems."""
    pages = site.parsed()
    if not pages:
        return not_applicable("No page was read.")
    surfaces = [(page, hidden) for page in pages for hidden in page.hidden]
    if not surfaces:
        return passed()
    evidence = [
        Evidence(page.url, f"line {hidden.line} ({hidden.how})", one_line(hidden.quote)) for page, hidden in surfaces
    ]
    with_it = len({page.url for page, _ in surfaces})
    words = {"q": one_line(surfaces[0][1].quote)[:200], "pages": counted(with_it, "page")}
    return failed(evidence=evidence, share=1 - with_it / len(pages), words=words)


def further(site: Site) -> Outcome:
    """AGT-06: further interfaces for agents, named where there are any."""
    surfaces = [what for name, what in _FURTHER.items() if (probe := site.probes.get(name)) and _is_json(probe)]
    if not surfaces:
        return not_applicable("None was found.")
    return passed(f"The site has {joined(surfaces)}.")


def _llms_fault(probe: Probe, fault: str) -> Outcome:
    evidence = Evidence(probe.fetched.url, "its content", one_line(probe.text.opening))
    return failed(evidence=[evidence], words={"finding": f"llms.txt {fault}."})


def _is_json(probe: Probe) -> bool:
    return probe.fetched.answered and probe.text.is_json


def _has_rsl(site: Site) -> bool:
    """A licence in RSL: named in robots.txt, linked by the home page, or at its usual address."""
    probe = site.probes.get("rsl")
    if probe and probe.fetched.answered and probe.text.names_rsl:
        return True
    if site.robots.rules.licence:
        return True
    return any(link.type == "application/rsl+xml" for page in site.parsed() for link in page.head_links)


CHECKS: Mapping[str, Check] = {
    "AGT-01": llms_txt,
    "AGT-02": markdown,
    "AGT-03": interfaces,
    "AGT-04": paid_crawling,
    "AGT-05": no_hidden_text,
    "AGT-06": further,
}
