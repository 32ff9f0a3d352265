"""Where a result leads: the one call that goes on from what it shows, for readers who want to get something done."""

from collections.abc import Callable
from typing import Any

from apikeys.text.untrusted import unmarked
from visibility.resources.steps import NextStep, next_step

Body = dict[str, Any]
Follow = Callable[[Body], NextStep | None]


def from_sites(body: Body) -> NextStep | None:
    """One site is begun with its brief; of several the reader chooses."""
    if len(body["sites"]) != 1:
        return None
    return next_step("get_site_brief", "How the site stands, in short.", siteId=body["sites"][0]["id"])


def from_brief(body: Body) -> NextStep | None:
    """To the gaps of the topic where a competitor is furthest ahead, else to what is recommended."""
    site = body["site"]["id"]
    for row in body["weaknesses"] or ():
        if row["kind"] == "topic" and row["bestRival"]:
            about = {"competitorId": row["bestRival"]["competitor"], "topic": unmarked(row["label"])}
            why = f"The questions on this topic where {row['bestRival']['name']} is named and the site is not."
            return next_step("get_competitor_gaps", why, siteId=site, **about)
    if body["recommendations"]:
        return next_step("get_recommendations", "What to do, with a prompt for the first.", siteId=site)
    return None


def from_recommendations(body: Body) -> NextStep | None:
    """Of what is done and not judged yet: when scans judge it."""
    proofs = [row["proof"] for row in body["recommendations"] if row["proof"] and row["proof"]["state"] != "judged"]
    if not proofs:
        return None
    scans, due = proofs[0]["scans"], proofs[0]["nextScanAt"]
    judged = f"What is done is judged by {_scans(scans) if scans else 'scans'} after it"
    if due is None:
        why = f"{judged}; none is due: this starts one and spends credits, so ask the user."
        return next_step("run_visibility_scan", why, siteId=body["brand"])
    return next_step("get_latest_scan", f"{judged}; the next is due on {due[:10]}.", siteId=body["brand"])


def _scans(number: int) -> str:
    return f"{number} scan" if number == 1 else f"{number} scans"


def from_scores(body: Body) -> NextStep | None:
    """To the gaps of the weakest topic where another is named."""
    for item in reversed(body["topics"]):
        own, *rivals = item["subjects"]
        if rivals and rivals[0]["named"] > own["named"]:
            why = f"The questions of the topic where {rivals[0]['name']} is named more often than the site."
            about = {"competitorId": rivals[0]["competitor"], "topic": unmarked(item["topic"])}
            return next_step("get_competitor_gaps", why, siteId=body["site"], **about)
    return None


def from_competitors(body: Body) -> NextStep | None:
    """To the gaps beside the most visible competitor."""
    measured = [row for row in body["competitors"] if row["score"]]
    if not measured:
        return None
    first = max(measured, key=lambda row: float(row["score"]))
    why = f"The questions where {first['name']} is named and the site is not."
    return next_step("get_competitor_gaps", why, siteId=body["site"], competitorId=first["id"])


def from_gaps(body: Body) -> NextStep | None:
    """To the pages worth writing on the topic of the first gap."""
    if not body["gaps"]:
        return None
    topic = unmarked(body["gaps"][0]["topic"])
    why = "What is worth writing to close these gaps, with what answers rest on."
    return next_step("get_content_opportunities", why, siteId=body["site"], **({"topic": topic} if topic else {}))


def from_opportunities(body: Body) -> NextStep | None:
    """To a draft for the first opportunity that has none."""
    for row in body["opportunities"]:
        if not row["drafts"]:
            why = "Writes the page for the first of these as a draft; it uses one of the month's, so ask the user."
            return next_step("generate_content_draft", why, siteId=body["site"], opportunityId=row["id"])
    return None


def from_prompts(body: Body) -> NextStep | None:
    """To the answers of the prompt that the fewest name the site to."""
    answered = [row for row in body["prompts"] if row["answers"]]
    if not answered:
        return None
    weakest = min(answered, key=lambda row: row["named"] / row["answers"])
    return next_step("get_prompt_detail", "What engines say to the weakest of these.", promptId=weakest["id"])


def from_prompt(body: Body) -> NextStep | None:
    """To whom else the answers name."""
    if not body["prompt"]["answers"]:
        return None
    why = "Whom the answers to this prompt name beside the site or instead of it."
    return next_step("get_prompt_competitor_results", why, promptId=body["prompt"]["id"])


def from_rivals(body: Body) -> NextStep | None:
    """To the gaps beside the competitor that the answers name most."""
    own, *rivals = body["subjects"]
    if not rivals or rivals[0]["named"] <= own["named"]:
        return None
    why = f"Where else {rivals[0]['name']} is named and the site is not."
    return next_step("get_competitor_gaps", why, siteId=body["site"], competitorId=rivals[0]["competitor"])


def from_scan(body: Body) -> NextStep | None:
    """To the figures of a run that has ended, else to how far it is."""
    run = body["run"]
    if run is None or run["kind"] == "comparison":
        return None
    is_active = run["status"] in ("queued", "running")
    if run["kind"] == "audit":
        return next_step("get_audit_scores", "What the audit says, or how far it is.", siteId=body["site"])
    if is_active:
        return next_step("get_scan_status", "How far the scan is.", siteId=body["site"], runId=run["id"])
    return next_step("get_visibility_scores", "The figures, this run's among them.", siteId=body["site"])


def from_audit(body: Body) -> NextStep | None:
    """To what the audit found."""
    if body["run"] is None:
        return None
    return next_step("get_audit_findings", "What to mend, most severe first.", siteId=body["site"])


def from_findings(body: Body) -> NextStep | None:
    """To the first finding in full, with the prompt that mends it."""
    if not body["findings"]:
        return None
    why = "The first of these in full, with a prompt to mend it."
    return next_step("get_audit_findings", why, siteId=body["site"], check=body["findings"][0]["check"])
