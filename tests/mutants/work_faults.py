"""Faults in what the demo's people do, and in the pages where people work on recommendations and drafts."""

from tests.mutants.harness import Fault

_STORY = "tests/service/test_demo_story.py"
_QUEUE = "tests/pages/test_recommendation_page.py"

WORK = (
    Fault(
        "work on a simulated day is dated today",
        "visibility/services/recommendations/deciding.py",
        "        _change(caller, brand, row, status, reason, now or timezone.now())\n",
        "        _change(caller, brand, row, status, reason, timezone.now())\n",
        (_STORY,),
    ),
    Fault(
        "a simulated day's findings are dated today",
        "visibility/services/imports/importing.py",
        'f"import-{uuid4().hex}", circumstances)',
        'f"import-{uuid4().hex}")',
        (_STORY,),
    ),
    Fault(
        "the demo's first audit sees the site of today",
        "visibility/demo/serving.py",
        '{"edition": edition, "today"',
        '{"today"',
        (_STORY,),
    ),
    Fault(
        "the demo does its work anew at each start",
        "visibility/demo/deeds.py",
        ", status_changed_at__lte=moment)",
        ")",
        (_STORY,),
    ),
    Fault(
        "evidence leads to the latest run, whichever answer it quotes",
        "visibility/pages/present/work.py",
        'run=runs.get(UUID(item["answer_id"])) if item.get("answer_id") else None,',
        "run=None,",
        (_QUEUE,),
    ),
    Fault(
        "a loss is told anew without the day on which it began",
        "visibility/insights/recommendations/kinds/own_page_lost.py",
        "details=lost if lost.began else None,",
        "details=lost,",
        ("tests/recommendations/test_own_pages_lost.py",),
    ),
    Fault(
        "a heading begins the sentence below it",
        "visibility/services/content/material.py",
        "match.page.text.splitlines())]",
        '[" ".join(match.page.text.split())])]',
        ("tests/writing/test_material_blocks.py",),
    ),
    Fault(
        "the preview of a draft takes its text for HTML",
        "visibility/writers/publishing.py",
        "</a>', escape(words))",
        "</a>', words)",
        ("tests/pages/test_draft_page.py",),
    ),
    Fault(
        "the picture of a proof has no interval",
        "visibility/pages/present/proof_plot.py",
        "if low is not None and high is not None:\n        words +=",
        "if False:\n        words +=",
        (_QUEUE,),
    ),
)
