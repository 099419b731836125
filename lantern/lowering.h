#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>

#include "lantern/changed_arrays.h"
#include "lantern/lowered.h"

namespace lantern {

class ReverseSweep;
struct Needs;
struct TurnValues;

/// Builds one form of one function. Shared by the direct statements and the continuation-passing ones.
class FormBuilder {
 public:
  /// taped: what has a forward and a reverse form in place of one in continuation-passing style (taped_functions.h).
  /// inlined: whose gradient is written where it is taken (inlined_gradients.h).
  FormBuilder(ir::Program& program, const Activity& activity, lowered::Form form, const std::set<const ir::Function*>& taped, const std::set<const ir::Function*>& inlined)
      : program_(program), activity_(activity), form_(form), taped_(taped), inlined_functions_(inlined) {}

  lowered::Function build(ir::Function& function);

  std::vector<std::pair<ir::Function*, lowered::Form>> calls;  // what the form needs

 private:
  /// Where the results of a block go: to the function's continuation or a join point, with the adjoint of the active
  /// ones; or, in direct code, to variables or to the caller.
  struct Taken { Type type; bool active; };
  struct Target {
    std::string continuation;
    std::vector<Taken> parameters;
  };

  // direct_form.cpp
  void direct_block(const ir::Block& block, lowered::Statements& out);
  void direct_binding(const ir::Block& block, std::size_t index, lowered::Statements& out);
  void direct_returning(const ir::Block& block, lowered::Statements& out);
  void direct_assigning(const ir::Block& block, const std::vector<ir::Variable*>& targets, lowered::Statements& out);
  void direct_loop(const ir::Binding& binding, lowered::Statements& out);
  void begin_state(const ir::Binding& binding, const std::vector<ir::Variable*>& state, const std::vector<ir::Operand>& initial, lowered::Statements& out);
  bool forgets(const std::vector<ir::Variable*>& state, bool raises, bool leaves_something, lowered::Statements& body);
  template <class Loop>
  void direct_loop(const ir::Binding& binding, const Loop& loop, lowered::Statements& out);
  void gradient(const ir::Block& block, std::size_t index, lowered::Statements& out);
  void update(const ir::Block& block, std::size_t index, lowered::Statements& out);
  bool fuse(const ir::Block& block, std::size_t index, lowered::Step& step);

  // inlined_gradients.cpp
  void inlined_gradient(const ir::Binding& binding, const ir::ValueAndGrad& node, lowered::Statements& out);
  void inlined_block(const ir::Block& block, ReverseSweep& sweep, std::vector<const ir::Binding*>& taped, lowered::Statements& out);
  void bind(ir::Variable* variable, const ir::Operand& operand, const Location& location, ReverseSweep& sweep, std::vector<const ir::Binding*>& taped,
            lowered::Statements& out);

  // direct_batches.cpp
  std::size_t direct_bindings(const ir::Block& block, std::size_t index, lowered::Statements& out);
  lowered::Part direct_part(const ir::Block& block, std::size_t begin, std::size_t at);
  lowered::Part direct_turns(const ir::Binding& binding, const ir::Each& each);
  void waiting_turn(const ir::Block& block, std::size_t from, lowered::Statements& out);
  lowered::CallThen adding_gradient(const ir::Binding& binding, const ir::AddGradient& n, lowered::Statements& out);
  void each_turn(const ir::Block& block, std::size_t index, const std::vector<const ir::Binding*>& taken, lowered::Statements& out);

  // cps_form.cpp
  void segment(const ir::Block& block, std::size_t from, const Target& target, lowered::Statements& out);
  lowered::Argument argument(const ir::Operand& operand, bool active, const Type& as, lowered::Statements& out, lowered::Statements& around,
                             std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered);

  lowered::CallThen call_then(const ir::Call& call, lowered::Statements& out, lowered::Statements& around, std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered);
  lowered::Part part(const ir::Block& block, std::size_t begin, std::size_t at, lowered::Statements& out,
                     std::vector<std::pair<ir::Variable*, ir::Variable*>>& gathered);
  lowered::ExprPtr sharing_adjoint(const ir::Binding& binding, const ReverseSweep& sweep) const;
  lowered::ExprPtr referred_adjoint(const ir::Binding& binding) const;

  using Arrays = std::vector<ChangedArray>;

  // reverse_loops.cpp
  struct Backward {
    lowered::Statements loop;
    std::vector<std::pair<ir::Variable*, ir::Variable*>> saved;  // of the state, with what it is saved in
    struct Value { ir::Variable *variable, *saved; bool outline; };
    std::vector<Value> values;                                   // of the turn
    std::set<ir::Variable*> added_outside;
  };
  using Keeps = std::function<bool(lowered::Statements& step, Needs& mentions)>;
  lowered::Statements reverse_block(const ir::Block& block, const std::vector<ir::Variable*>& adjoints, ReverseSweep& sweep, const std::function<void()>& end,
                                    const Keeps& keeps);
  struct Turns { lowered::ExprPtr start, stop; };                // of the turn that it is
  Backward loop_both_ways(const ir::Binding& binding, std::size_t arrays, lowered::Statements& out);
  Backward backward_of(const ir::Binding& binding, const lowered::For* iteration, const Turns& turns);
  void backward_loop(const ir::Binding& binding, ReverseSweep& sweep);
  void backward_branch(const ir::Binding& binding, ReverseSweep& sweep);

