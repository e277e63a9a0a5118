import pytest
from matplotlib.figure import Figure

from tests.analysis.figures import check_texts


def _figure(*texts: tuple[float, float, str], angle: float = 0, size: float = 10) -> Figure:
    figure = Figure(figsize=(4, 2))
    for x, y, text in texts:
        figure.text(x, y, text, rotation=angle, size=size)
    return figure


def test_texts_that_lie_apart_are_returned() -> None:
    assert check_texts(_figure((0.1, 0.2, "below"), (0.1, 0.6, "above"))) == ["below", "above"]


def test_an_overlap_is_caught_and_named() -> None:
    with pytest.raises(AssertionError, match="overlap by .* pixels: 'one' and 'other'"):
        check_texts(_figure((0.1, 0.5, "one"), (0.12, 0.52, "other")))


@pytest.mark.parametrize("place", [(0.9, 0.5), (-0.1, 0.5), (0.5, 0.97), (0.5, -0.05)])
def test_a_text_over_any_edge_is_caught(place: tuple[float, float]) -> None:
    with pytest.raises(AssertionError, match="cut: 'a long text'"):
        check_texts(_figure((*place, "a long text")))


def test_too_small_letters_are_caught() -> None:
    with pytest.raises(AssertionError, match="too small, 7 pt: 'tiny'"):
        check_texts(_figure((0.1, 0.5, "tiny"), size=7))


def test_tilted_texts_side_by_side_do_not_overlap_though_their_upright_boxes_do() -> None:
    check_texts(_figure((0.1, 0.1, "a tilted text"), (0.2, 0.1, "a tilted text"), angle=45))
    with pytest.raises(AssertionError, match="overlap"):
        check_texts(_figure((0.1, 0.1, "a tilted text"), (0.12, 0.1, "a tilted text"), angle=45))


def test_tick_labels_that_are_drawn_count_and_those_outside_the_view_do_not() -> None:
    figure = Figure(figsize=(3, 2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xticks([0, 0.5, 0.52, 9], ["left", "crowded", "together", "beyond"])
    axes.set_xlim(0, 1)
    with pytest.raises(AssertionError, match="'crowded' and 'together'"):
        check_texts(figure)
    axes.set_xticks([0, 0.5, 9], ["left", "middle", "beyond"])
    axes.set_xlim(0, 1)
    assert "beyond" not in check_texts(figure)
