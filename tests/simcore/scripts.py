"""Scripts for the scripted players of the card games."""

from collections.abc import Mapping, Sequence

import numpy as np


def as_script(
    decisions: Mapping[str, int], answers: Mapping[str, Sequence[int] | int]
) -> np.ndarray:
    """Return the answers in order for each decision, as a scripted player reads them.

    First, for decision d, where its answers begin and how many there are; then the answers.
    """
    n_decisions = 1 + max(decisions.values())
    head, body = [0, 0] * n_decisions, list[int]()
    for decision, given in answers.items():
        listed = [given] if isinstance(given, int) else list(given)
        place = decisions[decision]
        head[2 * place], head[2 * place + 1] = 2 * n_decisions + len(body), len(listed)
        body += listed
    return np.array(head + body, dtype=np.int64)
