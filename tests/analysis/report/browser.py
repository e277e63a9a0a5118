"""Pages looked at in a real browser, and what can be measured there.

The measures return what is wrong, a line each, so that a test can say `== []`.
"""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright

PHONE, DESKTOP = (360, 640), (1280, 720)
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Visit:
    """A page that was opened, and all that a reader should never notice."""

    page: Page
    troubles: list[str] = field(default_factory=list)
    """Messages on the console, errors, dialogs, and requests for anything but the page."""


Open = Callable[..., Visit]
"""open_page(html, size=DESKTOP, scheme="light")"""
Listeners = dict[Any, Callable[[Any], None]]
"""By the events that they hear."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a running chromium; the test is skipped, loudly, where there can be none."""
    with sync_playwright() as playwright:
        program = find_chromium()
        running = playwright.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def idle_windows() -> list[Page]:
    """Return the windows that no test uses: a new one costs four times as much as its page."""
    return []


@pytest.fixture
def open_page(browser: Browser, idle_windows: list[Page], tmp_path: Path) -> Iterator[Open]:
    """Return what opens HTML as a file of its own in a window of some size and colour scheme."""
    visits: list[tuple[Visit, Listeners]] = []

    def opened(html: str, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Visit:
        path = tmp_path / f"page-{len(visits)}.html"
        path.write_text(html, encoding="utf-8")
        page = idle_windows.pop() if idle_windows else _window(browser)
        visit = Visit(page)
        visits.append((visit, _listen(visit, path.as_uri())))
        show(page, size, scheme)
        page.goto(path.as_uri())
        page.evaluate("document.fonts.ready.then(() => null)")
        return visit

    yield opened
    for visit, listeners in visits:
        for event, listener in listeners.items():
            visit.page.remove_listener(event, listener)
        visit.page.goto("about:blank")
        idle_windows.append(visit.page)


def _window(browser: Browser) -> Page:
    permissions = ["clipboard-read", "clipboard-write"]
    return browser.new_context(permissions=permissions).new_page()


def show(page: Page, size: tuple[int, int], scheme: str) -> None:
    """Give a page's window a size, and its reader a wish for a light page or a dark one."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(media="null", color_scheme="dark" if scheme == "dark" else "light")


def _listen(visit: Visit, address: str) -> Listeners:
    """Write down what a page says and asks for; return what listens to it."""

    def requested(request: Request) -> None:
        if request.url != address and not request.url.startswith("data:"):
            note(f"request: {request.url}")

    def dismissed(dialog: Dialog) -> None:
        note(f"dialog: {dialog.message}")
        dialog.dismiss()

    note = visit.troubles.append
    listeners: Listeners = {
        "console": lambda message: note(f"console: {message.text}"),
        "pageerror": lambda error: note(f"error: {error}"),
        "request": requested,
        "dialog": dismissed,
    }
    for event, listener in listeners.items():
        visit.page.on(event, listener)
    return listeners


def find_chromium() -> str:
    """Return the path of a chromium; skip the test where there is none."""
    found = next((path for name in _PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("NO BROWSER: pages were not looked at; install Debian's chromium to do so")
    return found


def violations(page: Page) -> list[str]:
    """Return what axe finds: rules of WCAG 2 A and AA and of good practice that are broken."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
        page.evaluate(_WITHOUT_FIGURES)
    # a full account of the rules that are kept takes twice as long
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then((all) => all.violations)")
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


_WITHOUT_FIGURES = """
axe.configure({rules: [{id: "color-contrast", selector: "*:not(text):not(tspan)"}]})
"""
"""Axe comes to no verdict on the contrast of words in a figure, and thinks long about each."""


_VISIBLE_TEXTS = """
const visibleTexts = () => Array.from(document.querySelectorAll("svg text"))
  .filter((text) => text.textContent.trim() && text.getClientRects().length)
  .map((text) => ({
    words: text.textContent,
    box: text.getBoundingClientRect(),
    frame: text.ownerSVGElement.getBoundingClientRect(),
    svg: text.ownerSVGElement,
    element: text,
  }));
"""


def overlapping_texts(page: Page, allowed: float = 1.5) -> list[str]:
    """Return pairs of words in one figure that lie over each other by more than so many pixels."""
    return _strings(
        page,
        """(allowed) => {
          const texts = visibleTexts(), found = [];
          const corners = (text) => {  // of words that may be tilted
            const {x, y, width, height} = text.getBBox(), matrix = text.getScreenCTM();
            return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
              .map(([at, down]) => new DOMPoint(at, down).matrixTransform(matrix));
          };
          const depth = (a, b) => Math.min(...[a, b].flatMap((box) => [1, 3].map((other) => {
            const along = [box[other].x - box[0].x, box[other].y - box[0].y];
            const long = Math.hypot(...along);
            const [p, q] = [a, b].map((one) =>
              one.map((corner) => (corner.x * along[0] + corner.y * along[1]) / long));
            return Math.min(Math.max(...p), Math.max(...q)) -
              Math.max(Math.min(...p), Math.min(...q));
          })));
          texts.forEach((a, place) => texts.slice(place + 1).forEach((b) => {
            if (a.svg !== b.svg) return;
            const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
            const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
            if (across <= allowed || down <= allowed) return;
            if (depth(corners(a.element), corners(b.element)) > allowed) {
              found.push(`${a.words} | ${b.words}`);
            }
          }));
          return found;
        }""",
        allowed,
    )


def cut_texts(page: Page, allowed: float = 1.0) -> list[str]:
    """Return words that leave their figure's box by more than so many pixels."""
    return _strings(
        page,
        """(allowed) => visibleTexts().filter(({box, frame}) =>
            box.left < frame.left - allowed || box.right > frame.right + allowed ||
            box.top < frame.top - allowed || box.bottom > frame.bottom + allowed
          ).map(({words}) => words)""",
        allowed,
    )


def small_texts(page: Page, least: float = 9.0) -> list[str]:
    """Return words in figures that are shown in letters of fewer pixels."""
    return _strings(
        page,
        """(least) => visibleTexts().filter(({element}) => {
            const matrix = element.getScreenCTM();
            const scale = Math.hypot(matrix.a, matrix.b);
            return parseFloat(getComputedStyle(element).fontSize) * scale < least;
          }).map(({words}) => words)""",
        least,
    )


def faint_texts(page: Page, least: float = 4.5) -> list[str]:
    """Return words, of the page and of its figures, with too little contrast to what is behind.

    Words over an image cannot be judged so, and are passed over.
    """
    return _strings(
        page,
        """(least) => {
          const rgba = (css) => {
            const [r, g, b, a = 1] = css.match(/[\\d.]+/g).map(Number);
            return [r, g, b, a];
          };
          const over = (top, below) =>
            [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3]));
          const light = (colour) => {
            const [r, g, b] = colour.map((c) => c / 255)
              .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const contrast = (a, b) => {
            const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
            return (high + 0.05) / (low + 0.05);
          };
          const canvas = rgba(getComputedStyle(document.body).backgroundColor);
          const blend = (layers) =>
            layers.reverse().reduce((below, top) => over(top, below), canvas);
          const inFill = (shape, x, y) => {
            const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
            return shape.isPointInFill(point);
          };
          const fillOf = (element) => {
            const style = getComputedStyle(element), fill = rgba(style.fill);
            fill[3] *= Number(style.fillOpacity) * Number(style.opacity);
            return fill;
          };
          const found = [];
          const judge = (words, ink, layers) => {
            const behind = blend(layers), ratio = contrast(over(ink, behind), behind);
            if (ratio < least) found.push(`${ratio.toFixed(2)}: ${words.trim().slice(0, 60)}`);
          };
          visibleTexts().forEach(({element, words}) => {
            element.scrollIntoView({block: "center", behavior: "instant"});
            const box = element.getBoundingClientRect();
            const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
            const under = document.elementsFromPoint(x, y).filter((one) => one.tagName !== "text");
            if (under.some((one) => one.tagName === "image")) return;
            const layers = under.flatMap((one) => {
              if (one instanceof SVGGeometryElement) {
                const isFilled = getComputedStyle(one).fill !== "none" && inFill(one, x, y);
                return isFilled ? [fillOf(one)] : [];
              }
              if (!(one instanceof HTMLElement)) return [];
              return [rgba(getComputedStyle(one).backgroundColor)];
            });
            judge(words, fillOf(element), layers);
          });
          document.querySelectorAll("body *:not(script)").forEach((element) => {
            const words = Array.from(element.childNodes)
              .filter((one) => one.nodeType === Node.TEXT_NODE).map((one) => one.data).join("");
            if (element instanceof SVGElement || !words.trim()) return;
            if (!element.getClientRects().length) return;
            const layers = [];
            for (let one = element; one; one = one.parentElement) {
              layers.push(rgba(getComputedStyle(one).backgroundColor));
            }
            judge(words, rgba(getComputedStyle(element).color), layers);
          });
          return found;
        }""",
        least,
    )


def _strings(page: Page, function: str, argument: float) -> list[str]:
    """Return the strings that a function of JavaScript's gives; it may use visibleTexts()."""
    script = f"(argument) => {{ {_VISIBLE_TEXTS} return ({function})(argument); }}"
    return [str(one) for one in page.evaluate(script, argument)]
