"""A hostile world: an internet of the test's own, in which every address of either family has a server behind it.

Two network namespaces. In one the fetcher runs, on a machine with a public address of its own. The other is all the
rest: whatever address is asked for, public or private, is answered there, by web servers of every kind and by a DNS
server that lies. Each packet that opens a connection is seen where it leaves.

`python -m tests.audit.fetch.world`, begun inside fresh namespaces (`COMMAND` in network.py), prints what happened.
"""
