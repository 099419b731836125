#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "support/location.h"

/// S-expressions as data (docs/language.md, "Text").
///
///   datum = integer | float | true | false | none | "string" | symbol | :keyword | (datum*)
namespace lantern::sexpr {

enum class Kind { none, boolean, integer, floating, string, symbol, keyword, list };

/// Names a kind as a diagnostic would: "a list", "an integer", …
std::string_view describe(Kind kind);

/// One node. Lives in, and is owned by, a Document; its text and its elements do too.
class Datum {
 public:
  struct None {};
  struct String { std::string_view text; };   // the characters, unescaped
  struct Symbol { std::string_view text; };
  struct Keyword { std::string_view text; };  // without its colon
  using Elements = std::span<const Datum* const>;
  using Value = std::variant<None, bool, std::int64_t, double, String, Symbol, Keyword, Elements>;  // in Kind's order

  Value value;
  Location location;  // from the first character to just behind the last; a list's covers its parentheses

  Kind kind() const { return static_cast<Kind>(value.index()); }
  bool is(Kind expected) const { return kind() == expected; }
  bool is_list() const { return is(Kind::list); }
  bool is_symbol() const { return is(Kind::symbol); }
  bool is_symbol(std::string_view name) const { return is_symbol() && text() == name; }

  // Each of these asks for the kind it names.
  bool boolean() const { return std::get<bool>(value); }
  std::int64_t integer() const { return std::get<std::int64_t>(value); }
  double number() const { return is(Kind::integer) ? static_cast<double>(integer()) : std::get<double>(value); }
  std::string_view text() const;  // of a string, symbol or keyword; "" of anything else
  Elements elements() const { return is_list() ? std::get<Elements>(value) : Elements(); }

  // As a list: none of these asks for one, an atom has no elements.
  std::size_t size() const { return elements().size(); }
  const Datum& operator[](std::size_t i) const { return *elements()[i]; }
  /// The symbol a list opens with, as `let` of (let x 1 x); "" if there is none.
  std::string_view head() const;
};

/// Owns data and what they point to. Destroying one never recurses, whatever its depth; moving one moves no datum.
class Document {
 public:
  Document() = default;
  Document(Document&&) = default;
  Document& operator=(Document&&) = default;

  std::vector<const Datum*> items;  // the top level, in order

  // Builders. Text is copied into the document.
  const Datum* none(Location location = {}) { return add(Datum::None{}, std::move(location)); }
  const Datum* boolean(bool value, Location location = {}) { return add(value, std::move(location)); }
  const Datum* integer(std::int64_t value, Location location = {}) { return add(value, std::move(location)); }
  const Datum* floating(double value, Location location = {}) { return add(value, std::move(location)); }
  const Datum* string(std::string_view text, Location location = {});
  const Datum* symbol(std::string_view name, Location location = {});
  const Datum* keyword(std::string_view name, Location location = {});
  const Datum* list(std::span<const Datum* const> elements, Location location = {});
  const Datum* list(std::initializer_list<const Datum*> elements, Location location = {}) {
    return list(std::span(elements.begin(), elements.size()), std::move(location));
  }

 private:
  const Datum* add(Datum::Value value, Location location);
  std::string_view intern(std::string_view text);

  std::deque<Datum> data_;
  std::unordered_set<std::string> texts_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> elements_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>();
};

/// Same kind, same value, element by element; locations aside. NaN equals NaN; 0.0 and -0.0 differ.
bool equal(const Datum& a, const Datum& b);
bool equal(const Document& a, const Document& b);

}  // namespace lantern::sexpr
