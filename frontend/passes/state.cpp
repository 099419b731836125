// A variable that an `if`, a loop or a `try` modifies is
//   live behind the statement (or, for a loop, at its head)  → state
//   written by one branch and read first by the other        → state, but no output
//   (of a `try`: read first, since it may run again)
//   seen by a closure that may be called behind it, or in another turn → shared; state if it is read then
//   none of these                                            → the branch's own local
//
//     if tree.is_empty:          state: total
//         total = base           own:   left, right
//     else:
//         left = f(tree.left)
//         right = f(tree.right)
//         total = left * right
//     return total
#include "frontend/passes/state.h"

#include <algorithm>

namespace lantern::passes {

using namespace analysis;
using namespace syntax;

namespace {

// The function that a statement's code will stand in: the user's, or one that a branch becomes.
struct Owner {
  NameSet shared;                       // variables that live further out
  std::set<int> nodes;                  // that stand in it directly
  std::vector<std::string>* undefined;  // what it begins with
};

class Analysis {
 public:
  Analysis(const Function& function, ControlFlow& flow)
      : function_(function),
        flow_(flow),
        bindings_(bindings_of(function.def.parameters, function.def.body)),
        always_(declared()),
        locals_(undeclared_locals()),
        bound_(bindings_.locals),
        calls_(with_calls(flow.uses, ReachingFunctions(flow.graph, flow.uses, always_))),
        liveness_(flow.graph, flow.uses, always_),
        liveness_by_calls_(flow.graph, calls_, always_) {
    const std::vector<std::string> parameters = parameter_names(function.def.parameters);
    parameters_ = {parameters.begin(), parameters.end()};
    local_set_ = {locals_.begin(), locals_.end()};
    for (const std::string& name : always_) {  // perhaps only a function made here sets it
      if (std::find(bound_.begin(), bound_.end(), name) == bound_.end()) bound_.push_back(name);
    }
    flow.reaching = std::make_shared<ReachingDefinitions>(flow.graph, calls_, locals_, parameters_);
    for (std::size_t node = 0; node < flow.uses.size(); ++node) {
      for (const std::string& name : flow.uses[node].captured) captures_[name].push_back(static_cast<int>(node));
    }
  }

  void run() {
    Owner owner{{}, {entry_node}, &flow_.undefined};
    collect_direct(function_.def.body, owner.nodes);
    block(function_.def.body, owner, false);
    define_what_may_be_unbound(owner);
    for (auto& [stmt, state] : flow_.statements) {
      for (const QualifiedName& place : state.names) {
        if (!place.is_simple() && flow_.maybe_undefined.count(place.root)) state.unsure.insert(place.root);
      }
    }
  }

 private:
  NameSet declared() const {
    NameSet names = bindings_.globals;
    names.insert(bindings_.nonlocals.begin(), bindings_.nonlocals.end());
    return names;
  }
  std::vector<std::string> undeclared_locals() const {
    std::vector<std::string> names;
    for (const std::string& name : bindings_.locals) {
      if (!always_.count(name)) names.push_back(name);
    }
    return names;
  }

  NameSet written_in(const Region& region) const {
    NameSet names;
    for (int node = region.first; node < region.last; ++node) {
      const Uses& uses = calls_[node];
      for (const NameSet* set : {&uses.writes, &uses.may_write, &uses.deletes}) names.insert(set->begin(), set->end());
    }
    return names;
  }

  bool captured(const std::string& name, const Region& region, bool inside) const {
    const auto found = captures_.find(name);
    if (found == captures_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](int node) { return region.contains(node) == inside; });
  }

  // The nodes whose effects happen in the function that the block stands in, not in one that it contains.
  void collect_direct(const Block& statements, std::set<int>& nodes) const {
    for (const StmtPtr& stmt : statements) {
      const Region region = flow_.graph.statements.at(stmt.get());
      if (is<While>(*stmt)) continue;  // its test becomes a function
      nodes.insert(region.first);
      if (is<If>(*stmt) || is<For>(*stmt) || is_converted_try(function_, *stmt) || is<FunctionDef>(*stmt) || is<ClassDef>(*stmt)) continue;
      for (int node = region.first; node < region.last; ++node) {
        if (flow_.graph.nodes[node].stmt == stmt.get()) nodes.insert(node);
      }
      for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { collect_direct(nested, nodes); });
    }
  }

