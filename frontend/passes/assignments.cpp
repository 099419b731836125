//     h, c = f(t);  first, *rest = c;  self.last = h;  rows[i] = c;  n += 1
// becomes (the value of a name that is set to a constant needs no `bind`)
//     (h, c) = ag__.unpack(f(t), 2, ('h', 'c'), (1, 1))
//     (first, *item_) = ag__.unpack_starred(c, 1, 0, ('first', 'rest'), (1, 15))
//     rest = ag__.bind('rest', ag__.gathered(item_, (1, 23)), (1, 23))
//     ag__.setattr_(h, self, 'last', (1, 15))
//     rows = ag__.setitem(c, rows, i, (1, 30))        (rows[i][j] = c: ag__.setitem_within(c, ag__.part(rows, i), j, rows))
//     (self.rows[i] = c: ag__.store_item(c, ag__.attribute_part(self, 'rows'), i))
//     n = ag__.inplace('+', n, 1, (1, 43))
// and an annotation, which says what an empty list holds,
//     rows: list[list[int]] = f(t)
// becomes
//     rows = ag__.bind('rows', ag__.declared(f(t), 'list[list[int]]', (1, 7)), (1, 1))
//
// Python evaluates the value first, then the object and the index of the target, from left to right: the order of the
// operators' arguments. For `rows[i] += c` it evaluates object and index first, and once: where one of them is more than
// a name that stays, or c might bind it, it is held in a variable.
#include <algorithm>
#include <initializer_list>

#include "frontend/passes/passes.h"
#include "frontend/unparse.h"

namespace lantern::passes {

using namespace syntax;

namespace {

// Not so an index that cannot be written as a value.
bool can_store(const Function& function, const Expr& target) {
  if (auto* item = as<Subscript>(target)) return has_index_value(function, *item->slice);
  if (auto* star = as<Starred>(target)) return can_store(function, *star->value);
  if (!is<Tuple>(target) && !is<List>(target)) return true;
  bool all = true;
  for_each_child(target, [&](const Expr& child) { all = all && can_store(function, child); });
  return all;
}

// The names that a function within the block binds for the function around it.
void add_nonlocals(const Block& block, NameSet& names) {
  for (const StmtPtr& stmt : block) {
    if (auto* node = as<Nonlocal>(stmt)) names.insert(node->names.begin(), node->names.end());
    for_each_block(*stmt, [&](const Block& nested) { add_nonlocals(nested, names); });
  }
}

bool reads_only(const Expr& expr) { return is_constant(expr) || is<Name>(expr); }

std::string text_of(const Expr& target) {
  const auto place = analysis::qualified_name(target);
  return place ? place->text() : "";
}

class Assignments {
 public:
  explicit Assignments(Function& function) : function_(function) { add_nonlocals(function.def.body, bound_within_); }

  Block rewrite(StmtPtr stmt) {
    out_.clear();
    origin_ = stmt->range;
    if (auto* node = as<Assign>(*stmt)) {
      if (!assign(*node)) out_.push_back(std::move(stmt));
    } else if (auto* node = as<AnnAssign>(*stmt); node && node->value && can_store(function_, *node->target)) {
      annotated(*node);
    } else if (auto* node = as<AugAssign>(*stmt)) {
      if (!augment(*node)) out_.push_back(std::move(stmt));
    } else {
      out_.push_back(std::move(stmt));
    }
    for (StmtPtr& made : out_) inherit(made, origin_);
    return std::move(out_);
  }

 private:
  bool is_ours(const Expr& expr) const {
    auto* name = as<Name>(expr);
    return name && function_.ours.count(name->id);
  }

  void emit(StmtPtr stmt) { out_.push_back(std::move(stmt)); }

  // A variable that holds `value` for the next statement.
  std::string hold(const std::string& base, ExprPtr value) {
    const std::string variable = function_.local_name(base);
    function_.ours.insert(variable);
    emit(assign_(name(variable), std::move(value)));
    return variable;
  }
  static StmtPtr assign_(ExprPtr target, ExprPtr value) { return syntax::assign(std::move(target), std::move(value)); }

  bool assign(Assign& node) {
    for (const ExprPtr& target : node.targets) {
      if (!can_store(function_, *target) || is_ours(*target)) return false;
    }
    if (node.targets.size() == 1) {
      store(std::move(node.targets[0]), std::move(node.value));
      return true;
    }
    ExprPtr value = is_constant(*node.value) ? std::move(node.value) : name(hold("value__", std::move(node.value)));
    for (ExprPtr& target : node.targets) store(std::move(target), clone(value));
    return true;
  }

  // Python evaluates no annotation of a local variable: it is handed on as text.
  void annotated(AnnAssign& node) {
    const Range at = node.annotation->range;
    ExprPtr value = std::move(node.value);
    if (!is_constant(*value)) value = function_.operation("declared", list_of<ExprPtr>(std::move(value), string(to_source(*node.annotation))), at);
    store(std::move(node.target), std::move(value));
  }

