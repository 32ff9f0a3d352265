"""Turns of phrase that show what a sentence says of a name in it, in English; other languages have their own module.

Nothing is weighed and no mood is read from single words: each pattern is one way of knowing nothing, of advising
against, warning, advising, comparing or telling facts. All are for text in small letters with straight apostrophes.
NUL stands for the name in `UNKNOWN`; patterns for what stands before the name end at it, those for what stands behind
it begin there or in a sentence that follows.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_NOT = r"(?:\bnot|\bcannot|n't)"
_THE_NAME = r"(?=(?:\W+\w+){0,4}\W*\0)"
_KNOWLEDGE = (
    r"(?:information|info|data|details?|records?|results?|hits|mentions?|evidence|references?|reviews?|traces?"
    r"|listing"
    r"|entry|entries|company|brand|product|business|trace)"
)
_USE = (
    r"(?:buy|use|get|choose|take|pick|order|book|trust|touch|bother with|go with|sign up (?:for|with)|recommend"
    r"|rent from"
    r"|stay (?:at|in)|fly with|shop at|bank with|insure with|switch to|rely on|subscribe to|invest in|hire|join"
    r"|try|consider)"
)
_ARTICLES = (
    r"(?:\s(?:the|a|an|your|my|our|both|either|something like|(?:products?|models?|pans?|shoes?|anything"
    r"|one) (?:from|by)))*"
    r"\s?\Z"
)
_LEAD = (
    r"(?:\A|[.;:,!?\u2014\u2013]\s*|\b(?:then|just|so|and|please|instead|to|would|i'd|we'd|should|can|also"
    r"|better|must"
    r"|or)\s)"
)

# What one may say one would do with a thing without advising it.
_ELSE = (
    r"(?:not|never|no|rather (?:not|avoid)|avoid|skip|steer|stay away|keep (?:away|clear)|say|think|guess|expect"
    r"|argue|worry"
    r"|wait|check|compare|hesitate|be|have|like to|love to|need|want to|pass|leave|drop|return|cancel|sell|replace"
    r"|watch|call"
    r"|think|wonder|ask (?:for|about|why|whether|yourself)|(?:switch|move|migrate|change|upgrade)(?: away)? from)\b"
)
_ID = rf"\bi(?:'d| would)(?: \w+ly| also| still| just| probably| personally)?(?! {_ELSE}) "
_THINGS = r"(?:it|that(?: one)?|this(?: one)?|those|these|them|there|here|one)"

DENIALS = ("no", "n't", "never", "unfamiliar", "new to", "zero", "unable", "empty", "blank", "fictional")
"""One of these stands in whatever `UNKNOWN` finds: a quick look that spares most sentences the long one."""

UNKNOWN = _any(
    rf"{_NOT}(?: \w+){{0,3}} (?:find|locate|see|identify|verify|confirm)(?: any| much"
    rf"| a)?(?:thing)?(?: \w+){{0,4}} (?:about|on"
    rf"|named|called){_THE_NAME}",
    rf"(?:\bno|{_NOT}(?: have| find| any| see| much)+)(?: \w+){{0,3}} {_KNOWLEDGE}(?: \w+){{0,4}}"
    rf" (?:about|on|for|of|regarding|under|called|named){_THE_NAME}",
    rf"{_NOT} find any {_KNOWLEDGE}(?:,? or (?:\w+ ){{1,4}})\w+ (?:about|on|for|of){_THE_NAME}",
    rf"{_NOT}(?: \w+)? (?:find|locate|identify)\W*\0",
    rf"{_NOT}(?: \w+){{0,2}} (?:aware of|familiar with|know of|heard of|recogni[sz]e|know (?:what|who|of)"
    rf"|come across)\b",
    r"\bnever (?:heard|come across)\b|\bunknown to me\b|\bunfamiliar with\b|\bnew to me\b",
    rf"\bnothing (?:about|on|for|called|named){_THE_NAME}",
    r"\0(?:\W+\w+){0,4}\W+(?:yields?|returns?|gives?|turn(?:s|ed) up|comes? up with|brings? up) (?:no|nothing"
    r"|zero)\b",
    rf"\0.{{0,40}}{_NOT} (?:\w+ )?(?:appear|seem|show up|come up|turn up|exist)\b(?! to (?:be"
    rf"|have) (?!a (?:real|known)))",
    rf"\0.{{0,40}}{_NOT} (?:\w+ )?(?:something|a \w+|one) i(?:'m| am)? (?:know|recogni[sz]e|aware of|familiar with)",
    rf"\0.{{0,20}}{_NOT} (?:match|correspond|ring|mean anything|listed|in my)\b",
    r"\bunable to (?:find|locate|identify|verify|confirm)\b|\b(?:came|comes|coming) up empty\b|\b(?:drew|draw"
    r"|drawing) a blank\b",
    rf"{_NOT} (?:verify|confirm|say|tell) (?:that |whether |if )?\W*\0\W+(?:\w+ )?(?:exists?|is (?:a )?real)"
    rf"|\bfictional\b",
    r"\bno (?:such|known) (?:\w+ )?(?:company|brand|product|shop|service|place|tool|app)\b",
)
"""The answer knows nothing of the name."""

AGAINST_BEFORE = _any(
    rf"\b(?:no longer (?:recommend|buy|suggest|trust|advise)|hands off|(?<!n't )(?<!not )(?<!never )(?:regret"
    rf"|regretted) (?:buying|getting"
    rf"|choosing)"
    rf"|stop (?:using|buying|paying for)|i returned|do better than|(?:out of|away from) (?=\Z)){_ARTICLES}",
    rf"\bnobody should \w+(?: \w+){{0,2}}{_ARTICLES}|\bsave your money\W+\Z",
    rf"\b(?:avoid|skip|stay away from|steer clear of|keep away from|keep clear of|stay clear of|pass on|forget|ditch"
    rf"|think twice before \w+ing|move away from|drop)(?: the| a| any)?(?: \w+ (?:from|by))?{_ARTICLES}",
    rf"{_NOT}(?: \w+)? {_USE}{_ARTICLES}",
    r"\bi(?:'d| would)(?:n't| not| no longer| never)(?: (?!(?:be|mind|hesitate|worry|trade|swap|give|miss|say|call"
    r"|know|switch"
    r"|leave|go back|but|without|any\w+|other|than)\b)[\w-]+){1,4}" + _ARTICLES,
    r"\b(?:avoid|skip|not recommended|worst|stay away)\s?[:\u2013\u2014]\W{0,4}\Z|\bmov(?:e|ed"
    r"|ing) away from(?: the)?\s?\Z",
    rf"\b(?:advise|recommend|warn|argue|decide)(?:d|s)? (?:you )?against(?: \w+ing)?{_ARTICLES}",
    r"(?:\A|[.:;,]\s)(?:not|rather not|never)(?: the| a)?\s?\Z",
    r"\b(?:rather|other|better) than (?:with |from )?(?:the )?\Z(?<=with )",
    r"\brather than (?:with|from|at) (?:the )?\Z",
    r"\b(?:better|safer|cheaper|nicer) (?:options|choices|picks|ones|alternatives|deals|products) than (?:the )?\Z",
    rf"{_LEAD}(?:return|cancel|uninstall|sell|dump|leave|replace|get rid of)(?: your| the| that)*\s?\Z",
)
AGAINST_AFTER = _any(
    r"\bmakes? no sense\b|n't make (?:the cut|sense)\b|(?<!n't )(?<!not )(?<!never )(?<!rarely )\bdisappoint(?:s|ed"
    r"|ing)?\b|\bleast favou?rite\b|\bcan(?:no"
    r"|')t be recommended\b"
    r"|\bfails? (?:on|at|in) (?:every|all|both|the)\b|\A\?\W*no\b(?! (?:one"
    r"|more))",
    r"\b(?:is|are)(?: not|n't) the (?:one|answer|pick|choice)\b",
    r"\b(?:is|are|was|would be|seems?)(?: \w+){0,2} (?:the wrong|a (?:poor|bad|terrible|risky)|no longer"
    r"|out of the question"
    r"|overpriced|hard to recommend|best avoided|a waste|not worth)\b",
    r"\b(?:is|are|was|would)(?: not|n't)(?: \w+){0,3} (?:the right|right for|the best|good|suitable"
    r"|recommend\w*|worth|an option|for you|a good)\b",
    r"\b(?:was|were|has been|have been|is being|is) (?:shut down|discontinued|recalled|withdrawn|closed down"
    r"|defunct)\b",
    rf"\b(?:best|better|to be|should be|be) avoided\b|(?:{_NOT}|\bnever) {_USE} (?:it|them|one)\b|\b(?:skip"
    rf"|avoid) (?:it"
    rf"|them|this|that)\b",
    r"\A\W*a (?:wide berth|miss|pass)\b|\b(?:leave|left) (?:it |them )?(?:alone|on the shelf)\b|\bfalls? short\b",
    r"\b(?:is|are)(?: not|n't) (?:what|one|something|for) (?:you|i|we|anyone)\b|\bone (?:i|to|you) (?:would "
    r"|should |'d )?(?:avoid|skip|leave)\b",
    r"\A\W*(?:please )?(?:avoid|skip|don't(?: bother)?|do not|steer clear|not recommended)(?= (?:it|this|that"
    r"|them)\b|\W*(?:[.;!:]|\Z))",
    rf"{_NOT} pay (?:it|them|for it)\b|\bis (?:too much|overkill) (?:for (?:this|that|you|most)|here)\b",
    r"\bgive (?:it|them|this one) a miss\b|\b(?:look|switch|shop|go) elsewhere\b|\b(?:stay|steer|keep) (?:away"
    r"|clear)\b",
    r"\bi(?:'d| would) (?:pass|skip|avoid|not)\b|\bnot (?:worth (?:it|the)|recommended)\b|\bleave (?:it"
    r"|them) on the shelf\b",
)
AGAINST_WORDS = (
    "no", "n't", "wrong", "disappoint", "least", "fail", "poor", "bad", "terrible", "risky", "no longer",
    "out of the", "overpriced", "hard to", "avoid", "never", "waste", "shut", "discontinued", "recalled",
    "withdrawn", "closed", "defunct", "skip", "berth", "miss", "pass", "alone", "shelf", "short", "elsewhere",
    "away", "clear", "too much", "overkill", "leave",
)  # fmt: skip
"""One of these stands in whatever `AGAINST_AFTER` finds."""
AGAINST_TITLE = _any(
    r"\b(?:avoid(?:ed)?|skip|not recommended|worst|don't buy|stay away|steer clear|pass|meiden|nicht empfohlen|evitar"
    r"|finger weg|undvik|vermijden)\b",
    r"\u00e0 \u00e9viter|\u907f\u3051",
)
"""In the cell of a table or the title of a list."""

WARNING = _any(
    r"\b(?:has|have|had) been (?:fined|sued|accused|criticis|criticiz)|\bcriticism\b",
    r"\b(?:watch out|beware|tread carefully|be (?:careful|wary|aware|cautious)|a caution|with caution|caveats?"
    r"|warn(?:ed|ing|ings)? (?:of|about|against)|warnings|careful with|wary of|cautious (?:with|about))\b",
    r"\b(?:keep an eye on|mind the|read the (?:\w+ )?(?:contract|print|terms|reviews)|think (?:twice|hard)"
    r"|at your own (?:cost|risk)"
    r"|with a grain of salt|do your research|double-check the|proceed with)\b",
    r"\b(?:proceed|tread|go in|order|buy) (?:carefully|cautiously|with care)\b|\b(?:some |due )?caution\b"
    r"|\bword of (?:warning|caution)\b",
    r"\bmixed reviews\b|\bexpect (?:to wait|delays|weeks|long|slow|extra)|\bkeep (?:your|the) receipts?\b"
    r"|\b(?:data )?leaks?\b|\bthe catch\b",
    r"\b(?:small|fine) print\b|\brenews? (?:by itself|automatically)\b|\bslow(?:er)? (?:refunds|support|returns)\b",
    r"\b(?:(?:fees|prices|costs) (?:rise|jump|double|climb)|(?:fee|price|cost) (?:rises|jumps|doubles|climbs))\b",
    r"\bkeep (?:that|this|the)(?: \w+)? in mind\b|\bwhat you can (?:afford to )?lose\b|\bbe (?:very|really"
    r"|extremely) careful\b",
    r"\b(?:pitfalls?|red flags?|(?:hidden|surprise|unexpected) (?:fees|costs|charges|bills))\b",
    r"\b(?:complain(?:s|ts|ed)?|complaints?|reports? of|reported (?:\w+ )?(?:problems|issues|failures)"
    r"|lawsuits?|scams?"
    r"|breach(?:es|ed)?|leaked|phishing|several (?:users|riders|owners|buyers|reviewers|customers) report"
    r"|data leak|recall(?:s|ed)?"
    r"|locked (?:customers|users) out|under investigation)\b",
)
WARNING_BEFORE = _any(
    r"\bwatch the \w+ (?:at|of|with|from)(?: the)?\s?\Z"
    r"|\b(?:owners|users|customers|buyers|riders|reviewers|people|many) (?:\w+ )?complain(?: \w+){0,3}\s?\Z",
    r"\b(?:caution|warning|word of (?:warning|caution)|carefully)\b.{0,30}\b(?:with|about|on|of|for)\s(?:the )?\Z",
    r"\b(?:watch out|be warned|beware|caution|be careful)\s?[:,\u2013\u2014]\s?\Z|\bbe (?:very|really"
    r"|extremely) careful\b.{0,90}\Z",
    r"\bbefore (?:you |\w+ing )?(?:sign|order|buy|book|pay|subscribe|commit|join)\w*\b.{0,20}\Z",
    r"\b(?:careful with|wary of|cautious (?:with|about)|caution with|watch out (?:for|with)|beware of"
    r"|think (?:twice|hard) before"
    r"|be (?:careful|wary|cautious)|mind the|keep an eye on|check .{0,40} before|complaints (?:about|against"
    r"|with)|problems with"
    r"|warnings? (?:about|of)|scams? (?:by|on|from))\b.{0,60}\Z",
)

ADVICE_BEFORE = _any(
    rf"\b(?:money|vote) (?:would go|goes) to{_ARTICLES}",
    rf"\b(?:go|goes|going|went|begin|start|stick|stay|best served|better off|happy|wrong) (?:with|for|at){_ARTICLES}",
    r"(?:\A|[.;:]\s)\W*(?:begin|start|go) with an? (?:[\w-]+ ){1,2}\Z",
    rf"\A\W*(?:for|if|when|with|on|in|as)\b[^.;:,]{{2,40}} (?:take|use|get|buy|choose|pick|try|go with){_ARTICLES}",
    rf"{_ID}\w+(?: (?!(?:than|over|instead|before|without|not|if|when|because|since"
    rf"|but)\b)[^\s;:.!?]+){{0,5}}{_ARTICLES}",
    r"\bthe (?:\w+ )?\w+ to (?:get|buy|take|choose|pick|book|order|have|beat) (?:is|are|would be)(?: (?:the"
    r"|an?))?(?: \w+ of)?\s?\Z",
    rf"{_LEAD}{_USE}(?: (?!(?:at|from|on|in|via|with|of|than|as|and|then)\b)\w+){{0,3}}{_ARTICLES}",
    rf"{_LEAD}(?:try|consider|shortlist|look at|prefer|opt for|suggest|move to|turn to|pair \w+ with|add|grab"
    rf"|visit|check out"
    rf"|insure .{{0,20}} with)(?: \w+){{0,2}}{_ARTICLES}",
    rf"\b(?:recommend(?:ed|s|ing)?|(?:my|our) (?:\w+ )?(?:pick|choice|favou?rite|recommendation|vote|advice|tip)"
    rf"(?: is| would be| goes to|:)?|would be|moved to|chose|prefers?|picked|settled on|swear by|look no further than"
    rf"|nothing beats|hard to beat|what you want is){_ARTICLES}",
    rf"\b(?:best|top|safest|ideal|easiest|simplest|fastest|winner|favou?rite|cheapest)(?: \w+){{0,4}}(?: is"
    rf"| are|:| would be"
    rf"| comes from| goes to){_ARTICLES}",
    rf"(?:\A|[.!?]\s|\n)\W*(?:better|best|instead|winner|verdict|bottom line|pick|recommendation|answer|choice"
    rf"|tip|top pick"
    rf"|short answer|conclusion|editor's choice|overall)(?: \w+){{0,3}}\s?:\W*{_ARTICLES}",
    rf"\botherwise{_ARTICLES}|\b(?:top|best|our|editor's) (?:pick|choice|buy|overall|value)\W*\Z",
    r"\b(?:nothing|none|no other|few|hardly any)\b.{0,50}\b(?:close to|beats?|match(?:es)?|touch(?:es)?|as|like"
    r"|past)(?: the| a)?\s?\Z",
    r"\bnothing beats (?:an? |the )?(?:\S+ ){1,3}(?:from|by|of)(?: the)?\s?\Z",
    r"\bhard to (?:go past|beat|fault|top)(?: the)?\s?\Z|\bmoney is on(?: the)?\s?\Z|\blean(?:ing)? (?:towards?"
    r"|to)(?: the)?\s?\Z",
    r"\bi (?:keep|always|usually|often) (?:recommend(?:ing)?|suggest(?:ing)?|use|buy|pick|choose|go with"
    r"|going back to)(?: the)?\s?\Z",
    r"\b(?:starting point|first choice|sweet spot|one i (?:use|own|buy)|pick of the bunch)(?: is|:)(?: the)?\s?\Z",
    r"\bi (?:run|own|have|drive|wear|use|bought|chose)(?: an?| the| my)?\s?\Z",
    r"\b(?:features?|strength|advantage)s? of (?:the )?\Z(?<!missing )",
)
ADVICE_AFTER = _any(
    r"\A\W*(?:\w+ ){0,2}(?:gets? my vote|ticks? (?:every|all)\b|should be your first|comes? out (?:on top|ahead"
    r"|first))|\A it is\W*\Z"
    r"|\bwould(?:n't| not) (?:change|swap|give) it\b|\b(?:is|are) (?:the|my|our) (?:pick|answer)\b",
    r"\b(?<!not the )(?<!n't the )(?:better|best|easier|easiest|great|excellent|ideal|perfect|superb|unbeatable"
    r"|unmatched|favou?rite"
    r"|winner|top pick|our pick|my pick|hard to beat|outstanding|terrific|fantastic|standout|solid choice"
    r"|safe (?:choice|bet|buy)"
    r"|good (?:choice|buy|option|fit|value)|decent (?:choice|alternative|option)|sensible choice|no-brainer)\b",
    r"\b(?:is|are|remains?|would be|seems?|'s|feels|stays)(?: \w+){0,4} (?:good|fine|safe|right|solid|strong"
    r"|reliable|generous"
    r"|usual (?:choice|recommendation)|cheaper|cheapest|faster|fastest|simpler|simplest|lighter|lightest|safer"
    r"|safest|quieter"
    r"|quietest|stronger|strongest|softer|sturdier|friendlier|smarter|cleaner|the one|one to (?:get|buy)"
    r"|way to go|worth"
    r"|what (?:you|i)(?:'d)? (?:\w+ )?(?:want|need|look for|buy|use|get|take)|thing to)\b",
    r"\A\W*(?:\w+ ){0,3}(?:beats|wins|excels|shines|outperforms|suits|leads|deserves|stands out|is made for"
    r"|lasts longest"
    r"|makes sense|has the (?:best|better|most)|(?:have|has) (?:the )?most)\b",
    r"(?<!n't )(?<!not )\b(?:worth (?:it|buying|the|a look)|recommended|money well spent|buy it|get (?:it|one)"
    r"|try (?:it(?! (?:again|out))|both"
    r"|either)|choose this|take that|take it|go for it|pick (?:it|this))\b",
    r"\bi(?: would|'d| will|'ll) (?:buy|use|get|choose|take|pick|order|book|go with|recommend|feed|shortlist"
    r"|look for|start)\b",
    r"\b(?:would|will)(?: not|n't) (?:go back|switch|look back|trade)\b|\bfor good reason\b|\bhas you covered\b"
    r"|\bdo(?:es)? the job\b"
    r"|\bpick of the bunch\b|\b(?:close|strong) (?:second|behind)\b|\bneeds? the least\b"
    r"|\boffers? (?:the )?(?:most|best|good)\b",
    rf"\b(?:what|which|that|one|where|the \w+) i(?:'d| would)(?: \w+ly| also| still)?(?! {_ELSE}) \w+",
    rf"{_ID}\w+(?: \w+){{0,2}} {_THINGS}\b|\bso (?:should|would) (?:you|i)\b",
    r"(?:\A\W*|[.;:,!\u2013\u2014]\s*(?:(?:so|and|then|just|please) )*|\bso )(?:just |simply )?(?:choose|use|get"
    r"|take|pick|buy|order|book"
    rf"|rent|serve|try|grab|hire|join|go (?:with|for)|(?:start|begin|stick) with) {_THINGS}(?=\W*(?:[.;:,!)]|\Z)"
    rf"| (?:first|instead)\b"
    r"|(?<=there) )",
    r"\b(?:is|are|remains?)(?: \w+)? (?:the|an?|my|our) (?:default|right|safe|safest|obvious|usual|natural|easy"
    r"|easiest|first|standard"
    r"|sensible|smart|clear|logical|classic) (?:choice|pick|option|bet|way|answer|place|one|purchase)\b",
    r"\b(?:is|are) (?:more than |quite |usually |often )?(?:enough|all (?:that )?(?:you"
    r"|most people) need)\b(?! to\b)",
    r"\bthe (?:one|\w+) to (?:get|buy|take|choose|pick|book|order|have)\b",
    r"\bwhat i'd (?:\w+ )?(?:for|buy|get|use|take|pick)\b|\bbuy it again\b|\bhighly (?:rated|recommended)\b",
)
ADVICE_TITLE = _any(
    r"\b(?:best|top|great|excellent|ideal|perfect|fastest|simplest|easiest|safest|strong(?:est)?|favou?rite"
    r"|most (?!expens)\w+"
    r"|close second|runner-up)\b",
    r"\b(?:worth|recommended|winner|pick|buy|sehr gut|testsieger|empfehlung|meilleur|mejor)\b"
    r"|\u304a\u3059\u3059\u3081",
)
"""In the title of a list, the cell of a table, or the rest of an item's line."""

