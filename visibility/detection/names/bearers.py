"""What stands right beside a name and shows another bearer: a first name, "the town of", "is another matter"."""

import re

from visibility.detection.names.proper_names import GIVEN_NAMES
from visibility.detection.text.words import word_set

TITLES = word_set(
    """
    \u00e9crivain acteur actor actress actrice architect architecte architekt arquitecto attore auteur author
    autor baker baron biologist boxer brewer cantante captain chancellor chanteur chanteuse chef chemist coach
    colonel comedian composer compositeur compositor conductor congressman count countess cyclist dame dancer
    designer detective dichter dichterin director do\u00f1a don dr drummer duke economist emperor engineer
    escritor escritora explorer fil\u00f3sofo filmmaker footballer fr\u00e4ulein frau futbolista governor
    guitarist herr herra herrn historian inspector inventor journalist judge komponist lady lord madame
    mademoiselle maler malerin mathematician mayor meneer mevrouw minister miss mlle mme monsieur mr mrs ms
    musician mx novelist painter pan pani peintre philosoph philosophe philosopher photographer physicist
    physiker pianist pintor pintora pittore playwright po\u00e8te poet poeta politician pope president prof
    professor psychologist queen r\u00e9alisateur racer rapper regisseur s\u00e4nger s\u00e4ngerin saint
    schauspieler schauspielerin schilder schriftsteller schriftstellerin schrijver scrittore sculptor se\u00f1or
    se\u00f1ora se\u00f1orita senator senhor senhora sergeant signor signora singer sir skier sociologist
    songwriter striker tailor violinist writer zanger
    """
)
"""What stands before the name of a person, in lower case."""
_VERBS_TOO = frozenset({"judge", "miss", "pan"})
_RELATED = """
    aunt brother cousin dad daughter father friend grandfather grandmother grandson husband mother mum mom nephew
    niece sister son uncle wife
"""
RELATIVES = word_set(
    _RELATED
    + """
    classmate colleague flatmate grandma grandpa granny neighbor neighbour roommate
    bruder cousine freund freundin kollege kollegin nachbar nachbarin onkel schwager schwester schw\u00e4gerin
    tante vater ami amie beau-fr\u00e8re coll\u00e8gue copain copine fr\u00e8re oncle p\u00e8re s\u0153ur soeur
    voisin voisine abuela abuelo amiga amigo compa\u00f1era compa\u00f1ero hermana hermano prima primo t\u00eda
    t\u00edo vecina vecino amica amico cugina cugino fratello nonna nonno sorella vicina vicino zia zio broer
    buurman buurvrouw collega oom opa oma vriend vriendin zus irm\u00e3 irm\u00e3o tia tio vizinha vizinho
    """
)
"""Whom a writer knows by name, in lower case."""
_FAMILY = re.compile(
    rf"['\u2019]s?\s(?:\w+\s)?(?:{'|'.join(_RELATED.split())}|widow|girlfriend|boyfriend|childhood|biography|birthday"
    r"|novels?|poems?|symphony|paintings?)\b|\s(?:himself|herself)\b"
)
_APPOSED = re.compile(
    r",\s(?:the|a|an|our|my|his|her|their)\s(?:[\w-]+\s){0,2}"
    r"(?:man|woman|boy|girl|guy|actor|actress|composer|dentist|detective|doctor|economist|explorer|farmer|footballer"
    r"|journalist|lawyer|mathematician|musician|neighbou?r|novelist|painter|philosopher|physicist|plumber|poet"
    r"|politician|sculptor|singer|teacher)(?=\s(?:who|whose|whom|of|in|from|at|next|behind|and)\b|[,.;:)])"
)
_APPOSED_TITLE = re.compile(
    r"\s(?:the|der|die|le|la|el|il|de)\s(?:[\w-]+\s)?(?P<title>\w+)"
    r"(?=[,.;:!?)]|\Z|\s(?:who|whose|whom|was|is|would|had|of|from|and|in|wrote|composed|painted|lived|died)\b)"
)
_WORD_ITSELF = re.compile(
    r"[!?.]?[\"'\u2019\u201d]\s(?:is|was|means)\s(?:also\s)?"
    r"(?:what\s|slang\s|short\sfor\s|(?:a|an|the)\s(?:[\w-]+\s){0,2}(?:word|term|name|expression)\s(?:for|of)\s)"
)
_KIND_OF_THING = re.compile(
    r"[!?.]?[\"'\u2019\u201d]?(?:\s(?:is|was)\s(?:also\s)?|,\s)(?:a|an|the)\s(?:[\w-]+\s){0,2}"
    r"(?:word|name|surname|colou?r|fruit|herb|plant|flower|tree|animal|bird|fish|insect|planet|moon|star|god|goddess"
    r"|river|mountain|pose|lake|island|town|village|city|metal|element|gas|disease|myth)"
    r"(?=[,.;:!?)]|\s(?:of|in|and|that|which|too|as|from|on|for)\b)"
)
_QUOTES = ('"', "'", "\u2018", "\u201c", "\u201e")
_PLACE_OF = re.compile(
    r"\b(?:town|city|village|county|department|d\u00e9partement|province|region|district|river|island|battle"
    r"|bay|gulf|state|republic|kingdom|temple|planet|goddess|god) of \Z"
    r"|\b(?:ville|village|ciudad|pueblo|citt\u00e0) (?:de|di) \Z",
    re.IGNORECASE,
)
_LANDSCAPE = re.compile(r"\s(?:[Mm]ountains|river|valley|glacier|peninsula|archipelago|rainforest|strait)\b")
_APART = re.compile(
    r"[^.!?;\n\0]*?\b(?:another|a\ different)\ (?:matter|thing|story|question|subject)\b"
    r"|[^.!?;\n\0]*?\b(?:(?:another|a\ different|an\ unrelated)\ (?:company|firm|brand|business)(?=[.;,!]|\Z)"
    r"|no\ relation\b)"
    r"|[^.!?;\n\0]*?\b(?:otra\ cosa|autre\ chose|altra\ cosa|etwas\ anderes|eine\ andere\ (?:Sache|Geschichte))\b",
    re.IGNORECASE,
)
_APART_UNSPACED = re.compile(
    r"[^.!?\n\0\u3002]*?(?:\u5225\u306e(?:\u8a71|\u4f1a\u793e|\u4f01\u696d)|\u5225\u4f1a\u793e|\u53e6\u4e00\u5bb6"
    r"|\ub2e4\ub978 \ud68c\uc0ac|\u5225\u7269|\u95a2\u4fc2\u3042\u308a\u307e\u305b\u3093"
    r"|\u7121\u95a2\u4fc2"
    r"|\u53e6\u4e00\u56de\u4e8b|\u65e0\u5173|\ubcc4\uac1c|\uad00\uacc4(?:\uac00 )?\uc5c6)"
)
_APART_REACH = 80


