"""What a brand's figures are counted for, as the pipeline has it: its first generation is made where it has none."""

from visibility.measured.generations import lexicon_in
from visibility.pipeline.generations.planning import plan_generation


def lexicon_of(brand):
    return lexicon_in(plan_generation(brand))