  void block(const Block& statements, const Owner& owner, bool in_loop) {
    for (const StmtPtr& stmt : statements) {
      const bool loops = is<While>(*stmt) || is<For>(*stmt);
      if (loops || is<If>(*stmt) || is_converted_try(function_, *stmt)) {
        StatementState& state = flow_.statements[stmt.get()];
        choose_state(*stmt, state, in_loop || loops);
        define_shared(*stmt, state, owner);
        if (auto* branch = as<If>(stmt)) {
          inside(branch->body, state.body, state, in_loop);
          inside(branch->orelse, state.orelse, state, in_loop);
        } else if (is<Try>(*stmt)) {
          inside_try(*stmt, state, in_loop);
        } else {
          inside(is<For>(*stmt) ? as<For>(stmt)->body : as<While>(stmt)->body, state.body, state, true);
        }
      } else if (!is<FunctionDef>(*stmt) && !is<ClassDef>(*stmt)) {
        for_each_block(static_cast<const Stmt&>(*stmt), [&](const Block& nested) { block(nested, owner, in_loop); });
      }
    }
  }

  void inside(const Block& statements, Branch& branch, const StatementState& state, bool in_loop) {
    Owner owner{state.shared, {}, &branch.undefined};
    collect_direct(statements, owner.nodes);
    block(statements, owner, in_loop);
  }

  void inside_try(const Stmt& stmt, StatementState& state, bool in_loop) {
    Owner owner{state.shared, {}, &state.body.undefined};
    const Region whole = flow_.graph.statements.at(&stmt);
    for (int node = whole.first + 1; node < whole.last; ++node) {
      if (flow_.graph.nodes[node].stmt == &stmt) owner.nodes.insert(node);
    }
    for_each_block(stmt, [&](const Block& nested) { collect_direct(nested, owner.nodes); });
    for_each_block(stmt, [&](const Block& nested) { block(nested, owner, in_loop); });
  }

  // What a variable that a statement modifies is read for, by one of the two livenesses.
  struct Readers {
    NameSet outputs;  // behind the statement, or in another turn
    NameSet inputs;   // in a branch, of what was there before the statement
  };

  Readers readers(const Stmt& stmt, const StatementState& state, const Liveness& liveness) const {
    const Region whole = flow_.graph.statements.at(&stmt);
    Readers result{liveness.live_after(whole), {}};
    const auto enter = [&](const Block& statements) {
      const Region region = flow_.graph.blocks.at(&statements);
      if (region.empty()) return;
      const NameSet& live = liveness.live_before(region.first);
      result.inputs.insert(live.begin(), live.end());
    };
    if (auto* branch = as<If>(stmt)) {
      enter(branch->body);
      enter(branch->orelse);
      return result;
    }
    if (is<Try>(stmt)) {
      result.inputs = liveness.live_before(whole.first);
      return result;
    }
    auto* conditional = as<While>(stmt);
    enter(conditional ? conditional->body : as<For>(stmt)->body);
    // What is live where a turn begins is carried from turn to turn.
    const NameSet& carried = liveness.live_before(conditional ? whole.first : whole.first + 1);
    result.outputs.insert(carried.begin(), carried.end());
    if (!state.test.writes.empty()) result.outputs.insert(result.inputs.begin(), result.inputs.end());
    result.inputs.clear();
    return result;
  }

