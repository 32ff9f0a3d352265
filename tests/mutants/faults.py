"""The faults, by what they break: who gets in, what is seen, what is spent, what is kept, what is measured.

They guard permission, tenancy, money and statistics; a fault for every sentence would only be mended with it.
"""

from tests.mutants.harness import Fault
from tests.mutants.permission_faults import PERMISSION

DOOR = (
    Fault(
        "a revoked key is accepted",
        "apikeys/services/authentication.py",
        "return key.revoked_at is None and key.owner.is_active",
        "return key.owner.is_active",
        ("tests/rest/test_keys.py", "tests/rest/test_isolation.py"),
    ),
    Fault(
        "an expired key is accepted",
        "apikeys/services/authentication.py",
        "key.expires_at is None or key.expires_at > now",
        "True",
        ("tests/rest/test_keys.py", "tests/rest/test_isolation.py"),
    ),
    Fault(
        "the key of a deactivated owner is accepted",
        "apikeys/services/authentication.py",
        "key.revoked_at is None and key.owner.is_active and",
        "key.revoked_at is None and",
        ("tests/rest/test_keys.py",),
    ),
    Fault(
        "the plan is not checked",
        "apikeys/http/permissions.py",
        "        require_api_access(caller)\n",
        "",
        ("tests/rest/test_isolation.py",),
    ),
    Fault(
        "the scope is not checked at the door",
        "apikeys/caller.py",
        "if scope not in self.scopes:",
        "if False:",
        ("tests/rest/test_isolation.py",),
    ),
    Fault(
        "the runs need another scope",
        "visibility/api/views.py",
        """class RunViewSet(ResourceViewSet):
    required_scope = Scope.READ_VISIBILITY
""",
        """class RunViewSet(ResourceViewSet):
    required_scope = Scope.READ_SITES
""",
        ("tests/rest/test_isolation.py",),
    ),
    Fault(
        "the checksum of a key is not looked at",
        "apikeys/keyformat.py",
        "return _checksum(raw[:-CHECKSUM_LENGTH]) == raw[-CHECKSUM_LENGTH:]",
        "return True",
        ("tests/rest/test_keys.py",),
    ),
    Fault(
        "a form makes a second key",
        "apikeys/services/keys.py",
        "    key.issue_nonce = nonce\n",
        "",
        ("tests/people/test_keys.py",),
    ),
    Fault(
        "anyone may issue keys",
        "apikeys/services/keys.py",
        "    require_operator(caller)\n    granted =",
        "    granted =",
        ("tests/people/test_keys.py", "tests/people/test_roles.py"),
    ),
    Fault(
        "a call is not logged",
        "apikeys/http/views.py",
        "if self.known_key is None:",
        "if True:",
        ("tests/rest/test_call_log.py",),
    ),
    Fault(
        "the ETag answers before the key is checked",
        "apikeys/http/views.py",
        "        started = time.perf_counter()\n",
        '        if "If-None-Match" in request.headers:\n            return HttpResponse(status=304)\n'
        "        started = time.perf_counter()\n",
        ("tests/rest/test_headers.py",),
    ),
    Fault(
        "a forged forwarded header is believed",
        "apikeys/http/clientaddress.py",
        "        if not _within(current, trusted):\n            break\n",
        "",
        ("tests/rest/test_client_address.py",),
    ),
    Fault(
        "each IPv6 address has a budget of its own",
        "apikeys/http/clientaddress.py",
        "IPV6_PREFIX = 64",
        "IPV6_PREFIX = 128",
        ("tests/rest/test_client_address.py",),
    ),
    Fault(
        "a request is counted twice",
        "apikeys/http/ratelimit.py",
        "            usage = await self.counter.count(address)\n",
        "            await self.counter.count(address)\n            usage = await self.counter.count(address)\n",
        ("tests/rest/test_rate_limit.py",),
    ),
)