  // target = value
  void store(ExprPtr target, ExprPtr value) {
    const Range at = target->range;
    if (auto* simple = as<Name>(target)) {
      const std::string id = simple->id;
      if (!is_constant(*value)) value = function_.operation("bind", list_of<ExprPtr>(string(id), std::move(value)), at);
      emit(assign_(std::move(target), std::move(value)));
      note_stored(id, at);
    } else if (auto* attribute = as<Attribute>(target)) {
      store_attribute(std::move(attribute->value), attribute->attr, std::move(value), at);
    } else if (auto* item = as<Subscript>(target)) {
      ExprPtr key = *index_value(function_, item->slice);
      store_item(std::move(item->value), std::move(key), std::move(value), at);
    } else if (auto* tuple = as<Tuple>(target)) {
      unpack(std::move(tuple->elts), std::move(value), at);
    } else if (auto* list = as<List>(target)) {
      unpack(std::move(list->elts), std::move(value), at);
    }
  }

  void store_attribute(ExprPtr object, const std::string& attr, ExprPtr value, const Range& at) {
    emit(expr_stmt(function_.operation("setattr_", list_of<ExprPtr>(std::move(value), std::move(object), string(attr)), at)));
  }

  // The variable that `a[i][j]` is a part of, if it is one of the function's, and stays while the indices and `others` are evaluated.
  const Name* whole_of(const Expr& object, std::initializer_list<const Expr*> others) const {
    const Expr* inner = &object;
    std::vector<const Expr*> indices;
    for (; is<Subscript>(*inner); inner = as<Subscript>(*inner)->value.get()) {
      const Subscript& item = *as<Subscript>(*inner);
      if (!has_index_value(function_, *item.slice)) return nullptr;
      indices.push_back(item.slice.get());
    }
    auto* simple = indices.empty() ? nullptr : as<Name>(*inner);
    const auto remains = [&](const Expr* other) { return stays(*inner, {other}); };
    return simple && std::all_of(indices.begin(), indices.end(), remains) && std::all_of(others.begin(), others.end(), remains) ? simple : nullptr;
  }
  // Whether an object is an attribute, or a part of one: `self.rows`, `self.rows[i]`.
  bool is_of_attribute(const Expr& object) const {
    if (auto* item = as<Subscript>(object)) return has_index_value(function_, *item->slice) && is_of_attribute(*item->value);
    return is<Attribute>(object);
  }
  ExprPtr part(ExprPtr object, const Range& at) {
    if (auto* attribute = as<Attribute>(object)) return function_.operation("attribute_part", list_of<ExprPtr>(std::move(attribute->value), string(attribute->attr)), at);
    auto* item = as<Subscript>(object);
    if (!item) return object;
    ExprPtr index = *index_value(function_, item->slice);
    return function_.operation("part", list_of<ExprPtr>(part(std::move(item->value), at), std::move(index)), at);
  }
  void store_within(const std::string& whole, ExprPtr part, ExprPtr key, ExprPtr value, const Range& at) {
    emit(assign_(name(whole), function_.operation("setitem_within", list_of<ExprPtr>(std::move(value), std::move(part), std::move(key), name(whole)), at)));
  }

  // A variable of the function is bound again: to the object itself, or to the array with the item changed.
  void store_item(ExprPtr object, ExprPtr key, ExprPtr value, const Range& at) {
    if (auto* whole = whole_of(*object, {key.get()})) {
      const std::string id = whole->id;
      return store_within(id, part(std::move(object), at), std::move(key), std::move(value), at);
    }
    if (is_of_attribute(*object)) object = part(std::move(object), at);
    auto* simple = as<Name>(object);
    const bool rebinds = simple && stays(*object, {key.get()});
    const std::string id = simple ? simple->id : "";
    ExprPtr stored = function_.operation(rebinds ? "setitem" : "store_item",
                                         list_of<ExprPtr>(std::move(value), std::move(object), std::move(key)), at);
    emit(rebinds ? assign_(name(id), std::move(stored)) : expr_stmt(std::move(stored)));
  }

  // Whether an expression has no effect, and gives the same when `others` have been evaluated.
  bool stays(const Expr& expr, std::initializer_list<const Expr*> others) const {
    if (is_constant(expr)) return true;
    if (auto* unary = as<UnaryOp>(expr)) return is_constant(*unary->operand);
    auto* simple = as<Name>(expr);
    if (!simple || !function_.bindings.is_local(simple->id)) return false;
    return std::all_of(others.begin(), others.end(), [&](const Expr* other) {
      const std::vector<std::string> bound = analysis::walrus_names(*other);
      if (std::count(bound.begin(), bound.end(), simple->id)) return false;
      return reads_only(*other) || !bound_within_.count(simple->id);
    });
  }

