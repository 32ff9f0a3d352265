"""Where an answer ends and the interface that it was copied from begins.

Chat pages print lines of their own below an answer: requests for feedback, warnings that hold for every answer,
buttons, credits, what powers the page, sources and further questions under their titles. They name companies, yet are
nobody's answer. The last lines are cut as long as every sentence of a line is of one of these kinds; an answer that
speaks of the same things in the middle of a sentence stays whole.
"""

import re
from collections.abc import Sequence

from visibility.detection.text import closing_abroad

_TAIL = 3_000
_MAX_ENTRY_LENGTH = 160
_MAX_LINE_LENGTH = 320

_ASSISTANTS = (
    r"(?:chatgpt|gpt|gemini|(?:microsoft\ )?copilot|perplexity|claude|grok|meta\ ai|siri|alexa|le\ chat|mistral"
    r"|deepseek"
    r"|bing|google|brave|kagi|you\.com|poe|pi|qwen|kimi|ai|the\ (?:ai|assistant|web))"
)
_NAMES = (
    r"(?-i:[A-Z0-9\u00c0-\u00dd][\w.'&+-]*)(?:(?:\ |,\ |\ ?[\u00b7|/]\ ?|\ (?:and|or|und|et|y|e|en)\ )"
    r"(?-i:[A-Z0-9\u00c0-\u00dd&(][\w.'&+)-]*)){0,7}"
)
_SUBJECT = r"[\w'&+\ .\u2019-]{1,60}?"
_ERR = (
    r"(?:err|hallucinate|be\ (?:wrong|inaccurate|incorrect)|get\ (?:things|facts|it)\ wrong"
    r"|(?:make|produce|contain|include|give|generate|return|show|display|have)\ (?:[\w,]+\ ){0,4}?(?:mistakes?"
    r"|errors?"
    r"|inaccuracies|hallucinations|(?:inaccurate|incorrect|wrong|false|outdated|misleading)\ (?:info\w*|answers?"
    r"|results?"
    r"|responses?|content|outputs?|facts|statements|data|values))(?:,\ including\ about\ people)?)"
)
_SO_CHECK = (
    r"(?:[.,;:\u2013\u2014-]*\ ?(?:and\ |so\ |please\ |always\ |but\ )*(?:check|verify|consider|double-check|review"
    r"|consult|ask|see"
    r"|contact|confirm|talk\ to|do\ not|don't|never|make\ sure)\b.*|[.!]?)"
)
# What each kind of sentence or button says, whoever it names; the sure ones are never an answer's.
_SURE = (
    # feedback
    r"your\ feedback\ helps\b.*",
    r"(?:was|is)\ (?:this|the)\b.{0,40}\?|(?:how\ (?:was|is)|rate)\ (?:this|the)\ (?:answer|response|result"
    r"|chat)\b.{0,30}",
    r"did\ .{1,30}\ (?:find|get|answer|help|solve)\b.{0,40}\?",
    r"(?:tell|let)\ .{1,30}?\ (?:know\ )?what\ you\ (?:think|thought|liked)\b.{0,40}",
    r"(?:send|give|leave|share|submit|provide)\ (?:us\ )?(?:more\ |your\ )?feedback\b.{0,40}",
    r"(?:ihr|dein|votre|tu|su|il\ tuo)\ (?:feedback|avis|opini\u00f3n)\b.{0,120}",
    # warnings
    r"(?:.*\b)?ai[\ -](?:responses|overviews?|answers|generated\ (?:answers?|content|text|responses?))\ (?:may"
    r"|can|might)\ .*",
    rf"{_SUBJECT}\ (?:(?:can|could|may|might)\ (?:\w+\ )?{_ERR}"
    r"|(?:(?:is|are)(?:n't|\ not)\ always|(?:may|might)\ not\ (?:always\ )?be)"
    rf"\ (?:accurate|right|correct|reliable|complete|current|up[\ -]to[\ -]date)){_SO_CHECK}",
    r"(?:this\ is\ |these\ are\ )?(?:not|no)\ (?:a\ substitute\ for\ )?(?:\w+,?\ (?:or\ )?){0,3}?(?:medical|legal"
    r"|financial|tax|investment|professional)\ advice\b.{0,60}",
    r"(?:please\ |always\ |so\ |consider\ )*(?:check|verify|double-check|fact-check|review)(?:ing)?\ (?:its\ "
    r"|the\ |all\ |any\ |with\ "
    r"|this\ )?(?:important|critical|key|responses?|answers?|outputs?|facts|info|information|sources|work)\b.{0,60}",
    r"generative\ ai\ is\ experimental.*|(?:this\ is\ )?for\ (?:general\ )?information(?:al\ purposes)?\ only.*"
    r"|information\ quality\ may\ vary.*",
    r"for\ (?:medical|legal|financial)\ advice\b.{0,40}\bconsult\ a\ professional.*",
    r"(?:ki-antworten|les\ r\u00e9ponses\ de\ l.ia|las\ respuestas\ de\ la\ ia|le\ risposte\ dell.ia)\b.{0,160}",
    r"[\w\ ]{1,30}\ (?:kann\ fehler\ machen|peut\ (?:faire\ des\ erreurs|se\ tromper)|puede\ cometer\ errores"
    r"|pu\u00f2\ (?:commettere|fare)\ errori|kan\ fouten\ maken)\b.{0,120}",
    r"weitere\ informationen|en\ savoir\ plus|m\u00e1s\ informaci\u00f3n|scopri\ di\ pi\u00f9",
    *closing_abroad.PATTERNS,
    # privacy
    r"(?:your\ )?(?:messages?|chats?|conversations?|data|answers?|searches)\ (?:may|might|can|will)\ be\ (?:used"
    r"|reviewed"
    r"|stored|shared|kept)\b.*",
    r"by\ (?:messaging|using|chatting\ with|continuing\ with)\ .{1,40},\ you\ (?:agree|accept)\b.*",
    r"[\w\ .]{1,30}\ (?:may|will|can|doesn't|does\ not)\ (?:store|use|review|keep|process|read|share)\ (?:your"
    r"|this|these|its)"
    r"\ (?:feedback|data|chats?|conversations?|content|messages?|responses?)\b.*",
    r"(?:see|read|view)\ (?:our\ |the\ )?(?:privacy\ policy|terms)\b.*",
    # credits
    r"(?:map\ data|kartendaten|donn\u00e9es\ cartographiques|datos\ de\ mapas|imagery|images?)\s?\u00a9.*"
    r"|(?:[\w.\ ]{1,30}\|\s?)?\u00a9.*",
    r"(?:images?|photos?|pictures?|maps?|videos?|illustrations?|bild(?:nachweis|er|quellen?)?|cr\u00e9dits?|foto)"
    r"(?:\ (?:credits?|credit|data|sources?|source|by|courtesy(?:\ of)?|photos?))?\s*:\ .{1,100}|credits?:\ .{1,100}",
    r"(?:[\w-]+\ )?(?:data|credits?|imagery|images?|photos?|quotes?|results?|reviews?|ratings?|content"
    r"|listings?|scores?|maps?|ads?"
    r"|weather|translations?|answers?|wetterdaten|daten|bilder|preise|bewertungen)\ (?:(?:powered|provided"
    r"|supplied|delivered|sourced"
    r"|licensed|verified|generated|bereitgestellt)\ )?(?:by|from|via|courtesy\ of|von)\ (?!\d)(?:[^.!?]"
    r"|\.(?=\w)){1,60}",
    r"(?:powered|generated|provided|created|made|written|answered|supported|sponsored|shared|sent|searched"
    r"|translated|delivered"
    r"|summari[sz]ed|presented|brought\ to\ you|bereitgestellt|propos\u00e9|fourni|con\ la\ tecnolog\u00eda)"
    r"\ (?:by|with|via|from|through|using|von|par|de)\ [\w.'&,\ -]{1,50}",
    r"(?:ai\ |language\ )?(?:model|assistant|engine)(?:\ used)?:\ .{1,40}",
    r"(?:sign|log)\ (?:in|up)\ (?:to|with|for)\ .{1,40}",
    # remarks that only a page makes
    r".*\b(?:associate\ (?:we|i)\ earn|qualifying\ purchases|earn\ (?:a\ "
    r"|an\ )?(?:small\ )?(?:affiliate\ )?commission|affiliate\ links?"
    r"|subject\ to\ copyright|all\ rights\ reserved|trademarks?\ (?:of|belong)|(?:auto-?|ai-?)generated"
    r"|check\ for\ mistakes"
    r"|reached\ your\ (?:\w+\ )?limit|messages?\ (?:left|remaining)|was\ (?:that|this)\ (?:the\ answer|helpful)"
    r"|updated\ \d+\ \w+\ ago"
    r"|commettre\ des\ erreurs|cometer\ errores|fehler\ (?:machen|enthalten)|fouten\ (?:maken|bevatten)"
    r"|commettere\ errori)\b.*",
    r"(?:this\ |the\ )?(?:response|answer|summary|content|text|reply|chat|conversation|overview)s?\ (?:was|were"
    r"|is|are)\ (?:\w+\ )?"
    r"(?:generated|written|created|produced|based)\b.*",
    r"[\w\ .-]{1,30}\ (?:uses|is\ powered\ by)\ ai\b.*|(?:contains|may\ contain)\ (?:ai|affiliate|sponsored)\b.*",
    r"prices?\ (?:and\ availability\ )?(?:as\ of\b.*|from\ (?!\D{0,3}\d).*|shown\b.*|may\ vary.*|are\ subject\b.*)",
    rf"in\ (?:partnership|cooperation|collaboration)\ with\ {_NAMES}|sent\ from\ (?:my\ )?{_NAMES}",
    rf"(?:data|statistics|figures)(?:\ sources?)?:\ {_NAMES}",
)
_KINDS = (
    *_SURE,
    # who had a part in the page: a participle and names
    rf"(?:[\w-]+\ ){{0,2}}[\w-]*(?:ed|\u00e9e?s?|ado|ada|ato|ata|iert|stellt|zeigt|\u00e9rise\u0301)\ (?:by"
    rf"|with|via|from|through|using|on|in|von|mit"
    rf"|durch|par|avec|por|con|da|door|met)\ (?:the\ )?{_NAMES}",
    rf"(?:con\ la\ tecnolog\u00eda\ de|gracias\ a|dank|merci\ \u00e0)\ {_NAMES}",
    # sources
    r"[\w.'&\ -]{1,40}\+\s?\d{1,3}(?:\ (?:more|sources?))?",
    r"\d{1,3}\ (?:sources?|sites?|web\ ?sites?|results?|citations?|references?|quellen)",
    r"(?:searched|checked|read|reviewed|analy[sz]ed|visited)\ (?:\d+|the\ web)\b.{0,30}|thought\ for\ .{1,20}",
    r"(?:related|people\ also\ \w+(?:\ for)?|follow-ups?|ask\ a\ follow-up|searches?|sponsored"
    r"|ads?)\b(?:\ \w+)?:?.{0,80}",
    # other places of the page
    r"(?:get|download|install|try|open|upgrade\ to|subscribe\ to|join|explore)\ (?:it\ |the\ )?[\w.'&\ -]{1,40}?"
    r"\ ?(?:app|extension|plug-?in|plus|pro|premium|for\ free|for\ (?:ios|android|desktop|mac"
    r"|windows))\b(?:\ (?:on|in|from|for)\ .{1,40})?",
    rf"(?:ask|chat\ with|talk\ to|message|continue\ (?:with|in|on)|open\ (?:in|with)|search(?:\ with)?|try"
    rf"|dive\ deeper\ (?:in|with))"
    rf"\ {_ASSISTANTS}(?:\ \w+)?\b.{{0,20}}",
    r"(?:search|continue|open|ask|view|see|read|find|show|get|share|rate|report|sign\ in|log\ in|sign\ up"
    r"|download|install"
    r"|follow|subscribe|send|export|save|copy|upgrade|try|chat|talk|shop|watch|listen|print|join|available|book"
    r"|reserve|order|pay"
    r"|play|stream|feedback|draft|add|buy|check|compare|connect|sync)\ (?:us\ |it\ |(?:[\w']+\ ){0,3})"
    rf"(?:with|on|in|at|to|from|via|using)\ (?:the\ )?(?:web\ with\ )?{_NAMES}",
    r"thanks?(?:\ you)?(?:\ for\ (?:using|trying|asking|chatting|choosing)\b.{0,60})?|share\ more\ feedback"
    r"|report\ (?:a\ problem|an\ (?:issue|error))(?:\ .{0,30})?|learn\ more(?:\ (?:about|with|on"
    r"|at)(?:\ .{1,40})?)?|close|dive\ deeper"
    r"|ask\ anything"
    r"|message\ .{1,20}|advertisement|anzeige|publicit\u00e9",
    # buttons
    r"(?:(?:share|copy|copied|like|dislike|helpful|not\ helpful|export|rewrite|regenerate|retry|save|edit|more"
    r"|print|listen"
    r"|read\ aloud|thumbs\ up|thumbs\ down|good\ response|bad\ response|feedback|report|translate|directions"
    r"|call|website|menu"
    r"|disclaimer|cookies?|about(?:\ (?:these\ results|this\ result|us))?|contact|imprint|impressum|datenschutz"
    r"|ai\ overview|ai\ mode|facebook|instagram|linkedin|whatsapp"
    r"|google\ (?:shopping|maps|images|search|news)|bing\ (?:shopping|maps|images|search)|shopping|images"
    r"|videos|news|ads?"
    r"|show\ (?:all|more|less)|view\ (?:all|more)|privacy|terms|help|sign\ in|log\ in|yes|no|x|e-?mail)"
    r"(?:\s*[\u00b7|\u2022,/]\s*|\s*\Z|\s{2,}))+",
)
_SURELY_OF_PAGE = re.compile("(?:" + "|".join(_SURE) + r")[.!\u2026\u2192\u203a]?", re.VERBOSE | re.IGNORECASE)
_SENTENCE_OF_PAGE = re.compile("(?:" + "|".join(_KINDS) + r")[.!\u2026\u2192\u203a]?", re.VERBOSE | re.IGNORECASE)
_BUTTON = re.compile(
    "(?:" + "|".join(_KINDS) + r"|\d{1,2}:\d{2}(?:\ [ap]m)?|ads?|sponsored|promoted)", re.VERBOSE | re.IGNORECASE
)
_PARTS = re.compile(r"(?<=[.!?])\s+|\s+[\u00b7|\u2022]\s+|\s{3,}")
_PARTED = re.compile(r"\s[\u00b7|\u2022]\s|\s{3}")
_DASH = re.compile(r"\s[\u2013\u2014]\s")
_PICTURES = re.compile(r"[^\w\s.,;:!?'\u2019\"\u201c\u201d()&|\u00b7\u2022\u00a9/+$\u20ac\u00a3%\u2013\u2014-]+")
_MARKS = " \t\r>*_#-[]"
_CHIP = re.compile(r"[\w.'&\ -]{1,40}\+\s?\d{1,3}")
_CHIP_WORDS = 3
_ROW_WORDS = 6
_ENTRY = re.compile(r"\s*(?:[-*+\u2022]|\d{1,3}[.)])\s")
_SOURCES = re.compile(
    r"[#*_\s]*(?:sources?|references|citations|quellen|fuentes|r\u00e9f\u00e9rences|fonti|bronnen|\u51fa\u5178"
    r"|\u53c2\u8003\u6587\u732e)\s*:?[*_\s]*",
    re.IGNORECASE,
)
_QUESTIONS = re.compile(
    r"""[#*_\s]*(?:related(?:\ (?:questions|searches|topics))?|people\ also\ (?:ask|search\ for|viewed|like)
      |(?:suggested\ |possible\ )?follow-ups?(?:\ questions?)?|(?:suggested|similar|more|other)\ questions
      |you\ (?:might|may)\ also\ (?:ask|like)|\u00e4hnliche\ fragen|keep\ exploring|explore\ (?:more|further)
      |(?:ads?|sponsored|anzeige|advertisement|promoted)(?:\ [\u00b7|:-].*)?)\s*:?[*_\s]*""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"[a-z]\w*(?:\s+\S+){3,}[.!]\s*\Z")
# Google prints its closing lines without a break after the last word of the answer.
_WARNINGS = ("AI responses may include mistakes.", "AI responses can include mistakes.", "AI overviews may include")
_BEFORE_WARNING = 250
_INLINE = re.compile(
    r"\s*(?:(?:Map data|Kartendaten) \u00a9[^\n]{0,200})?AI (?:responses|overviews) (?:may|can) include mistakes\."
    r"[^\n]{0,300}\Z"
)


def end_of_answer(text: str, with_sources: bool = False) -> int:
    """The offset at which the answer ends: its length where nothing follows. Takes any string.

    A list of sources under its title is kept `with_sources`: it is worth storing, but no mention stands in it.
    """
    first = max(0, len(text) - _TAIL)
    end = len(text)
    warning = next((at for words in _WARNINGS if (at := text.rfind(words, first)) >= 0), -1)
    if warning >= 0 and (closing := _INLINE.search(text, max(first, warning - _BEFORE_WARNING))):
        end = closing.start()
    while True:
        while (cut := _without_last_line(text, first, end)) < end:
            end = cut
        if (cut := _without_list(text, first, end, with_sources)) == end:
            return end
        end = cut


def _without_last_line(text: str, first: int, end: int) -> int:
    """The end of the text without its last line, if that is the interface's."""
    stop = len(text[first:end].rstrip()) + first
    start = max(text.rfind("\n", first, stop) + 1, first)
    if not 0 < start < stop or stop - start > _MAX_LINE_LENGTH:
        return end
    line, above = text[start:stop], text[max(text.rfind("\n", first, start - 1) + 1, first) : start].strip()
    if _is_of_page(line, not above) or _is_chip(line, above) or _goes_on(line, above):
        return len(text[first:start].rstrip(" \t\r\n-_*=")) + first
    return end


def _is_of_page(line: str, stands_apart: bool) -> bool:
    """Whether a line consists of the interface's own sentences and buttons. One that stands apart from the answer is
    the interface's, too, where it begins with what nobody else says, or is a row of names with a button in it."""
    is_entry = _ENTRY.match(line) is not None
    kinds = _SURELY_OF_PAGE if is_entry else _SENTENCE_OF_PAGE
    if kinds.fullmatch(_bare(line)):
        return True
    said = _said(line)
    if said and all(map(kinds.fullmatch, said)):
        return True
    if not said or not stands_apart or is_entry:
        return False
    begun = _DASH.split(said[0])[0] if _is_open(line) else said[0]
    if _SURELY_OF_PAGE.fullmatch(begun):
        return True
    return _is_row(line, said) and any(map(_BUTTON.fullmatch, said))


def _goes_on(line: str, above: str) -> bool:
    """Whether a row of names continues a line of the interface right above it ("Learn more with")."""
    if not above or len(above) > _MAX_LINE_LENGTH or not _is_open(above) or not _PARTED.search(line):
        return False
    return not _ENTRY.match(line) and _is_row(line, _said(line)) and _is_of_page(above, stands_apart=False)


def _said(line: str) -> list[str]:
    """The sentences and buttons of a line."""
    return [part for part in map(_bare, _PARTS.split(line.strip(_MARKS))) if part]


def _is_row(line: str, said: Sequence[str]) -> bool:
    return len(said) > 1 and _is_open(line) and max(map(_words, said)) <= _ROW_WORDS


def _is_open(line: str) -> bool:
    """Whether nothing ends the line as a sentence ends."""
    return not line.rstrip().endswith((".", "!", "?"))


def _words(part: str) -> int:
    return len(part.split())


def _bare(part: str) -> str:
    return _PICTURES.sub("", part).strip(_MARKS)


def _is_chip(line: str, above: str) -> bool:
    """Whether a line only names a site, below another that counts further ones ("Reddit +3")."""
    words = line.split()
    return (
        len(words) <= _CHIP_WORDS
        and not line.rstrip().endswith((".", "!", "?"))
        and bool(_CHIP.fullmatch(above.strip()))
    )


def _without_list(text: str, first: int, end: int, with_sources: bool) -> int:
    """Where a list of sources or of further questions under its title begins, if nothing but short entries follow
    it; else `end`."""
    lines, at = text[first:end].split("\n"), first
    starts = []
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    asked = with_sources
    for line, start in zip(reversed(lines), reversed(starts), strict=True):
        if start > 0 and (_QUESTIONS.fullmatch(line) or (not asked and _SOURCES.fullmatch(line))):
            return len(text[first:start].rstrip(" \t\r\n-_*=")) + first
        if len(line) > _MAX_ENTRY_LENGTH or _SENTENCE.search(line):
            return end
        asked = asked or line.rstrip().endswith("?")
    return end
