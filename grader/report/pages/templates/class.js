"use strict";
(() => {
  const table = document.getElementById("matrix");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const find = document.getElementById("find");
  const lab = document.getElementById("lab");
  const shown = document.getElementById("shown");
  const speedups = document.getElementById("speedups") ?? {};
  const toggles = [...document.querySelectorAll("[data-verdict]")];
  const problems = [...document.querySelectorAll("#problem-rows tbody")];
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const FIRST_LAB = 2;

  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const students = [...body.rows].map((row) => ({
    row,
    name: plain(row.cells[0].textContent),
    cells: [...row.cells].slice(FIRST_LAB),
  }));

  // The view is a part of the address, so that the way back from a report leads to it, and a link can name it.
  const read = () => {
    const view = new URLSearchParams(location.hash.slice(1));
    find.value = view.get("find") ?? "";
    lab.value = view.get("lab") ?? "";
    speedups.checked = view.has("speedups");
    press(toggles.find((toggle) => toggle.dataset.verdict === view.get("verdict")) ?? toggles[0]);
    const [column, order] = (view.get("sort") ?? "").split(" ");
    if (heads[column] && order) sort(Number(column), order);
  };
  const write = () => {
    const head = heads.findIndex((each) => each.hasAttribute("aria-sort"));
    const view = new URLSearchParams();
    if (find.value) view.set("find", find.value);
    if (lab.value) view.set("lab", lab.value);
    if (chosen()) view.set("verdict", chosen());
    if (speedups.checked) view.set("speedups", "");
    if (head > 0 || heads[0].getAttribute("aria-sort") !== "ascending") {
      view.set("sort", `${head} ${heads[head].getAttribute("aria-sort")}`);
    }
    history.replaceState(null, "", `#${view}`);
  };

  const press = (toggle) => toggles.forEach((each) => each.setAttribute("aria-pressed", String(each === toggle)));
  const chosen = () => toggles.find((toggle) => toggle.getAttribute("aria-pressed") === "true").dataset.verdict;
  const isVerdict = (element, verdict) => !verdict || element.classList.contains(verdict);

  const filter = () => {
    const name = plain(find.value.trim());
    const verdict = chosen();
    const only = lab.value === "" ? null : Number(lab.value);
    const counts = new Map();
    let visible = 0;
    for (const student of students) {
      const cells = only === null ? student.cells : [student.cells[only]];
      const named = student.name.includes(name);
      const show = named && cells.some((cell) => isVerdict(cell, verdict));
      student.row.hidden = !show;
      visible += show;
      student.cells.forEach((cell, column) => { cell.hidden = only !== null && column !== only; });
      if (!named) continue;
      for (const cell of cells) {
        for (const kind of cell.classList) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (!cell.classList.contains("v-none")) counts.set("", (counts.get("") ?? 0) + 1);
      }
    }
    heads.slice(FIRST_LAB).forEach((head, column) => { head.hidden = only !== null && column !== only; });
    for (const group of problems) {
      group.hidden = only !== null && Number(group.dataset.lab) !== only;
      for (const row of group.rows) {
        row.hidden = !plain(row.cells[0].textContent).includes(name) || !isVerdict(row, verdict);
      }
    }
    for (const toggle of toggles) {
      toggle.querySelector("span").textContent = counts.get(toggle.dataset.verdict) ?? 0;
    }
    shown.textContent = visible;
  };

  const value = (row, column) => {
    const number = Number.parseFloat(row.cells[column].textContent.replace("✎", "").replace(",", "."));
    return Number.isNaN(number) ? -1 : number;
  };
  const next = (column) => {
    const first = column === 0 ? "ascending" : "descending";
    const second = column === 0 ? "descending" : "ascending";
    return heads[column].getAttribute("aria-sort") === first ? second : first;
  };
  const sort = (column, order) => {
    const head = heads[column];
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const names = (one, other) => collator.compare(one.cells[0].textContent, other.cells[0].textContent);
    const rows = students.map((student) => student.row).sort((one, other) => column === 0
      ? sign * names(one, other)
      : sign * (value(one, column) - value(other, column)) || names(one, other));
    body.append(...rows);
  };

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      sort(column, next(column));
      write();
    });
  });
  heads[0].setAttribute("aria-sort", "ascending");

  // One score takes part in the tab order; the arrow keys lead from it to the others.
  const links = [...body.querySelectorAll("td a")];
  let current = null;
  const makeCurrent = (link) => {
    if (current) current.tabIndex = -1;
    current = link ?? null;
    if (current) current.tabIndex = 0;
  };
  const makeFirstCurrent = () => makeCurrent(links.find((link) => link.getClientRects().length));
  links.forEach((link) => { link.tabIndex = -1; });
  body.addEventListener("focusin", (event) => {
    if (event.target.matches("td a")) makeCurrent(event.target);
  });

  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  body.addEventListener("keydown", (event) => {
    const move = step[event.key];
    const cell = event.target.closest("td");
    if (!move || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...body.rows].filter((row) => !row.hidden);
    let row = rows.indexOf(cell.parentElement);
    let column = cell.cellIndex;
    for (;;) {
      row += move[0];
      column += move[1];
      const next = rows[row]?.cells[column];
      if (!next) return;
      const link = !next.hidden && next.querySelector("a");
      if (link) {
        event.preventDefault();
        link.focus();
        return;
      }
    }
  });

  const update = () => {
    filter();
    if (!current?.getClientRects().length) makeFirstCurrent();
    write();
  };
  toggles.forEach((toggle) => toggle.addEventListener("click", () => {
    press(toggle);
    update();
  }));
  find.addEventListener("input", update);
  lab.addEventListener("change", update);
  document.getElementById("speedups")?.addEventListener("change", write);
  document.getElementById("filters").hidden = false;
  if (location.hash.includes("=")) read();
  filter();
  makeFirstCurrent();
})();
