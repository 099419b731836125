// In
//   y = for i in (range 0 n 1) with a = b { t = index(a, i); u = t * w; c = with-item(a, i, u) => c }
// a, c and y are one array: nothing reads a behind the with-item. With `s = index(a, 0)` behind it they are not. In
//   r = index(a, i); s = write(r, j, u); c = write(a, i, s)
// it is an item of a list of lists that is set: nothing stands between the row that was read and its store.
#include "lantern/changed_arrays.h"

#include <algorithm>
#include <iterator>

#include "support/match.h"

namespace lantern {

using namespace ir;

namespace {

using VariableSet = std::set<const Variable*>;

VariableSet common(const VariableSet& a, const VariableSet& b) {
  VariableSet all;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(all, all.end()));
  return all;
}

bool is_table(const Type& type) { return is(type, TypeKind::list) ? is_table(resolve(type)->elements[0]) : is_numeric(type); }

/// Whether an operation gives a list of numbers, or arrays, with places of its own.
bool makes_places_of_its_own(const Operator& op, const Type& result) {
  constexpr std::string_view makers[] = {"slice", "strided", "concat", "argsort", "make-slots", "with-slot"};
  return is(result, TypeKind::list) && is_numeric(resolve(result)->elements[0]) && std::find(std::begin(makers), std::end(makers), op.name) != std::end(makers);
}

/// Whether an operation gives its first operand, a list, with other places.
bool resizes(const Operator& op) { return op.name == "append" || op.name == "pop" || op.name == "remove" || op.name == "insert"; }

bool are_one(const Operand& a, const Operand& b) {
  if (a.variable || b.variable) return a.variable == b.variable;
  const auto *i = std::get_if<std::int64_t>(&a.literal), *j = std::get_if<std::int64_t>(&b.literal);
  return i && j && *i == *j;
}

/// What stands for the array at some place.
struct Standing {
  VariableSet current;  // as it is
  VariableSet views;    // for some of it
  friend bool operator==(const Standing&, const Standing&) = default;
};

class Following {
 public:
  explicit Following(ChangedArray& array) : array_(array), is_list_(is(array.variable->type, TypeKind::list)) { add_version(array.variable); }

  /// Whether every version of the root loop's state number i is gone when the next one is there.
  template <class Loop>
  bool run(const Loop& loop, std::size_t i) {
    Standing names;
    turns(loop, {i}, names);
    return follows_ && std::any_of(array_.writes.begin(), array_.writes.end(), [](const auto& write) { return !write.second.places.empty(); });
  }

 private:
  using Places = std::vector<Operand>;

  /// A row with an item set, which is to be stored where it was read before anything else is read.
  struct ChangedRow {
    ItemWrite write;
    Places of_row;
    Standing before;
  };

  void fail() { follows_ = false; }
  void add_version(const Variable* variable) {
    array_.versions.insert(variable);
    met_.insert(variable);
  }
  void name(const Variable* variable, Standing& names) {
    add_version(variable);
    names.current.insert(variable);
  }

  bool is_met(const Operand& operand) const { return operand.variable && met_.contains(operand.variable); }
  bool is_current(const Operand& operand, const Standing& names) const { return operand.variable && names.current.contains(operand.variable); }
  bool is_readable(const Operand& operand, const Standing& names) const {
    return !is_met(operand) || is_current(operand, names) || names.views.contains(operand.variable);
  }
  template <class Iterator>
  bool are_readable(Iterator begin, Iterator end, const Standing& names) const {
    return std::all_of(begin, end, [&](const auto& operand) { return is_readable(operand, names); });
  }

  void walk(const Block& block, Standing& names) {
    for (const auto& binding : block.bindings) {
      if (!follows_) return;
      const int writes = writes_;
      walk(binding, names);
      if (writes_ > writes && !array_.writes.contains(&binding)) array_.around.insert(&binding);
    }
  }

