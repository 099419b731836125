// The page: panes are drawn, lines light up, keys walk through them.

const $ = id => document.getElementById(id);
const memory = { get: key => { try { return localStorage.getItem(key); } catch { return null; } }, set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* a page from a file may have none */ } } };

// --- drawing ---

function signs(line) {
  const texts = [];
  const outcomesHere = new Set((line.decisions ?? []).filter(d => !d.what.endsWith("()")).map(d => d.outcome));
  if (!outcomesHere.size && line.decisions?.length) outcomesHere.add(["staged", "unrolled", "Python", ""].find(o => line.decisions.some(d => d.outcome === o)));
  const shown = ["staged", "unrolled", "Python"].find(outcome => outcomesHere.has(outcome));
  const said = (line.decisions ?? []).map(d => `${d.what}: ${d.text}`).join("\n");
  if (shown) texts.push(`<span class="staging ${outcomeKinds[shown]}" title="${escapeHtml(said)}">${{ staged: "S", unrolled: "U", Python: "P" }[shown]}</span>`);
  if (line.remarks) {
    const kind = line.remarks.some(r => r.batched) ? "ba" : "nb";
    texts.push(`<span class="batching ${kind}" title="${escapeHtml(line.remarks.map(r => r.text).join("\n"))}">B</span>`);
  }
  return texts.join("");
}

function draw() {
  panes.forEach((pane, p) => {
    const classOf = (name, row, lines) => {
      const found = [...meaning(pane, lines[row], name)];
      return [found.some(v => v.active) && "active", found.some(v => v.saved) && "saved"].filter(Boolean).join(" ");
    };
    const groups = pane.lines.some(line => line.source) ? data.sources.map(source => pane.lines.filter(line => line.source === source)) : [pane.lines];
    let i = 0;
    const html = groups.map(lines => {
      const coded = highlight(pane.language, lines.map(line => line.text).join("\n"), (name, row) => classOf(name, row, lines));
      const head = groups.length > 1 ? `<div class="file">${escapeHtml(lines[0].source.name)}</div>` : "";
      return head + lines.map((line, row) => `<div class="line${line.reverse ? " reverse" : ""}" id="${p}-${i}" data-i="${i++}" role="option"><span class="no">${line.number}</span>${
        pane.key === "python" ? `<span class="sign">${signs(line)}</span>` : ""}<code>${coded[row] ?? ""}</code></div>`).join("");
    }).join("");
    const section = document.createElement("section");
    section.className = "pane";
    section.innerHTML = `<h2><button aria-expanded="true" title="Fold or open (${p + 1})"><kbd>${p + 1}</kbd><span>${pane.title}</span><small>${pane.lines.length} lines</small></button></h2>
      <div class="body" tabindex="0" role="listbox" aria-label="${pane.title}"><div class="lines" style="width: ${Math.max(...pane.lines.map(line => line.text.length)) + 12}ch">${html}</div></div><div class="ticks"></div><div class="divider"></div>`;
    $("panes").append(section);
    Object.assign(pane, { section, body: section.querySelector(".body"), rows: [...section.querySelectorAll(".line")], ticks: section.querySelector(".ticks") });
    section.querySelector("button").onclick = () => fold(pane);
    section.querySelector("button").ondblclick = () => widen(pane);
    drag(section.querySelector(".divider"), event => {
      const open = panes.filter(each => !each.section.classList.contains("folded"));
      const widths = open.map(each => each.section.offsetWidth), own = open.indexOf(pane), right = section.getBoundingClientRect().right;
      const by = Math.min(Math.max(event.clientX - right, 120 - widths[own]), (widths[own + 1] ?? Infinity) - 120);
      widths[own] += by;
      if (own + 1 < open.length) widths[own + 1] -= by;
      open.forEach((each, k) => { each.section.style.flex = `${widths[k]} 1 0`; each.section.style.minWidth = "120px"; });
    });
  });
}

/// Calls `move` while what is dragged is on its way.
function drag(element, move) {
  element.onpointerdown = event => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.onpointermove = move;
    element.onpointerup = () => { element.onpointermove = null; };
  };
}

/// Gives a pane more room than the others, or no longer.
function widen(pane) {
  const wide = !pane.section.classList.contains("wide");
  for (const each of panes) {
    each.section.style.flex = "";
    each.section.classList.toggle("wide", wide && each === pane);
  }
  fold(pane, false);
}

function fold(pane, folded = !pane.section.classList.contains("folded")) {
  pane.section.classList.toggle("folded", folded);
  pane.section.querySelector("button").setAttribute("aria-expanded", String(!folded));
}

// --- light ---

let shown = [], current, held = false;

