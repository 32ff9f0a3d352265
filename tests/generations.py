"""What a brand's figures are counted for, as the pipeline has it: its first generation is made where it has none."""

from visibility.measured.generations import tracked_names_in
from visibility.models import Generation
from visibility.pipeline.generations.planning import plan_generation


def tracked_names_of(brand):
    current = Generation.objects.filter(brand=brand, state=Generation.State.CURRENT).first()
    return tracked_names_in(current or plan_generation(brand))
