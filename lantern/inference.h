#pragma once

#include "lantern/ir.h"

namespace lantern {

/// Inference of what a program leaves untyped, and of what two branches have in common.
class Inference {
 public:
  explicit Inference(ir::Program& program) : program_(program) {}

  /// The least type both belong to: literals promote, differing dimensions widen to `?`, structure ⊔ none is
  /// optional, never ⊔ T is T. Type variables are bound on the way. Null: there is none, or it would be infinite.
  Type join(const Type& a, const Type& b);

  /// Can a value of type `from` stand where `to` is expected, perhaps after a conversion? Binds type variables.
  bool accepts(const Type& to, const Type& from);

  /// A field of a value of this type, through an optional. A structure that nobody declared gets the field;
  /// `hint` names such a structure. Null: there is no such field, or no structure.
  Type field(const Type& object, const std::string& name, const std::string& hint);

  /// Binds an untyped operand to `type`.
  static void bind(const Type& variable, Type type);

  /// Whatever is still untyped is f64.
  void settle();

 private:
  ir::Structure& invent_structure(const std::string& hint);

  ir::Program& program_;
  std::vector<std::string> invented_;
};

/// Or of lists of tuples, and so on: such a list is as many lists as its elements have leaves.
bool is_list_of_tuples(const Type& type);

/// The leaves of nested tuples, in order; those of a list of tuples, a list for each; any other type is its own leaf.
std::vector<Type> leaves(const Type& type);

/// What the variables of a value of that name and type are called, one for each leaf: by the labels of a tuple's elements, else by their numbers.
std::vector<std::string> leaf_names(const std::string& name, const Type& type);
/// The same, where names are made unique: without the number that tells the states of one variable apart.
std::vector<std::string> names_of_parts(const std::string& name, const Type& type);

}  // namespace lantern