  void note_writes(const Stmt& stmt, StatementState& state) const {
    const auto blocks = [&](const Block& statements) { return written_in(flow_.graph.blocks.at(&statements)); };
    if (auto* branch = as<If>(stmt)) {
      state.body.writes = blocks(branch->body);
      state.orelse.writes = blocks(branch->orelse);
    } else if (is<Try>(stmt)) {
      state.body.writes = written_in(flow_.graph.statements.at(&stmt));
    } else if (auto* loop = as<For>(stmt)) {
      state.body.writes = blocks(loop->body);
    } else if (auto* loop = as<While>(stmt)) {
      const int head = flow_.graph.statements.at(&stmt).first;
      state.body.writes = blocks(loop->body);
      state.test.writes = written_in({head, head + 1});
    }
  }

  // Whether somebody writes the name in another part of the function than the region.
  bool written_outside(const std::string& name, const Region& region) const {
    const int end = static_cast<int>(flow_.graph.nodes.size());
    return written_in({0, region.first}).count(name) || written_in({region.last, end}).count(name);
  }

  void choose_state(const Stmt& stmt, StatementState& state, bool in_loop) {
    const Region whole = flow_.graph.statements.at(&stmt);
    note_writes(stmt, state);
    const Readers direct = readers(stmt, state, liveness_), through_calls = readers(stmt, state, liveness_by_calls_);

    NameSet modified = state.body.writes;
    modified.insert(state.orelse.writes.begin(), state.orelse.writes.end());
    modified.insert(state.test.writes.begin(), state.test.writes.end());
    std::vector<QualifiedName> dead;
    for (const std::string& name : bound_) {
      if (!modified.count(name)) continue;
      const bool seen_outside = always_.count(name) || captured(name, whole, false);
      const bool seen_inside = captured(name, whole, true) && (in_loop || written_outside(name, whole));
      if (direct.outputs.count(name) || (seen_outside && through_calls.outputs.count(name))) {
        state.names.push_back({name});
      } else if (direct.inputs.count(name) || (seen_outside && through_calls.inputs.count(name))) {
        dead.push_back({name});
      } else if (!seen_outside && !seen_inside) {
        continue;
      }
      state.shared.insert(name);
    }
    const auto places = function_.places.find(&stmt);
    if (places != function_.places.end()) {
      for (const QualifiedName& place : places->second) {
        // Behind a store to what may hold it, the place is another's: the object that had it tells of its own changes.
        const bool holder_is_modified = modified.count(place.root) || std::any_of(places->second.begin(), places->second.end(), [&](const QualifiedName& other) { return place.may_be_within(other); });
        if (!holder_is_modified && has_value(whole.first, place.root)) state.names.push_back(place);
      }
    }
    state.outputs = static_cast<int>(state.names.size());
    state.names.insert(state.names.end(), dead.begin(), dead.end());
  }

  bool has_value(int node, const std::string& name) const {
    return !bindings_.is_local(name) || flow_.reaching->may_be_defined(node, name);
  }

  // A variable that a branch shares needs a binding in the function around it, and a value if it has none yet.
  void define_shared(const Stmt& stmt, StatementState& state, const Owner& owner) {
    const Region whole = flow_.graph.statements.at(&stmt);
    for (const std::string& name : locals_) {
      if (!state.shared.count(name) || owner.shared.count(name)) continue;
      const std::vector<Definition> definitions = flow_.reaching->entering(whole, name);
      bool defined = false, undefined = false, direct = true;
      for (const Definition& definition : definitions) {
        (definition.undefined ? undefined : defined) = true;
        direct = direct && owner.nodes.count(definition.node);
      }
      const bool live = liveness_.is_live(whole.first, name) || captured(name, whole, false);
      if (defined && !undefined && (live || direct)) continue;
      flow_.maybe_undefined.insert(name);
      if (live && defined) {
        begin_undefined(owner, name);
      } else if (!defined || !begins_bound(owner, name)) {
        state.undefined.push_back(name);
      }
    }
  }

  // A parameter has a binding and a value where the function begins; a branch that does not share it has a variable of its own.
  bool begins_bound(const Owner& owner, const std::string& name) const { return owner.undefined == &flow_.undefined && parameters_.count(name); }

  void begin_undefined(const Owner& owner, const std::string& name) const {
    if (!begins_bound(owner, name)) add(*owner.undefined, name);
  }

