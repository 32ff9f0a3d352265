"""Turns of phrase by which answers advise against a name, warn of it, or say that they do not know it.

Each phrase has one meaning; nothing is weighed, and single words show no mood. DOUBT is wide on purpose: it only
withholds a recommendation. All are for text in small letters with straight apostrophes.
"""

import re
from collections.abc import Iterable

_DOUBT = {
    "en": (
        r"not|no|never|cannot|\w+n't|avoid\w*|skip\w*|worst|formerly|used to|disappoint\w*|regret\w*",
        r"unfortunately|fail(?:s|ed)?|flop\w*|let (?:us|me) down|overrated|overhyped|stay(?:ing)? away|steer clear",
        r"beware|wouldn't|sent back|returned|waste|poor(?:est)?|least|lemons?|duds?|pass on",
    ),
    "de": (
        r"nicht|kein\w*|nie|niemals|ohne|meid\w*|vermeid\w*|früher|enttäusch\w*|finger weg|leider|schlecht\w*",
        r"abgeraten|abzuraten|raten? .{0,60}\bab|durchgefallen|bereu\w*|flops?|warn\w*|lieber",
    ),
    "fr": (
        r"pas|jamais|sans|ne|n'\w+|évite\w*|éviter|déç\w*|décev\w*|déconseill\w*|pires?|aucun\w*|regrett\w*",
        r"fuir|fuyez|à proscrire|mauvais\w*|méfi\w*",
    ),
    "es": (
        r"no|sin|nunca|jamás|evit\w*|decepcion\w*|desaconsej\w*|peor\w*|ningun\w*|arrepent\w*|defraud\w*|mal[oa]s?",
        r"descart\w*",
    ),
    "it": (r"non|mai|senza|evit\w*|delus\w*|delud\w*|sconsigl\w*|peggior\w*|nessun\w*|pent\w*|scart\w*|alla larga",),
    "pt": (
        r"não|nao|sem|nunca|evit\w*|decepcion\w*|desilud\w*|desilus\w*|desaconselh\w*|pior\w*|nenhum\w*|arrepend\w*",
    ),
    "nl": (
        r"niet|geen|nooit|zonder|vermijd\w*|mijd\w*|teleurgesteld\w*|teleurstell\w*|tegen(?:ge)?val\w*|tegenviel\w*",
        r"afgeraden|afrad\w*|raden? .{0,60}\baf|slecht\w*|spijt",
    ),
    "sv, da, no": (
        r"inte|ikke|ej|ingen|inga|aldrig|aldri|utan|uden|uten|undvik\w*|undgå\w*|unngå\w*|besvik\w*|avråd\w*",
        r"frarå\w*|fraråd\w*|skuff\w*|sämst\w*|dårlig\w*|dålig\w*|ånger\w*|ångra\w*",
    ),
    "pl": (r"nie|bez|odradz\w*|unika\w*|rozczarow\w*|zawiod\w*|zawiedli\w*|najgorsz\w*|żałuj\w*|słab\w*|nigdy",),
    "ru": (r"не|нет|без|никогда|избега\w*|разочаров\w*|худш\w*|откаж\w*|отказ\w*|жале\w*|плох\w*",),
    "cs, sk, hr, sl": (r"není|nejsou|nemá|bez|nikdy|nije|nema|nikad|ni|vyhn\w*|izbjeg\w*",),
    "fi, et": (r"ei|eivät|en|älä|ilman|vältä\w*|vältt\w*|pettymy\w*|huono\w*|mitte|pole|ilma",),
    "hu": (r"nem|nincs\w*|sem|soha|nélkül|kerül\w*|csalód\w*|rossz\w*",),
    "ro": (r"nu|fără|niciodată|evit\w*|dezamăg\w*|slab\w*",),
    "el": (r"δεν|μην?|όχι|χωρίς|ποτέ|αποφ[ύυ]γ\w*|απογοήτευσ\w*",),
    "uk, bg": (r"не|немає|без|ніколи|уника\w*|розчар\w*|няма|никога",),
    "id, ms": (r"tidak|bukan|jangan|tanpa|belum|hindari\w*|mengecewakan|tak",),
    "vi": (r"không|đừng|chưa|chẳng|tránh|thất vọng",),
    "ar, fa": (r"لا|ليس\w*|غير|لم|لن|بدون|تجن\w*|نیست|بدون|نه",),
    "he": (r"לא|אין|בלי|ללא|אל|הימנע\w*|מאכזב\w*",),
    "hi": (r"नहीं|मत|बिना|न|बचें",),
    "tr": (r"değil|yok|kaçın\w*|uzak dur\w*|hayal kırıklığı\w*|asla|en kötü\w*|pişman\w*|\w+m[ae]y[ıiae]n\w*",),
}
# Scripts without spaces between words.
_DOUBT_UNSPACED = (
    r"[不没沒無无别別避勿糟]|失望|后悔|後悔|ない|ません|避け|がっかり|やめ|ダメ|残念|"
    r"않|없|말|마세요|실망|피하|후회|못|ไม่|อย่า|หลีกเลี่ยง"
)
_AGAINST_TITLE = (
    r"avoid(?:ed|ing)?|skip|not recommended|worst|don't buy|stay away|steer clear|disappoint(?:ed|ing|ments?)?",
    r"regret(?:s|ted)?|meiden|nicht empfohlen|enttäuscht\w*|finger weg|éviter|déçus?|déconseillés?|evitar|evitare",
    r"decepcion\w*|sconsigliat\w*|delus[ioae]|vermijden|afgeraden|undvik\w*|avråd\w*|unikać|odradz\w*",
)
_AGAINST_TITLE_UNSPACED = r"避け|避免|不推荐|不推薦|おすすめしない|피해야"
_AGAINST_BEFORE = (
    r"(?:avoid|skip)(?: \w+ing)?(?: on)?|stay away from|steer clear of|keep away from",
    r"think twice before \w+ing|regret \w+ing",
    r"(?:don't|do not|wouldn't|would not|can't|cannot|no longer|never) (?:ever )?"
    r"(?:buy|use|recommend|trust|choose|get)",
    r"finger weg von|meide[nt]?|évitez|evita|evite|evitate|vermijd|undvik",
)
_ARTICLES = r"(?:\s(?:the|a|an|any|your|using|buying|der|dem|den|la|le|les|el|los|de|het))*\s?\Z"
_NOT_FOUND_BEFORE = (
    r"(?:not|\w+n't|unable to|no)(?: \w+){0,3} (?:find|locate|identify|information|info|data|details|results|records)"
    r"\b(?: \w+){0,5}\W*\Z",
    r"(?:not|\w+n't|unable to)(?: \w+){0,3} (?:familiar with|aware of|know of|heard of|recogni[sz]e)\b"
    r"(?: \w+){0,5}\W*\Z",
    r"never heard of\W*\Z",
    r"keine? (?:informationen|angaben|daten|ergebnisse)\b(?: \w+){0,4}\W*\Z",
)
_NOT_FOUND_AFTER = (
    r"\A(?:\W+\w+){0,4}\W+(?:yields?|returns?|gives?|turn(?:s|ed) up) (?:no|nothing|zero)\b",
    r"\A.{0,40}(?:not|n't) (?:\w+ )?(?:appear|seem) to exist\b",
    r"\A.{0,30}\bis (?:a )?(?:fictional|unknown to me)\b",
)
_AGAINST_AFTER = (
    r"\A\W*(?:avoid|skip|not recommended|i (?:would not|wouldn't) (?:use|buy|recommend))\b",
    r"\bno longer (?:be )?recommended\b",
    r"\b(?:is|are) (?:not recommended|best avoided|not worth|a waste)\b",
    r"\b(?:look|shop|go) elsewhere\b",
)
_WARNING = (
    r"beware|be (?:careful|wary|cautious)|tread carefully|with caution|caveats?|watch out|wary of",
    r"vorsicht\w*|mit bedacht|warn(?:e|en|t)|méfi\w*|prudence|cuidado|ojo con|attenzione|cautela",
    r"wees voorzichtig|pas op",
    r"var försiktig|vær forsigtig|uwaga|ostrożn\w*|осторожн\w*|dikkatli",
)
_INCIDENT = (r"scams?|breach(?:es|ed)?|lawsuits?|recall(?:s|ed)?|complaints?",)
_WARNING_LABEL = (
    r"(?:a )?(?:(?:word|note) of )?(?:caution|warning)|beware|achtung|vorsicht|warnung|attention|mise en garde",
    r"prudence|cuidado|advertencia|attenzione|avvertenza|atenção|aviso|let op|waarschuwing|varning|advarsel",
    r"uwaga|ostrzeżenie",
    r"внимание|осторожно|увага|dikkat|uyarı|varoitus|figyelem|pozor|atenție|προσοχή|peringatan|cảnh báo",
    r"注意|警告|주의|경고|تحذير|تنبيه|אזהרה|זהירות|चेतावनी|सावधान|คำเตือน",
)


