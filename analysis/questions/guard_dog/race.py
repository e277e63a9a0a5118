"""What being able to buy a dog adds to the chance of winning a race: exact.

The fastest mean is not the best chance.  The best play against rivals of a known pace is worked
out twice, with dogs for sale and without; those who race never meet.
"""

import numpy as np

from herdlab.simcore.herd.finishing import near, unbeaten
from herdlab.simcore.herd.lattice import ROLLED_ONLY, SOLD, lattice_of
from herdlab.simcore.herd.rules import HerdRules


def race_gain(rules: HerdRules, players: int) -> float:
    """Return the chance that buying adds against others who play perfectly, seats averaged."""
    from herdlab.simcore.herd.exact import best_response
    from herdlab.strategies.herd import solved

    pace = [solved.solo(rules, "optimal").distribution] * (players - 1)
    chances = near(np.mean([unbeaten(pace, seat) for seat in range(players)], axis=0))
    sold, unsold = (
        best_response(lattice_of(rules, dogs), chances).chance for dogs in (SOLD, ROLLED_ONLY)
    )
    return sold - unsold
