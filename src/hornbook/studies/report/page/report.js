"use strict";
(() => {
  // Cells sort by their data-v if they have one; empty cells come last in both directions.
  const value = (row, place) => {
    const cell = row.cells[place];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const number = Number(text);
    return text === "" ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

  const sort = (head, place) => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, place), row]);
    rows.sort(([a], [b]) => (a === null || b === null ? (a === null) - (b === null) : up ? compare(a, b) : compare(b, a)));
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    body.append(...rows.map(([, row]) => row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, place) =>
      head.querySelector("button").addEventListener("click", () => sort(head, place)));
  }

  const ranking = document.querySelector("#ranking table.sortable");
  const filter = document.querySelector(".filter");
  if (filter && ranking) {
    const field = filter.querySelector("input");
    const count = filter.querySelector("output");
    filter.hidden = false;
    field.addEventListener("input", () => {
      const words = field.value.trim().toLowerCase();
      const rows = [...ranking.tBodies[0].rows];
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(words);
      count.textContent = words ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
    });
  }

  // What is wider than its place scrolls, and says so.
  const look = (part) => part.classList.toggle("scrolls", part.scrollWidth > part.clientWidth + 1);
  const sizes = new ResizeObserver((parts) => parts.forEach((one) => look(one.target)));
  for (const part of document.querySelectorAll(".wide")) sizes.observe(part);

  const copy = async (button) => {
    const text = button.parentElement.querySelector("pre").textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(button.parentElement.querySelector("pre"));
      button.textContent = "Selected";
    }
  };
  for (const button of document.querySelectorAll(".copy button")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
})();
