#include "frontend/analysis/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "frontend/analysis/functions.h"
#include "frontend/analysis/liveness.h"
#include "frontend/analysis/reaching.h"
#include "frontend/analysis/scopes.h"
#include "frontend/walk.h"
#include "support/deep_stack.h"

namespace lantern::analysis {

using namespace syntax;

namespace {

constexpr std::size_t widest_source = 60;

std::vector<std::string> lines_of(const std::string& source) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= source.size();) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    lines.push_back(source.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// ---- scopes

const char* word(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::module: return "module";
    case ScopeKind::class_: return "class";
    case ScopeKind::function: return "function";
    case ScopeKind::lambda: return "function";
    case ScopeKind::comprehension: return "comprehension";
  }
  return "";
}

const char* word(Meaning meaning) {
  switch (meaning) {
    case Meaning::parameter: return "parameter";
    case Meaning::local: return "local";
    case Meaning::free: return "free";
    case Meaning::declared: return "declared global";
    case Meaning::global: return "global";
  }
  return "";
}

void print(const Scope& scope, int depth, std::string& out) {
  std::map<Meaning, std::vector<std::string>> names;
  for (const auto& [name, variable] : scope.variables) {
    names[variable.meaning].push_back(variable.shared ? name + " (shared)" : name);
  }
  std::vector<std::string> groups;
  for (const auto& [meaning, group] : names) groups.push_back(fmt::format("{} {}", word(meaning), fmt::join(group, ", ")));
  const std::string title = scope.line ? fmt::format("{} {}, line {}", word(scope.kind), scope.name, scope.line) : "module";
  out += fmt::format("{:{}}{}{}{}\n", "", depth * 2, title, groups.empty() ? "" : ": ", fmt::join(groups, "; "));
  for (const Scope& inner : scope.inner) print(inner, depth + 1, out);
}

// ---- one function

const char* label(Part part) {
  switch (part) {
    case Part::element: return "each turn: ";
    case Part::with_exit: return "behind the with: ";
    case Part::target: return "target: ";
    case Part::captures: return "captures: ";
    case Part::guard: return "guard: ";
    case Part::handlers: return "an exception: ";
    case Part::handler_end: return "behind the handler: ";
    case Part::finally: return "finally: ";
    default: return "";
  }
}

int line_of(const Node& node) {
  if (!node.stmt) return 0;
  auto* attempt = as<Try>(*node.stmt);
  if (attempt && (node.part == Part::handler || node.part == Part::handler_end)) {
    return attempt->handlers[node.index].range.line;
  }
  if (attempt && node.part == Part::finally) return attempt->finalbody[0]->range.line;
  if (node.part == Part::pattern || node.part == Part::captures || node.part == Part::guard) {
    return as<Match>(*node.stmt)->cases[node.index].pattern->range.line;
  }
  return node.stmt->range.line;
}

class FunctionListing {
 public:
  FunctionListing(const FunctionDef& def, const Range& at, const std::vector<std::string>& lines)
      : at_(at),
        lines_(lines),
        bindings_(bindings_of(def.parameters, def.body)),
        declared_(declared()),
        graph_(control_flow_graph(def.body)),
        uses_(uses_of_all()),
        functions_(graph_, uses_, declared_),
        calls_(with_calls(uses_, functions_)),
        reaching_(graph_, calls_, bindings_.locals, parameters(def)),
        liveness_(graph_, calls_, declared_) {
    nested(def.body);
  }

  std::string text() const {
    std::multimap<int, std::string> notes;
    for (std::size_t node = 2; node < graph_.nodes.size(); ++node) {
      if (graph_.nodes[node].part == Part::head) continue;
      notes.emplace(line_of(graph_.nodes[node]), note(static_cast<int>(node)));
    }
    std::size_t width = 0;
    for (int line = at_.line; line <= at_.end_line; ++line) {
      if (!hidden_.count(line)) width = std::max(width, std::min(lines_[line - 1].size(), widest_source));
    }
    std::string out;
    for (int line = at_.line; line <= at_.end_line; ++line) {
      if (hidden_.count(line)) continue;
      std::string source = lines_[line - 1];
      const auto [first, last] = notes.equal_range(line);
      if (first == last) out += fmt::format("{:5} | {}\n", line, source);
      for (auto each = first; each != last; ++each) {
        if (each == first) out += fmt::format("{:5} | {:{}} | {}\n", line, source, width, each->second);
        else out += fmt::format("{:5} | {:{}} | {}\n", "", "", width, each->second);
      }
    }
    return out;
  }

 private:
  NameSet declared() const {
    NameSet names = bindings_.globals;
    names.insert(bindings_.nonlocals.begin(), bindings_.nonlocals.end());
    return names;
  }

  std::vector<Uses> uses_of_all() const {
    std::vector<Uses> uses;
    for (const Node& node : graph_.nodes) uses.push_back(uses_of(node, ""));
    return uses;
  }

