"use strict";

/* Sorting: a first press brings numbers largest first and words from A, a second turns that
   round, a third restores the order the table came in. Cells without a key stay last. */
const collator = new Intl.Collator("en", { numeric: true });

function keyOf(row, place, isNumber) {
  const cell = row.cells[place];
  if (!cell) return null;
  if (isNumber) return cell.dataset.key === undefined ? null : Number(cell.dataset.key);
  return cell.textContent.trim() || null;
}

function sorted(rows, place, isNumber, direction) {
  const keyed = rows.map((row) => [keyOf(row, place, isNumber), row]);
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = isNumber ? (a > b) - (a < b) : collator.compare(a, b);
    return direction === "ascending" ? order : -order;
  });
  return keyed.map(([, row]) => row);
}

function makeSortable(table) {
  const body = table.tBodies[0];
  const original = Array.from(body.rows);
  if (original.length < 2) return;
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, place) => {
    if (head.tagName !== "TH") return; // a column without a name
    const isNumber = head.classList.contains("number");
    const directions = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = directions.indexOf(head.getAttribute("aria-sort"));
      const next = directions[now + 1];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next) head.setAttribute("aria-sort", next);
      body.append(...(next ? sorted(original, place, isNumber, next) : original));
    });
  });
}

function makeCopyable(button) {
  const code = button.parentElement.querySelector("code");
  const status = button.parentElement.querySelector("[role=status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    let said = "Copied";
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      said = "Selected: now copy it";
    }
    button.textContent = status.textContent = said;
    setTimeout(() => {
      button.textContent = "Copy";
      status.textContent = "";
    }, 2500);
  });
}

/* The contents mark the section that is being read. */
function followReading(nav) {
  const links = new Map();
  nav.querySelectorAll("a").forEach((a) => {
    links.set(document.getElementById(a.getAttribute("href").slice(1)), a);
  });
  const inSight = new Set();
  const watcher = new IntersectionObserver((changes) => {
    changes.forEach((one) => inSight[one.isIntersecting ? "add" : "delete"](one.target));
    const first = Array.from(links.keys()).find((section) => inSight.has(section));
    links.forEach((a, section) => {
      if (section === first) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    });
  }, { rootMargin: "-15% 0px -60% 0px" });
  links.forEach((_, section) => watcher.observe(section));
}

document.querySelectorAll("table").forEach(makeSortable);
document.querySelectorAll("button.copy").forEach(makeCopyable);
document.querySelectorAll("nav").forEach(followReading);
