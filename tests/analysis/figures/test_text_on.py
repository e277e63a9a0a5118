"""What is written into coloured cells can be read: letters stand out as WCAG asks for."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from herdlab.analysis.figures.guard_dog import dog_map
from herdlab.analysis.figures.heat import heat
from herdlab.analysis.figures.parts.style import WIDE

LEAST = 4.5


def light(colour: Any) -> float:
    parts: Any = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrasts(figure: Figure) -> list[float]:
    figure.draw_without_rendering()
    axes = figure.axes[0]
    (mesh,) = (one for one in axes.collections if isinstance(one, QuadMesh))
    colours: Any = mesh.get_facecolor()
    wide = np.shape(mesh.get_coordinates())[1]
    found = []
    for text in axes.texts:
        x, y = text.get_position()
        cell, ink = light(colours[int(y) * (wide - 1) + int(x)]), light(text.get_color())
        found.append((max(cell, ink) + 0.05) / (min(cell, ink) + 0.05))
    return found


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_stand_out_from_every_colour_of_the_map(sign: int) -> None:
    cells = [[sign * (10 * row + column) / 50 for column in range(8)] for row in range(12)]
    found = contrasts(dog_map(cells, WIDE))
    assert len(found) == 12 * 8 and min(found) >= LEAST


def test_numbers_stand_out_from_every_colour_of_a_heat_map() -> None:
    points = pd.DataFrame(
        [
            {
                "a": n % 6,
                "b": n // 6,
                "value": n,
                "low": n - 1,
                "high": n + 1,
                "in_best_region": n == 0,
            }
            for n in range(36)
        ]
    )
    found = contrasts(heat(points, "a", "b", WIDE, label="win rate, %"))
    assert len(found) == 36 and min(found) >= LEAST
