"""Web pages with many brands against the bare rendering of the same, for BRANDS with ANSWERS in all:

    python -m tests.bench.web_pages [BRANDS ANSWERS] [--pages NAME ...] [--rounds ROUNDS] [--sql]

Brands that are there already are measured as they are. `--pages` names those that are wanted, by their URL names,
`--sql` writes down what each asked of the database.

The limit is the template of the page, rendered again with the very context that the page filled: no database, no
middleware, no service. Pages are those of the URL configuration that answer with HTML, asked for other brands in
turn. Also counted: SQL statements, and what a first visit of a brand's page loads, compressed. A page of which there
is nothing in the data is named.
"""

import argparse
import gzip
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import django
from django.core.management import call_command

AIM_RATIO, AIM_STATEMENTS, AIM_FIRST_PAINT = 3.0, 12, 60
BRANDS, ANSWERS = 1_000, 1_000_000
ROUNDS = 20
ROOT = Path(__file__).resolve().parent.parent.parent
_ASSET = re.compile(r'(?:href|src)="/static/([^"]+\.(?:css|js|svg))"')


@dataclass
class Page:
    """What the visits of one address showed; times in milliseconds."""

    name: str
    statements: int = 0
    whole: list = field(default_factory=list)
    bare: list = field(default_factory=list)
    asked_again: int = 0
    html: bytes = b""
    sql: list = field(default_factory=list)

    @property
    def ratio(self):
        return p95(self.whole) / p95(self.bare)

    @property
    def missed(self):
        """The aims that it misses."""
        weight = first_paint(self.html) if self.name == "brand-page" else 0
        aims = {
            f"{self.statements} SQL": self.statements > AIM_STATEMENTS,
            f"× {self.ratio:.1f}": self.ratio > AIM_RATIO,
            f"{weight:.0f} KB": weight > AIM_FIRST_PAINT,
        }
        return [what for what, is_missed in aims.items() if is_missed]


def p95(times):
    return quantiles(times, n=20)[18] if len(times) > 1 else times[0]


def first_paint(html):
    """KB that a browser loads before it shows the page: itself and what its head names, each compressed."""
    assets = dict.fromkeys(_ASSET.findall(html.decode()))
    files = [path for name in assets if (path := ROOT / "templates" / "assets" / name).is_file()]
    return sum(len(gzip.compress(body)) for body in (html, *(path.read_bytes() for path in files))) / 1024


class Renderings:
    """Notes the template and the context of each page that is rendered."""

    def __init__(self):
        from django.template.backends.django import Template  # noqa: PLC0415 -- needs django.setup() first

        self.latest, self._depth = None, 0
        self._plain = Template.render

        def noted(template, context=None, request=None):
            """Only the whole page: forms and other parts are rendered within it."""
            self._depth += 1
            try:
                html = self._plain(template, context, request)
            finally:
                self._depth -= 1
            if not self._depth:
                self.latest = template, context, request
            return html

        Template.render = noted

    def again(self):
        """Render the latest page once more."""
        template, context, request = self.latest
        return self._plain(template, context, request)


def arguments_of(brand):
    """An example of each argument that a route may have, of this brand."""
    answer = (
        brand.answers.filter(state="answered").select_related("run").order_by("-run__created_at", "position").first()
    )
    recommendation = brand.recommendations.filter(status="open").first()
    return {
        "brand_id": brand.pk, "prompt_id": answer.prompt_id, "answer_id": answer.pk, "run_id": answer.run_id,
        "day": answer.answered_at.date(), "domain": "gearreview.example",
        **({"recommendation_id": recommendation.pk} if recommendation else {}),
    }  # fmt: skip


def visit(client, renderings, page, path):
    """One visit, and the bare rendering of what it showed; False where the address is no page."""
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    renderings.latest = None
    with CaptureQueriesContext(connection) as captured:
        started = time.perf_counter()
        response = client.get(path)
        taken = time.perf_counter() - started
    is_page = response.status_code == 200 and response.headers["Content-Type"].startswith("text/html")
    if not is_page or renderings.latest is None:
        return False
    with CaptureQueriesContext(connection) as again:
        started = time.perf_counter()
        renderings.again()
        bare = time.perf_counter() - started
    page.whole.append(taken * 1000)
    page.bare.append(bare * 1000)
    if len(captured) > page.statements:
        page.statements, page.sql = len(captured), [query["sql"] for query in captured]
    page.asked_again = max(page.asked_again, len(again))
    page.html = max(page.html, response.content, key=len)
    return True


