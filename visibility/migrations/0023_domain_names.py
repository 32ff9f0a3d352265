"""What daily scores and recommendations keep as JSON has the names of the domain, no longer those of the API."""

from itertools import islice

from django.db import migrations

AT_ONCE = 500

FURTHER = {
    "reciprocal_rank": "reciprocalRank",
    "top_three": "topThree",
    "average_position": "averagePosition",
    "citation_share": "citationShare",
    "own_citations": "ownCitations",
    "impression_share": "impressionShare",
    "impression_share_published": "impressionSharePublished",
    "ordered_agreement": "orderedAgreement",
    "mentioned_again": "mentionedAgain",
    "repeated_prompts": "repeatedPrompts",
}
DETAILS = {**FURTHER, "share_of_voice": "shareOfVoice", "citation_rate": "citationRate"}
ENGINE = {
    f"{figure}{end}": f"{public_name}{shown_end}"
    for figure, public_name in (("share_of_voice", "shareOfVoice"), ("citation_rate", "citationRate"))
    for end, shown_end in (("", ""), ("_low", "Low"), ("_high", "High"))
}
CHANGE = {"since": "from", "minimum_detectable": "minimumDetectable", "by_engine": "byEngine"}
METRIC_CHANGE = {"minimum_detectable": "minimumDetectable", "adjusted_p": "adjustedP"}
METRICS = {"share_of_voice": "shareOfVoice", "citation_rate": "citationRate"}
BUDGET = {"prompts_needed": "promptsNeeded", "samples_needed": "samplesNeeded"}
EVIDENCE = {"prompt_id": "promptId", "answer_id": "answerId"}
PAYLOAD = {"fix_prompt": "fixPrompt", "measured_on": "measuredOn"}
TALLY = {"as_of": "asOf"}
"""Each by the name in the domain: the name that the API has for it."""


class Names:
    """Renames in one direction. What has the other names already stays, so that it can be done again."""

    def __init__(self, *, to_domain):
        self._to_domain = to_domain

    def score(self, row):
        row.engines = [self._renamed(item, ENGINE) for item in row.engines]
        row.details = self._details(row.details)
        row.change = row.change and self._change(row.change)
        row.changes = [self._metric_change(change) for change in row.changes]
        row.budget = {name: kept and self._renamed(kept, BUDGET) for name, kept in row.budget.items()}

    def recommendation(self, row):
        row.evidence = [self._renamed(item, EVIDENCE) for item in row.evidence]
        row.payload = self._renamed(row.payload, PAYLOAD)
        if "engines" in row.payload:
            row.payload["engines"] = [self._renamed(item, TALLY) for item in row.payload["engines"]]

    def _renamed(self, kept, names):
        new = {public_name: name for name, public_name in names.items()} if self._to_domain else names
        return {new.get(name, name): value for name, value in kept.items()}

    def _details(self, details):
        """Engines are found by their names there, which stay."""
        kept = dict(details)
        if "overall" in kept:
            kept["overall"] = self._renamed(kept["overall"], FURTHER)
        if "engines" in kept:
            kept["engines"] = {name: self._renamed(figures, DETAILS) for name, figures in kept["engines"].items()}
        return kept

    def _change(self, change):
        kept = self._renamed(change, CHANGE)
        by_engine = "by_engine" if self._to_domain else "byEngine"
        if kept.get("common"):
            kept["common"] = self._renamed(kept["common"], CHANGE)
        if by_engine in kept:
            kept[by_engine] = [self._renamed(engine_change, CHANGE) for engine_change in kept[by_engine]]
        return kept

    def _metric_change(self, change):
        kept = self._renamed(change, METRIC_CHANGE)
        metrics = {public_name: name for name, public_name in METRICS.items()} if self._to_domain else METRICS
        return {**kept, "metric": metrics.get(kept["metric"], kept["metric"])}


def _rewrite(rows, fields, rename):
    """All rows, some at a time: their JSON is long."""
    keys = iter(list(rows.order_by("pk").values_list("pk", flat=True)))
    while batch := list(islice(keys, AT_ONCE)):
        changed = list(rows.filter(pk__in=batch).only("pk", *fields))
        for row in changed:
            rename(row)
        rows.bulk_update(changed, fields)


def _convert(apps, *, to_domain):
    names = Names(to_domain=to_domain)
    scores, queue = (apps.get_model("visibility", name).objects for name in ("DailyScore", "Recommendation"))
    _rewrite(scores.all(), ["engines", "details", "change", "changes", "budget"], names.score)
    _rewrite(queue.all(), ["evidence", "payload"], names.recommendation)


def to_domain(apps, schema_editor):
    _convert(apps, to_domain=True)


def to_api(apps, schema_editor):
    _convert(apps, to_domain=False)


class Migration(migrations.Migration):
    dependencies = [("visibility", "0022_first_days_engine_figures_status_times")]

    operations = [migrations.RunPython(to_domain, to_api)]