def is_last_name(text: str, start: int) -> bool:
    """Whether a given name stands right before a name that means nothing else: it is a person's last name then."""
    if start < 2 or text[start - 1] != " ":
        return False
    before = text[max(0, start - 20) : start - 1].rpartition(" ")[2]
    return before[:1].isupper() and before.lower() in GIVEN_NAMES


def is_person(text: str, start: int, end: int) -> bool:
    """Whether a title or a profession stands right before the name, or a member of the family or who the person is
    ("Stanley, the man who ...") right behind it."""
    if text[start - 1 : start] == " " and start > 1:
        before = text[max(0, start - 24) : start - 1].rpartition(" ")[2].strip(".,;:(\"'*")
        if (before.lower() in TITLES and before not in _VERBS_TOO) or before in RELATIVES:
            return True
    behind = text[end : end + 1]
    if (
        behind == " "
        and text[end + 1 : end + 2] in "tdlei"
        and (apposed := _APPOSED_TITLE.match(text, end))
        and apposed["title"].lower() in TITLES
    ):
        return True
    if behind == ",":
        return _APPOSED.match(text, end) is not None
    if behind == " " and text[end - 2 : end] in ("'s", "\u2019s"):
        end -= 2  # "Wendy's brother", of the name Wendy's
    return behind in ("'", "\u2019", " ") and _FAMILY.match(text, end) is not None


def is_place(text: str, start: int, end: int) -> bool:
    """Whether "the town of" or the like stands right before, or "mountains" or the like right behind."""
    if _LANDSCAPE.match(text, end):
        return True
    if not text[max(0, start - 4) : start].endswith((" of ", " de ", " di ")):
        return False
    return _PLACE_OF.search(text, max(0, start - 40), start) is not None


def is_set_apart(text: str, end: int) -> bool:
    """Whether the rest of a sentence in an unspaced script says that this is about something else."""
    return not text[end : end + 1].isascii() and _APART_UNSPACED.match(text, end, end + _APART_REACH) is not None


def is_word_itself(text: str, start: int, end: int) -> bool:
    """Whether a name is told of as a thing that is no company ("Purple is also a colour"), or in quotes as a word:
    '"Bing" is also short for bingo'."""
    if _KIND_OF_THING.match(text, end):
        return True
    return text[max(0, start - 1) : start] in _QUOTES and _WORD_ITSELF.match(text, end) is not None


def is_another_matter(rest: str) -> bool:
    """Whether the rest of a clause says that its subject is "another matter" than what the answer spoke of."""
    return _APART.match(rest) is not None
