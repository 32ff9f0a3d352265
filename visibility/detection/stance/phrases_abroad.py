"""Turns of phrase of other languages than English that show what a sentence says of a name in it.

Word stems of advice, of advice against, of warning and of knowing nothing in some twenty languages. Those that must
stand right before the name end at it. All are for text in small letters.
"""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_UP_TO_NAME = r"(?:\s\S+){0,3}\s?\Z"

UNKNOWN = _any(
    r"\bkein(?:e|en|erlei)? (?:\w+ )?(?:angaben|informationen|daten|treffer|ergebnisse|hinweise)\b",
    r"\bnichts (?:\w+ )*(?:gefunden|finden|bekannt)\b|\bmir (?:\w+ )?(?:nicht bekannt|unbekannt)\b",
    r"\bliegen (?:mir |uns )?keine\b|\b(?:ne |n['\u2019]ai )?trouv\w+ rien\b|\bno encuentro nada\b"
    r"|\bnon trovo nulla\b",
    r"\bkenne ich (?:leider )?nicht\b|\bsagt mir nichts\b",
    r"\b(?:aucune?|pas d['\u2019]) ?(?:information|donn\u00e9e|r\u00e9sultat|trace)s?\b|\bne (?:la |le "
    r"|les )?connais pas\b"
    r"|\brien trouv\u00e9\b|\bm['\u2019]est inconnue?\b",
    r"\bno (?:dispongo de|tengo) (?:\w+ )*(?:datos|informaci\u00f3n)\b|\bn\u00e3o (?:tenho"
    r"|disponho de) (?:\w+ )*(?:dados|informa\w+)\b",
    r"\bno (?:he )?(?:encontr\u00e9|encontrado|encuentro|tengo|hay) (?:\w+ )*(?:informaci\u00f3n|nada|datos)\b"
    r"|\bno conozco\b",
    r"\bnon (?:ho trovato|conosco|trovo)\b|\bnessuna informazione\b|\bn\u00e3o (?:encontrei|conhe\u00e7o|encontro)\b",
    r"\bgeen (?:\w+ )?(?:informatie|gegevens|resultaten)\b|\bniets (?:\w+ )*(?:terug)?(?:vinden|gevonden|bekend)\b",
    r"\bken ik niet\b|\bhittar (?:inget|ingenting|ingen information)\b|\bk\u00e4nner (?:jag )?inte till\b",
    r"\bfinder ingen\b|\bkender (?:jeg )?ikke\b|\bnie (?:znalaz\u0142\w*|znam|znajduj\u0119)\b"
    r"|\bbilgi bulamad\w*|\bbilmiyorum\b",
    r"\b\u043d\u0435 (?:\u043d\u0430\u0448\w*|\u0437\u043d\u0430\w*|\u043d\u0430\u0445\u043e\u0436\u0443)"
    r"|\u043d\u0435\u0442 \u0438\u043d\u0444\u043e\u0440\u043c\u0430\u0446\u0438\u0438",
    r"\u898b\u3064\u304b(?:\u308a\u307e\u305b\u3093|\u3089\u306a)|\u898b\u3064\u3051\u3089\u308c\u307e\u305b\u3093"
    r"|\u60c5\u5831(?:\u306f|\u304c)(?:\u3042\u308a\u307e\u305b\u3093|\u306a)|\u5b58\u3058(?:\u307e\u305b\u3093"
    r"|\u4e0a\u3052)"
    r"|\u77e5\u308a\u307e\u305b\u3093",
    r"(?:\u6ca1\u6709?|\u672a|\u65e0\u6cd5)(?:\u80fd)?(?:\u627e\u5230|\u67e5\u5230|\u542c\u8bf4)"
    r"|\u4e0d\u4e86\u89e3|\u4e0d\u719f\u6089"
    r"|\u4e0d\u6e05\u695a",
    r"\ucc3e\uc744 \uc218 \uc5c6|\ucc3e\uc9c0 \ubabb|\uc54c\uc9c0 \ubabb|\uc815\ubcf4(?:\uac00"
    r"|\ub97c) (?:\uc5c6|\ucc3e)",
)
"""The answer knows nothing of the name."""