  void walk(const Binding& binding, Standing& names) {
    match(
        binding.node, [&](const Operate& n) { operate(binding, n, names); },
        [&](const Call& n) {
          if (std::none_of(n.operands.begin(), n.operands.end(), [&](const Operand& o) { return is_met(o); })) return;
          const bool gives_numbers = std::all_of(binding.results.begin(), binding.results.end(), [](const Variable* v) { return is_one_number(v->type); });
          if (n.callee->derivative || !gives_numbers || !are_readable(n.operands.begin(), n.operands.end(), names)) fail();
        },
        [&](const Copy& n) {
          if (!is_met(n.value)) return;
          if (!is_current(n.value, names) || !same_type(n.value.type, binding.results[0]->type)) return fail();
          name(binding.results[0], names);
        },
        [&](const If& n) { branch(binding, n, names); },
        [&](const While& n) { loop(binding, n, names); },
        [&](const For& n) {
          const auto* sequence = std::get_if<Operand>(&n.sequence);
          const bool goes_along = sequence && is_met(*sequence);
          if (goes_along && !(is_list_ && is_readable(*sequence, names))) return fail();
          if (goes_along && !is_numeric(n.element->type)) view(n.element, names);
          const int writes = writes_;
          loop(binding, n, names);
          if (goes_along && writes_ > writes) fail();
        },
        [&](const auto&) { anything_else(binding, names); });
  }

  void operate(const Binding& binding, const Operate& n, Standing& names) {
    if (is_list_ ? n.op->name == "write" && is_met(n.operands[0]) : n.op->name == "with-item" && is_current(n.operands[0], names)) return write(binding, n, names);
    if (is_list_ && resizes(*n.op) && is_current(n.operands[0], names)) {
      return are_readable(n.operands.begin() + 1, n.operands.end(), names) ? set(binding, {n.operands[0]}, names) : fail();
    }
    const auto from = n.operands.begin() + (!is_list_ && is_of_shape(*n.op) ? 1 : 0);  // the shape of what was there before is the same
    if (std::none_of(from, n.operands.end(), [&](const Operand& o) { return is_met(o); })) return;
    if (n.op->effect || !are_readable(from, n.operands.end(), names) || binding.results.size() != 1) return fail();
    const Variable* result = binding.results[0];
    if (is_one_number(result->type)) return;
    if (is_list_ ? is_numeric(result->type) || makes_places_of_its_own(*n.op, result->type) : is_numeric(result->type) && makes_elements_of_its_own(*n.op)) return;
    if (!is_list_ && !is_numeric(result->type)) return fail();
    view(result, names);
    if (!is_list_ || n.op->name != "index") return;
    if (is_current(n.operands[0], names)) rows_[result] = {n.operands[1]};
    const auto outer = rows_.find(n.operands[0].variable);
    if (outer != rows_.end()) rows_[result] = joined(outer->second, n.operands[1]);
  }

  void view(const Variable* variable, Standing& names) {
    met_.insert(variable);
    names.views.insert(variable);
  }

  static Places joined(Places places, const Operand& place) {
    places.push_back(place);
    return places;
  }

  /// Sets an item of the whole or of a row, or stores a row of which one was set.
  void write(const Binding& binding, const Operate& n, Standing& names) {
    const Operand &whole = n.operands[0], &item = n.operands.back();
    const Variable* result = binding.results[0];
    const Places places(n.operands.begin() + 1, n.operands.end() - 1);
    if (const auto changed = changed_rows_.find(item.variable); changed != changed_rows_.end()) {
      ChangedRow row = changed->second;
      const bool ends = is_current(whole, row.before);
      const auto outer = rows_.find(whole.variable);
      if (!ends && (outer == rows_.end() || !row.before.views.contains(whole.variable))) return fail();
      const Places here = joined(ends ? Places() : outer->second, places[0]);
      if (!std::equal(here.begin(), here.end(), row.of_row.begin(), row.of_row.end(), are_one)) return fail();
      if (ends) return set(binding, row.write, names);
      row.of_row.pop_back();
      changed_rows_[result] = row;
      return add_version(result);
    }
    if (!are_readable(n.operands.begin() + 1, n.operands.end(), names)) return fail();
    if (is_current(whole, names)) return set(binding, {whole, places, item}, names);
    const auto row = rows_.find(whole.variable);
    if (row == rows_.end() || !names.views.contains(whole.variable)) return fail();
    changed_rows_[result] = {{whole, joined(row->second, places[0]), item}, row->second, names};
    add_version(result);
    names = {};
  }

  void set(const Binding& binding, const ItemWrite& write, Standing& names) {
    ++writes_;
    array_.writes[&binding] = write;
    names = {};
    name(binding.results[0], names);
  }

