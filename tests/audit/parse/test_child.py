"""The process that parses: what it must not have, what ends it, and that the next page goes on."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.audit.parse.test_hostile import HTML
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse import starter as starter_module
from visibility.audit.parse.child import ParserNotStarted, ParsingChild
from visibility.audit.parse.parsing import parse_page
from visibility.audit.parse.robots import parse_robots
from visibility.audit.parse.starter import Starter
from visibility.audit.parse.texts import read_text

PAGE = b"<html lang=en><title>Kettle</title><main><h1>Kettle</h1><p>It boils a litre in two minutes.</main></html>"
URL = "https://norrvik.example/kettle"
SLOW = b"".join(b"<p " + b" ".join(b"a%d=1" % i for i in range(20_000)) + b">x" for _ in range(20))
"""Twenty tags of 20,000 attributes: each below the bound, all together more than ten seconds."""


def parse(child, body=PAGE):
    return child.parse(body, url=URL, content_type=HTML)


@pytest.fixture(scope="module")
def child():
    with ParsingChild() as child:
        yield child


def test_a_page_is_parsed_as_it_is_without_a_process(child):
    assert parse(child) == parse_page(PAGE, url=URL, content_type=HTML)


def test_files_are_read_as_they_are_without_a_process(child):
    """Robots.txt, a sitemap of 49,000 addresses and a small file, between pages."""
    body = b"User-agent: GPTBot\nDisallow: /a\nSitemap: /s.xml\nStrange"
    assert child.robots(body, url=URL) == parse_robots(body)
    entries = b"".join(b"<url><loc>https://norrvik.example/%d</loc></url>" % number for number in range(49_000))
    sitemap = child.sitemap(b"<urlset>" + entries + b"</urlset>", url=URL)
    assert (sitemap.total, sitemap.problem, sitemap.kind) == (49_000, "", "urlset")
    assert isinstance(parse(child), ParsedPage)
    assert child.sitemap(b"<!DOCTYPE a [" + b" " * 2**20, url=URL).problem, "what the reader leaves is passed over"
    assert child.text(b"# Norrvik\n[a](b)", url=URL) == read_text(b"# Norrvik\n[a](b)")


def test_a_file_that_takes_too_much_is_unparsed_and_the_next_is_read():
    with ParsingChild(cpu_seconds=1, wall_seconds=120) as child:
        child.robots(b"", url=URL)
        assert child.parse(SLOW, url=URL, content_type=HTML).reason == "too_slow"
        assert child.robots(b"Disallow: /", url=URL).groups == []
        child.wall_seconds = 0.001
        said = child.sitemap(b"<urlset>" + b"<url><loc>https://norrvik.example/</loc></url>" * 100_000, url=URL)
        assert (said.reason, said.detail) == ("too_slow", "The file takes more than 0.004 seconds to read.")


def test_one_process_reads_page_after_page(child):
    pids = set()
    for _ in range(3):
        assert isinstance(parse(child), ParsedPage)
        pids.add(child.pid)
    assert len(pids) == 1


def test_a_process_killed_between_pages_costs_none(child):
    parse(child)
    first = child.pid
    os.kill(first, signal.SIGKILL)
    assert _ends(first)
    assert isinstance(parse(child), ParsedPage)
    assert child.pid != first


def test_a_process_killed_while_it_reads_makes_that_page_unparsed():
    with ParsingChild() as child:
        parse(child)
        killer = threading.Timer(0.5, os.kill, (child.pid, signal.SIGKILL))
        killer.start()
        said = parse(child, SLOW)
        killer.join()
        assert (type(said), said.reason) == (Unparsed, "broken")
        assert isinstance(parse(child), ParsedPage)


def test_a_page_that_takes_too_much_processor_time_is_unparsed_and_the_next_goes_on():
    with ParsingChild(cpu_seconds=1, wall_seconds=120) as child:
        said = parse(child, SLOW)
        assert (said.reason, "1 seconds of processor time" in said.detail) == ("too_slow", True)
        assert isinstance(parse(child), ParsedPage)


def test_processor_time_is_granted_page_by_page():
    heavy = b"<p>" + b"a <b>b</b> " * 20_000
    with ParsingChild(cpu_seconds=30, wall_seconds=120) as child:
        parse(child)
        first = granted(child)
        assert any(isinstance(parse(child, heavy), ParsedPage) and granted(child) > first for _ in range(60))


def granted(child):
    limits = Path(f"/proc/{child.pid}/limits")
    if not limits.exists():
        pytest.skip("there is no /proc to look into")
    line = next(line for line in limits.read_text().splitlines() if line.startswith("Max cpu time"))
    return int(line[26:].split()[0])


def test_a_page_that_takes_too_long_by_the_wall_clock_is_unparsed_and_the_next_goes_on():
    with ParsingChild(wall_seconds=120) as child:
        parse(child)
        child.wall_seconds = 0.2
        assert parse(child, SLOW).reason == "too_slow"
        child.wall_seconds = 120
        assert isinstance(parse(child), ParsedPage)


def test_a_page_that_takes_too_much_memory_is_unparsed_and_the_next_goes_on():
    with ParsingChild(memory=512 * 1024**2, cpu_seconds=60, wall_seconds=120) as child:
        assert isinstance(parse(child, b"<p>" + b"a " * 15_000_000), Unparsed)
        assert isinstance(parse(child), ParsedPage)


def test_the_process_has_no_secret_no_connection_and_tight_limits(child, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "swordfish")
    with ParsingChild() as fresh:
        parse(fresh)
        process = Path(f"/proc/{fresh.pid}")
        if not process.exists():
            pytest.skip("there is no /proc to look into")
        assert b"swordfish" not in (process / "environ").read_bytes()
        opened = {os.readlink(entry) for entry in (process / "fd").iterdir()}
        assert all(name.startswith("pipe:") or name == "/dev/null" for name in opened)
        limits = (process / "limits").read_text()
        rows = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()[1:]}
        assert rows["Max address space"][1] == str(1024**3)
        assert rows["Max core file size"] == rows["Max file size"] == ["0", "0"]
        assert rows["Max processes"][1] == "0"
        assert int(rows["Max open files"][1]) <= 16


def test_threads_take_turns():
    pages = [f"<title>Kettle {number}</title><p>It boils.".encode() for number in range(12)]
    with ParsingChild() as child, ThreadPoolExecutor(4) as threads:
        titles = [said.titles[0].text for said in threads.map(lambda page: parse(child, page), pages)]
    assert titles == [f"Kettle {number}" for number in range(12)]


def test_the_thread_that_started_it_may_end():
    with ParsingChild() as child:
        with ThreadPoolExecutor(1) as threads:
            threads.submit(parse, child).result()
        first = child.pid
        assert isinstance(parse(child), ParsedPage)
        assert child.pid == first


def test_the_process_ends_with_the_context():
    with ParsingChild() as child:
        parse(child)
        pid = child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_processes_die_with_the_worker():
    code = (
        "import os\nfrom visibility.audit.parse.child import ParsingChild\n"
        "child = ParsingChild()\nchild.parse(b'<p>x', url='https://a.example/', content_type='text/html')\n"
        "stat = open(f'/proc/{child.pid}/stat').read()\n"
        "print(child.pid, stat.rpartition(')')[2].split()[1], flush=True)\nos.kill(os.getpid(), 9)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    assert all(_ends(int(pid)) for pid in ran.stdout.split())


def _ends(pid):
    for _ in range(600):
        stat = Path(f"/proc/{pid}/stat")
        try:
            # A process that nobody has buried yet has ended all the same.
            if stat.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


def test_a_process_that_does_not_start_is_no_fault_of_the_page(monkeypatch):
    monkeypatch.setattr(starter_module, "_WORKER", "visibility.audit.parse.nothing")
    with ParsingChild(starter=Starter()) as child, pytest.raises(ParserNotStarted):
        parse(child)


def test_audits_at_a_time_share_what_is_loaded_and_nothing_else():
    with ParsingChild() as one, ParsingChild() as other:
        assert parse(one) == parse(other)
        assert len({one.pid, other.pid}) == 2
        assert parent_of(one.pid) == parent_of(other.pid) != os.getpid()
        os.kill(one.pid, signal.SIGKILL)
        assert isinstance(parse(other), ParsedPage)


def test_files_are_read_by_a_process_of_their_own_before_anything_of_pages_is_loaded():
    starter = Starter()
    with ParsingChild(starter=starter) as child:
        assert not child.robots(b"User-agent: *\nDisallow: /kettle", url=URL).allowed("any", URL)
        assert child.pid is None
    starter.end()


def test_what_is_loaded_is_loaded_again_where_it_was_killed():
    starter = Starter()
    with ParsingChild(starter=starter) as child:
        parse(child)
        first = child.pid
        os.kill(parent_of(first), signal.SIGKILL)
        assert _ends(first), "what it forked ends with it"
        assert isinstance(parse(child), ParsedPage)
    starter.end()


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
