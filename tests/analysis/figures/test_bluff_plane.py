"""The plane of bluffing and calling: what its words say."""

from typing import Any

from herdlab.analysis.figures.bluff_plane import plane_drawing

TABLE: dict[str, Any] = {
    "players": 3,
    "balance": {"found": True, "bluffs": [0.325, 0.319, 0.33], "calls": [0.321, 0.313, 0.328]},
}


def test_the_caption_names_shapes_as_colours_differ_by_page_and_paper() -> None:
    drawing = plane_drawing(TABLE, "says four, commits nothing")
    for colour in ("red", "blue", "orange", "yellow"):
        assert colour not in drawing.caption.split()
    assert "the solid line" in drawing.caption and "the dotted one" in drawing.caption
