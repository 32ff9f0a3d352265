"""The composition root: settings, urls, servers. Nothing imports it but the servers and the commands."""

import gc

# Python looks for garbage after each 700 new objects. A start makes some hundred thousand that stay: looking through
# them again and again took a fifth of it; now it takes a tenth.
gc.set_threshold(20_000)
