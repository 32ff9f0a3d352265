"""Carries out an audit from what is stored of it to its end."""

import asyncio
from functools import partial

from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.checks.addresses import page_key
from visibility.audit.checks.registry import run_checks
from visibility.audit.parse.child import ParsingChild
from visibility.audit.score import scores
from visibility.jobs.failures import first_failure
from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.holding import lease_state_now
from visibility.jobs.kinds import AUDIT
from visibility.jobs.lease import LeaseLost, LeaseState
from visibility.jobs.patience import unless_away
from visibility.jobs.stopping import Stopping
from visibility.models import Audit, Run
from visibility.pipeline.audit.agents import agents_of
from visibility.pipeline.audit.arriving import Arrival, arrive
from visibility.pipeline.audit.assembling import read_pages, site_of
from visibility.pipeline.audit.client import Client, Halted
from visibility.pipeline.audit.crawling import Crawl
from visibility.pipeline.audit.ending import fail_audit, finish_audit
from visibility.pipeline.audit.facts import SiteFacts, site_from_json
from visibility.pipeline.audit.judging import NotAudited
from visibility.pipeline.audit.mapping import sitemaps_of
from visibility.pipeline.audit.probing import probes_of
from visibility.pipeline.audit.reaching import reach_of
from visibility.pipeline.audit.reading import FileReader, PageReader
from visibility.pipeline.audit.rules import Rules
from visibility.pipeline.audit.storing import Contents, keep_arrival, keep_facts, kept_files, kept_pages
from visibility.pipeline.circumstances import Circumstances

LOOK_SECONDS = 0.5


def audit_site(run: Run, worker: str, heartbeat: Heartbeat, circumstances: Circumstances) -> None:
    """Fetch what was not fetched, check the whole, and end the run."""
    contents = Contents()
    try:
        _Audit(run, worker, heartbeat, contents, circumstances).gather()
    except NotAudited as why:
        fail_audit(run, worker, why, circumstances.now())
        return
    outcomes = run_checks(site_of(run, Audit.objects.get(pk=run.pk), contents))
    finish_audit(run, worker, outcomes, scores(outcomes, CATALOGUE), circumstances.now())


