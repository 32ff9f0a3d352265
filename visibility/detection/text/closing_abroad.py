"""What the interface's own lines say in other languages than English: that it may err, and what powers it.

Parts of regular expressions in the verbose notation, for `closing`; each is what a whole line or sentence says.
"""

_MAY_ERR = (
    r"kann\ sich\ irren",  # German
    r"peu(?:t|vent)\ (?:contenir|comporter|générer|produire)\ des\ (?:erreurs|inexactitudes)"
    r"|peut\ se\ tromper",  # French
    r"pued(?:e|en)\ (?:contener|tener|generar|mostrar|incluir)\ (?:errores|información\ \w+)"
    r"|pued(?:e|en)\ equivocarse",  # Spanish
    r"(?:può|possono)\ (?:contenere|fare|generare)\ (?:errori|imprecisioni)|può\ sbagliare",  # Italian
    r"pode(?:m)?\ (?:cometer|conter|ter|apresentar)\ (?:erros|imprecisões)",  # Portuguese
    r"kunnen\ (?:fouten|onjuistheden)\ bevatten|kan\ zich\ vergissen",  # Dutch
    r"może\ (?:popełniać\ błędy|się\ mylić|zawierać\ błędy)"
    r"|mogą\ zawierać\ błędy",  # Polish
    r"kan\ (?:göra|innehålla)\ (?:misstag|fel)|kan\ (?:begå|lave|indeholde)\ fejl"
    r"|kan\ (?:gjøre|inneholde|ta)\ feil",  # Swedish, Danish, Norwegian
    r"voi\ (?:tehdä|sisältää)\ virheitä|voi\ erehtyä",  # Finnish
    r"může\ (?:dělat|obsahovat)\ chyby|může\ se\ mýlit|hibázhat"
    r"|poate\ (?:face|comite)\ gre\u0219eli",  # Czech, Hungarian, Romanian
    r"hata\ (?:yapabilir|içerebilir)|dapat\ (?:membuat|melakukan)\ kesalahan"
    r"|có\ thể\ mắc\ (?:lỗi|sai\ lầm)",  # Turkish, Indonesian, Vietnamese
    r"\u043c\u043e\u0436\u0435\u0442\ (?:\u043e\u0448\u0438\u0431\u0430\u0442\u044c\u0441\u044f"
    r"|\u0434\u043e\u043f\u0443\u0441\u043a\u0430\u0442\u044c\ \u043e\u0448\u0438\u0431\u043a\u0438)"
    r"|\u043c\u043e\u0436\u0435\ \u043f\u043e\u043c\u0438\u043b\u044f\u0442\u0438\u0441\u044f",  # Russian, Ukrainian
)
_MAY_ERR_UNSPACED = (
    r"間違(?:える|いを|った).{0,12}(?:ことが|可能性|場合)"
    r"|(?:誤り|不正確|誤った).{0,14}(?:可能性|ことが|場合)"
    r"|必ずしも正しいとは|正確でない",  # Japanese
    r"仅供参考|僅供參考|可能(?:会)?(?:有误|出错|犯错"
    r"|不准确|存在错误)|可能(?:會)?(?:出錯|有誤)"
    r"|请仔细甄别|由\s?(?:AI|人工智能)\s?生成",  # Chinese
    r"실수를?\ ?(?:할|하는)|(?:부정확|정확하지|틀릴|오류).{0,12}수\ 있"
    r"|AI가\ 생성",  # Korean
    r"อาจ.{0,8}ผิดพลาด",  # Thai
)
# Prices and facts may be wrong, too; the line of an interface speaks of answers, or names the machine.
_OF_A_MACHINE = (
    r"(?=[\x00-\x7f]{0,60}[\u0e00-\ud7ff])(?=.{0,60}?(?:AI|\uff21\uff29|[A-Za-z]{4}|回答|応答|生成|答案|답변|응답"
    r"|คำตอบ))"
)
_MADE_BY = (
    r"unterstützt\ (?:von|durch)|(?:bereitgestellt|betrieben|erstellt|generiert)\ (?:von|durch|mit)",
    r"(?:propulsée?|fournie?|générée?|alimentée?)\ (?:par|avec)",
    r"(?:impulsad|desarrollad|generad|proporcionad|ofrecid)[oa]s?\ (?:por|con)|con\ (?:la\ )?tecnología\ (?:de\ )?",
    r"(?:offert|fornit|generat|realizzat)[oa]\ (?:da|con)|con\ tecnologia|basato\ su",
    r"(?:desenvolvid|fornecid|gerad|oferecid)[oa]\ (?:por|com|pel[oa])|com\ tecnologia\ (?:d[aeo]\ )?",
    r"(?:mogelijk\ gemaakt|aangedreven|gegenereerd|geleverd)\ (?:door|met)",
    r"(?:drivs|stöds|genereras|genererat)\ (?:av|med)|drevet\ a[fv]|leveret\ af|levert\ av",
    r"obsługiwane\ przez|wygenerowane\ przez|dostarcza|technologia|používá|běží\ na",
    r"\u043f\u0440\u0438\ \u043f\u043e\u0434\u0434\u0435\u0440\u0436\u043a\u0435"
    r"|\u0440\u0430\u0431\u043e\u0442\u0430\u0435\u0442\ \u043d\u0430|\u0441\u043e\u0437\u0434\u0430\u043d\u043e",
)
_MADE_BY_UNSPACED = (
    r"由.{1,20}(?:提供|生成|驱动|驅動)(?:技术|技術|数据|算力)?(?:支持|支援)?"
    r"|(?:提供|協力|出典|제공|출처)\s?[:\uff1a].{1,40}"
    r"|[\w.&\ ]{1,20}(?:による生成|が生成しました|を利用しています|\ 제공)"
)

