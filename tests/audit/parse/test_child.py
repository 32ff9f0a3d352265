"""The process that parses: what it must not have, what ends it, and that the next page goes on."""

import os
import signal
import threading

from tests.audit.parse.test_hostile import HTML
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.parse.child import ParsingChild
from visibility.audit.parse.parsing import parse_page

PAGE = "<html lang=en><title>Kettle</title><main><h1>Kettle</h1><p>It boils a litre in two minutes – quietly.</main>".encode()
URL = "https://norrvik.example/kettle"


def parse(child, body=PAGE):
    return child.parse(body, url=URL, content_type=HTML)


def test_a_page_is_parsed_as_it_is_without_a_process():
    with ParsingChild() as child:
        assert parse(child) == parse_page(PAGE, url=URL, content_type=HTML)


def test_a_killed_process_costs_one_page_and_is_replaced():
    with ParsingChild() as child:
        assert isinstance(parse(child), ParsedPage)
        first = child.pid
        os.kill(first, signal.SIGKILL)
        assert isinstance(parse(child), (ParsedPage, Unparsed))
        assert isinstance(parse(child), ParsedPage)
        assert child.pid != first


def test_it_works_in_a_thread():
    found = []

    def work():
        with ParsingChild() as child:
            found.append(parse(child))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert isinstance(found[0], ParsedPage)
