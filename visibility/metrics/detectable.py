"""The smallest change that a test would have shown."""

import numpy as np
from scipy.special import stdtrit

from visibility.metrics.contrasts import Contrast
from visibility.metrics.table import Floats

POWER = 0.8


def smallest(contrast: Contrast, level: Floats) -> Floats:
    """The smallest change that a two-sided test at `level` calls moved with 80 % power; NaN where there is none."""
    with np.errstate(invalid="ignore"):
        error = np.sqrt(np.where(contrast.variance > 0, contrast.variance, np.nan))
        minimum = (stdtrit(contrast.freedom, 1 - level / 2) + stdtrit(contrast.freedom, POWER)) * error
        return np.where(minimum > 1, np.nan, minimum)
