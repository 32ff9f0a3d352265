"""Carries out an audit from what is stored of it to its end."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.addresses import page_key
from visibility.audit.checks.registry import run_checks
from visibility.audit.parse.child import ParsingChild
from visibility.audit.score import scores
from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import AUDIT
from visibility.jobs.lease import LeaseLost, LeaseState
from visibility.jobs.patience import unless_away
from visibility.jobs.standing import standing
from visibility.jobs.stopping import Stopping
from visibility.models import Audit, Run
from visibility.pipeline.audit.arriving import arrive
from visibility.pipeline.audit.assembling import read_pages, site_of
from visibility.pipeline.audit.client import Client, Halted
from visibility.pipeline.audit.crawling import Crawl
from visibility.pipeline.audit.ending import fail_audit, finish_audit
from visibility.pipeline.audit.facts import SiteFacts, site_from_json
from visibility.pipeline.audit.judging import NotAudited
from visibility.pipeline.audit.mapping import sitemaps_of
from visibility.pipeline.audit.probing import addresses_to_sample, probes_of, statuses_of
from visibility.pipeline.audit.reading import PageReader
from visibility.pipeline.audit.rules import Rules
from visibility.pipeline.audit.storing import Contents, keep_arrival, keep_facts

LOOK_SECONDS = 0.5


def audit_site(run: Run, worker: str, heartbeat: Heartbeat) -> None:
    """Fetch what was not fetched, check the whole, and end the run."""
    contents = Contents()
    try:
        _Audit(run, worker, heartbeat, contents).gather()
    except NotAudited as why:
        fail_audit(run, worker, why)
        return
    outcomes = run_checks(site_of(run, Audit.objects.get(pk=run.pk), contents))
    finish_audit(run, worker, outcomes, scores(outcomes, CATALOGUE))


class _Audit:
    """One turn of a worker at fetching what an audit needs."""

    def __init__(self, run: Run, worker: str, heartbeat: Heartbeat, contents: Contents) -> None:
        self._run, self._worker, self._contents = run, worker, contents
        self._standing = partial(standing, AUDIT, run.pk, worker, heartbeat)
        self._audit = Audit.objects.get(pk=run.pk)

    def gather(self) -> None:
        """Fetch until nothing is missing. Raises NotAudited, LeaseLost and Stopping."""
        try:
            async_to_sync(self._gather)()
        except BaseExceptionGroup as group:
            # One failure ends the turn: the first says why, a lost lease before all others.
            failures = list(_leaves(group))
            raise next((each for each in failures if isinstance(each, LeaseLost)), failures[0]) from None

    async def _gather(self) -> None:
        with ParsingChild() as child:
            async with Client(self._audit.user_agent) as client, asyncio.TaskGroup() as tasks:
                work = tasks.create_task(self._until_halted(client, PageReader(self._run, child)))
                watch = tasks.create_task(self._watch(client, work))
                try:
                    await work
                except asyncio.CancelledError:
                    if client.halted is LeaseState.WORKING:
                        raise
                finally:
                    watch.cancel()
        if client.halted is LeaseState.CANCELLED:
            raise LeaseLost(str(self._run.pk))
        if client.halted is LeaseState.STOPPING:
            raise Stopping

    async def _until_halted(self, client: Client, reader: PageReader) -> None:
        with suppress(Halted):
            await self._stages(client, reader)

    async def _watch(self, client: Client, work: asyncio.Task[None]) -> None:
        """Halt requests when the run is no longer to be worked on, and end what lasts too long then."""
        grace = {
            LeaseState.CANCELLED: settings.SCAN_CANCEL_GRACE_SECONDS,
            LeaseState.STOPPING: settings.SCAN_STOP_GRACE_SECONDS,
        }
        while client.halted is LeaseState.WORKING:
            await asyncio.sleep(LOOK_SECONDS)
            state = await sync_to_async(unless_away)(self._standing, LeaseState.WORKING)
            if state is LeaseState.LOST:
                raise LeaseLost(str(self._run.pk))
            client.halted = state
        await asyncio.sleep(grace[client.halted])
        work.cancel()

    async def _stages(self, client: Client, reader: PageReader) -> None:
        facts = await self._arrived(client, reader)
        if facts.barred or facts.robots is None:
            return
        rules = Rules(facts.robots, client.user_agent)
        client.crawl_delay = rules.crawl_delay
        if facts.sitemaps is None:
            found = await sitemaps_of(client, self._audit.home_url, rules.sitemaps)
            facts = await self._keep(sitemaps=found)
        crawl = Crawl(
            run=self._run,
            worker=self._worker,
            max_pages=self._audit.max_pages,
            home_url=self._audit.home_url,
            rules=rules,
            sitemaps=facts.sitemaps or (),
            client=client,
            reader=reader,
            contents=self._contents,
        )
        await crawl.go()
        if facts.probes is None:
            found_probes = await probes_of(client, self._run.pk, self._audit.home_url, rules)
            facts = await self._keep(probes=found_probes)
        if facts.sampled is None:
            await self._sample(client, rules, facts)

    async def _arrived(self, client: Client, reader: PageReader) -> SiteFacts:
        """What is known of the site once its door was passed, now or in an earlier turn."""
        facts = site_from_json(self._audit.site)
        if facts.robots is not None:
            return facts
        brand = self._run.brand
        owned = await sync_to_async(list)(brand.owned_domains.values_list("domain", flat=True))
        arrival = await arrive(client, brand.domain, owned)
        self._audit.home_url = arrival.home_url
        home = await reader.visited(0, arrival.home, arrival.home_url) if arrival.home else None
        return await sync_to_async(keep_arrival)(
            self._run, self._worker, arrival.home_url, home, robots=arrival.rules.robots, barred=arrival.barred
        )

    async def _sample(self, client: Client, rules: Rules, facts: SiteFacts) -> None:
        stored = await sync_to_async(self._contents.of)(self._run)
        asked = {page_key(where) for page, _ in stored for where in (page.url, page.fetched.get("final_url", ""))}
        addresses, linked_from = addresses_to_sample(
            self._audit.home_url, rules, facts.sitemaps or (), read_pages(stored), asked
        )
        await self._keep(sampled=await statuses_of(client, addresses), linked_from=linked_from)

    async def _keep(self, **facts: object) -> SiteFacts:
        return await sync_to_async(keep_facts)(self._run, self._worker, **facts)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterable[BaseException]:
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield each
