"""Faults in whether work has helped: what is compared, how sure it is, what is planned."""

from tests.mutants.harness import Fault

_PROOF = ("tests/measurement/test_proof.py",)
_SIMULATED = ("tests/measurement/test_proof_simulation.py",)
_SIDES = "visibility/metrics/proof/sides.py"
_DIFFERENCE = "visibility/metrics/proof/difference.py"
_JUDGING = "visibility/metrics/proof/judging.py"
_PLANNING = "visibility/metrics/proof/planning.py"
_SIZES = "visibility/metrics/proof/sizes.py"
_WANDERING = "visibility/metrics/proof/wandering.py"

PROOF_MATH = (
    Fault(
        "the change of the other topics is not taken from the topic's", _JUDGING,
        "moves.own, moves.control, moves.delta)", "moves.own, moves.control, moves.own)", _PROOF,
    ),
    Fault(
        "the movement of the controls is left out", _DIFFERENCE,
        "noise_of(shape, chance + movement[..., None] * steep)", "noise_of(shape, chance + 0 * steep)",
        (*_PROOF, *_SIMULATED),
    ),
    Fault(
        "chance is left out", _DIFFERENCE,
        "noise_of(shape, chance + movement[..., None] * steep)", "noise_of(shape, movement[..., None] * steep)",
        (*_PROOF, *_SIMULATED),
    ),
    Fault(
        "the tide is taken for even", _DIFFERENCE,
        "np.stack([np.ones_like(inside), 1 - inside, inside, inside * (1 - inside)], axis=-2)",
        "np.stack([np.ones_like(inside)] * 4, axis=-2)",
        (*_PROOF, *_SIMULATED),
    ),
    Fault(
        "the surest form of a tide speaks", _DIFFERENCE,
        "p.max(axis=-1), 1.0)", "p.min(axis=-1), 1.0)", (*_PROOF, *_SIMULATED),
    ),
    Fault(
        "the interval is that of one form of a tide", _DIFFERENCE,
        "(differences - half).min(axis=-1)", "(differences - half).max(axis=-1)", _PROOF,
    ),
    Fault(
        "engines count by their prompts", _SIDES,
        "engines = (prompts > 0).sum(axis=-2, keepdims=True)",
        "engines = prompts.sum(axis=-2, keepdims=True) / np.maximum(prompts, 1.0)", _PROOF,
    ),
    Fault(
        "prompts that name the brand count", _SIDES,
        "np.flatnonzero(~named[:, 0])", "np.flatnonzero(~named[:, 0] | True)", _PROOF,
    ),
    Fault(
        "engines that are not averaged count", _SIDES,
        "day.narrowed(day.averaged, self.day.subjects)", "day.narrowed(day.engines, self.day.subjects)", _PROOF,
    ),
    Fault(
        "citations are judged by mentions", _SIDES,
        "counts.cited if metric is Metric.CITATION_RATE else counts.mentioned", "counts.mentioned", _PROOF,
    ),
    Fault(
        "three other topics are enough", _SIDES, "MIN_CONTROLS = 4", "MIN_CONTROLS = 3", _PROOF,
    ),
    Fault(
        "other wordings are no other topic", _SIDES, "MIN_SHARED = 2 / 3", "MIN_SHARED = 0", _PROOF,
    ),
    Fault(
        "topics that were worked on are controls", _SIDES,
        "if controls is None or name in controls)", "if True)", _PROOF,
    ),
    Fault(
        "each proof of a month has a level of its own", _JUDGING,
        "benjamini_hochberg(p) if results else p", "p", _PROOF,
    ),
    Fault(
        "a fall is told as a rise", _JUDGING,
        "ProofVerdict.MOVED_UP if result.delta > 0 else ProofVerdict.MOVED_DOWN", "ProofVerdict.MOVED_UP", _PROOF,
    ),
    Fault(
        "a plan forgets that topics move by themselves", _PLANNING,
        "np.asarray(wander.of_mean(before) + wander.of_mean(after))", "np.zeros(())", (*_PROOF, *_SIMULATED),
    ),
    Fault(
        "a plan forgets the days before the gap", _PLANNING,
        "_outlook(chosen, baseline, [*earlier, *baseline], metric)",
        "_outlook(chosen, baseline, baseline, metric)", _PROOF,
    ),
    Fault(
        "a plan takes the largest number of scans", _PLANNING,
        "if pair[1] <= NEARLY_AS_FINE * finest)", "if pair[1] <= finest)", _PROOF,
    ),
    Fault(
        "a rise is planned as if the topic's chance stayed", _SIZES,
        "apart[:, 0] = later[0] * (1 - later[0]) * rises**2", "apart[:, 0] = 0.0", _SIMULATED,
    ),
    Fault(
        "sizes are told without caution", _SIZES, "CAUTION = 1.2", "CAUTION = 0.8", _SIMULATED,
    ),
    Fault(
        "the chance of answers is taken for wandering", _WANDERING,
        "/ kept - chance\n    between", "/ kept\n    between", _PROOF,
    ),
)  # fmt: skip
