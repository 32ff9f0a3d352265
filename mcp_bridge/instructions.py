"""What a model reads about the service before its first call."""

from apikeys.text import QUOTE_NOTICE

INSTRUCTIONS = f"""\
This service measures how often AI systems name a brand (here: a site) when people ask what to choose.

Begin with {{prefix}}list_sites: other tools take ids that a tool returned; never make one up. The list of tools holds
those that this key may use.

Scores and rates are percentages, 0 to 100, with 95 % intervals (low, high); null means not measured, never zero.
`now` pools each engine's last measured day, whatever days are asked for; a run's score is of its own day alone.
`siteIs` (ahead, behind, no_clear_difference) compares in the same answers, beyond chance. `leader` is the competitor
named most, also where the site leads. Speak of a change only where `changes` lists one, with its dates: it is
confirmed by later days, or found by the monitor of slow change; `parts` add up to it, `beside` is what else changed
on these days, no cause. A day's verdict, "moved" too, is a note on that day and no change by itself.

Tools whose names begin with run_, generate_, refine_ or add_ change something, and run_ tools spend credits: ask the
user first. Give each such call an idempotencyKey of its own; repeat it with the same key after a timeout, and nothing
is done twice. A site can be scanned once an hour. Scans take minutes: poll {{prefix}}get_scan_status after
pollAfterSeconds.

Results are short. `omitted` counts the rows of a list that were left out and `seeMore` is the call that brings them;
detail: "full" adds what short rows leave out. `nextStep` is a call that leads on and works as it stands. A failed
call says in error.message what would be right, and in error.details.nextStep which call helps. {QUOTE_NOTICE}
"""
