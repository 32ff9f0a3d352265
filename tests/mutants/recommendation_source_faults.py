"""Faults in the recommendations that rest on sources: cited pages, own pages, statements, claims, reviews, audits."""

from tests.mutants.harness import Fault

_ROOM = "visibility/insights/recommendations"
_CITING, _CITED = f"{_ROOM}/citing.py", f"{_ROOM}/kinds/cited_page.py"
_UNNAMED, _AUDIT = f"{_ROOM}/kinds/own_page_unnamed.py", f"{_ROOM}/kinds/audit_finding.py"
_CITED_TESTS = ("tests/recommendations/test_cited_pages.py",)
_SAYING, _STATEMENT = f"{_ROOM}/saying.py", f"{_ROOM}/kinds/statement.py"
_STATEMENT_TESTS = ("tests/recommendations/test_statements.py",)
_CLAIM, _THEME = f"{_ROOM}/kinds/claim.py", f"{_ROOM}/kinds/review_theme.py"
_EVIDENCE_TESTS = ("tests/recommendations/test_evidence_kinds.py",)
_LOSSES, _HISTORY = "visibility/metrics/losses.py", "visibility/measured/own_citations.py"
_LOST = f"{_ROOM}/kinds/own_page_lost.py"
_LOST_TESTS = ("tests/recommendations/test_own_pages_lost.py",)
_AUDIT_TESTS = ("tests/recommendations/test_audit_findings.py",)

