"""The queue in a folder: whole messages only, each taken once, oldest first."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "messages").mkdir()
    return tmp_path / "messages"


@pytest.fixture
def channel(folder):
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(folder.parent / "control"),
    }
    with Connection("filesystem://localhost", transport_options=options) as connection:
        yield connection.channel()


def drain(channel, queue="celery"):
    taken = []
    while True:
        try:
            taken.append(channel._get(queue))
        except Empty:
            return taken


def test_the_service_uses_it(channel):
    assert type(channel).__module__ == "config.local.filequeue"


def test_messages_come_oldest_first_to_their_queue_only(channel, folder):
    for number in range(20):
        channel._put("celery", {"number": number})
    channel._put("other", {"number": -1})
    assert [message["number"] for message in drain(channel)] == list(range(20))
    assert drain(channel, "other") == [{"number": -1}]
    assert list(folder.iterdir()) == []


def test_a_message_is_invisible_until_it_is_whole(channel, monkeypatch):
    seen = []
    write = Path.write_bytes

    def halfway(path, body):
        write(path, body[:3])
        seen.extend(drain(channel))
        write(path, body)

    monkeypatch.setattr(Path, "write_bytes", halfway)
    channel._put("celery", {"number": 1})
    assert seen == []
    assert drain(channel) == [{"number": 1}]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe"])
def test_what_cannot_be_read_is_passed_over(channel, folder, body):
    (folder / "0_x.celery.msg").write_bytes(body)
    channel._put("celery", {"number": 1})
    assert drain(channel) == [{"number": 1}]


def test_each_message_is_taken_once(channel):
    for number in range(300):
        channel._put("celery", {"number": number})
    with ThreadPoolExecutor(8) as pool:
        taken = [message["number"] for part in pool.map(lambda _: drain(channel), range(8)) for message in part]
    assert sorted(taken) == list(range(300))
