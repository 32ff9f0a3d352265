"""The example answers of the OpenAPI description: one brand, scanned by one engine."""

from typing import Any

BRAND_ID = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
RUN_ID = "0198a3f4-91aa-7d10-8c0f-6b5e4d3c2b1a"
PROMPT_ID = "0198a3f3-0d2e-7b41-a1b2-c3d4e5f60718"
ANSWER_ID = "0198a3f4-a7c9-7e02-b3c4-d5e6f7081929"

_BRAND: dict[str, Any] = {"id": BRAND_ID, "name": "Acme", "domain": "acme.example", "cadence": "weekly"}
_LATEST_RUN: dict[str, Any] = {
    "id": RUN_ID,
    "kind": "visibility",
    "status": "succeeded",
    "createdAt": "2026-11-20T09:00:00.000Z",
    "finishedAt": "2026-11-20T09:04:31.512Z",
    "score": 41.25,
}

BRAND_LIST: dict[str, Any] = {"brands": [{**_BRAND, "latestRun": _LATEST_RUN}]}
BRAND_DETAIL: dict[str, Any] = {"brand": _BRAND, "latestRun": _LATEST_RUN}

TREND: dict[str, Any] = {
    "brand": BRAND_ID,
    "trend": [
        {
            "date": "2026-11-20",
            "score": 41.25,
            "low": 33.1,
            "high": 49.9,
            "panelLow": 38.0,
            "panelHigh": 44.5,
            "prompts": 50,
            "topics": 17,
            "answers": 150,
            "failed": 0,
            "shareOfVoice": 22.2,
            "shareOfVoiceLow": 18.0,
            "shareOfVoiceHigh": 27.1,
            "prominence": 30.0,
            "prominenceLow": 25.0,
            "prominenceHigh": 35.0,
            "citationRate": 12.5,
            "citationRateLow": 9.0,
            "citationRateHigh": 17.0,
            "engines": [
                {
                    "engine": "local-search",
                    "surface": "pages",
                    "models": ["bm25"],
                    "score": 41.25,
                    "low": 33.1,
                    "high": 49.9,
                    "noInterval": None,
                    "answers": 150,
                    "shareOfVoice": 22.2,
                    "shareOfVoiceLow": 18.0,
                    "shareOfVoiceHigh": 27.1,
                    "citationRate": 12.5,
                    "citationRateLow": 9.0,
                    "citationRateHigh": 17.0,
                }
            ],
            "byLocale": [],
            "allTopics": {"score": 33.33, "low": 26.1, "high": 41.4, "prompts": 62, "topics": 21, "answers": 186},
            "comparable": True,
            "change": {
                "from": "2026-11-13",
                "delta": 3.5,
                "low": -1.2,
                "high": 8.2,
                "verdict": "within_noise",
                "minimumDetectable": 6.7,
                "causes": [],
                "common": None,
                "byEngine": [],
            },
            "changeWeek": {
                "from": "2026-11-13",
                "delta": 3.5,
                "low": -1.2,
                "high": 8.2,
                "verdict": "within_noise",
                "minimumDetectable": 7.3,
            },
            "changeMonth": {
                "from": "2026-10-16",
                "delta": 9.8,
                "low": 4.1,
                "high": 15.5,
                "verdict": "moved",
                "minimumDetectable": 8.1,
            },
            "confirmation": {
                "state": "none",
                "movedOn": None,
                "pooledDays": 0,
                "delta": None,
                "low": None,
                "high": None,
            },
            "monitor": {
                "raised": True,
                "looks": 8,
                "since": "2026-10-23",
                "delta": 9.1,
                "low": 1.3,
                "high": 16.9,
            },
            "runs": [RUN_ID],
        }
    ],
}

RECOMMENDATIONS: dict[str, Any] = {
    "brand": BRAND_ID,
    "recommendations": [
        {
            "id": "0198a3f5-1c3d-7f23-95e6-f70819293a4b",
            "kind": "topic_gap",
            "topic": "tools for small teams",
            "title": "Acme is named in 1 of 24 answers on tools for small teams, Rival in 20 of 24",
            "summary": "Of 24 answers on 20 Nov. 2026, 20 name Rival and 1 names Acme. local-search: 20 of 24.",
            "status": "done",
            "statusReason": "The guide for small teams is online.",
            "priority": 60,
            "factors": {
                "answers": 19,
                "ofAnswers": 24,
                "engines": 1,
                "ofEngines": 1,
                "reach": 0.127,
                "effect": "likely",
                "effort": "medium",
            },
            "impact": "high",
            "effort": "medium",
            "createdAt": "2026-11-20T09:04:31.512Z",
            "updatedAt": "2026-11-20T09:04:31.512Z",
            "firstSeenAt": "2026-11-20T09:04:31.512Z",
            "openedAt": "2026-11-20T09:04:31.512Z",
            "lastSeenAt": "2026-11-20T09:04:31.512Z",
            "statusChangedAt": "2026-11-21T10:12:00.000Z",
            "firstSeenRun": RUN_ID,
            "lastSeenRun": RUN_ID,
            "evidence": [
                {
                    "kind": "answer",
                    "text": "Rival is the usual choice for small teams.",
                    "url": None,
                    "engine": "local-search",
                    "promptId": PROMPT_ID,
                    "answerId": ANSWER_ID,
                }
            ],
            "payload": {
                "fixPrompt": "Write a page that answers: which tool suits a small team?",
                "check": None,
                "engines": [{"engine": "local-search", "gaps": 19, "answers": 24, "asOf": "2026-11-20", "age": None}],
                "age": None,
            },
            "proof": {
                "state": "collecting",
                "metric": "score",
                "verdict": None,
                "delta": None,
                "low": None,
                "high": None,
                "least": 14.2,
                "scans": 3,
                "answers": 450,
                "credits": 450,
                "baseline": ["2026-11-21"],
                "sentence": "3 scans with 450 answers (450 credits) show a change of 14.2 points or more.",
                "doneAt": "2026-11-21T10:12:00.000Z",
                "judgedAt": None,
                "nextScanAt": "2026-11-27T09:00:00.000Z",
            },
        }
    ],
}

RUNS: dict[str, Any] = {
    "brand": BRAND_ID,
    "runs": [
        {
            "id": RUN_ID,
            "kind": "visibility",
            "status": "succeeded",
            "trigger": "schedule",
            "createdAt": "2026-11-20T09:00:00.000Z",
            "startedAt": "2026-11-20T09:00:01.204Z",
            "finishedAt": "2026-11-20T09:04:31.512Z",
            "progress": {"total": 150, "done": 150, "failed": 0, "percent": 100.0},
            "score": 41.25,
            "low": 33.1,
            "high": 49.9,
            "engines": ["local-search"],
            "error": None,
        }
    ],
}
