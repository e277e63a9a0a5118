"""What the questions about Have You Herd? need of its rules."""

from herdlab.analysis.experiment import Experiment
from herdlab.simcore.errors import BadInput
from herdlab.simcore.herd.rules import HERD_ANIMALS, PLURALS, HerdRules


def herd_rules(experiment: Experiment) -> HerdRules:
    """Return the rules of an experiment with Have You Herd?."""
    assert isinstance(experiment.rules, HerdRules)
    return experiment.rules


def check_completable(experiment: Experiment) -> None:
    """Refuse rules under which nobody can complete a herd."""
    rules = herd_rules(experiment)
    for animal in HERD_ANIMALS:
        if min(rules.tiles[animal], rules.limits[animal]) == 0:
            raise BadInput(
                f"rule {PLURALS[animal]} (H1, H4) must be above 0 for this question: nobody could "
                f"complete a herd"
            )
