// Colours of code. Each language is one expression; its groups are, in order: comment, string, number, word.

const languages = {
  python: {
    tokens: /(#[^\n]*)|((?:\b[rRbBfFuU]{1,2})?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(\b\d[\w.]*)|([A-Za-z_]\w*)/g,
    keywords: "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda " +
      "nonlocal not or pass raise return try while with yield match case",
  },
  sexpr: {
    tokens: /(;[^\n]*)|("(?:\\.|[^"\\])*")|(?<![^\s()])(-?\d[\w.+-]*)(?![^\s()])|([^\s()"]+)/g,
    keywords: "define let if while for begin struct parameter state export make tuple get getattr none? value-and-grad jvp update initialize print assert raise true false none ->",
  },
  cps: {
    tokens: /^(\s*; [^\n]*)|("(?:\\.|[^"\\])*")|(?<![^\s()])(-?\d[\w.+-]*)(?![^\s()])|([^\s()",;]+)/gm,
    keywords: "cps direct let if else while for until λ then k join together: each return variable saved save restore mark reset step raise assert print getattr none? make backwards in",
  },
  cpp: {
    tokens: /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\])*")|(\b\d[\w.]*)|([A-Za-z_#]\w*)/g,
    keywords: "#include auto bool break char const constexpr continue double else false float for if int int32_t int64_t namespace noinline nullptr return " +
      "static static_cast struct template true typename using void while",
  },
};

const escapeHtml = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

/// A text's lines as HTML. classOf(name, line number) gives the further classes of a name.
function highlight(language, text, classOf) {
  const { tokens, keywords } = languages[language];
  const reserved = new Set(keywords.split(" "));
  const lines = [""];
  const put = (piece, kind) => piece.split("\n").forEach((part, i) => {
    if (i) lines.push("");
    if (part) lines[lines.length - 1] += kind ? `<span class="${kind}">${escapeHtml(part)}</span>` : escapeHtml(part);
  });
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    put(text.slice(end, match.index), "");
    const [whole, comment, string, number, word] = match;
    end = match.index + whole.length;
    if (comment) put(whole, "c");
    else if (string) put(whole, "s");
    else if (number) put(whole, "d");
    else if (reserved.has(word)) put(whole, "k");
    else put(whole, ("n " + classOf(word, lines.length - 1)).trim());
  }
  put(text.slice(end), "");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