  void branch(const Binding& binding, const If& n, Standing& names) {
    Standing then = names, otherwise = names;
    walk(*n.then, then);
    walk(*n.otherwise, otherwise);
    if (!follows_) return;
    VariableSet results;
    for (std::size_t i = 0; i < binding.results.size(); ++i) {
      const auto is_name = [&](const Block& block, const Standing& end) { return block.raises || is_current(block.results[i], end); };
      const auto is_apart = [&](const Block& block) { return block.raises || !is_met(block.results[i]); };
      if (is_apart(*n.then) && is_apart(*n.otherwise)) continue;
      if (!is_name(*n.then, then) || !is_name(*n.otherwise, otherwise)) return fail();
      results.insert(binding.results[i]);
    }
    if (n.then->raises) then = otherwise;
    if (n.otherwise->raises) otherwise = then;
    names = {common(then.current, otherwise.current), common(then.views, otherwise.views)};
    for (const auto* result : results) name(result, names);
  }

  template <class Loop>
  void loop(const Binding& binding, const Loop& n, Standing& names) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < n.state.size(); ++i) {
      if (is_current(n.initial[i], names)) places.push_back(i);
      else if (is_met(n.initial[i])) return fail();
    }
    turns(n, places, names);
    if (!follows_) return;
    for (const std::size_t i : places) name(binding.results[i], names);
  }

  /// Until what stands for the array at the beginning of a turn is what does at the beginning of any.
  template <class Loop>
  void turns(const Loop& n, const std::vector<std::size_t>& places, Standing& names) {
    for (const std::size_t i : places) name(n.state[i], names);
    const auto is_place = [&](std::size_t i) { return std::find(places.begin(), places.end(), i) != places.end(); };
    for (Standing head = names; follows_;) {
      const int writes = writes_;
      names = head;
      walk(*n.test, names);
      if (writes_ > writes) return fail();
      Standing end = names;
      walk(*n.body, end);
      if (!follows_ || n.body->raises) return;
      for (std::size_t i = 0; i < n.state.size(); ++i) {
        if (!is_place(i) && is_met(n.body->results[i])) return fail();
        if (is_place(i) && !is_current(n.body->results[i], end)) return fail();
        if (is_place(i)) end.current.insert(n.state[i]);
      }
      const Standing again{common(head.current, end.current), common(head.views, end.views)};
      if (again == head) return;
      head = again;
    }
  }

  /// It may print a number of the array, or end the program by one.
  void anything_else(const Binding& binding, const Standing& names) {
    const bool only_reads = std::holds_alternative<Print>(binding.node) || std::holds_alternative<Assert>(binding.node) || std::holds_alternative<Raise>(binding.node);
    for (const auto* operand : operands_of(binding.node)) {
      if (is_met(*operand) && !(only_reads && is_readable(*operand, names))) fail();
    }
    for_each_block(binding.node, [&](const Block& nested) {
      for_each_operand(const_cast<Block&>(nested), [&](const Operand& operand) {  // which are looked at only
        if (is_met(operand)) fail();
      });
    });
  }

  ChangedArray& array_;
  const bool is_list_;
  VariableSet met_;   // all that have stood for it, or for some of it
  std::map<const Variable*, Places> rows_;
  std::map<const Variable*, ChangedRow> changed_rows_;
  int writes_ = 0;
  bool follows_ = true;
};

}  // namespace

std::optional<ChangedArray> changed_array(const Node& node, std::size_t i) {
  const auto follow = [&](const auto& loop) -> std::optional<ChangedArray> {
    Variable* state = loop.state[i];
    if (is(state->type, TypeKind::list) ? !is_table(state->type) : !is(state->type, TypeKind::tensor) || rank(state->type) == 0) return std::nullopt;
    ChangedArray array{state};
    return Following(array).run(loop, i) ? std::optional(std::move(array)) : std::nullopt;
  };
  if (const auto* loop = std::get_if<For>(&node)) return follow(*loop);
  return follow(std::get<While>(node));
}

bool has_memory(const ItemWrite& write) { return is(write.row.type, TypeKind::list) && (write.places.empty() || !is_one_number(resolve(write.row.type)->elements[0])); }

bool has_memory_in_items(const ChangedArray& array) {
  return std::any_of(array.writes.begin(), array.writes.end(), [](const auto& write) { return has_memory(write.second); });
}

bool makes_elements_of_its_own(const Operator& op) {
  if (op.elementwise) return op.name != "cast";
  constexpr std::string_view makers[] = {"zeros", "ones", "full", "matmul", "outer", "softmax", "log_softmax", "with-item", "with-slice", "like", "copied"};
  return std::find(std::begin(makers), std::end(makers), op.name) != std::end(makers);
}

bool is_of_shape(const Operator& op) {
  constexpr std::string_view askers[] = {"shape", "length", "size", "zeros-like", "ones-like", "zeros-of"};
  return std::find(std::begin(askers), std::end(askers), op.name) != std::end(askers);
}

}  // namespace lantern