  static NameSet parameters(const FunctionDef& def) {
    const std::vector<std::string> names = parameter_names(def.parameters);
    return {names.begin(), names.end()};
  }

  // The lines of functions and classes inside, which have listings of their own.
  void nested(const Block& block) {
    for (const StmtPtr& stmt : block) {
      if (is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) {
        for (int line = stmt->range.line + 1; line <= stmt->range.end_line; ++line) hidden_.insert(line);
      } else {
        for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& inner) { nested(inner); });
      }
    }
  }

  std::string place(int node) const {
    if (node == exit_node) return "end";
    return std::to_string(node == entry_node ? at_.line : line_of(graph_.nodes[node]));
  }

  std::string places(const std::vector<int>& nodes) const {
    std::set<std::pair<int, std::string>> sorted;  // by line, the end last
    for (const int node : nodes) sorted.emplace(node == exit_node ? 1 << 30 : line_of(graph_.nodes[node]), place(node));
    std::vector<std::string> texts;
    for (const auto& [line, text] : sorted) texts.push_back(text);
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  // `x (3, 5, ?)`
  std::string with_origin(int node, const std::string& name) const {
    std::vector<int> nodes;
    bool undefined = false;
    for (const Definition& definition : reaching_.before(node, name)) {
      if (definition.undefined) undefined = true;
      else nodes.push_back(definition.node);
    }
    if (nodes.empty() && !undefined) return name;
    std::string origin = places(nodes);
    if (undefined) origin += origin.empty() ? "?" : ", ?";
    return fmt::format("{} ({})", name, origin);
  }

  std::string called(int node) const {
    std::set<std::string> texts;
    for (const LocalFunction* function : functions_.named_by(node)) {
      texts.insert(fmt::format("{} ({})", function->name, place(function->node)));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string captured(int node) const {
    std::string text = fmt::format("{}", fmt::join(uses_[node].captured, ", "));
    for (const LocalFunction& function : functions_.functions()) {
      if (function.node == node && function.escapes && !function.captured.empty()) return text + ", for any call from here on";
    }
    return text;
  }

  std::string note(int number) const {
    const Node& node = graph_.nodes[number];
    const Uses& uses = uses_[number];
    std::vector<std::string> parts;
    const auto add = [&](const char* title, const std::string& text) {
      if (!text.empty()) parts.push_back(fmt::format("{} {}", title, text));
    };
    const auto names = [](const NameSet& set) { return fmt::format("{}", fmt::join(set, ", ")); };
    add("next", places(node.next));
    std::vector<int> caught;
    std::copy_if(node.exceptional.begin(), node.exceptional.end(), std::back_inserter(caught),
                 [](int to) { return to != exit_node; });
    add("raises", places(caught));
    std::vector<std::string> reads;
    for (const std::string& name : uses.reads) reads.push_back(with_origin(number, name));
    add("reads", fmt::format("{}", fmt::join(reads, ", ")));
    add("writes", names(uses.writes));
    add("may write", names(calls_[number].may_write));
    add("deletes", names(uses.deletes));
    add("captures", captured(number));
    add("calls", called(number));
    add("live", names(live(number)));
    return label(node.part) + fmt::format("{}", fmt::join(parts, " · "));
  }

  // Of the function's own variables.
  NameSet live(int node) const {
    NameSet names;
    for (const std::string& name : liveness_.live_before(node)) {
      if (bindings_.is_local(name) || declared_.count(name)) names.insert(name);
    }
    return names;
  }

  Range at_;
  const std::vector<std::string>& lines_;
  Bindings bindings_;
  NameSet declared_;
  Graph graph_;
  std::vector<Uses> uses_;
  ReachingFunctions functions_;
  std::vector<Uses> calls_;
  ReachingDefinitions reaching_;
  Liveness liveness_;
  std::set<int> hidden_;
};

void functions_in(const Block& block, const std::string& prefix, const std::vector<std::string>& lines, std::string& out) {
  for (const StmtPtr& stmt : block) {
    std::string inner = prefix;
    if (auto* def = as<FunctionDef>(*stmt)) {
      inner = prefix + def->name;
      out += fmt::format("\n{}({})\n", inner, fmt::join(parameter_names(def->parameters), ", "));
      out += FunctionListing(*def, stmt->range, lines).text();
      inner += ".";
    } else if (auto* type = as<ClassDef>(*stmt)) {
      inner = prefix + type->name + ".";
    }
    for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { functions_in(nested, inner, lines, out); });
  }
}

}  // namespace

std::string listing(const Module& module) {
  std::string out;
  on_deep_stack([&] {
    print(scopes_of(module), 0, out);
    functions_in(module.body, "", lines_of(module.source), out);
  });
  return out;
}

}  // namespace lantern::analysis