# Questions for feedback, and what shares the answer.
_ASKED = (
    r"war\ (?:das|dies|die\ antwort|diese\ antwort)\ hilfreich\b.{0,20}",
    r"(?:cette\ réponse|cela|ceci|était-ce)\b.{0,20}\ utile\b.{0,20}",
    r"¿?(?:te|le|ha|fue|es)\b.{0,25}\ útil\b.{0,20}|(?:è\ stato|questa\ risposta)\b.{0,20}\ utile\b.{0,20}",
    r"was\ dit\ (?:nuttig|antwoord\ nuttig)\b.{0,20}|(?:esta\ resposta|isto)\b.{0,20}\ útil\b.{0,20}",
    r".{0,20}(?:役に立ちましたか|有帮助吗|有幫助嗎|도움이 ?되(?:었나요|셨나요|었습니까)).{0,10}",
    r"(?:partager|teilen|compartir|condividi|delen|compartilhar|dela|udostępnij)\ ?(?:sur|auf|via|con|en|su|op|por"
    r"|na|:)?\ "
    r"(?-i:[A-Z])[\w.'&+\ -]{0,30}",
    r"(?:die\ )?(?:angaben|informationen|antworten)\ (?:ohne\ gewähr|können\ (?:falsch|ungenau|fehlerhaft"
    r"|veraltet)\ sein)",
    r"les\ (?:informations|réponses)\ peuvent\ être\ \w+|la\ información\ puede\ ser\ \w+",
    r"le\ informazioni\ possono\ essere\ \w+|as\ informações\ podem\ (?:ser|estar)\ \w+",
)

PATTERNS = (
    *_ASKED,
    r"(?:[^.!?]{1,60}\ )?(?:" + "|".join(_MAY_ERR) + r")\b(?:[^.!?]{0,90}|[.,;].{0,120})",
    _OF_A_MACHINE + r".{0,60}(?:" + "|".join(_MAY_ERR_UNSPACED) + r").{0,80}",
    r"(?:(?:antwort|réponse|respuesta|risposta|antwoord|resposta|odpowiedź|svar|vastaus|ответ)\ )?(?:"
    + "|".join(_MADE_BY)
    + r")\ ?(?-i:[A-Z0-9])[\w.'&+\ -]{0,40}",
    _MADE_BY_UNSPACED,
)
"""What a line of the interface says as a whole."""
