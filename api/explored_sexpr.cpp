// The program is printed without its (locations …) and read again: the two trees are walked side by side, the one knows where names come
// from, the other in which line they stand.
#include "api/explored_sexpr.h"

#include <algorithm>
#include <map>

#include "sexpr/printer.h"
#include "sexpr/reader.h"

namespace lantern {

namespace {

using sexpr::Datum;
using Places = std::map<std::string, Location>;

const Datum* without_locations(const Datum& datum, sexpr::Document& into) {
  switch (datum.kind()) {
    case sexpr::Kind::none: return into.none();
    case sexpr::Kind::boolean: return into.boolean(datum.boolean());
    case sexpr::Kind::integer: return into.integer(datum.integer());
    case sexpr::Kind::floating: return into.floating(datum.number());
    case sexpr::Kind::string: return into.string(datum.text());
    case sexpr::Kind::symbol: return into.symbol(datum.text());
    case sexpr::Kind::keyword: return into.keyword(datum.text());
    case sexpr::Kind::list: break;
  }
  std::vector<const Datum*> elements;
  for (const Datum* element : datum.elements()) {
    if (element->head() != "locations") elements.push_back(without_locations(*element, into));
  }
  return into.list(elements);
}

class SideBySide {
 public:
  SideBySide(std::vector<ExploredSexpr::Line>& lines, const FileName& file, const std::set<std::pair<int, int>>& wanted)
      : lines_(lines), file_(file), wanted_(wanted) {}

  void walk(const Datum& original, const Datum& shown, const Places& places) {
    if (original.head() == "define" && original.size() > 3) return walk_define(original, shown, places);
    if (wanted_.contains({original.location.line, original.location.column})) {
      add(shown, {.file = file_, .line = original.location.line, .column = original.location.column});
    }
    const auto head = original.head();
    if ((head == "let" || head == "for") && shown.size() > 1) bind(shown[1], places);
    const std::size_t state = head == "while" ? 1 : 3;
    if ((head == "while" || head == "for") && shown.size() > state) {
      for (const Datum* variable : shown[state].elements()) bind(variable->size() ? (*variable)[0] : *variable, places);
    }
    walk_elements(original, shown, places);
  }

 private:
  void walk_define(const Datum& original, const Datum& shown, Places places) {
    const std::string name(original[1].text());
    const Datum& last = original[original.size() - 1];
    if (last.head() == "locations" && last.size() > 1) {
      const auto file = std::make_shared<const std::string>(last[1].text());
      for (const Datum* entry : last.elements().subspan(2)) {
        if (entry->size() != 3) continue;
        places[std::string((*entry)[0].text())] = {.file = file, .line = static_cast<int>((*entry)[1].integer()), .column = static_cast<int>((*entry)[2].integer())};
      }
    }
    for (int line = shown.location.line; line <= shown.location.end_line; ++line) at(line).function = name;
    if (const auto own = places.find(name); own != places.end()) add(shown, own->second);
    for (const Datum* formal : shown[2].elements()) bind(formal->size() ? (*formal)[0] : *formal, places);
    walk_elements(original, shown, places);
  }

  void walk_elements(const Datum& original, const Datum& shown, const Places& places) {
    for (std::size_t i = 0, j = 0; i < original.size(); ++i) {
      if (original[i].head() == "locations") continue;
      const Datum& beside = shown[j++];
      if (original[i].is_list()) walk(original[i], beside, places);
    }
  }

  void bind(const Datum& name, const Places& places) {
    at(name.location.line).binds.emplace_back(name.text());
    const auto known = places.find(std::string(name.text()));
    if (known != places.end()) add(name, known->second);
  }
  void add(const Datum& shown, const Location& place) { add_place(at(shown.location.line).places, place); }
  ExploredSexpr::Line& at(int line) { return lines_.at(static_cast<std::size_t>(line - 1)); }

  std::vector<ExploredSexpr::Line>& lines_;
  const FileName& file_;
  const std::set<std::pair<int, int>>& wanted_;
};

}  // namespace

ExploredSexpr explore_sexpr(const sexpr::Document& document, const FileName& file, const std::set<std::pair<int, int>>& wanted) {
  sexpr::Document bare;
  for (const Datum* item : document.items) bare.items.push_back(without_locations(*item, bare));
  ExploredSexpr explored{.text = sexpr::print(bare), .lines = {}};
  explored.lines.resize(static_cast<std::size_t>(std::count(explored.text.begin(), explored.text.end(), '\n')));
  const sexpr::Document shown = sexpr::read(explored.text, file);
  SideBySide both(explored.lines, file, wanted);
  for (std::size_t i = 0; i < document.items.size(); ++i) both.walk(*document.items[i], *shown.items[i], {});
  return explored;
}

}  // namespace lantern