  // A function of ours that reads a variable without a value would find an empty cell, which Python reports in other
  // words than an unbound local; and a variable that only branches bind would be a global outside them.
  void define_what_may_be_unbound(const Owner& function) {
    std::map<std::string, std::set<int>> unbound;
    for (std::size_t i = 0; i < flow_.uses.size(); ++i) {
      const int node = static_cast<int>(i);
      for (const auto* read : {&flow_.uses[node].reads, &flow_.uses[node].captured}) {
        for (const std::string& name : *read) {
          if (!local_set_.count(name) || !flow_.reaching->may_be_undefined(node, name)) continue;
          const bool users_closure = read == &flow_.uses[node].captured && bound_in(function, name) && !is_ours(node);
          if (users_closure && !flow_.maybe_undefined.count(name)) continue;
          const auto known = unbound.find(name);
          if (!(known == unbound.end() ? unbound[name] = nodes_without_binding(name) : known->second).count(node)) continue;
          flow_.maybe_undefined.insert(name);
          begin_undefined(function, name);
        }
      }
    }
  }

  // A function that a pass made for an operand is called where it stands: its reads are the function's own.
  bool is_ours(int node) const {
    const Stmt* stmt = flow_.graph.nodes[node].stmt;
    auto* def = stmt ? as<FunctionDef>(*stmt) : nullptr;
    return def && function_.ours.count(def->name);
  }

  // Where control may come from the beginning past no binding of the name, those to Undefined included.
  std::set<int> nodes_without_binding(const std::string& name) const {
    std::set<int> defined;
    for (const auto& [stmt, state] : flow_.statements) {
      const bool defines = std::count(state.undefined.begin(), state.undefined.end(), name) > 0;
      if (defines) defined.insert(flow_.graph.statements.at(stmt).first);
    }
    std::set<int> seen;
    std::vector<int> work{entry_node};
    for (std::size_t node = 0; node < flow_.uses.size(); ++node) {
      if (flow_.uses[node].deletes.count(name)) work.push_back(static_cast<int>(node));
    }
    while (!work.empty()) {
      const int from = work.back();
      work.pop_back();
      const auto visit = [&](int to) {
        if (!defined.count(to) && seen.insert(to).second) work.push_back(to);
      };
      if (!flow_.uses[from].writes.count(name)) {
        for (const int to : flow_.graph.nodes[from].next) visit(to);
      }
      for (const int to : flow_.graph.nodes[from].exceptional) visit(to);
    }
    return seen;
  }

  // Whether a node that stands in `owner` directly binds the name.
  bool bound_in(const Owner& owner, const std::string& name) const {
    return parameters_.count(name) || std::any_of(owner.nodes.begin(), owner.nodes.end(), [&](int node) {
             const Uses& uses = flow_.uses[node];
             return uses.writes.count(name) || uses.may_write.count(name) || uses.deletes.count(name);
           });
  }

  static void add(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }

  const Function& function_;
  ControlFlow& flow_;
  Bindings bindings_;
  NameSet always_;                   // declared global or nonlocal: anybody may read them
  std::vector<std::string> locals_;  // the rest of what is bound here
  std::vector<std::string> bound_;   // all
  NameSet local_set_, parameters_;
  std::vector<Uses> calls_;          // the uses, with what the functions made here do where they are called
  Liveness liveness_;                // a closure reads where it is made
  Liveness liveness_by_calls_;       // and here, where it may be called
  std::map<std::string, std::vector<int>> captures_;
};

}  // namespace

ControlFlow analyse_control_flow(const Function& function) {
  ControlFlow flow;
  flow.graph = control_flow_graph(function.def.body);
  for (const Node& node : flow.graph.nodes) {
    flow.uses.push_back(uses_of(node, function.operators));
    const auto flag = function.break_flags.find(node.stmt);
    if (node.part == Part::element && flag != function.break_flags.end()) flow.uses.back().reads.insert(flag->second);
  }
  Analysis(function, flow).run();
  return flow;
}

}  // namespace lantern::passes
