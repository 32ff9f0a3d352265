"""Panels for properties: whatever answers, engines and topics, thin and lopsided ones among them."""

from hypothesis import strategies as st

from tests.metrics.panels import BRAND, RIVAL, Answer

RANKS = st.sampled_from([None, 1, 2, 3, 7])
SUBJECTS = st.sampled_from([BRAND, RIVAL])


@st.composite
def answers(draw, engines: int = 3, prompts: int = 12, max_size: int = 60, named: bool = True):
    """Some answers; each topic has one, two or three prompts, and some prompts name a subject."""
    wordings = draw(st.integers(1, 3))
    names = draw(st.dictionaries(st.integers(0, prompts - 1), st.frozensets(SUBJECTS), max_size=3)) if named else {}
    cells = st.tuples(
        st.integers(0, engines - 1),
        st.integers(0, prompts - 1),
        st.dictionaries(SUBJECTS, RANKS),
        st.frozensets(SUBJECTS, max_size=1),
    )
    return [
        Answer(f"e{engine}", f"p{prompt}", f"t{prompt // wordings}", ranks, cited, names.get(prompt, frozenset()))
        for engine, prompt, ranks, cited in draw(st.lists(cells, max_size=max_size))
    ]
