"""Where an answer ends and the interface that it was copied from begins."""

import re

_TAIL = 3_000
_LONGEST_ENTRY = 160

# A line of each kind that chat pages print below an answer. All are the page's words, whoever they name.
_LINE = re.compile(
    r"""(?:
        your\ feedback\ helps\b.*
      | (?:.*\b)?ai\ (?:responses|overviews?|answers)\ (?:may|can)\ include\ mistakes\b.*
      | [\w\ ]{1,30}\ (?:can|may)\ make\ mistakes[.,;]\ ?(?:check|verify|consider|double-check|please|so\ |always)\b.*
      | (?:ki-antworten|les\ r\u00e9ponses\ de\ l.ia|las\ respuestas\ de\ la\ ia|le\ risposte\ dell.ia)\b.{0,160}
      | [\w\ ]{1,30}\ (?:kann\ fehler\ machen|peut\ (?:faire\ des\ erreurs|se\ tromper)|puede\ cometer\ errores)\b
        .{0,120}
      | (?:ihr|dein|votre|tu|su|il\ tuo)\ (?:feedback|avis|opini\u00f3n)\b.{0,120}
      | (?:map\ data|kartendaten|donn\u00e9es\ cartographiques|datos\ de\ mapas|imagery|images?)\s?\u00a9.*
      | (?:[\w.\ ]{1,30}\|\s?)?\u00a9.*
      | (?:(?:results|content|data|images?|photos?|reviews|ratings|answers?|ads)\ )?
        (?:powered|generated|provided|created|made|written|answered|supported|sponsored|shared|sent|bereitgestellt
          |propos\u00e9)\ (?:by|with|via|from|through|von|par)\ [\w.'&\ ]{1,40}
      | (?:ads|results|reviews|ratings|photos|images|data)\ (?:by|from|via)\ [\w.'&,\u00b7\ ]{1,60}
      | (?:search|continue|open|ask|view|see|read|find|show|get|share|rate|report|sign\ in|log\ in|download|install
          |follow|subscribe|send|export|save|copy|upgrade|try|chat|talk|shop)\ (?:[\w']+\ ){0,3}
        (?:with|on|in|at|to|from|via)\ [\w.'&|,\u00b7\ ]{1,50}
      | (?:related|people\ also\ ask|follow-ups?|ask\ a\ follow-up|searches?|sponsored|ads?)\b(?:\ \w+)?:?.{0,80}
      | (?:was\ this|is\ this|did\ you\ find\ this).{0,40}\?
      | (?:see|read)\ (?:our\ )?(?:privacy\ policy|terms).*
      | (?:thank\ you|share\ more\ feedback|report\ a\ problem|learn\ more|close|dive\ deeper)
      | (?:(?:share|copy|copied|like|dislike|helpful|not\ helpful|export|rewrite|regenerate|retry|save|edit|more|print
           |listen|read\ aloud|thumbs\ up|thumbs\ down|good\ response|bad\ response|feedback|report|translate
           |google\ (?:shopping|maps|images|search|news)|bing\ (?:shopping|maps|images|search)|shopping|images|videos
           |news|ads?|show\ (?:all|more|less)|view\ (?:all|more)|privacy|terms|help|sign\ in|log\ in)
        (?:\s*[\u00b7|\u2022,]\s*|\s*\Z|\s{2,}))+
    )[.\u2026\u2192\u203a]?""",
    re.VERBOSE | re.IGNORECASE,
)
_SOURCES = re.compile(
    r"[#*_\s]*(?:sources?|references|citations|quellen|fuentes|r\u00e9f\u00e9rences|fonti|\u51fa\u5178"
    r"|\u53c2\u8003\u6587\u732e)\s*:?[*_\s]*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[a-z]\w*(?:\s+\S+){3,}[.!?]\s*\Z")
# Google prints its closing lines without a break after the last word of the answer.
_WARNINGS = ("AI responses may include mistakes.", "AI responses can include mistakes.", "AI overviews may include")
_BEFORE_WARNING = 250
_INLINE = re.compile(
    r"\s*(?:(?:Map data|Kartendaten) \u00a9[^\n]{0,200})?AI (?:responses|overviews) (?:may|can) include mistakes\."
    r"[^\n]{0,300}\Z"
)


def end_of_answer(text: str) -> int:
    """The offset at which the answer ends: its length where nothing follows. Takes any string.

    Cut are the last lines as long as each is blank or the interface's own: requests for feedback, warnings that
    hold for every answer, buttons, map credits, what powers the page, and a list of sources under its title.
    """
    first = max(0, len(text) - _TAIL)
    end = len(text)
    warning = next((at for words in _WARNINGS if (at := text.rfind(words, first)) >= 0), -1)
    if warning >= 0 and (closing := _INLINE.search(text, max(first, warning - _BEFORE_WARNING))):
        end = closing.start()
    sources = _sources(text, first, end)
    while (cut := _without_last_line(text, first, end)) < end:
        end = cut
    return min(end, sources)


def _without_last_line(text: str, first: int, end: int) -> int:
    """The end of the text without its last line, if that is the interface's."""
    stop = len(text[first:end].rstrip()) + first
    start = max(text.rfind("\n", first, stop) + 1, first)
    line = text[start:stop].strip(" \t\r>*_#")
    if start > 0 and stop > start and len(line) < _LONGEST_ENTRY * 2 and _LINE.fullmatch(line):
        return len(text[first:start].rstrip(" \t\r\n-_*=")) + first
    return end


def _sources(text: str, first: int, end: int) -> int:
    """Where a list of sources under its title begins, if nothing but short entries follow it; else `end`."""
    lines, at = text[first:end].split("\n"), first
    starts = []
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    for line, start in zip(reversed(lines), reversed(starts), strict=True):
        if _SOURCES.fullmatch(line) and start > 0:
            return start
        if len(line) > _LONGEST_ENTRY or _SENTENCE.search(line):
            break
    return end
