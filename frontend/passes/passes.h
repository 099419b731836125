#pragma once

#include <cstddef>
#include <optional>

#include "frontend/passes/function.h"

/// The passes, one per idiom of Python, each a rewriting of one function in place; each source opens with a
/// worked example. convert.cpp holds their order and says why.
namespace lantern::passes {

/// Why a function must stay as it is, if it must: a generator, a coroutine, one that looks at its own frame, ….
std::optional<Refusal> refusal(const Function& function);

/// How many cases of a `match`, or branches of an `if`, nest within each other; more are asked in groups.
constexpr std::size_t most_cases = 30;
/// The `if` that an `elif` is; null where none follows.
const syntax::Stmt* next_branch(const syntax::Stmt& stmt);

/// Whether a function is a generator: its own code yields.
bool is_generator(const syntax::FunctionDef& def);
/// Whether a statement of a function yields, itself or in a block of it.
bool contains_yield(const syntax::Stmt& stmt);

void mangle_private_names(Function& function);       // self.__x → self._C__x
void hoist_declarations(Function& function);         // global, nonlocal and bare annotations to the top
void mark_classes(Function& function);               // class C: … → @class_made
void name_loop_elements(Function& function);         // for x, y in z → for element in z: x, y = element
void declare_unreachable_names(Function& function);  // a name that only dropped code binds stays local
void note_stored_places(Function& function);         // remembers which attributes each `if`, loop and `try` stores to
void split_long_ifs(Function& function);             // if a: … elif b: … … → groups of them, since they nest
void lower_matches(Function& function);              // match → if, where every pattern is a value, a name or `|` of them
void name_delayed_operands(Function& function);      // a and (b := c) → a and operand_()
void lower_yields(Function& function);               // yield → take, of what goes through a generator's elements
void lower_returns(Function& function);              // return → retval_, do_return_
void lower_breaks(Function& function);               // break → break_
void lower_continues(Function& function);            // continue → continue_
void convert_assignments(Function& function);        // =, +=, :=, targets → bind, unpack, setattr_, setitem, store_item, inplace
void note_declared_stores(Function& function);       // :=, def, with … of a global or nonlocal name → stored_global, …
void convert_deletions(Function& function);          // del x.a, x[i] → delattr_, delitem_
void convert_formatted_strings(Function& function);  // f"…" → fstring
void convert_comprehensions(Function& function);     // [f(x) for x in xs] → its loops, where something is staged
void convert_displays(Function& function);           // [*xs, y] → gathered([*spread(xs), y]), {k: v} → dict_display(((k, v),))
void convert_lambdas(Function& function);            // lambda → converted_lambda
void convert_super(Function& function);              // super() → super(__class__, self)
void convert_calls(Function& function);              // f(x) → call
void convert_attributes(Function& function);         // x.a → getattr_
void convert_subscripts(Function& function);         // x[i] → getitem
void convert_comparisons(Function& function);        // <, is, in → compare, compare_chain, is_, in_
void convert_logical(Function& function);            // and, or, not → and_, or_, not_; all_true, any_true in conditions
void convert_asserts(Function& function);            // assert → assert_
void convert_conditionals(Function& function);       // a if c else b → if_exp
void convert_arithmetic(Function& function);         // +, unary - → binary, unary
void convert_control_flow(Function& function);       // if, while, for → if_stmt, while_stmt, for_stmt
void convert_raises(Function& function);             // raise → raise_, raise_from, reraise
void convert_guards(Function& function);             // try, with → guarded, caught, kinds, managed

}  // namespace lantern::passes
