#include "lantern/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "lantern/walk.h"

namespace lantern {

using namespace lowered;

void add_place(std::vector<Location>& places, const Location& place) {
  const auto same = [&](const Location& other) {
    return other.line == place.line && other.column == place.column && other.file_name() == place.file_name();
  };
  if (place.known() && std::none_of(places.begin(), places.end(), same)) places.push_back(place);
}

std::vector<Location> places_of(const Statement& statement) {
  std::vector<Location> places;
  add_place(places, statement.location);
  if (const auto* adjoint = std::get_if<DeclareAdjoint>(&statement.node)) add_place(places, adjoint->variable->location);
  if (const auto* loop = std::get_if<InOneLoop>(&statement.node)) {
    for (const auto& result : loop->results) add_place(places, result.variable->location);
  }
  const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
    const bool reads = std::holds_alternative<Read>(e->node) || std::holds_alternative<AdjointOf>(e->node);  // what has come about elsewhere
    if (!reads) add_place(places, e->location);
    for_each_operand(*e, visit);
  };
  for_each_expr(const_cast<Statement&>(statement), visit);
  return places;
}

std::string heading_of(const ir::Function& function) {
  std::string formals;
  for (const auto* formal : function.formals) formals += (formals.empty() ? "" : ", ") + formal->name;
  const std::string file = std::filesystem::path(function.location.file_name()).filename().string();
  return fmt::format("{}:{}  {}({})", file, function.location.line, function.name, formals);
}

bool is_in_reverse_sweep(const Statement& statement, bool before) {
  const auto* comment = std::get_if<Comment>(&statement.node);
  return comment && comment->sweep != Sweep::none ? comment->sweep == Sweep::begins : before;
}

}  // namespace lantern
