// The program: its stages as panes of lines, and which lines belong together.

const data = JSON.parse(document.getElementById("data").textContent);
const stages = data.stages;
const files = [...stages.files];  // places name files by their number; the first holds the S-expressions
const fileNumber = name => (files.includes(name) || files.push(name), files.indexOf(name));

/// A type as it is shown: (tensor f32 5 300) is f32[5, 300].
function shownType(type) {
  const words = type.match(/[()]|[^\s()]+/g) ?? [];
  const read = () => {
    const word = words.shift();
    if (word !== "(") return word;
    const [head, ...parts] = [words.shift()];
    while (words.length && words[0] !== ")") parts.push(read());
    words.shift();
    if (head === "tensor") return `${parts[0]}[${parts.slice(1).join(", ")}]`;
    if (head === "optional") return `${parts[0]} or None`;
    if (head === "tuple") return `(${parts.join(", ")})`;
    if (head === "list") return `list of ${parts[0]}`;
    return `${head} of ${parts.join(" ")}`;
  };
  return words.length ? read() : type;
}

const variables = stages.variables.map(v => ({ ...v, type: shownType(v.type) }));
const globals = new Map(stages.globals.map(g => [g.name, { ...g, type: shownType(g.type), global: true }]));
const spelledGlobals = new Map([...globals.values()].map(g => [g.name.replace(/\W/g, "_"), g]));

const panes = [
  { key: "python", title: "Python", language: "python" },
  { key: "converted", title: "Converted Python", language: "python" },
  { key: "sexpr", title: "S-expressions", language: "sexpr" },
  { key: "cps", title: "Continuations (CPS)", language: "cps" },
  { key: "cpp", title: "C++", language: "cpp" },
].filter(pane => data.sources.length || !["python", "converted"].includes(pane.key));
const paneOf = key => panes.find(pane => pane.key === key);

// A line: {text, number, at: [[file, line, column], …], in, reverse, binds, source, signs}.
for (const pane of panes) {
  pane.lines = [];
  const add = (text, line) => pane.lines.push({ at: [], binds: [], signs: [], ...line, text });
  if (pane.key === "python" || pane.key === "converted") {
    for (const source of data.sources) {
      const file = fileNumber(source.name), text = pane.key === "python" ? source.text : source.converted;
      text.replace(/\n$/, "").split("\n").forEach((part, i) => add(part, {
        number: i + 1, source,
        at: pane.key === "python" ? [[file, i + 1, 0]] : (source.lines[i] ?? []).map(([line, column]) => [file, line, column]),
      }));
    }
  } else {
    stages[pane.key].text.replace(/\n$/, "").split("\n").forEach((part, i) => add(part, { number: i + 1, ...stages[pane.key].lines[i] }));
  }
}

// Which lines a place, and a line of a file, has led to: "file:line:column" and "file:line" → [[pane, index], …].
const byPlace = new Map(), byLine = new Map();
panes.forEach((pane, p) => pane.lines.forEach((line, i) => {
  for (const [file, row, column] of line.at) {
    for (const [map, key] of [[byPlace, `${file}:${row}:${column}`], [byLine, `${file}:${row}`]]) {
      const found = map.get(key) ?? map.set(key, []).get(key);
      if (!found.some(([q, j]) => q === p && j === i)) found.push([p, i]);
    }
  }
}));

/// The lines that belong to one: {lit, near}, each a Map from pane numbers to sets of line numbers. A line of Python has what any part of
/// it has led to; another's are those of the very same places, and near are those of the same lines of Python.
function belonging(p, i) {
  const lit = new Map(), near = new Map();
  const add = (map, [q, j]) => (map.get(q) ?? map.set(q, new Set()).get(q)).add(j);
  const isPython = pane => pane.key === "python";
  for (const [file, row, column] of panes[p].lines[i].at) {
    for (const other of byLine.get(`${file}:${row}`) ?? []) add(isPython(panes[p]) || isPython(panes[other[0]]) ? lit : near, other);
    for (const other of byPlace.get(`${file}:${row}:${column}`) ?? []) add(lit, other);
  }
  return { lit, near };
}

// What staging and batching have said of lines of Python.
const pythonLine = (file, row) => (byLine.get(`${file}:${row}`) ?? []).find(([p]) => panes[p].key === "python");
const lineOf = at => at && (pythonLine(at[0], at[1]) ?? (byPlace.get(at.join(":")) ?? [])[0]);
const lineAt = found => found && panes[found[0]].lines[found[1]];
for (const source of data.sources) {
  for (const decision of source.decisions) {
    const line = lineAt(pythonLine(fileNumber(source.name), decision.line));
    if (line) (line.decisions ??= []).push(decision);
  }
}
for (const remark of stages.remarks) {
  remark.line = lineOf(remark.at);
  const line = lineAt(remark.line);
  if (line) (line.remarks ??= []).push(remark);
}

// Names: in the S-expressions of a function, elsewhere of the form of a function.
const withoutCount = name => name.replace(/_\d+$/, "");
const sourceFunctions = stages.functions.filter(f => f.at);

/// The functions of the program that were made of the function of Python around a line, as one table: name → variables, each kind once,
/// also under the name without the number that tells several of one name apart.
const tables = new Map();
function namesAround(line) {
  const [file, row] = line.at[0] ?? [-1, 0];
  const begins = Math.max(...sourceFunctions.filter(f => f.at[0] === file && f.at[1] <= row).map(f => f.at[1]));
  const key = `${file}:${begins}`;
  if (tables.has(key)) return tables.get(key);
  const table = new Map();
  const add = (name, v) => {
    const found = table.get(name) ?? table.set(name, []).get(name);
    if (!found.some(other => other.type === v.type && other.active === v.active && other.saved === v.saved)) found.push(v);
  };
  for (const f of sourceFunctions.filter(f => f.at[0] === file && f.at[1] === begins)) {
    for (const [name, v] of Object.entries(f.names)) for (const each of new Set([name, withoutCount(name)])) add(each, variables[v]);
  }
  tables.set(key, table);
  return table;
}

/// The variables that a name stands for in a line, each kind once; a global's entry has `global`.
function meaning(pane, line, name) {
  if (pane.key === "python" || pane.key === "converted") {
    return namesAround(line).get(name) ?? (globals.has(name) ? [globals.get(name)] : []);
  }
  const names = pane.key === "sexpr" ? stages.functions[line.in]?.names : stages.forms[line.in]?.[pane.key];
  const known = names?.[name];
  if (known !== undefined) return [variables[known]];
  const global = globals.get(name) ?? (pane.key === "cpp" ? spelledGlobals.get(name) : undefined);
  return global ? [global] : [];
}

/// The same of an adjoint's name: of what it is the adjoint.
const adjointOf = (pane, line, name) => name.endsWith("_adj") && pane.key !== "python" ? meaning(pane, line, name.slice(0, -4)) : [];