  // taped_bindings.cpp
  ir::Variable* held(ir::Variable* variable) const;
  void add(ReverseSweep& sweep, ir::Variable* variable, lowered::ExprPtr value, const Location& location) const;
  void note_row(const ir::Binding& binding);
  void taped_binding(const ir::Binding& binding, ReverseSweep& sweep, lowered::Statements& out);
  void pull_back(const ir::Binding& binding, ReverseSweep& sweep);

  // loop_arrays.cpp
  void forward_loop(const ir::Binding& binding, lowered::Statements& out);
  const ChangedArray* changed(const ir::Variable* variable) const;  // null: it is none, or made anew
  std::vector<ir::Variable*> moving(const std::vector<ir::Variable*>& state) const;
  std::size_t begin_arrays(const ir::Binding& loop);
  void end_arrays(std::size_t begin, const ir::Binding& loop, lowered::Statements& out);
  bool begin_histories(std::size_t begin, Backward& backward);
  void set_item(const ir::Binding& binding, const ChangedArray& array, lowered::Statements& out);
  void pull_back_item(const ir::Binding& binding, const ChangedArray& array, ReverseSweep& sweep);
  void undo_item(const ir::Binding& binding, lowered::Statements& out) const;
  void change_around(lowered::Change::Act act, const ir::Binding& binding, lowered::Statements& out) const;
  bool changes_array(const ir::Binding& binding) const;
  bool leaves_items(const ir::Binding& loop) const;
  bool is_reversed_loop(const ir::Binding& binding) const;
  void declare_adjoints(ReverseSweep& sweep) const;
  ir::Variable* whole_of(const ir::Binding& binding, const ReverseSweep& sweep) const;
  lowered::Statement adjoint_within(const ir::Binding& binding, ir::Variable* whole) const;
  static lowered::ExprPtr copied(lowered::ExprPtr array);

  // sweeps.cpp
  bool is_taped(const ir::Function& function) const;
  bool is_taped_call(const ir::Binding& binding) const;
  void sweep_of(ir::Function& function, lowered::Function& out);
  lowered::Statements reverse_with_tape(const ir::Block& block, const std::vector<ir::Variable*>& adjoints, ReverseSweep& sweep);
  void push_left(const ir::Block& block, bool returns, lowered::Statements& out);
  void forward_call(const ir::Binding& binding, lowered::Statements& out);
  void reverse_call(const ir::Binding& binding, ReverseSweep& sweep);

  // own_derivatives.cpp
  void own_forward(const ir::Binding& binding, const ir::Call& call, lowered::Statements& out);
  void own_backward(const ir::Binding& binding, const ir::Call& call, ReverseSweep& sweep);

  lowered::ExprPtr expr(const ir::Operand& operand) const;
  std::vector<lowered::ExprPtr> exprs(const std::vector<ir::Operand>& operands) const;
  lowered::ExprPtr value_of(const ir::Binding& binding);  // of an operation without blocks
  ir::Variable* fresh(const std::string& name, Type type);

  ir::Program& program_;
  const Activity& activity_;
  lowered::Form form_;
  const std::set<const ir::Function*>&taped_, &inlined_functions_;
  ir::Function* function_ = nullptr;
  std::set<const ir::Variable*> unasked_;                            // what has no adjoint of interest, and has one for those that ask for it
  std::map<const ir::Variable*, lowered::ExprPtr> inlined_;          // what stands for a variable that is never declared
  std::map<const ir::Variable*, ir::Variable*> deferred_gradients_;  // a value-and-grad's result → its parameter
  std::map<const ir::Variable*, ir::Variable*> held_;    // a loop's result → its state, in whose place it stays
  std::map<const ir::Variable*, ir::Variable*> before_;  // in a reverse turn: state → what has the adjoint of the turn's beginning
  std::map<const ir::Binding*, Backward> backward_;
  std::map<const ir::Binding*, std::vector<ir::Variable*>> saved_;  // what a call with a derivative of its own keeps for the way back
  std::map<const ir::Variable*, const ir::Operate*> rows_;           // an element of a list, itself an array or a list → how it was read
  ir::Variable* tape_ = nullptr;                                     // of the function, in its forward and its reverse form
  std::map<const ir::Binding*, ir::Variable*> tapes_;                // of a call from another form
  std::map<const ir::Block*, std::vector<ir::Variable*>> left_;      // on the tape, by a block for its way back
  std::vector<const ir::Block*> returning_;                          // the blocks around, which end where this one does
  Arrays arrays_;                                                    // those of the loops around, while these are built
  std::deque<ir::Binding> copies_;                                   // what a function that is written where it is called takes and gives
  int joins_ = 0;
};

const std::vector<ir::Variable*>& state_of(const ir::Node& loop);

/// Leaves out what is computed and never used; writes a value that has no name of the user's where it is used.
void tidy(lowered::Function& function);

/// Does a run of it take a gradient?
bool takes_gradient(const ir::Node& node);

/// Whether the binding runs at once with others of its block.
bool is_at_once(const ir::Block& block, std::size_t index);

/// Whether functions of the user's in C++ may be called, of which nothing is known.
bool calls_host(const ir::Block& block);

}  // namespace lantern
