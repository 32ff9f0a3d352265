"""A DNS server: answers what it was told to, which may be another thing each time, or nothing at all."""

import socket
import struct
import threading
from collections import Counter
from dataclasses import dataclass
from ipaddress import ip_address

A, CNAME, AAAA = 1, 5, 28
NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME = 0, 2, 3


@dataclass(frozen=True)
class Name:
    """What a name leads to. `times`: the addresses of the first look-up, of the second …; the last ones stay."""

    times: tuple[tuple[str, ...], ...] = ((),)
    alias: str = ""
    code: int = NO_ERROR
    silent: bool = False


def leads_to(*addresses):
    return Name((addresses,))


def _labels(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def _record(owner, kind, data):
    return _labels(owner) + struct.pack("!HHIH", kind, 1, 0, len(data)) + data


def _question(packet):
    """The name and the type that a query asks for, and where its question ends."""
    labels, at = [], 12
    while size := packet[at]:
        labels.append(packet[at + 1 : at + 1 + size].decode("latin-1").lower())
        at += 1 + size
    (kind,) = struct.unpack("!H", packet[at + 1 : at + 3])
    return ".".join(labels), kind, at + 5


class Names:
    """The server's table, and how often each name was asked for."""

    def __init__(self, table):
        self.table = table
        self.asked = Counter()

    def answer(self, packet):
        """The answer to a query, or None where it stays silent."""
        asked, kind, end = _question(packet)
        records, owner = [], asked
        name = self.table.get(owner)
        while name and name.alias:
            records.append(_record(owner, CNAME, _labels(name.alias)))
            owner, name = name.alias, self.table.get(name.alias)
        code = name.code if name else NO_SUCH_NAME
        if name and name.silent:
            return None
        if name:
            time = min(self.asked[asked, kind], len(name.times) - 1)
            self.asked[asked, kind] += 1
            for address in map(ip_address, name.times[time]):
                if kind == (A if address.version == 4 else AAAA):
                    records.append(_record(owner, kind, address.packed))
        header = packet[:2] + struct.pack("!HHHHH", 0x8180 | code, 1, len(records), 0, 0)
        return header + packet[12:end] + b"".join(records)


def answer_queries(names, address):
    """Answer in a thread of its own, on UDP."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((address, 53))

    def run():
        while True:
            packet, peer = server.recvfrom(4096)
            reply = names.answer(packet)
            if reply:
                server.sendto(reply, peer)

    threading.Thread(target=run, daemon=True).start()
