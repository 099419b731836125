// The call graph: callers to the left of what they call, in columns.

/// Each function's column: how many calls lead to it at most, calls back to a caller aside.
function columnsOf(functions) {
  const column = functions.map(() => 0), underway = new Set();
  const callees = functions.map(f => [...new Set(f.calls.map(call => call.to))]);
  const visit = (f, depth) => {
    if (underway.has(f) || (depth > 0 && depth <= column[f])) return;
    column[f] = Math.max(column[f], depth);
    underway.add(f);
    callees[f].forEach(callee => callee !== f && visit(callee, column[f] + 1));
    underway.delete(f);
  };
  const called = new Set(functions.flatMap((f, i) => callees[i].filter(c => c !== i)));
  functions.forEach((f, i) => { if (!called.has(i) || f.exported) visit(i, 0); });
  return column;
}

/// The graph as SVG text. formsOf(function) says what became of one.
function callGraph(functions, formsOf) {
  const column = columnsOf(functions), rowHeight = 52, gap = 72, nodes = [], columns = [];
  functions.forEach((f, i) => (columns[column[i]] ??= []).push(i));
  let x = 4;
  const filled = columns.filter(Boolean);
  const height = Math.max(...filled.map(c => c.length)) * rowHeight;
  for (const members of filled) {
    const above = i => {
      const callers = functions.flatMap((f, j) => (nodes[j] && f.calls.some(call => call.to === i) ? [nodes[j].y] : []));
      return callers.length ? callers.reduce((a, b) => a + b) / callers.length : 0;
    };
    members.sort((a, b) => above(a) - above(b));
    const width = Math.max(...members.map(i => Math.max(functions[i].name.length * 7.3, formsOf(functions[i]).length * 5.4))) + 24;
    members.forEach((i, row) => { nodes[i] = { x, y: (height - members.length * rowHeight) / 2 + row * rowHeight + 3, width }; });
    x += width + gap;
  }
  const edges = new Map();
  functions.forEach((f, i) => f.calls.forEach(call => {
    const key = `${i} ${call.to} ${call.how}`;
    edges.set(key, { from: i, ...call, times: (edges.get(key)?.times ?? 0) + 1 });
  }));
  const middle = 19, path = ({ from, to }) => {
    const a = nodes[from], b = nodes[to], y1 = a.y + middle, y2 = b.y + middle;
    if (from === to) return `M${a.x + a.width},${a.y + 9} c26,-6 26,26 5,20`;
    if (a.x < b.x) return `M${a.x + a.width},${y1} C${a.x + a.width + gap / 2},${y1} ${b.x - gap / 2},${y2} ${b.x - 5},${y2}`;
    return `M${a.x},${y1} C${a.x - gap / 2},${y1 + 30} ${b.x + b.width + gap / 2},${y2 + 30} ${b.x + b.width + 5},${y2}`;
  };
  const arrows = ["call", "gradient", "jvp"].map(how => `<marker id="${how}" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="7" markerHeight="7" orient="auto">
    <path d="M0,0 L8,4 L0,8 z"/></marker>`);
  const drawn = [...edges.values()].map(e => `<path class="edge ${e.how}" d="${path(e)}" marker-end="url(#${e.how})"><title>${escapeHtml(
    `${functions[e.from].name} ${e.how === "gradient" ? "takes the gradient of" : e.how === "jvp" ? "takes the derivative of" : "calls"} ${functions[e.to].name}${e.times > 1 ? `, ${e.times} times` : ""}`)}</title></path>`);
  const boxes = functions.map((f, i) => `<g class="node${f.exported ? " exported" : ""}" data-function="${i}" role="button" tabindex="0" transform="translate(${nodes[i].x},${nodes[i].y})">
    <rect width="${nodes[i].width}" height="38" rx="8"/><text x="12" y="16">${escapeHtml(f.name)}</text><text class="what" x="12" y="30">${formsOf(f)}</text></g>`);
  return `<svg width="${x}" height="${height}" viewBox="0 0 ${x} ${height}" role="img" aria-label="Call graph"><defs>${arrows.join("")}</defs>${drawn.join("")}${boxes.join("")}</svg>`;
}