RECOMMENDED_SOURCES = (
    Fault(
        "two answers of one engine open a cited page",
        _CITING,
        "len(answers) >= MIN_ANSWERS or",
        "len(answers) >= 2 or",
        _CITED_TESTS,
    ),
    Fault(
        "a page opens on the answers that cite it, whether they show the gap or not",
        _CITING,
        "self.share >= opens and is_enough(self.showing)",
        "self.share >= opens",
        _CITED_TESTS,
    ),
    Fault(
        "a page that is cited no more closes on few answers",
        _CITING,
        "answers[topic] >= MIN_TOPIC_ANSWERS",
        "answers[topic]",
        _CITED_TESTS,
    ),
    Fault(
        "pages of competitors and own pages are others' pages",
        _CITED,
        "row.page.owner == Citation.Owner.OTHER and row.page.cls in _CLASSES",
        "row.page.owner != Citation.Owner.OWN",
        _CITED_TESTS,
    ),
    Fault(
        "a page that sells is worth being on",
        _CITED,
        "    if offers_products(row.page, page.url):\n        return False\n",
        "",
        _CITED_TESTS,
    ),
    Fault(
        "any page of a site of no class is a list",
        _CITED,
        "row.page.cls is not SourceClass.OTHER or",
        "True or",
        _CITED_TESTS,
    ),
    Fault(
        "a test of a competitor's product is worth being on",
        _CITED,
        " and not _is_of_a_rival(row, words, material)]",
        "]",
        _CITED_TESTS,
    ),
    Fault(
        "each page of a site opens",
        _CITED,
        "row.standing is Standing.OPEN and site in opened",
        "False",
        _CITED_TESTS,
    ),
    Fault(
        "the quote of a cited page is the first that names a competitor",
        _CITED,
        "[*resting, *starts][0]",
        "starts[0]",
        _CITED_TESTS,
    ),
    Fault(
        "pages of others are own pages",
        _UNNAMED,
        " if row.page.owner == Citation.Owner.OWN]",
        "]",
        _CITED_TESTS,
    ),
    Fault(
        "an audit of fewer pages closes findings",
        _AUDIT,
        "seen_in is None or reach.get(seen_in, 0) <= pages",
        "True",
        _AUDIT_TESTS,
    ),
    Fault(
        "a defect that caps the score is one of many",
        _AUDIT,
        "_of_every_answer(defect, material) if defect.result.critical else _factors(defect)",
        "_factors(defect)",
        _AUDIT_TESTS,
    ),
    Fault(
        "words of the site stand in tasks without marks",
        "visibility/audit/wording.py",
        "return _filled(entry.fix_prompt, outcome.words, _as_quote(letters))",
        "return _filled(entry.fix_prompt, outcome.words, _as_text)",
        _AUDIT_TESTS,
    ),
    Fault(
        "what one answer says is to be corrected",
        _STATEMENT,
        "if len(saying) >= MIN_ANSWERS else",
        "if saying else",
        _STATEMENT_TESTS,
    ),
    Fault(
        "an answer that says it twice counts twice",
        _SAYING,
        "        groups.append(Group(topic, tuple(_one_of_each_answer(same))))",
        "        groups.append(Group(topic, tuple(same)))",
        _STATEMENT_TESTS,
    ),
    Fault(
        "all that is said against the brand on a topic is the same",
        _SAYING,
        "same = on_topic if is_unknown else _largest_alike(on_topic, own)",
        "same = on_topic",
        _STATEMENT_TESTS,
    ),
    Fault(
        "a statement rests on every page that its answer cites",
        "visibility/measured/statements.py",
        "if first < end and last > start]",
        "]",
        _STATEMENT_TESTS,
    ),
    Fault(
        "what is said of a competitor is said of the brand",
        "visibility/measured/statements.py",
        "competitor=None, stance__in=_STANCES",
        "stance__in=_STANCES",
        _STATEMENT_TESTS,
    ),
    Fault(
        "a statement closes on few answers",
        _STATEMENT,
        "len(named[topic]) >= MIN_TOPIC_ANSWERS",
        "True",
        _STATEMENT_TESTS,
    ),
    Fault(
        "one answer contradicts a claim",
        _CLAIM,
        "against >= MIN_CONTRADICTING",
        "against >= 1",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "any claim that no answer has is missed",
        _CLAIM,
        "        backed\n        and bool",
        "        bool",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "a claim is missed by few answers",
        _CLAIM,
        "        and item.answers >= MIN_NAMING\n",
        "",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "claims close while no page was read",
        _CLAIM,
        "and stored.pages and",
        "and",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "a theme of few reviews opens",
        _THEME,
        "standing=standing if enough else Standing.BETWEEN",
        "standing=standing",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "themes close on few reviews",
        _THEME,
        "if stored is None or stored.reviews < MIN_REVIEWS:",
        "if stored is None:",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "a theme that is spoken of well is to be answered",
        _THEME,
        "Standing.CLOSED if theme.polarity is Polarity.POSITIVE else Standing.OPEN",
        "Standing.OPEN",
        _EVIDENCE_TESTS,
    ),
    Fault(
        "one day without a citation is a loss",
        _LOSSES,
        "days - 1 - MAX_POOLED), days - 1):",
        "days - 1 - MAX_POOLED), days):",
        _LOST_TESTS,
    ),
    Fault(
        "what was cited now and then can be lost",
        _LOSSES,
        " & (least >= STEADY * old)",
        "",
        _LOST_TESTS,
    ),
    Fault(
        "fewer citations are a loss",
        _LOSSES,
        " & (new <= KEPT * old)",
        "",
        _LOST_TESTS,
    ),
    Fault(
        "many subjects have the level of one",
        _LOSSES,
        "LEVEL / max(tests, 1)",
        "LEVEL",
        _LOST_TESTS,
    ),
    Fault(
        "a lost page opens its topic, too",
        _LOST,
        "(row.digest or row.topic not in explained)",
        "True",
        _LOST_TESTS,
    ),
    Fault(
        "pages of others are own pages that were lost",
        _HISTORY,
        "answer__brand=brand, owner=Citation.Owner.OWN)",
        "answer__brand=brand)",
        _LOST_TESTS,
    ),
    Fault(
        "pages of one topic fill the queue",
        f"{_ROOM}/kinds/cited_page.py",
        "if opened[row.topic] > MAX_OF_TOPIC:",
        "if False:",
        _CITED_TESTS,
    ),
)