class _Audit:
    """One turn of a worker at fetching what an audit needs."""

    def __init__(
        self, run: Run, worker: str, heartbeat: Heartbeat, contents: Contents, circumstances: Circumstances
    ) -> None:
        self._run, self._worker, self._contents = run, worker, contents
        self._circumstances = circumstances
        self._lease_state = partial(lease_state_now, AUDIT, run.pk, worker, heartbeat)
        self._audit = Audit.objects.get(pk=run.pk)

    def gather(self) -> None:
        """Fetch until nothing is missing. Raises NotAudited, LeaseLost and Stopping."""
        try:
            async_to_sync(self._gather)()
        except BaseExceptionGroup as group:
            raise first_failure(group) from None

    async def _gather(self) -> None:
        known = await sync_to_async(kept_files)(self._run)
        with ParsingChild() as child:
            if not known:  # a site that was audited before may need no parser at all
                await asyncio.to_thread(child.start)
            async with await self._client() as client, asyncio.TaskGroup() as tasks:
                reader = PageReader(self._run, child, self._circumstances.now)
                work = tasks.create_task(self._until_halted(client, reader, FileReader(child, known)))
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

    async def _client(self) -> Client:
        return Client(
            self._audit.user_agent,
            self._circumstances.local_hosts,
            kept=await sync_to_async(kept_pages)(self._run),
            local_pause=self._circumstances.local_pause,
        )

    async def _until_halted(self, client: Client, reader: PageReader, files: FileReader) -> None:
        try:
            await self._stages(client, reader, files)
        except* Halted:
            pass

    async def _watch(self, client: Client, work: asyncio.Task[None]) -> None:
        """Halt requests when the run is no longer to be worked on, and end what lasts too long then."""
        grace = {
            LeaseState.CANCELLED: settings.SCAN_CANCEL_GRACE_SECONDS,
            LeaseState.STOPPING: settings.SCAN_STOP_GRACE_SECONDS,
        }
        while client.halted is LeaseState.WORKING:
            await asyncio.sleep(LOOK_SECONDS)
            state = await sync_to_async(unless_away)(self._lease_state, LeaseState.WORKING)
            if state is LeaseState.LOST:
                raise LeaseLost(str(self._run.pk))
            client.halted = state
        await asyncio.sleep(grace[client.halted])
        work.cancel()

    async def _stages(self, client: Client, reader: PageReader, files: FileReader) -> None:
        facts = site_from_json(self._audit.site)
        if facts.robots is None:
            arrival = await self._arrive(client, files)
        else:
            arrival = Arrival(self._audit.home_url, Rules(facts.robots, client.user_agent), barred=facts.barred)
        client.crawl_delay = arrival.rules.crawl_delay
        if facts.robots is None:
            home = arrival.home.fetched if arrival.home else None
            robots, barred = arrival.rules.robots, arrival.barred
            await sync_to_async(keep_arrival)(
                self._run, self._worker, arrival.home_url, home, robots=robots, barred=barred
            )
        if arrival.barred:
            return
        async with asyncio.TaskGroup() as tasks:
            if facts.probes is None:
                tasks.create_task(self._probe(client, files, arrival))
            if facts.sitemaps is None:
                await self._map(client, files, arrival)
            await self._crawl(client, reader, arrival)

    async def _arrive(self, client: Client, files: FileReader) -> Arrival:
        owned = await sync_to_async(self._owned_domains)()
        return await arrive(client, files, self._run.brand.domain, owned)

    def _owned_domains(self) -> list[str]:
        return list(self._run.brand.owned_domains.values_list("domain", flat=True))

    async def _map(self, client: Client, files: FileReader, arrival: Arrival) -> None:
        await self._keep(sitemaps=await sitemaps_of(client, files, arrival.home_url, arrival.rules))

    async def _probe(self, client: Client, files: FileReader, arrival: Arrival) -> None:
        await self._keep(probes=await probes_of(client, files, self._run.pk, arrival.home_url, arrival.rules))

    async def _crawl(self, client: Client, reader: PageReader, arrival: Arrival) -> None:
        """Ask the pages, and then for the status of addresses that are none of them."""
        facts = site_from_json((await sync_to_async(Audit.objects.get)(pk=self._run.pk)).site)
        crawl = Crawl(
            run=self._run,
            worker=self._worker,
            max_pages=self._audit.max_pages,
            home_url=arrival.home_url,
            rules=arrival.rules,
            sitemaps=facts.sitemaps or (),
            client=client,
            reader=reader,
            contents=self._contents,
            home=arrival.home,
        )
        await crawl.go()
        if facts.agents is None:
            await self._ask_as_agents(client, reader, arrival)
        if facts.sampled is None:
            await self._reach(client, arrival, facts)

    async def _ask_as_agents(self, client: Client, reader: PageReader, arrival: Arrival) -> None:
        stored = await sync_to_async(self._contents.of)(self._run)
        await self._keep(agents=await agents_of(client, arrival.rules, reader, stored))

    async def _reach(self, client: Client, arrival: Arrival, facts: SiteFacts) -> None:
        stored = await sync_to_async(self._contents.of)(self._run)
        crawled = {page_key(where) for page, _ in stored for where in (page.url, page.fetched.get("final_url", ""))}
        sitemaps, pages = facts.sitemaps or (), read_pages(stored)
        reach = await reach_of(client, arrival.home_url, arrival.rules, sitemaps, pages, crawled)
        await self._keep(
            sampled=reach.sampled,
            linked_from=reach.linked_from,
            coverage=reach.coverage,
            out_of_bytes=client.out_of_bytes,
        )

    async def _keep(self, **facts: object) -> None:
        await sync_to_async(keep_facts)(self._run, self._worker, **facts)