AGAINST_BEFORE = _any(
    r"\bfinger von(?: der| dem| den)?\s?\Z|\bne (?:vous |te |le )?(?:recommande|conseille)\w* pas(?: \S+)?\s?\Z"
    r"|\bno te (?:compres|f\u00edes de)(?: \S+)?\s?\Z|\bevita(?: \S+)?\s?\Z|\b(?:koop|neem) geen\s?\Z",
    r"\bni se te ocurra(?: \S+){0,4}\s?\Z|\bno (?:uses|vayas|contrates)(?: \S+){0,2}\s?\Z",
    rf"\b(?:lascia (?:perdere|stare)|meglio evitare|mieux vaut \u00e9viter|no comprar\u00eda|no compres"
    rf"|n\u00e3o compr\w+|laat \w+ links liggen"
    rf"|fuyez|laissez tomber){_UP_TO_NAME}",
    rf"\b(?:meide\w*|vermeide\w*|finger weg von|\u00e9vite[zr]?|d\u00e9conseille\w*|evit[aeo]\w*|sconsigli\w*"
    rf"|vermijd\w*"
    rf"|undvik\w*|undg\u00e5|unng\u00e5|v\u00e4lt\u00e4|unikaj\w*|ka\u00e7\u0131n\w*|hindari|tr\u00e1nh"
    rf"|ker\u00fclj\w*){_UP_TO_NAME}",
    rf"\b(?:rate|raten|r\u00e4t) (?:ich )?(?:\w+ )?(?:ab )?von(?:\s(?:der|dem|den))?\s?\Z|\bno (?:recomiendo"
    rf"|compr\w+|elij\w+)"
    rf"{_UP_TO_NAME}",
    rf"\b(?:non consigli\w*|n\u00e3o recomendo|nie polecam|\u0438\u0437\u0431\u0435\u0433\w*"
    rf"|\u043d\u0435 \u0441\u043e\u0432\u0435\u0442\w*"
    rf"|\u043d\u0435 \u0440\u0435\u043a\u043e\u043c\u0435\u043d\u0434\w*){_UP_TO_NAME}",
    r"(?:\A|[.:;,]\s)(?:pas|nicht|niet|inte|non|nie)(?:\s(?:le|la|les|den|die|das|de|het))?\s?\Z",
    r"(?:\u907f\u514d|\u522b\u4e70|\u4e0d(?:\u63a8\u8350|\u5efa\u8bae)(?:\u4f7f\u7528|\u8d2d\u4e70)?)\Z",
)
AGAINST_AFTER = _any(
    r"\blohnt sich (?:\w+ )?nicht\b|\bn'en vaut pas\b|\bnon vale\b|\bniet (?:kopen|nemen|aanraden)\b"
    r"|\bno te f\u00edes\b",
    r"\bw\u00fcrde ich (?:\S+ ){0,4}(?:nicht|niemand\w*|keine\w*|nie)\b|\b(?:rate|raten wir) (?:ich )?(?:\S+ )?ab\b"
    r"|\babraten\b",
    r"\b(?:nicht|niemandem|keinem)(?: mehr)?(?: \S+){0,2} (?:empfehlen|nehmen|kaufen|raten)\b"
    r"|\b(?:je ne )?le d\u00e9conseille\b",
    r"\u4e0d\u5efa\u8bae|\u4e0d\u5efa\u8b70|\u52e7\u3081\u307e\u305b\u3093",
    r"\b(?:die )?finger (?:davon )?(?:lassen|weg)\b|\bbesser nicht\b|\blieber nicht\b",
    r"\b(?:nicht|keine?)(?: \w+){0,2} (?:empfehl\w+|geeignet|gute wahl|richtig\w*|wert)\b|\babzuraten\b"
    r"|\bfinger weg\b",
    r"\b\u00e0 \u00e9viter\b|\bne (?:convient|vaut) pas\b|\bd\u00e9conseill\w+|\bno (?:vale la pena"
    r"|es recomendable)\b|\bda evitare\b"
    r"|\bsconsigliat\w|\bafrader\b|\bafgeraden\b|\bavr\u00e5d\w*|\bodradz\w*|\btavsiye etm\w*|\b\u00f6nermem\b",
    r"\u304a\u3059\u3059\u3081(?:\u3067\u304d|\u3057)\u307e\u305b\u3093|\u907f\u3051|\u4e0d\u63a8\u8350"
    r"|\u4e0d\u503c\u5f97"
    r"|\ucd94\ucc9c\ud558\uc9c0 \uc54a|\ud53c\ud558",
)
AGAINST_WORDS = ("",)
"""Nothing is left out: these are searched in few texts."""
WARNING = _any(
    r"\bkleingedruckte\b",
    r"\b(?:vorsicht|achtung|aufpassen|beschwer\w+|warn(?:t|en|ung\w*))\b|\b(?:m\u00e9fiez|prudence|gare aux?"
    r"|attention (?:\u00e0|aux?))\b",
    r"\b(?:cuidado|ojo|precauci\u00f3n) con\b|\battenzione\b|\bcautela\b|\b(?:pas op|let op|opgelet|klachten)\b"
    r"|\bse upp\b|\bvarning\b",
    r"\bklagom\u00e5l\b|\buwaga\b|\bostro\u017cnie\b|\bdikkat\b"
    r"|\u043e\u0441\u0442\u043e\u0440\u043e\u0436\u043d\w*|\u0436\u0430\u043b\u043e\u0431\w*",
    r"\u6ce8\u610f|\u5c0f\u5fc3|\u8b66\u6212|\uc8fc\uc758|\uc870\uc2ec",
)
ADVICE_BEFORE = _any(
    r"\b(?:ich|wir) w\u00fcrden?(?: (?!(?:nicht|kein\w*|niemand\w*|nie|eher nicht)\b)[^\s;:.!?]+){0,5}\s?\Z"
    r"|\bam besten(?: (?:ist|sind|nimmst du|nehmen sie))?(?: (?:der|die|das|den|ein|eine|einen))?\s?\Z",
    r"\b(?:unser|mein) (?:tipp|rat|favorit)\W{1,4}\Z|\b(?:notre|mon) (?:conseil|choix|favori)\W{1,4}\Z"
    r"|\b(?:nuestra|mi) (?:recomendaci\u00f3n|elecci\u00f3n)\W{1,4}\Z",
    r"\b(?:qu\u00e9date con|yo (?:comprar\u00eda|elegir\u00eda|usar\u00eda|ir\u00eda a)|je (?:prendrais|choisirais)"
    r"|io (?:prenderei|comprerei)"
    r"|eu (?:compraria|escolheria)|ik zou)(?: (?!(?:no|pas|non|n\u00e3o|niet|geen)\b)\S+){0,3}\s?\Z"
    r"|\u0e41\u0e19\u0e30\u0e19\u0e33\Z",
    rf"\b(?:empfehle\w*|empfiehlt sich|nehmen sie|nimm|w\u00e4hle\w*|greifen sie zu|greif zu"
    rf"|rate (?:ich )?(?:\w+ )?zu){_UP_TO_NAME}",
    r"\bw\u00fcrde (?:ich )?(?:\w+ )?zu[rm]?\s?\Z|\b(?:zu[rm]?|einen?) (?:greifen|raten)\s?\Z|\b(?:ti"
    r"|vi) (?:consiglio|suggerisco)"
    r"(?: \w+)?\s?\Z|\b(?:te|le|os) (?:recomiendo|sugiero)(?: \w+)?\s?\Z|\bvous (?:conseille|recommande"
    r"|sugg\u00e8re)(?: \w+)?\s?\Z",
    r"\b(?:lieber|besten?(?: \S+){0,2} (?:hat|ist)|wunsch w\u00e4re|mein (?:tipp|rat|favorit)(?: ist"
    r"|:))(?: \w+)?\s?\Z",
    r"\A\W*(?:f\u00fcr|wer|bei|als|mit|wenn)\b.*\b(?:reicht|passt|eignet sich|lohnt sich|bietet sich|ist|nimmt"
    r"|greift zu)"
    r"(?:\s(?:der|die|das|ein|eine))?\s?\Z",
    rf"\b(?:prenez|choisissez|recommande|conseille|optez pour|pr\u00e9f\u00e8re"
    rf"|pr\u00e9f\u00e9rez){_UP_TO_NAME}|\bplut\u00f4t(?: \w+)?\s?\Z",
    rf"\b(?:recomiendo|elige|elija|usa|use|prueba|consiglio|scegli|scelga|recomendo|escolha|kies|neem|v\u00e4lj"
    rf"|rekommenderar"
    rf"|anbefaler|v\u00e6lg|velg|suosittelen|polecam|wybierz|doporu\u010duji|\u00f6nerim|tavsiyem){_UP_TO_NAME}",
    rf"(?:\u0440\u0435\u043a\u043e\u043c\u0435\u043d\u0434\u0443\u044e"
    rf"|\u0441\u043e\u0432\u0435\u0442\u0443\u044e|\u0431\u0435\u0440\u0438\u0442\u0435"
    rf"|\u0432\u044b\u0431\u0438\u0440\u0430\u0439\u0442\u0435){_UP_TO_NAME}"
    rf"|\u05dc\u05d4\u05e9\u05ea\u05de\u05e9 \u05d1-?\Z|\u05e2\u05d3\u05d9\u05e3"
    rf"{_UP_TO_NAME}|\u0623\u0646\u0635\u062d{_UP_TO_NAME}|\u0627\u0644\u0623\u0641\u0636\u0644{_UP_TO_NAME}",
    r"(?:\u304a\u3059\u3059\u3081\u306f|\u306a\u3089|\u63a8\u8350|\u9996\u9009|\u5efa\u8bae(?:\u4f7f\u7528"
    r"|\u9009)?|\u9009|\u8003\u8651"
    r"|\u76f4\u63a5(?:\u70b9|\u4e70|\u7528))\Z",
)
ADVICE_AFTER = _any(
    r"\bnichts falsch\b|\bgute wahl\b|\bscelta giusta\b|\b(?:prima|goede) keuze\b|\bbuena opci\u00f3n\b"
    r"|\bbonne option\b",
    r"\b(?:das|die|den|der) ich (?:\S+ ){0,4}(?:w\u00fcrde|nehme|kaufe|empfehle)\b|\b(?:den|die|das|ihn|sie"
    r"|es) empfehle ich\b",
    r"\b(?:celui|celle|ceux|celles) que je (?:conseille|recommande|prendrais|choisirais)\b|\b(?:choisissez"
    r"|prenez)-l[ea]s?\b"
    r"|\bprenez cel(?:ui|le)\b|\bma recommandation\b",
    r"\b(?:te |se |os )?l[oa]s? recomiendo\b|\b(?:la|el|lo) que (?:yo )?(?:comprar\u00eda|elegir\u00eda"
    r"|usar\u00eda)\b|\bcompra (?:es[ea]|est[ea])\b",
    r"\b(?:compra|prendi|prendete|scegli) (?:quell|quest)\w+\b|\bquell[oa] che (?:comprerei|prenderei|consiglio)\b"
    r"|\bla mia scelta\b",
    r"\braad ik (?:je |u )?(?:\w+ )?aan\b|\b(?:mijn|onze) (?:keuze|tip)\b|\bhet best\b|\b(?:o"
    r"|a) que eu (?:compraria|escolheria)\b",
    r"\b(?:besser|beste[nrms]?|ideal|perfekt|empfehlenswert|empfehlung|erste wahl|hervorragend|ausgezeichnet"
    r"|testsieger"
    r"|(?:mein|unser) (?:tipp|rat|favorit)|richtige (?:adresse|wahl)|reicht (?:\w+ )*(?:aus|gut)"
    r"|v\u00f6llig aus|g\u00fcnstigste\w*"
    r"|schnellsten|lohnt sich)\b",
    r"\b(?:meilleure?s?|mieux|parfaite?|id\u00e9ale?|excellente?|qu['\u2019]il vous faut|je prendrais"
    r"|recommand\w+|bon choix)\b",
    r"\b(?:mejor(?:es)?|m\u00e1s \w+|excelente|recomendable|migliore?|ottim[oa]|perfett[oa]|melhor(?:es)?"
    r"|\u00f3tim[oa])\b",
    r"\b(?:uitstekend\w*|aanrader|beste koop|prijs-kwaliteit|prisv\u00e4rd\w*|b\u00e4st\w*|r\u00e4cker gott"
    r"|rekommendera\w*|bedst\w*"
    r"|anbefal\w*|paras|suosittel\w*|polec\w*|najleps\w*|doporu\u010d\w*|nejlep\u0161\w*|legjobb\w*|javasl\w*"
    r"|cel mai bun)\b",
    r"\btavsiye eder\w*|\b\u00f6neri\w*|\ben iyi\w*|\u043b\u0443\u0447\u0448\w*"
    r"|\u0440\u0435\u043a\u043e\u043c\u0435\u043d\u0434\u0443\w*"
    r"|\u0441\u043e\u0432\u0435\u0442\u0443\w*|\u043d\u0430\u0439\u043a\u0440\u0430\u0449\w*|t\u1ed1t nh\u1ea5t"
    r"|\bterbaik\b",
    r"\u4e00\u756a|\u6700\u3082|\u304a\u3059\u3059\u3081|\u3092(?:\u4f7f\u3048|\u9078)|\u6700\u9069"
    r"|\u4fbf\u5229|\u6700\u597d|\u66f4\u597d|\u4e0d\u9519"
    r"|\u503c\u5f97|\u9996\u9009|\u6700\u5feb|\u6700\u9002\u5408|\u63a8\u8350|\u63a8\u85a6",
    r"\u0e07\u0e48\u0e32\u0e22\u0e01\u0e27\u0e48\u0e32|\u0e14\u0e35\u0e17\u0e35\u0e48\u0e2a\u0e38\u0e14"
    r"|\uac00\uc7a5|\ucd94\ucc9c"
    r"|\uc4f0\uc138\uc694|\ucd5c\uace0|\uc88b\uc2b5",
)

DRAWBACK = _any(
    r"\b(?:aber|jedoch|nicht|keine?\w?|teuer\w*|mais|pas|trop|(?<!moins )ch\u00e8re?s?|(?<!moins )cher|pero|no"
    r"|car[oa]s?|ma|non|costos\w+"
    r"|maar|niet|geen|duur"
    r"|men|inte|inget|dyr\w*|ikke|ale|nie|drog\w+|mas|n\u00e3o)\b",
)
"""What keeps a plain statement about a name from being advice."""