def measure(client, brands, wanted=(), rounds=ROUNDS):
    """Visit every page, or those that are wanted, of each brand in turn; gives the pages, and the addresses that
    were not seen."""
    from tests.pages.isolation.addresses import all_addresses  # noqa: PLC0415

    renderings, pages, unseen = Renderings(), {}, set()
    apart = ("admin/", "api/", "static/", "healthz", "readyz", "openapi", "sign", "log", "password", "account/tables")
    addresses = [
        address
        for address in all_addresses()
        if not address.route.startswith(apart) and (not wanted or address.name in wanted)
    ]
    known = [arguments_of(brand) for brand in brands]
    for turn in range(rounds + 1):  # the first round fills what is remembered
        arguments = known[turn % len(known)]
        for address in addresses:
            if address.name in unseen or not {*address.arguments} <= arguments.keys():
                unseen.add(address.name)
                continue
            page = pages.setdefault(address.name, Page(address.name))
            if not visit(client, renderings, page, address.path(arguments)):
                unseen.add(address.name)
                pages.pop(address.name)
            elif not turn:
                page.whole.clear()
                page.bare.clear()
    return pages, unseen


def report(pages):
    """A line for each page; gives the names of those that miss an aim."""
    print("page                      SQL   p50 ms   p95 ms  bare p95   ratio  KB gz  missed")
    for page in sorted(pages.values(), key=lambda page: -page.ratio):
        again = f"  ({page.asked_again} SQL while rendering)" if page.asked_again else ""
        print(
            f"{page.name:<24}{page.statements:>5}{median(page.whole):>9.1f}{p95(page.whole):>9.1f}"
            f"{p95(page.bare):>10.1f}{page.ratio:>8.2f}{len(gzip.compress(page.html)) / 1024:>7.1f}"
            f"  {', '.join(page.missed)}{again}",
            flush=True,
        )
    return [page.name for page in pages.values() if page.missed]


def people():
    """The owner of the first brands, and staff who look at all."""
    from django.contrib.auth.models import Permission  # noqa: PLC0415

    from apikeys.models import User  # noqa: PLC0415
    from visibility.demo.load.generating import OWNER  # noqa: PLC0415

    looker, _ = User.objects.get_or_create(email="looker@example.com", defaults={"is_staff": True})
    looker.user_permissions.set(Permission.objects.filter(codename="view_brand"))
    return User.objects.get(email=OWNER.format(1)), looker


def options():
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.web_pages")
    parser.add_argument("brands", nargs="?", type=int, default=BRANDS)
    parser.add_argument("answers", nargs="?", type=int, default=ANSWERS)
    parser.add_argument("--pages", nargs="*", default=())
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--sql", action="store_true")
    return parser.parse_args()


def main():
    """Make the data, look at every page as an owner, then at the portfolio as staff. Exit code 1 for a missed aim."""
    wanted = options()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from django.test import Client  # noqa: PLC0415

    from brands.models import Brand  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    if not Brand.objects.exists():
        started = time.perf_counter()
        call_command("generate_load_data", brands=wanted.brands, answers=wanted.answers)
        print(f"That took {time.perf_counter() - started:.0f} s.", flush=True)
    owner, looker = people()
    client = Client()
    client.force_login(owner)
    pages, unseen = measure(client, list(Brand.objects.filter(owner=owner)[:8]), wanted.pages, wanted.rounds)
    if not wanted.pages or "brand-list" in wanted.pages:
        client.force_login(looker)
        portfolio, renderings = Page("brand-list of all"), Renderings()
        for _ in range(4):
            visit(client, renderings, portfolio, "/")
        pages[portfolio.name] = portfolio
    missed = report(pages)
    if wanted.sql:
        for page in pages.values():
            print(f"\n{page.name}", *page.sql, sep="\n\n")
    if "brand-page" in pages:
        print(
            f"First visit of a brand's page: {first_paint(pages['brand-page'].html):.1f} KB (aim {AIM_FIRST_PAINT})."
        )
    print(f"Not seen (no page, or nothing of it in the data): {', '.join(sorted(filter(None, unseen)))}.")
    print(f"Aims: ratio ≤ {AIM_RATIO}, statements ≤ {AIM_STATEMENTS}. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