function light(p, i) {
  if (current && current[0] === p && current[1] === i) return;
  for (const row of shown) row.classList.remove("lit", "near", "here", "held");
  shown = [];
  for (const pane of panes) pane.ticks.textContent = "";
  current = p === undefined ? undefined : [p, i];
  if (current) {
    const { lit, near } = belonging(p, i);
    const mark = (q, j, kind) => {
      panes[q].rows[j].classList.add(kind);
      shown.push(panes[q].rows[j]);
    };
    near.forEach((rows, q) => rows.forEach(j => lit.get(q)?.has(j) || mark(q, j, "near")));
    lit.forEach((rows, q) => rows.forEach(j => mark(q, j, "lit")));
    mark(p, i, "here");
    lit.forEach((rows, q) => { panes[q].ticks.innerHTML = [...rows].slice(0, 200).map(j => `<i style="top: ${(100 * j) / panes[q].lines.length}%"></i>`).join(""); });
    panes[p].body.setAttribute("aria-activedescendant", `${p}-${i}`);
    const line = panes[p].lines[i], origin = line.at.find(at => at[0] && pythonLine(...at));
    $("path").textContent = `${panes[p].title} ${line.number}${origin ? ` · ${placeText(origin)}` : ""}`;
  } else {
    $("path").textContent = "";
  }
  if (tab === "Line") showSheet();
}

/// Holds a line: it stays lit, and in the other panes what belongs to it comes to the same height.
function hold(p, i, focus = true) {
  fold(panes[p], false);
  current = undefined;
  light(p, i);
  held = true;
  const row = panes[p].rows[i];
  row.classList.add("held");
  row.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (focus) panes[p].body.focus({ preventScroll: true });
  const height = row.getBoundingClientRect().top - panes[p].body.getBoundingClientRect().top;
  belonging(p, i).lit.forEach((rows, q) => {
    if (q === p) return;
    const body = panes[q].body, tops = [...rows].map(j => panes[q].rows[j].offsetTop - panes[q].rows[0].offsetTop).sort((a, b) => a - b);
    const visible = tops.some(top => top >= body.scrollTop && top < body.scrollTop + body.clientHeight - 30);
    if (!visible) body.scrollTop = Math.max(0, tops[0] - height);
  });
  const line = panes[p].lines[i];
  history.replaceState(null, "", `#${panes[p].key}:${line.source && data.sources.length > 1 ? `${line.source.name}:` : ""}${line.number}`);
}

function release() {
  held = false;
  light();
  history.replaceState(null, "", location.pathname + location.search);
}

function step(by) {
  if (!current) return hold(0, 0);
  const [p, i] = current;
  hold(p, Math.min(Math.max(i + by, 0), panes[p].lines.length - 1));
}

function toPane(by) {
  const [p, i] = current ?? [0, 0];
  const open = panes.map((pane, q) => q).filter(q => !panes[q].section.classList.contains("folded"));
  const q = open[open.indexOf(p) + by];
  if (q === undefined) return;
  const rows = belonging(p, i).lit.get(q);
  const seen = panes[q].rows.findIndex(row => row.offsetTop - panes[q].rows[0].offsetTop >= panes[q].body.scrollTop);
  hold(q, rows ? Math.min(...rows) : Math.max(seen, 0));
}

function toLit(by) {
  if (!current) return;
  const [p, i] = current;
  const rows = [...(belonging(p, i).lit.get(p) ?? [])].sort((a, b) => a - b);
  const next = by > 0 ? rows.find(j => j > i) : rows.findLast(j => j < i);
  if (next !== undefined) hold(p, next);
}

// --- names ---

function tell(event) {
  const name = event.target.closest(".n"), row = name?.closest(".line");
  document.querySelectorAll(".n.same").forEach(other => other.classList.remove("same"));
  $("tip").hidden = true;
  if (!row) return;
  const pane = panes.find(each => each.section.contains(row)), line = pane.lines[row.dataset.i], word = name.textContent;
  const found = meaning(pane, line, word), adjoint = found.length ? [] : adjointOf(pane, line, word);
  const told = [...found, ...adjoint].slice(0, 6).map(v => `<div><b>${escapeHtml(word)}</b> <span class="type">${escapeHtml(v.type)}</span>${
    v.global ? ` · ${v.trained ? "a parameter" : "a state"}` : ""}${adjoint.length ? ` · the adjoint of ${escapeHtml(v.name)}` : ""}${v.active && !adjoint.length ? " · active: it carries an adjoint" : ""}${
    v.saved && !adjoint.length ? " · saved for the reverse sweep" : ""}</div>`);
  const f = stages.functions.find(each => each.name === word);
  if (!told.length && f) told.push(`<div><b>${escapeHtml(word)}</b> a function${f.recursive ? ", recursive" : ""}${f.at ? ` · ${placeText(f.at)}` : ""}</div>`);
  if (!told.length) return;
  for (const other of row.parentElement.querySelectorAll(".n")) {
    if (other.textContent === word && pane.lines[other.closest(".line").dataset.i].in === line.in && pane.key !== "python" && pane.key !== "converted") other.classList.add("same");
  }
  $("tip").innerHTML = told.join("");
  $("tip").hidden = false;
  const at = name.getBoundingClientRect(), size = $("tip").getBoundingClientRect();
  $("tip").style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
  $("tip").style.top = `${at.bottom + 6 + size.height > innerHeight ? at.top - size.height - 6 : at.bottom + 6}px`;
}

