"""The process that parses: what it must not have, what ends it, and that the next page goes on."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.audit.parse.test_hostile import HTML
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.child import ParserNotStarted, ParsingChild
from visibility.audit.parse.parsing import parse_page

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


def test_one_process_reads_page_after_page(child):
    pids = set()
    for _ in range(3):
        assert isinstance(parse(child), ParsedPage)
        pids.add(child.pid)
    assert len(pids) == 1


def test_a_killed_process_costs_at_most_one_page(child):
    parse(child)
    first = child.pid
    os.kill(first, signal.SIGKILL)
    assert parse(child).url == URL
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
    with ParsingChild(cpu_seconds=4, wall_seconds=120) as child:
        assert all(isinstance(parse(child, heavy), ParsedPage) for _ in range(8))


def test_a_page_that_takes_too_long_by_the_wall_clock_is_unparsed_and_the_next_goes_on():
    with ParsingChild(wall_seconds=120) as child:
        parse(child)
        child.wall_seconds = 0.2
        assert parse(child, SLOW).reason == "too_slow"
        child.wall_seconds = 120
        assert isinstance(parse(child), ParsedPage)


def test_a_page_that_takes_too_much_memory_is_unparsed_and_the_next_goes_on():
    with ParsingChild(memory=330 * 1024**2, wall_seconds=120) as child:
        assert isinstance(parse(child), ParsedPage)
        assert isinstance(parse(child, b"<p>" + b"a <i>b</i>" * 140_000), Unparsed)
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


def test_it_works_in_a_thread():
    found = []

    def work():
        with ParsingChild() as child:
            found.append(parse(child))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert isinstance(found[0], ParsedPage)


def test_the_process_ends_with_the_context():
    with ParsingChild() as child:
        parse(child)
        pid = child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_process_dies_with_its_parent():
    code = (
        "import os\nfrom visibility.audit.parse.child import ParsingChild\n"
        "child = ParsingChild()\nchild.parse(b'<p>x', url='https://a.example/', content_type='text/html')\n"
        "print(child.pid, flush=True)\nos.kill(os.getpid(), 9)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    assert _ends(int(ran.stdout))


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


def test_a_process_that_does_not_start_is_no_fault_of_the_page():
    with ParsingChild(memory=1024**2) as child, pytest.raises(ParserNotStarted):
        parse(child)