def _words(*alternatives: str) -> str:
    return rf"(?<![^\W_])(?:{'|'.join(alternatives)})(?![^\W_])"


def _any(alternatives: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


DOUBT = _any([_words(*_DOUBT["en"])])
"""Negation and regret in English, which take back the recommendation that a place in a list is."""
DOUBT_ABROAD = _any([_words(*(words for language in _DOUBT.values() for words in language)), _DOUBT_UNSPACED])
"""The same in all languages that we know of."""
AGAINST_TITLE = _any([_words(*_AGAINST_TITLE), _AGAINST_TITLE_UNSPACED])
"""A title or cell that advises against all below it or in its row."""
AGAINST_BEFORE = _any([rf"\b(?:{'|'.join(_AGAINST_BEFORE)})\b{_ARTICLES}"])
"""Ends at the name."""
AGAINST_AFTER = _any(_AGAINST_AFTER)
"""Begins behind the name."""
NOT_FOUND_BEFORE = _any(rf"\b(?:{pattern})" for pattern in _NOT_FOUND_BEFORE)
"""Ends at a name of which the answer knows nothing."""
NOT_FOUND_AFTER = _any(_NOT_FOUND_AFTER)
"""Begins behind such a name."""
WARNING = _any([_words(*_WARNING)])
"""Warns of a name in the same sentence."""
INCIDENT = _any([_words(*_INCIDENT)])
"""What weighs against a name where things are offered for choice, and is no more than news elsewhere."""
WARNING_LABEL = re.compile(rf"(?:\A|[\n\0\xa0.!?;])[^\w\n]{{0,9}}(?:{'|'.join(_WARNING_LABEL)})\s?[*_]{{0,2}}[:：]")
"""A warning as a label of its own, within the text about a name."""
