//     for word, tag in sentence:
//         …
// becomes
//     for element__ in sentence:
//         (word, tag) = element__
//         …
//
// so that whatever a `for` stores to is an assignment like any other, and its body can take the element as argument.
#include <algorithm>

#include "frontend/passes/passes.h"
#include "frontend/unparse.h"

namespace lantern::passes {

using namespace syntax;

void name_loop_elements(Function& function) {
  const std::string element = function.local_name("element__");
  rewrite_statements(function, [&](StmtPtr stmt) {
    if (auto* loop = as<For>(*stmt)) {
      const Range at = loop->target->range;
      function.loop_targets[stmt.get()] = to_source(*loop->target);
      function.ours.insert(element);
      StmtPtr stored = assign(std::move(loop->target), name(element));
      inherit(stored, at);
      loop->body.insert(loop->body.begin(), std::move(stored));
      loop->target = make(Name{element}, at);
    }
    return list_of<StmtPtr>(std::move(stmt));
  });
}

void note_stored_places(Function& function) {
  rewrite_statements(function, [&](StmtPtr stmt) {
    std::vector<QualifiedName> places;
    if (is<If>(*stmt) || is<For>(*stmt) || is<While>(*stmt) || is<Try>(*stmt)) {
      for_each_block(*stmt, [&](Block& block) {
        for (QualifiedName& place : analysis::stored_places(block)) {
          if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
        }
      });
    }
    if (!places.empty()) function.places[stmt.get()] = std::move(places);
    return list_of<StmtPtr>(std::move(stmt));
  });
}

}  // namespace lantern::passes
