"""What shops export of reviews, written by hand in their documented columns: two each, of five and of two stars."""

TRUSTPILOT = """Review Id,Review Created (UTC),Review Username,Review Title,Review Content,Review Stars,Language
6501ab,2026-03-02 10:12:00,Kim,Great case,"Light, and the wheels run well.",5,en
6501ac,2026-03-05 08:00:00,Lee,The zipper…,The zipper jams.,2,en
"""
GOOGLE = """{"reviews": [
  {"reviewer": {"displayName": "Kim"}, "starRating": "FIVE", "comment": "Light, and the wheels run well.",
   "createTime": "2026-03-02T10:12:00.123Z", "reviewReply": {"comment": "Thank you!"}},
  {"reviewer": {"displayName": "Ola"}, "starRating": "FOUR", "createTime": "2026-03-03T10:12:00Z"},
  {"reviewer": {"displayName": "Lee"}, "starRating": "TWO", "comment": "The zipper jams.",
   "createTime": "2026-03-05T08:00:00Z"}]}
"""
AMAZON = """review_headline;review_body;star_rating;review_date;review_url
Toller Koffer;"Leicht, und die Rollen laufen gut.";5,0 von 5 Sternen;Rezension aus Deutschland vom 2. März 2026;https://www.amazon.de/r/1
;Der Reißverschluss klemmt.;2,0 von 5 Sternen;Rezension aus Deutschland vom 5. März 2026;https://www.amazon.de/r/2
"""
JUDGE_ME = """title,body,rating,review_date,source,curated,reviewer_name,product_url,product_handle,reply
Great case,"Light, and the wheels run well.",5,2026-03-02 10:12:00 UTC,email,ok,Kim,https://zentra.example/p/1,cabin,
,The zipper jams.,2,2026-03-05 08:00:00 UTC,web,ok,Lee,https://zentra.example/p/1,cabin,Sorry
"""
YOTPO = """Review Title,Review Content,Review Score,Review Creation Date,Display Name,Product URL
Great case,"Light, and the wheels run well.",★★★★★,02.03.2026,Kim,https://zentra.example/p/1
,The zipper jams.,★★☆☆☆,05.03.2026,Lee,https://zentra.example/p/1
"""
EXPORTS = {
    "Trustpilot": (
        TRUSTPILOT,
        ["https://www.trustpilot.com/reviews/6501ab", "https://www.trustpilot.com/reviews/6501ac"],
    ),
    "Google": (GOOGLE, ["", ""]),
    "Amazon": (AMAZON, ["https://www.amazon.de/r/1", "https://www.amazon.de/r/2"]),
    "Judge.me": (JUDGE_ME, ["https://zentra.example/p/1"] * 2),
    "Yotpo": (YOTPO, ["https://zentra.example/p/1"] * 2),
}
