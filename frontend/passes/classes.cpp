//     class C(Base):
//         k = f(x)
// becomes
//     @ag__.class_made
//     class C(Base):
//         k = f(x)
//
// A class's body stays plain Python: the stager is told what it may have read, and that the class is new.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

void mark_classes(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    if (auto* type = as<ClassDef>(*stmt)) {
      ExprPtr mark = attribute(name(function.operators), "class_made");
      inherit(mark, stmt->range);
      type->decorator_list.push_back(std::move(mark));
    }
    return list_of<StmtPtr>(std::move(stmt));
  });
}

}  // namespace lantern::passes