SIGHT = (
    Fault(
        "a stranger sees the brand",
        "brands/querysets.py",
        '("collaborators").related_model.objects.filter(user=caller.user)\n',
        '("collaborators").related_model.objects.all()\n',
        ("tests/rest/test_isolation.py",),
    ),
    Fault(
        "rows below a brand are seen by everyone",
        "brands/querysets.py",
        'return self.filter(**{f"{self.brand_path}__in": brands})',
        "return self.all()",
        ("tests/rest/test_isolation.py", "tests/rest/test_reading.py"),
    ),
    Fault(
        "a viewer may change the brand",
        "brands/querysets.py",
        'collaborations.filter(role="editor", user__is_active=True)',
        "collaborations.all()",
        ("tests/people/test_roles.py",),
    ),
    Fault(
        "the 404 of a stranger's brand differs",
        "visibility/services/reading/reporting.py",
        """    if not rows and not statements.sees(caller, brand_id):
        raise not_found()
""",
        """    if not rows and not statements.sees(caller, brand_id):
        error = not_found()
        error.details["known"] = statements.sees(Caller(actor="all", reach="all"), brand_id)
        raise error
""",
        ("tests/rest/test_isolation.py", "tests/rest/test_errors.py"),
    ),
    Fault(
        "61 runs are returned",
        "visibility/services/reading/statements.py",
        "RUN_HISTORY_CAP = 60",
        "RUN_HISTORY_CAP = 61",
        ("tests/rest/test_reading.py",),
    ),
    Fault(
        "the last day of a window is left out",
        "visibility/services/reading/statements.py",
        "date__range=(first, last)",
        "date__gte=first, date__lt=last",
        ("tests/rest/test_reading.py",),
    ),
    Fault(
        "the default window is a day short",
        "visibility/api/windows.py",
        "timedelta(days=DEFAULT_DAYS - 1)",
        "timedelta(days=DEFAULT_DAYS - 2)",
        ("tests/rest/test_reading.py",),
    ),
    Fault(
        "runs without credits count as the latest",
        "visibility/services/reading/statements.py",
        '        .exclude(status=Run.Status.CANCELLED, error_code="quota_exceeded")\n',
        "",
        ("tests/rest/test_reading.py",),
    ),
)

SPENDING = (
    Fault(
        "a quota is passed by one",
        "apikeys/services/usage.py",
        "used__lte=limit - amount",
        "used__lte=limit - amount + 1",
        ("tests/scans/test_start_scan.py",),
    ),
    Fault(
        "the quota of prompts is not checked",
        "visibility/services/prompts/editing.py",
        "    require_room(brand, len(created) + len(restored))\n",
        "",
        ("tests/people/test_prompts.py",),
    ),
    Fault(
        "the plan of whoever acts pays",
        "visibility/services/scans/starting.py",
        "    month = spend(brand.owner, Usage.Kind.CREDITS, total)\n",
        "    month = spend(caller.user or brand.owner, Usage.Kind.CREDITS, total)\n",
        ("tests/scans/test_start_scan.py",),
    ),
    Fault(
        "a call under way counts as free",
        "visibility/models/provider_calls.py",
        'Coalesce("cost", "reserved", ',
        'Coalesce("cost", ',
        ("tests/writing/test_writer_money.py",),
    ),
    Fault(
        "what a killed judge asked keeps its credits",
        "visibility/pipeline/provider_calls.py",
        "            call.credits = settlement.credits\n",
        "            call.credits = settlement.credits\n            unused.clear()\n",
        ("tests/scans/test_judging.py",),
    ),
    Fault(
        "the cooldown ends a moment late",
        "visibility/services/scans/starting.py",
        "if last and now < last.created_at + _cooldown():",
        "if last and now <= last.created_at + _cooldown():",
        ("tests/scans/test_start_scan.py",),
    ),
    Fault(
        "a second scan starts beside an active one",
        "visibility/services/scans/starting.py",
        "    if last and last.is_active:\n",
        "    if False and last.is_active:\n",
        ("tests/scans/test_start_scan.py",),
    ),
    Fault(
        "a run is settled twice",
        "visibility/pipeline/credits.py",
        "filter(pk=run.pk, settled_at=None)",
        "filter(pk=run.pk)",
        ("tests/scans/test_credits.py",),
    ),
    Fault(
        "competitors have no limit",
        "brands/services/competitors.py",
        "if count >= limit:",
        "if count > limit:",
        ("tests/people/test_competitors.py",),
    ),
)

RUNS = (
    Fault(
        "two workers claim one run",
        "visibility/jobs/lease.py",
        "filter(due(kind, now), pk=key).update(",
        "filter(pk=key).update(",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "a worker that lost its lease still writes",
        "visibility/jobs/lease.py",
        "            raise LeaseLost(str(key))\n",
        "            pass\n",
        ("tests/scans/test_lease.py", "tests/scans/test_execute.py", "tests/scans/test_rescore_steps.py::TestTurns"),
    ),
    Fault(
        "an answer is counted again when it comes twice",
        "visibility/pipeline/ask/storing.py",
        "filter(pk__in=results, run_id=run_id, state=Answer.State.PENDING)",
        "filter(pk__in=results, run_id=run_id)",
        ("tests/scans/test_asking.py",),
    ),
    Fault(
        "the same file adds its answers twice",
        "visibility/services/imports/storing.py",
        "            if key in stored:\n                continue\n",
        "",
        ("tests/imports/test_import.py",),
    ),
    Fault(
        "half a file is imported",
        "visibility/services/imports/importing.py",
        "with staged_answers(rows, progress) as staged, transaction.atomic():",
        "with staged_answers(rows, progress) as staged:",
        ("tests/imports/test_import.py",),
    ),
)

