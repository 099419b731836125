// Two functions are alike if they are equal but for the names of their variables, and for calls of functions that are alike; which those are, is assumed of
// all that come from one place, and taken back until nothing contradicts it. So functions are, too, that call themselves or one another.
#include "lantern/alike_functions.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "support/match.h"

namespace lantern {

namespace {

using Pairs = std::set<std::pair<const ir::Function*, const ir::Function*>>;

bool are_equal(const Location& a, const Location& b) { return a.line == b.line && a.column == b.column && a.file_name() == b.file_name(); }

bool are_equal(const ir::Literal& a, const ir::Literal& b) {
  const auto *number = std::get_if<double>(&a), *other = std::get_if<double>(&b);
  return number && other ? std::memcmp(number, other, sizeof *number) == 0 : a == b;  // 0.0 is not -0.0, and a NaN is itself
}

bool are_equal(const Attributes& a, const Attributes& b) {
  return a.dtype == b.dtype && a.name == b.name && a.text == b.text && (a.type && b.type ? same_type(a.type, b.type) : a.type == b.type);
}

/// One comparison of two functions.
class Comparison {
 public:
  explicit Comparison(const Pairs& alike) : alike_(alike) {}

  bool operator()(const ir::Function& a, const ir::Function& b) {
    return !a.derivative && !b.derivative && bind(a.formals, b.formals) && same_types(a.results, b.results) && same_type(a.result_type, b.result_type) && same(a.body, b.body) &&
           std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), [&](const auto& x, const auto& y) { return x.depth == y.depth && same(x.lists, y.lists); });
  }

 private:
  static bool same_types(const std::vector<Type>& a, const std::vector<Type>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_type); }

  bool bind(const std::vector<ir::Variable*>& a, const std::vector<ir::Variable*>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto* x, const auto* y) { return bind(x, y); });
  }
  bool bind(const ir::Variable* a, const ir::Variable* b) {
    names_[a] = b;
    return same_type(a->type, b->type) && a->storage == b->storage;
  }

  bool same(const ir::Variable* a, const ir::Variable* b) const {
    const auto found = names_.find(a);
    return found == names_.end() ? a == b : found->second == b;
  }
  bool same(const std::vector<ir::Variable*>& a, const std::vector<ir::Variable*>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto* x, const auto* y) { return same(x, y); });
  }
  bool same(const ir::Operand& a, const ir::Operand& b) const {
    return (a.variable ? b.variable && same(a.variable, b.variable) : !b.variable && are_equal(a.literal, b.literal)) && same_type(a.type, b.type) && a.present == b.present;
  }
  bool same(const std::vector<ir::Operand>& a, const std::vector<ir::Operand>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) { return same(x, y); });
  }
  bool same(const ir::Function* a, const ir::Function* b) const { return a == b || alike_.contains({a, b}) || alike_.contains({b, a}); }
  bool same(const ir::Block& a, const ir::Block& b) {
    return a.raises == b.raises && std::equal(a.bindings.begin(), a.bindings.end(), b.bindings.begin(), b.bindings.end(), [&](const auto& x, const auto& y) { return same(x, y); }) &&
           same(a.results, b.results);
  }
  bool same(const ir::Range& a, const ir::Range& b) const { return same(a.start, b.start) && same(a.stop, b.stop) && same(a.step, b.step); }

  bool same(const ir::Binding& a, const ir::Binding& b) {
    return are_equal(a.location, b.location) && a.at_once == b.at_once && a.node.index() == b.node.index() && same_node(a.node, b.node) && bind(a.results, b.results);
  }

  bool same_node(const ir::Node& node, const ir::Node& other) {
    const auto as = [&](const auto& n) -> const auto& { return std::get<std::decay_t<decltype(n)>>(other); };
    return match(
        node,
        [&](const ir::Operate& n) {
          const auto& o = as(n);
          return n.op == o.op && same(n.operands, o.operands) && are_equal(n.attributes, o.attributes) && n.derived == o.derived && n.unchecked == o.unchecked;
        },
        [&](const ir::Call& n) { return same(n.callee, as(n).callee) && same(n.operands, as(n).operands); },
        [&](const ir::If& n) { return same(n.condition, as(n).condition) && same(*n.then, *as(n).then) && same(*n.otherwise, *as(n).otherwise); },
        [&](const ir::While& n) { return same(n.initial, as(n).initial) && bind(n.state, as(n).state) && same(*n.test, *as(n).test) && same(*n.body, *as(n).body); },
        [&](const ir::For& n) {
          const auto& o = as(n);
          const auto *range = std::get_if<ir::Range>(&n.sequence), *other_range = std::get_if<ir::Range>(&o.sequence);
          const bool one = range ? other_range && same(*range, *other_range) : !other_range && same(std::get<ir::Operand>(n.sequence), std::get<ir::Operand>(o.sequence));
          return one && same(n.initial, o.initial) && bind(n.element, o.element) && bind(n.state, o.state) && same(*n.test, *o.test) && same(*n.body, *o.body);
        },
        [&](const ir::Each& n) { return same(n.turns, as(n).turns) && bind(n.turn, as(n).turn) && same(*n.body, *as(n).body); },
        [&](const ir::Field& n) { return same(n.object, as(n).object) && n.name == as(n).name; }, [&](const ir::IsNone& n) { return same(n.object, as(n).object); },
        [&](const ir::Make& n) { return n.structure == as(n).structure && same(n.fields, as(n).fields); }, [&](const ir::Copy& n) { return same(n.value, as(n).value); },
        [&](const ir::ValueAndGrad& n) { return n.callee == as(n).callee && n.wrt == as(n).wrt && same(n.operands, as(n).operands) && n.in_parts == as(n).in_parts; },
        [&](const ir::AddGradient& n) { return n.callee == as(n).callee && same(n.operands, as(n).operands) && n.of == as(n).of && same(n.adjoint, as(n).adjoint); },
        [&](const ir::Jvp& n) { return n.callee == as(n).callee && same(n.operands, as(n).operands) && same(n.tangents, as(n).tangents); },
        [&](const ir::Update& n) { return same(n.targets, as(n).targets) && same(n.values, as(n).values); },
        [&](const ir::Initialize& n) { return same(n.target, as(n).target) && same(n.dims, as(n).dims); },
        [&](const ir::Print& n) { return same(n.operands, as(n).operands) && n.is_line == as(n).is_line; },
        [&](const ir::Assert& n) { return same(n.condition, as(n).condition) && n.message == as(n).message; },
        [&](const ir::Raise& n) { return n.kind == as(n).kind && n.message == as(n).message && same(n.operands, as(n).operands); });
  }

  const Pairs& alike_;
  std::map<const ir::Variable*, const ir::Variable*> names_;
};