  // Names up to the first target that is none are bound at once; the others wait in variables, so that all
  // happens from left to right.
  void unpack(std::vector<ExprPtr> targets, ExprPtr value, const Range& at) {
    std::vector<ExprPtr> elements;
    std::vector<std::string> names, bound;
    struct Later {
      ExprPtr target, value;
    };
    std::vector<Later> later;
    long long star = -1;
    for (ExprPtr& target : targets) {
      auto* starred = as<Starred>(target);
      const Range place = target->range;
      names.push_back(text_of(starred ? *starred->value : *target));
      if (later.empty() && is<Name>(*target)) {
        bound.push_back(as<Name>(target)->id);
        elements.push_back(std::move(target));
        continue;
      }
      ExprPtr element = name(function_.variable("item_"));
      if (!starred) {
        later.push_back({std::move(target), clone(element)});
      } else {
        star = static_cast<long long>(elements.size());
        later.push_back({std::move(starred->value), function_.operation("gathered", list_of<ExprPtr>(clone(element)), place)});
        element = make(Starred{std::move(element)});
      }
      elements.push_back(std::move(element));
    }
    const long long arity = static_cast<long long>(elements.size());
    ExprPtr unpacked =
        star < 0 ? function_.operation("unpack", list_of<ExprPtr>(std::move(value), number(arity), strings(names)), at)
                 : function_.operation("unpack_starred", list_of<ExprPtr>(std::move(value), number(star), number(arity - star - 1),
                                                                          strings(names)), at);
    emit(assign_(tuple(std::move(elements)), std::move(unpacked)));
    for (const std::string& id : bound) note_stored(id, at);
    for (Later& each : later) store(std::move(each.target), std::move(each.value));
  }

  void note_stored(const std::string& id, const Range& at) {
    for (StmtPtr& note : function_.note_of_store(id, at)) emit(std::move(note));
  }

  // target op= value: object and index are evaluated once.
  bool augment(AugAssign& node) {
    if (!can_store(function_, *node.target)) return false;
    const Range at = node.target->range;
    const auto combined = [&](ExprPtr old) {
      return function_.operation("inplace",
                                 list_of<ExprPtr>(string(spelling(node.op)), std::move(old), std::move(node.value)), at);
    };
    const auto combined_item = [&](ExprPtr container, ExprPtr old) {
      return function_.operation("inplace_item", list_of<ExprPtr>(string(spelling(node.op)), std::move(container), std::move(old),
                                                                  std::move(node.value)), at);
    };
    const auto once = [&](ExprPtr expr, const char* base, std::initializer_list<const Expr*> others) {
      return stays(*expr, others) ? std::move(expr) : name(hold(base, std::move(expr)));
    };
    if (auto* simple = as<Name>(node.target)) {
      const std::string id = simple->id;
      emit(assign_(name(id), combined(std::move(node.target))));
      note_stored(id, at);
    } else if (auto* attribute = as<Attribute>(node.target)) {
      ExprPtr object = once(std::move(attribute->value), "object__", {node.value.get()});
      ExprPtr old = function_.operation("getattr_", list_of<ExprPtr>(clone(object), string(attribute->attr)), at);
      store_attribute(std::move(object), attribute->attr, combined(std::move(old)), at);
    } else if (auto* item = as<Subscript>(node.target)) {
      ExprPtr index = *index_value(function_, item->slice);
      auto* variable = whole_of(*item->value, {index.get(), node.value.get()});
      const std::string whole = variable ? variable->id : "";
      const bool within = variable || is_of_attribute(*item->value);
      ExprPtr object = within ? name(hold("object__", part(std::move(item->value), at))) : once(std::move(item->value), "object__", {index.get(), node.value.get()});
      if (!stays(*index, {node.value.get()})) {
        // The object has its value before the index has: a check that goes where it certainly has one (undefined.cpp).
        if (is<Name>(*object)) emit(expr_stmt(function_.placeless("ld", list_of<ExprPtr>(clone(object)), at)));
        index = name(hold("index__", std::move(index)));
      }
      ExprPtr old = function_.operation(within ? "item_within" : "getitem", list_of<ExprPtr>(clone(object), clone(index)), at);
      ExprPtr stored = combined_item(clone(object), std::move(old));
      if (variable) store_within(whole, std::move(object), std::move(index), std::move(stored), at);
      else store_item(std::move(object), std::move(index), std::move(stored), at);
    }
    return true;
  }

  Function& function_;
  NameSet bound_within_;
  Block out_;
  Range origin_;
};

}  // namespace

void convert_assignments(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* named = as<NamedExpr>(expr);
    auto* target = named ? as<Name>(named->target) : nullptr;
    if (!target) return;
    const Range at = named->target->range;
    named->value = function.operation("bind", list_of<ExprPtr>(string(target->id), std::move(named->value)), at);
  });
  Assignments assignments(function);
  rewrite_statements(function, [&](StmtPtr stmt) { return assignments.rewrite(std::move(stmt)); });
}

}  // namespace lantern::passes
