"""Answers of the reference data in which a name stands as a word of the raw text, yet not in the visible prose.

Each was read: the name occurs in nothing that a reader of the answer sees as its words.
"""

DIFFERENCES = {
    ("chatgpt", "what's the best laptop under $1000?", 1, "Apple"): (
        "only in the address of link definition 1, …/apple-macbook-air-pro-mac-mini-imac-deals; "
        "the prose recommends no Apple product"
    ),
    ("chatgpt", "best 55 inch TV under 1000", 1, "Samsung"): (
        "only in the title of link definition 2, the headline of the cited article; the prose names no Samsung"
    ),
    ("chatgpt", "best high performance blender smoothies", 1, "Apple"): "the fruit",
    ("chatgpt", "best high performance blender smoothies", 2, "Apple"): "the fruit",
}

# Brands that a model labelled, that stand as words of the raw text, yet not in the prose.
LABELLED_MISSES = {
    ("chatgpt", "I'm looking for a cordless stick vacuum", 1, "Hoover"): "only in link targets, hoover.com",
    ("chatgpt", "best workout earbuds under 150", 3, "JLab"): "only in link targets, www.jlab.com",
}

# The other way round: found in the prose, though plain matching sees no word. Names glued to one another in a list of
# products are told apart by their capitals, as no prose stands between them.
LABELLED_GAINS = {
    ("google_ai_mode", "which streaming service is best for movies?", 2, "Warner Bros."): (
        '"particularly from Warner Bros.The Criterion Channel": the name ends with its own full stop'
    ),
    ("google_ai_mode", "home mesh network router", 1, "TP-Link"): "Netgear OrbiTP-Link DecoGoogle Nest Wifi",
    ("google_ai_mode", "home mesh network router", 1, "Amazon"): "Google Nest WifiAmazon eeroLinksys Velop",
    ("google_ai_mode", "home mesh network router", 1, "Linksys"): "Google Nest WifiAmazon eeroLinksys Velop",
    (
        "google_ai_mode",
        "I am a side sleeper, find the best queen size mattress for me under 1500",
        1,
        "WinkBeds",
    ): "one of its beds, which the answer calls WinkBed",
}
