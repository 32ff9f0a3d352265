"""The two network namespaces, and the watch on every packet that opens a connection."""

import ctypes
import os
import shutil
import socket
import struct
import subprocess
import tempfile
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

COMMAND = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
OWN_V4, OWN_V6 = "93.184.100.2", "2606:2800:220:100::2"
"""Of the machine that fetches: public, and its own."""
_THERE_V4, _THERE_V6 = "93.184.100.1", "2606:2800:220:100::1"
RESOLVER = "93.184.100.53"
SILENT = "93.184.77.7"
"""Here packets vanish."""
DRIPPING = "93.184.88.8"
"""Here no handshake comes to its end."""
_NEW_NETWORK = 0x40000000  # CLONE_NEWNET
_OUTGOING = 4  # PACKET_OUTGOING
_ALL = 0x0003  # ETH_P_ALL
_ATTACH_FILTER = 26  # SO_ATTACH_FILTER
# TCP with SYN and without ACK, of either family, from the header of the network on.
_OPENINGS = (
    (0x30, 0, 0, 0),  # the first byte
    (0x74, 0, 0, 4),  # >> 4: the version
    (0x15, 1, 0, 4),
    (0x15, 6, 12, 6),
    (0x30, 0, 0, 9),  # version 4: the protocol
    (0x15, 0, 10, 6),
    (0xB1, 0, 0, 0),  # X = length of the header
    (0x50, 0, 0, 13),  # the flags of TCP
    (0x54, 0, 0, 0x12),
    (0x15, 5, 6, 0x02),
    (0x30, 0, 0, 6),  # version 6: the protocol
    (0x15, 0, 4, 6),
    (0x30, 0, 0, 53),
    (0x54, 0, 0, 0x12),
    (0x15, 0, 1, 0x02),
    (0x06, 0, 0, 0x40000),  # take it
    (0x06, 0, 0, 0),  # leave it
)


def ip_program():
    """Where `ip` is: on many machines in a folder that only root looks in."""
    return shutil.which("ip", path=os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin:/sbin")


def ip(*words):
    subprocess.run([ip_program() or "ip", *words], check=True)


def leave_this_network():
    """Go on in a network namespace of one's own."""
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "no network namespace")


def build_here(other):
    """The side of the machine that fetches; `other` is the process in the namespace of the rest."""
    ip("link", "set", "lo", "up")
    ip("link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(other))
    _connect("here", OWN_V4, OWN_V6)
    ip("route", "add", "default", "via", _THERE_V4)
    ip("-6", "route", "add", "default", "via", _THERE_V6)


def build_there():
    """The side of all the rest, where every address is local."""
    ip("link", "set", "lo", "up")
    _connect("there", _THERE_V4, _THERE_V6)
    ip("addr", "add", f"{RESOLVER}/32", "dev", "there")
    ip("route", "add", "local", "0.0.0.0/0", "dev", "lo", "table", "main")
    ip("-6", "route", "add", "local", "::/0", "dev", "lo", "table", "main")
    ip("route", "add", "blackhole", SILENT)


def _connect(link, v4, v6):
    ip("addr", "add", f"{v4}/24", "dev", link)
    ip("addr", "add", f"{v6}/64", "dev", link, "nodad")
    ip("link", "set", link, "up")


def ask_only(resolver):
    """Names are looked up there and nowhere else, with a search list that leads into a network inside."""
    folder = Path(tempfile.mkdtemp(prefix="world-"))
    files = {
        "resolv.conf": f"nameserver {resolver}\nsearch inside.net\noptions ndots:5 timeout:16 attempts:1\n",
        "nsswitch.conf": "hosts: files dns\n",
        "hosts": "127.0.0.1 localhost\n10.0.0.1 in-the-hosts-file.com\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
        if Path("/etc", name).exists():
            subprocess.run(["mount", "--bind", folder / name, f"/etc/{name}"], check=True)
    return folder


class Watch:
    """Every connection that this machine tries to open, on any of its links."""

    def __init__(self):
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL))
        code = b"".join(struct.pack("HBBI", *line) for line in _OPENINGS)
        kept = ctypes.create_string_buffer(code)
        program = struct.pack("HL", len(_OPENINGS), ctypes.addressof(kept))
        self._socket.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)
        self._socket.setblocking(False)
        self.opened()  # what came before the filter

    def opened(self):
        """Address and port of each, since it was asked last."""
        found = []
        with suppress(BlockingIOError):
            while True:
                packet, (_, _, way, *_) = self._socket.recvfrom(128)
                if way == _OUTGOING:
                    found.append(_target(packet))
        return found


def _target(packet):
    if packet[0] >> 4 == 4:
        at, address = (packet[0] & 15) * 4, packet[16:20]
    else:
        at, address = 40, packet[24:40]
    return str(ip_address(address)), struct.unpack("!H", packet[at + 2 : at + 4])[0]