// --- the dock ---

let tab = "Line";

function showSheet(name = tab) {
  tab = name;
  for (const button of $("tabs").children) button.setAttribute("aria-selected", String(button.textContent === tab));
  $("sheet").innerHTML = tab === "Line" ? lineSheet(...(current ?? [])) : sheets[tab]();
}

function follow(event) {
  const go = event.target.closest("[data-go]"), node = event.target.closest("[data-function]");
  if (go?.dataset.go) hold(...go.dataset.go.split(",").map(Number));
  if (node) {
    const f = stages.functions[node.dataset.function], found = lineOf(f.at) ?? [panes.indexOf(paneOf("sexpr")), paneOf("sexpr").lines.findIndex(line => stages.functions[line.in] === f)];
    hold(...found, false);
  }
}

// --- begin ---

const layers = [["staging", "Staging", "--staged"], ["active", "Active", "--active"], ["saved", "Saved", "--reverse"], ["reverse", "Reverse sweep", "--reverse"], ["batching", "Batching", "--batched"]];
for (const [key, title, colour] of layers) {
  const button = document.createElement("button");
  button.textContent = title;
  button.style.setProperty("--of", `var(${colour})`);
  const set = on => {
    document.body.classList.toggle(`layer-${key}`, on);
    button.setAttribute("aria-pressed", String(on));
  };
  button.onclick = () => set(button.getAttribute("aria-pressed") !== "true");
  set(true);
  $("layers").append(button);
}
for (const name of Object.keys(sheets)) {
  const button = document.createElement("button");
  button.textContent = name;
  button.setAttribute("role", "tab");
  button.onclick = () => showSheet(name);
  $("tabs").append(button);
}

const dark = matchMedia("(prefers-color-scheme: dark)");
function setTheme(theme) {
  document.documentElement.dataset.theme = theme ?? (dark.matches ? "dark" : "light");
}
function otherTheme() {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  memory.set("lantern-theme", theme);
  setTheme(theme);
}
setTheme(memory.get("lantern-theme"));
dark.addEventListener("change", () => setTheme(memory.get("lantern-theme")));

draw();
showSheet("Line");
if (innerWidth < 1500) for (const key of ["converted", "cps"]) if (paneOf(key)) fold(paneOf(key), true);

const lineUnder = event => {
  const row = event.target.closest(".line");
  return row && [panes.findIndex(pane => pane.section.contains(row)), Number(row.dataset.i)];
};
$("panes").addEventListener("mouseover", event => {
  tell(event);
  const found = lineUnder(event);
  if (found && !held) light(...found);
});
$("panes").addEventListener("mouseleave", () => { $("tip").hidden = true; if (!held) light(); });
$("panes").addEventListener("click", event => {
  const found = lineUnder(event);
  if (!found || String(getSelection())) return;
  if (held && current[0] === found[0] && current[1] === found[1]) release();
  else hold(...found);
});
$("panes").addEventListener("scroll", () => { $("tip").hidden = true; }, true);
$("sheet").addEventListener("click", follow);
$("sheet").addEventListener("keydown", event => { if (event.key === "Enter") follow(event); });
$("theme").onclick = otherTheme;
$("keys").onclick = () => $("help").showModal();
drag($("grip"), event => { $("dock").style.height = `${Math.min(Math.max(innerHeight - event.clientY, 60), innerHeight - 160)}px`; });

const keys = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
  ArrowRight: () => toPane(1), ArrowLeft: () => toPane(-1), l: () => toPane(1), h: () => toPane(-1),
  n: () => toLit(1), p: () => toLit(-1), Escape: release, t: otherTheme, w: () => widen(panes[current?.[0] ?? 0]),
  PageDown: () => step(20), PageUp: () => step(-20), Home: () => current && hold(current[0], 0), End: () => current && step(Infinity),
  d: () => { const names = Object.keys(sheets); showSheet(names[(names.indexOf(tab) + 1) % names.length]); },
  "?": () => $("help").showModal(),
};
addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || event.target.closest("#sheet, #tabs")) return;
  const action = keys[event.key] ?? (panes[event.key - 1] && (() => fold(panes[event.key - 1])));
  if (!action) return;
  event.preventDefault();
  action();
});

/// #cpp:120, or #python:model.py:12 where there are several files.
function follow_hash() {
  const [, key, name, number] = location.hash.match(/^#(\w+):(?:(.+):)?(\d+)$/) ?? [];
  const p = panes.findIndex(pane => pane.key === key);
  const i = panes[p]?.lines.findIndex(line => line.number === Number(number) && (!name || line.source?.name === decodeURIComponent(name)));
  if (i >= 0) hold(p, i, false);
}
follow_hash();
addEventListener("hashchange", follow_hash);