Pairs alike_functions(const ir::Program& program) {
  Pairs alike;
  for (auto first = program.functions.begin(); first != program.functions.end(); ++first) {
    for (auto second = std::next(first); second != program.functions.end(); ++second) {
      if (first->location.known() && are_equal(first->location, second->location)) alike.insert({&*first, &*second});
    }
  }
  for (bool is_known = false; !is_known;) {
    is_known = true;
    for (auto pair = alike.begin(); pair != alike.end();) {
      if (Comparison(alike)(*pair->first, *pair->second)) {
        ++pair;
      } else {
        pair = alike.erase(pair);
        is_known = false;
      }
    }
  }
  return alike;
}

using Functions = std::map<const ir::Function*, ir::Function*>;

void call_the_first(ir::Block& block, const Functions& firsts) {
  const auto first = [&](ir::Function*& callee) {
    if (const auto found = firsts.find(callee); found != firsts.end()) callee = found->second;
  };
  for (auto& binding : block.bindings) {
    if (auto* call = std::get_if<ir::Call>(&binding.node)) first(call->callee);
    if (auto* gradient = std::get_if<ir::ValueAndGrad>(&binding.node)) {
      const ir::Function* before = gradient->callee;
      first(gradient->callee);
      for (auto& variable : gradient->wrt) {
        const auto formal = std::find(before->formals.begin(), before->formals.end(), variable);
        if (formal != before->formals.end()) variable = gradient->callee->formals[static_cast<std::size_t>(formal - before->formals.begin())];
      }
    }
    if (auto* sum = std::get_if<ir::AddGradient>(&binding.node)) first(sum->callee);
    if (auto* jvp = std::get_if<ir::Jvp>(&binding.node)) first(jvp->callee);
    ir::for_each_block(binding.node, [&](ir::Block& nested) { call_the_first(nested, firsts); });
  }
}

}  // namespace

void merge_alike(ir::Program& program) {
  const Pairs alike = alike_functions(program);
  Functions firsts;
  for (auto& function : program.functions) {  // the first of all, in order
    for (const auto& pair : alike) {
      if (pair.first == &function) firsts.emplace(pair.second, &function);
    }
  }
  if (firsts.empty()) return;
  for (auto& function : program.functions) call_the_first(function.body, firsts);
}

}  // namespace lantern
