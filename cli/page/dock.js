// The sheets below the panes: the line that is looked at, the call graph, what was staged, what was batched, all values.

const outcomeKinds = { staged: "st", unrolled: "un", Python: "py", "": "py" };
const colours = { st: "--staged", un: "--unrolled", py: "--plain", ba: "--batched", nb: "--plain", ac: "--active", re: "--reverse" };
const tag = (kind, text) => `<span class="tag" style="--of: var(${colours[kind]})">${escapeHtml(text)}</span>`;
const table = (heads, rows) => `<table><thead><tr>${heads.map(h => `<th>${h}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
const placeText = at => (at ? `${files[at[0]]}:${at[1]}` : "");
const goTo = (found, text) => (found ? `<a class="go" data-go="${found.join(",")}" tabindex="0">${escapeHtml(text)}</a>` : escapeHtml(text));

function valueTags(v) {
  if (v.global) return v.trained ? "parameter" : "state";
  return [v.active && tag("ac", "active"), v.saved && tag("re", "saved")].filter(Boolean).join(" ");
}

function lineSheet(p, i) {
  if (p === undefined) {
    return `<p class="empty">Point at a line, or walk with the arrow keys: what it came from and what it became lights up in the other panes. <kbd>?</kbd> shows all keys.</p>
      <p class="empty">${stages.functions.length} functions, ${panes.map(pane => `${pane.lines.length} lines of ${pane.title}`).join(", ")}; made by lantern ${escapeHtml(data.lantern)}.</p>`;
  }
  const pane = panes[p], line = pane.lines[i], { lit } = belonging(p, i);
  const origins = [...(lit.get(panes.indexOf(paneOf("python"))) ?? [])].map(j => paneOf("python").lines[j]);
  const python = pane.key === "python" ? [line] : origins;
  const counts = panes.flatMap((other, q) => {
    const found = [...(lit.get(q) ?? [])];
    if (q === p || !found.length) return [];
    const reverse = found.filter(j => other.lines[j].reverse).length;
    return [`${goTo([q, found[0]], `${found.length} of ${other.title}`)}${reverse ? ` (${reverse} in the reverse sweep)` : ""}`];
  });
  const bound = new Map();
  const sexpr = panes.indexOf(paneOf("sexpr"));
  for (const j of pane.key === "sexpr" ? [i] : lit.get(sexpr) ?? []) {
    const own = panes[sexpr].lines[j];
    for (const v of own.binds) bound.set(v, stages.functions[own.in]?.name ?? "");
  }
  const values = [...bound].map(([v, f]) => `<tr><td class="name">${escapeHtml(variables[v].name)}</td><td class="type">${escapeHtml(variables[v].type)}</td>
    <td>${valueTags(variables[v])}</td><td>${escapeHtml(f)}</td></tr>`);
  const said = python.flatMap(origin => [
    ...(origin.decisions ?? []).map(d => `<p><span class="mono">${escapeHtml(d.what)}</span> ${tag(outcomeKinds[d.outcome], d.text)}</p>`),
    ...(origin.remarks ?? []).map(r => `<p>${tag(r.batched ? "ba" : "nb", r.batched ? "batched" : "not batched")} ${escapeHtml(r.text)}</p>`)]);
  return `<div class="columns"><div style="flex: 1.2">
      <h3>${escapeHtml(pane.title)}, ${pane.key === "python" ? `${escapeHtml(line.source.name)}:` : "line "}${line.number}${line.reverse ? " " + tag("re", "reverse sweep") : ""}</h3>
      <div class="source">${escapeHtml(line.text.trim())}</div>
      ${pane.key !== "python" && origins.length ? `<h3>From</h3><div class="source">${origins.map(o => `${goTo([0, paneOf("python").lines.indexOf(o)], `${o.source.name}:${o.number}`)}  ${escapeHtml(o.text.trim())}`).join("<br>")}</div>` : ""}
      <p>${counts.length ? `Belongs to ${counts.join(", ")}.` : "Nothing in the other panes belongs to it."}</p></div>
    <div style="flex: 1">${said.length ? `<h3>Staging and batching</h3>${said.join("")}` : ""}</div>
    <div style="flex: 1.2">${values.length ? `<h3>Values</h3>${table(["name", "type", "", "in"], values)}` : ""}</div></div>`;
}

const namesOfKinds = { direct: "direct", cps: "with continuation", forward: "forward sweep", reverse: "reverse sweep" };
const kindsOf = f => stages.forms.filter(form => form.function === f.name).map(form => form.kind);

function callsSheet() {
  const says = f => [f.exported && "entry", f.recursive && "recursive",
    ...kindsOf(f).map(kind => namesOfKinds[kind])].filter(Boolean).join(" · ");
  return `<p class="empty">Solid: calls. Dashed: takes the gradient or the derivative of. What carries an adjoint takes a continuation, or has two sweeps.</p>${callGraph(stages.functions, says)}`;
}

function stagingSheet() {
  const rows = data.sources.flatMap(source => source.decisions.map(d => {
    const found = pythonLine(fileNumber(source.name), d.line);
    return `<tr class="go" data-go="${found?.join(",")}"><td>${goTo(found, `${source.name}:${d.line}`)}</td><td class="name">${escapeHtml(d.what)}</td><td class="wide">${tag(outcomeKinds[d.outcome], d.text)}</td></tr>`;
  }));
  return rows.length ? `<p class="empty">What ran in Python while the program was staged, what became part of it, what was repeated for each turn, and the value that decided.</p>
    ${table(["where", "what", "became"], rows)}` : `<p class="empty">There is nothing to stage: the program is written in S-expressions.</p>`;
}

function batchingSheet() {
  const rows = stages.remarks.map(r => `<tr class="go" data-go="${r.line?.join(",") ?? ""}"><td>${goTo(r.line, r.at?.[0] ? placeText(r.at) : "in the S-expressions")}</td>
    <td>${tag(r.batched ? "ba" : "nb", r.batched ? "batched" : "not batched")}</td><td class="wide">${escapeHtml(r.text)}</td></tr>`);
  return rows.length ? table(["where", "", "what and why"], rows)
    : `<p class="empty">No calls here could be made side by side: none are independent of each other, or batching is off (<span class="mono">--schedule depth-first</span>).</p>`;
}

function valuesSheet() {
  const rows = [...globals.values()].map(g => `<tr><td class="name">${escapeHtml(g.name)}</td><td class="type">${escapeHtml(g.type)}</td><td>${valueTags(g)}</td><td></td></tr>`);
  for (const f of stages.functions) {
    for (const v of Object.values(f.names)) {
      rows.push(`<tr><td class="name">${escapeHtml(variables[v].name)}</td><td class="type">${escapeHtml(variables[v].type)}</td><td>${valueTags(variables[v])}</td><td class="name">${escapeHtml(f.name)}</td></tr>`);
    }
  }
  return `<p class="empty">Active: carries an adjoint. Saved: the reverse sweep reads it, so it is kept until then.</p>${table(["name", "type", "", "in"], rows)}`;
}

const sheets = { Line: lineSheet, Calls: callsSheet, Staging: stagingSheet, Batching: batchingSheet, Values: valuesSheet };
