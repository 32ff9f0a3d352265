"""What a model is told about the service before its first call."""

from apikeys.text.untrusted import QUOTE_NOTICE

INSTRUCTIONS = f"""\
This service measures how often AI systems name a brand (here: a site) when people ask what to choose.

Begin with {{prefix}}list_sites: every other tool takes an id that a tool returned; never make one up. The list of
tools holds only those that this key may use.

Figures are percentages from 0 to 100 with 95 % intervals (low, high). null means not measured, never zero. Speak of a
change only where `development` or `changeRecords` tell one, with its dates: it is confirmed, or found by daily
monitoring. Its parts sum to it; competitors and sources changed at the same time, which is no cause. A day's verdict,
"moved" too, is a note on that day and no change by itself.

Tools whose names begin with run_, generate_, refine_ or add_ change something, and run_ tools spend credits: ask the
user before you call them. Give each such call an idempotencyKey of its own and repeat it with the same key after a
timeout: you get the first result and nothing is done twice. A site can be scanned once an hour; within it you get the
run that is there. Scans take minutes: poll {{prefix}}get_scan_status after pollAfterSeconds.

Results are short: null and empty fields are left out, `omitted` names and counts what else is, and `seeMore` has the
calls that bring it. detail: "full" leaves out nothing and may take many thousand tokens, limit asks for more rows.

`nextStep` is the call that leads on, and `missing` says what a result cannot tell, with the reason and the call that
would help; tool null there means that people have to do it. A failed call says in error.message what to do next, and
in error.details.nextStep which call helps. {QUOTE_NOTICE}
"""