FIGURES = (
    Fault(
        "a name counts inside a word",
        "visibility/detection/names/boundaries.py",
        "ends = not after or ends_word(folded[end - 1], after) or",
        "ends = True or",
        ("tests/measurement/test_detector.py",),
    ),
    Fault(
        "a name counts inside code",
        "visibility/detection/detector.py",
        "    if not seen.code.touches(start, end):\n        return True\n",
        "    return True\n",
        ("tests/measurement/test_detector.py",),
    ),
    Fault(
        "a prompt that names the brand counts for its score",
        "visibility/metrics/measure.py",
        "engines[table.engine][:, None] & ~table.named",
        "engines[table.engine][:, None] & np.ones_like(table.named)",
        ("tests/measurement/test_metrics.py", "tests/scans/test_scoring.py"),
    ),
    Fault(
        "unmeasured is zero",
        "visibility/metrics/intervals.py",
        "            return UNMEASURED\n",
        "            return Estimate(0.0, 0.0, 0.0)\n",
        ("tests/measurement/test_metrics.py", "tests/scans/test_scoring.py"),
    ),
    Fault(
        "local-search is mixed into the mean",
        "visibility/measured/sampling.py",
        "return averaged_together({name: self.engines[name].surface for name in candidates})",
        "return candidates",
        ("tests/scans/test_scoring.py",),
    ),
    Fault(
        "an engine with too few answers counts",
        "visibility/measured/sampling.py",
        "5 * len(self.answered) >= 4 * len(self.versions)",
        "5 * len(self.answered) >= 3 * len(self.versions)",
        ("tests/scans/test_scoring.py",),
    ),
    Fault(
        "a change of the engines is called comparable",
        "visibility/pipeline/days/panels.py",
        '        *_engine_causes(before["engines"], now["engines"], sides),\n',
        "",
        ("tests/scans/test_scoring.py",),
    ),
    Fault(
        "each figure is tested as if it were the only one",
        "visibility/metrics/verdicts.py",
        "factor = tests / np.arange(",
        "factor = np.ones_like(tests) / np.arange(",
        ("tests/measurement/test_change.py",),
    ),
    Fault(
        "wordings of one topic count as so many topics",
        "visibility/metrics/contrasts.py",
        "np.diff(units[order], prepend=-1)",
        "np.arange(1, len(order) + 1)",
        ("tests/measurement/test_change.py",),
    ),
    Fault(
        "a difference that could not have been seen is called noise",
        "visibility/metrics/verdicts.py",
        "blind = ~(testable & (minimum <= DETECTABLE))",
        "blind = ~testable",
        ("tests/measurement/test_change.py",),
    ),
    Fault(
        "days that cannot be compared get a verdict",
        "visibility/pipeline/days/changes.py",
        "head = finding.development.change if finding and not reasons else None",
        "head = finding.development.change if finding else None",
        ("tests/scans/test_change.py",),
    ),
    Fault(
        "a competitor that the question names makes a gap",
        "visibility/insights/recommendations/gaps.py",
        "any(rival not in prompt.named for rival in answer.rivals)",
        "bool(answer.rivals)",
        ("tests/imports/test_gaps.py",),
    ),
    Fault(
        "a marker behind a sentence is given to the next one",
        "visibility/detection/citations/attachment.py",
        "bisect_right(starts, at) - 1, 0",
        "min(bisect_right(starts, at), len(starts) - 1), 0",
        ("tests/measurement/test_attachment.py",),
    ),
    Fault(
        "an operator's class takes a page from its owner",
        "visibility/detection/citations/citations.py",
        "    if owner is None:\n        return class_of",
        "    if owner is None or reclassified:\n        return class_of",
        ("tests/measurement/test_source_classes.py",),
    ),
    Fault(
        "an answer without citations gives every source its part",
        "visibility/metrics/impressions.py",
        "return _shares(_impressions(cited, len(urls)), 0.0)",
        "return _shares(_impressions(cited, len(urls)), 1 / max(1, len(urls)))",
        ("tests/measurement/test_impressions.py",),
    ),
)

FAULTS = (*DOOR, *SIGHT, *PERMISSION, *SPENDING, *RUNS, *FIGURES)
