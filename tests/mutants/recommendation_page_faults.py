"""Faults in the pages of recommendations and topics: who sees, who decides, what they are told before."""

from tests.mutants.harness import Fault

_LIST = ("tests/pages/test_recommendation_pages.py",)
_ONE = ("tests/pages/test_recommendation_page.py",)
_DECISIONS = ("tests/pages/test_recommendation_decisions.py",)
_PREVIEW = ("tests/loop/test_preview_page.py",)
_TOPICS = ("tests/pages/test_topics_page.py",)
_ADMIN = ("tests/people/test_recommendations_admin.py",)

RECOMMENDATION_PAGES = (
    Fault(
        "recommendation page: one of another brand is shown",
        "visibility/services/recommendations/looking.py",
        "rows.filter(brand=brand_id, pk=recommendation_id)",
        "rows.filter(pk=recommendation_id)",
        _LIST,
    ),
    Fault(
        "recommendation page: anybody sees one",
        "visibility/services/recommendations/looking.py",
        'Recommendation.objects.restrict(caller, "view")',
        "Recommendation.objects.all()",
        _LIST,
    ),
    Fault(
        "recommendation page: viewers learn who decided",
        "visibility/services/recommendations/looking.py",
        'knows_people = caller.reach == "all" or may_edit(caller, brand_id)',
        "knows_people = True",
        _ONE,
    ),
    Fault(
        "recommendation page: owners learn the addresses of operators",
        "visibility/services/recommendations/looking.py",
        '    if caller.reach != "all":\n',
        "    if not keys:\n",
        _ONE,
    ),
    Fault(
        "recommendation page: forms for all who see it",
        "visibility/pages/recommendations.py",
        "    if not frame.may_edit:\n        return []\n",
        "",
        _LIST,
    ),
    Fault(
        "recommendation page: done without asking",
        "visibility/pages/recommendations.py",
        """if values["status"] == _Status.DONE and not values["confirmed"]:""",
        """if values["status"] == _Status.DONE and values["confirmed"] is None:""",
        _DECISIONS,
    ),
    Fault(
        "recommendation page: looking at the plan freezes it",
        "visibility/services/recommendations/previewing.py",
        "        transaction.set_rollback(True)\n",
        "",
        _PREVIEW,
    ),
    Fault(
        "recommendation page: who may only look is shown the plan to confirm",
        "visibility/services/recommendations/previewing.py",
        "brand = editable_brand(caller, brand_id, lock=True)",
        "brand = Recommendation.objects.get(pk=recommendation_id).brand",
        _PREVIEW,
    ),
    Fault(
        "recommendation page: a scan is promised on the day of the gap",
        "visibility/services/recommendations/previewing.py",
        "starts_scan=needs_scan and not is_gap_day",
        "starts_scan=needs_scan",
        _PREVIEW,
    ),
    Fault(
        "recommendation page: a link runs script",
        "visibility/pages/present/links.py",
        """parts.scheme in ("http", "https")""",
        """parts.scheme""",
        _ONE,
    ),
    Fault(
        "recommendation page: a link hides where it leads",
        "visibility/pages/present/links.py",
        "parts.hostname and parts.username is None and parts.password is None",
        "parts.hostname",
        _ONE,
    ),
    Fault(
        "recommendation page: quotes of any length",
        "visibility/pages/present/work.py",
        """shortened(clean(str(item.get("text", ""))), MAX_QUOTE)""",
        """clean(str(item.get("text", "")))""",
        _ONE,
    ),
    Fault(
        "recommendation list: the kind is not looked at",
        "visibility/services/recommendations/listing.py",
        "        rows = rows.filter(kind=choice.kind)\n",
        "        rows = rows.all()\n",
        _LIST,
    ),
    Fault(
        "recommendation list: what is decided is to do, too",
        "visibility/services/recommendations/listing.py",
        "TO_DO: (_Status.OPEN, _Status.IN_PROGRESS),",
        "TO_DO: tuple(_Status.values),",
        _LIST,
    ),
    Fault(
        "recommendation list: ties by chance",
        "visibility/services/recommendations/listing.py",
        "rows.order_by(*URGENCY)",
        "rows.order_by(_PRIORITY, 'pk')",
        _LIST,
    ),
    Fault(
        "topics: viewers are asked",
        "visibility/pages/topics.py",
        "if may_answer else {}",
        "if brand.pk else {}",
        _TOPICS,
    ),
    Fault(
        "topics: viewers choose",
        "visibility/services/topics/deciding.py",
        "brand = editable_brand(caller, brand_id, lock=True)",
        "brand = readable_brand(caller, brand_id)",
        _TOPICS,
    ),
    Fault(
        "topics: the queue follows at the next scan",
        "visibility/services/topics/deciding.py",
        "    refresh_recommendations(brand)\n",
        "",
        _TOPICS,
    ),
    Fault(
        "topics: choices for topics that there are not",
        "visibility/services/topics/deciding.py",
        "    if choices.keys() - {",
        "    if not choices.keys() or choices.keys() < {",
        _TOPICS,
    ),
    Fault(
        "topics: the question stays when it is answered",
        "visibility/services/topics/deciding.py",
        "    transaction.on_commit(partial(cache.delete_many, _cache_keys(brand.pk)), robust=True)\n",
        "",
        _TOPICS,
    ),
    Fault(
        "admin: dismissed without a reason",
        "visibility/admin/recommendations.py",
        '        self.fields["reason"].required = True\n',
        "        pass\n",
        _ADMIN,
    ),
    Fault(
        "a verdict is said twice",
        "visibility/insights/proofs/wording.py",
        '    return f"{rest[:1].upper()}{rest[1:]}" if is_told else sentence\n',
        "    return sentence\n",
        ("tests/pages/test_proof_words.py",),
    ),
    Fault(
        "recommendations name engines as they are stored",
        "visibility/insights/recommendations/wording.py",
        'f"{display_name(row.engine)}: {row.gaps}',
        'f"{row.engine}: {row.gaps}',
        ("tests/imports/test_gaps.py",),
    ),
)