BESIDE = _any(
    r"\b(?:than|versus|vs\.?|compared (?:with|to)|unlike|like|as|instead of|over|from|similar to|such as"
    r"|according to|with|to|by|of"
    r"|for|no|and not|than with|what|which|replac\w+|at|on|via|into|als|wie|von|que|de|avec|con)(?:\s(?:a|an"
    r"|the|its|those))*"
    r"(?: of)?\s?\Z",
    r"\u3088\u308a\Z|\u6bd4\Z",
)
"""The name is compared with, connected to, quoted or excluded; it is not what the sentence is about."""

TOLD_OF = _any(
    r"\A\W*(?:\w+ ){0,2}(?:was|were) (?:founded|launched|acquired|established|created|started|bought|renamed"
    r"|owned)\b",
    r"\A\W*(?:\w+ ){0,2}(?:is|are) (?:based|headquartered|owned|made|part|(?:a|an|the) (?:\w+ )?(?:company"
    r"|brand|firm|provider"
    r"|subsidiary|maker|publicly|manager|manufacturer|bank|retailer|platform that|newspaper|magazine|publisher"
    r"|agency|charity))\b",
    r"\A\W*(?:belongs|owns|employs|operates|exists|dates|lists|announced|acquired|launched)\b",
    r"\A(?:'s)?\W*(?:(?:and|or)\W+\w+\W+)?(?:says?|said|writes?|wrote|notes?|agrees?|calls?|called|featured|covered"
    r"|profiled|mentions?|mentioned|interviewed|found|ranks?"
    r"|ranked|rates?|rated"
    r"|reports?|reported|tested|named|praises?|criticis\w+|reviewers?|testers?|readers?|lists?)\b",
)
"""Facts about the subject, and what it says as a source, neither advise nor warn."""

DRAWBACK = _any(
    r"\b(?:but|though|however|except|expensive|pricey|overpriced|slow|slower|poor|lacks?|lacking|fails?|dull"
    r"|weak|worse|worst|unreliable"
    r"|outdated|limited|not|never|no longer|noisy|loud|louder|heavy|cramped|confusing|clunky|buggy|basic|only"
    r"|costs? (?:more|four"
    r"|twice|a lot)|harder)\b|n't\b",
)
"""What keeps a plain statement about a name from being advice."""
