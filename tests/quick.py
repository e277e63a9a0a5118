"""Less work for tests that look at words, pages or equality, and not at how sure figures are."""

from functools import partial

import pytest

REPLICATES, GAMES = 20, 2_000


def few_replicates(patch: pytest.MonkeyPatch) -> None:
    """Let tournaments resample their results a few times only."""
    from herdlab.analysis.stats.equilibrium import resampled
    from herdlab.analysis.studies import standings

    patch.setattr(standings, "resampled", partial(resampled, replicates=REPLICATES))


def few_games_of_seats(patch: pytest.MonkeyPatch) -> None:
    """Let a quick answer about the first seat play few games."""
    from herdlab.analysis.questions import seat

    usual = seat._plan
    patch.setattr(seat, "_plan", lambda game: usual(game)._replace(quick_games=GAMES))
