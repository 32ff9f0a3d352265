"""The words of opportunities: what they are about, and why they are worth a page. Pure."""

from django.utils.formats import date_format

from apikeys.text.sentences import one_line, shortened
from visibility.insights.content.opportunities import OpportunityKind
from visibility.insights.content.reading import Found
from visibility.insights.recommendations.wording import MAX_TITLE, counts_in_words, rivals_in_words
from visibility.models.prompts import MAX_TOPIC


def topic_of(finding: Found) -> str:
    """What the page is about: the topic of its questions, for a source the question that cites it most."""
    gap, subject = finding.opportunity.gap, finding.subject
    if finding.topic:
        return shortened(one_line(finding.topic), MAX_TOPIC)
    first = gap.prompts[0]
    topic = finding.opportunity.subject
    if finding.opportunity.kind == OpportunityKind.CITED_SOURCE or topic == str(first):
        topic = subject.question(first)
    else:
        topic = subject.topic_name(topic)
    return shortened(one_line(topic), MAX_TOPIC)


def title_of(finding: Found) -> str:
    """One line that says what is missing where."""
    if finding.words:
        return finding.words.title
    brand, rivals = one_line(finding.subject.brand), rivals_in_words(finding.opportunity.gap, finding.subject)
    kind = finding.opportunity.kind
    if kind == OpportunityKind.NOT_NAMED:
        title = f"Answers on “{topic_of(finding)}” name {rivals}, not {brand}"
    elif kind == OpportunityKind.NOT_CITED:
        title = f"Answers on “{topic_of(finding)}” cite {rivals}, no page of {brand}"
    else:
        title = f"Answers that name {rivals}, not {brand}, rest on {one_line(finding.opportunity.subject)}"
    return shortened(title, MAX_TITLE)


def why(finding: Found) -> str:
    """How consistently it was measured, engine by engine, and what a page would change."""
    if finding.words:
        return f"{finding.words.summary}{_revised(finding)}"
    gap, subject = finding.opportunity.gap, finding.subject
    brand, rivals, domain = one_line(subject.brand), rivals_in_words(gap, subject), one_line(subject.domain)
    counts = counts_in_words(gap, subject)
    if finding.opportunity.kind == OpportunityKind.NOT_NAMED:
        measured = f"Answers that name {rivals} but not {brand} ({date_format(subject.day)}): {counts}."
        page = "Some of them cite a page of yours: revise it." if gap.brand_page_cited else f"None cites {domain}."
    elif finding.opportunity.kind == OpportunityKind.NOT_CITED:
        measured = f"Answers that cite {rivals} but no page of {brand} ({date_format(subject.day)}): {counts}."
        page = f"A page on {domain} that answers the questions gives them something to cite."
    else:
        measured = (
            f"Of the answers that cite {finding.opportunity.subject}, these name {rivals} but not {brand}: {counts}."
        )
        page = f"What that source covers, a page on {domain} should cover too."
    return f"{measured} {page}{_revised(finding)}"


def _revised(finding: Found) -> str:
    if finding.page is None:
        return ""
    return f" An own page answers {round(100 * finding.page.share)} % of it already: revise that one."
