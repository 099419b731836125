// Layout, where a list does not fit in its line:
//
//   (define tree_prod (base tree)          the head keeps its first operands (see kept_beside_head) …
//     (let x0 (getattr tree is_empty)
//     (let x1 (if x0                       … a list among those that does not fit is broken in place,
//         base                                 indented from the line it stands in, …
//         (let x2 (getattr tree left)
//         x2))                             … the body of a let stands below the let itself
//     x1)))
//
// A let in the body of a let is a chain, and a chain is never folded into one line.
//
// The indentation is bounded, so the output's length is linear in the input's whatever the nesting. A stack of frames
// stands for recursion.
#include "sexpr/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "sexpr/utf8.h"

namespace lantern::sexpr {

namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t deepest_indent = 60;
constexpr std::size_t step = 2;
constexpr std::size_t any_width = static_cast<std::size_t>(-1);

// Whole UTF-8 characters pass as they are; what cannot stand in a string is written \xHH.
std::string quote(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      quoted += {'\\', static_cast<char>(byte)};
    } else if (byte == '\n') {
      quoted += "\\n";
    } else if (byte == '\t') {
      quoted += "\\t";
    } else if (byte == '\r') {
      quoted += "\\r";
    } else if (byte >= 0x20 && byte < 0x7F) {
      quoted += static_cast<char>(byte);
    } else {
      const std::size_t length = byte < 0x80 ? 0 : utf8_length(text.substr(i));
      if (length) {
        quoted += text.substr(i, length);
        i += length - 1;
      } else {
        quoted += fmt::format("\\x{:02x}", byte);
      }
    }
  }
  return quoted + '"';
}

std::string atom_text(const Datum& datum) {
  switch (datum.kind()) {
    case Kind::none: return "none";
    case Kind::boolean: return datum.boolean() ? "true" : "false";
    case Kind::integer: return std::to_string(datum.integer());
    case Kind::floating: return print_float(datum.number());
    case Kind::string: return quote(datum.text());
    case Kind::symbol: return std::string(datum.text());
    case Kind::keyword: return ":" + std::string(datum.text());
    case Kind::list: break;
  }
  return {};
}

std::size_t characters(std::string_view text) {
  return std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

struct Place {
  const Datum* list;
  std::size_t next = 0;
};

bool is_chain(const Datum& datum) {
  return datum.head() == "let" && datum.size() == 4 && datum[3].head() == "let";
}

// Appends the one-line form; stops, false, once it is wider than `budget` or, unless any width will do, at a chain.
bool append_line(std::string& out, const Datum& datum, std::size_t budget) {
  const bool folds_chains = budget == any_width;
  if (!folds_chains && is_chain(datum)) return false;
  const std::size_t start = out.size();
  if (!datum.is_list()) {
    out += atom_text(datum);
    return characters(std::string_view(out).substr(start)) <= budget;
  }
  std::size_t bytes_beyond_characters = 0;
  std::vector<Place> open{{&datum}};
  out += '(';
  while (!open.empty()) {
    auto& [list, next] = open.back();
    if (out.size() - start - bytes_beyond_characters > budget) return false;
    if (next == list->size()) {
      out += ')';
      open.pop_back();
      continue;
    }
    if (next > 0) out += ' ';
    const Datum& element = (*list)[next++];
    if (element.is_list()) {
      if (!folds_chains && is_chain(element)) return false;
      out += '(';
      open.push_back({&element});
    } else {
      const std::string text = atom_text(element);
      bytes_beyond_characters += text.size() - characters(text);
      out += text;
    }
  }
  return out.size() - start - bytes_beyond_characters <= budget;
}

// How many operands stay on the line of the head when a list is broken.
std::size_t kept_beside_head(const Datum& list) {
  const auto head = list.head();
  if (head == "define") return list.size() > 3 && list[3].is_symbol("->") ? 4 : 2;
  if (head == "let" || head == "parameter" || head == "state") return 2;
  if (head == "for") return 3;
  if (head == "if" || head == "while" || head == "struct" || head == "export" || head == "locations" ||
      head == "value-and-grad" || head == "make" || head == "update" || head == "cast") {
    return 1;
  }
  return 0;
}

// Short elements that read as a paragraph, as many to a line as fit.
bool is_filled(const Datum& list) {
  const auto head = list.head();
  if (head == "let") return false;
  return head == "locations" || std::ranges::none_of(list.elements(), [](const Datum* e) { return e->is_list(); });
}

class Printer {
 public:
  std::string text;

  void print(const Datum& datum) {
    place(datum, 0, 0);
    while (!open_.empty()) {
      Frame& frame = open_.back();
      const Datum& list = *frame.list;
      if (frame.next == list.size()) {
        text += ')';
        ++column_;
        open_.pop_back();
        continue;
      }
      const std::size_t i = frame.next++;
      const Datum& element = list[i];
      const std::size_t closing = i + 1 == list.size() ? frame.closing + 1 : 0;
      const bool beside = i <= frame.kept || (i > 1 && list[i - 1].is(Kind::keyword)) ||
                          (frame.filled && fits_filled(element, closing));
      if (i > 0 && !beside) {
        line(frame.indent);
        const bool chained = i == 3 && list.head() == "let" && element.head() == "let" && element.size() == 4;
        place(element, frame.indent, closing, chained);
      } else {
        if (i > 0) {
          text += ' ';
          ++column_;
        }
        // a list whose head is a list has no head to indent under
        place(element, i == 0 ? column_ : std::min(frame.base + step, deepest_indent), closing);
      }
    }
  }

 private:
  struct Frame {
    const Datum* list;
    std::size_t next = 0;
    std::size_t base;     // the indentation of the line it stands in, or of what it is broken in
    std::size_t indent;   // of the elements on lines of their own
    std::size_t kept;
    std::size_t closing;  // parentheses that follow its own
    bool filled;
  };

  // Prints an atom or a list that fits; opens a frame for one that does not, or must be broken.
  void place(const Datum& datum, std::size_t base, std::size_t closing, bool broken = false) {
    const std::size_t start = text.size();
    const std::size_t taken = column_ + std::min<std::size_t>(closing, 20);
    const std::size_t budget = page_width - std::min(page_width, taken);
    if (!broken && (append_line(text, datum, budget) || !datum.is_list())) {
      column_ += characters(std::string_view(text).substr(start));
      return;
    }
    text.resize(start);
    text += '(';
    ++column_;
    const bool headed = datum.size() > 0 && !datum[0].is_list();
    const std::size_t indent = datum.head() == "let" && datum.size() == 4 ? base : base + (headed ? step : 1);
    open_.push_back({.list = &datum,
                     .base = base,
                     .indent = std::min(indent, deepest_indent),
                     .kept = kept_beside_head(datum),
                     .closing = closing,
                     .filled = is_filled(datum)});
  }

  bool fits_filled(const Datum& element, std::size_t closing) const {
    std::string line;
    const std::size_t taken = column_ + 1 + closing;
    return taken < page_width && append_line(line, element, page_width - taken);
  }

  void line(std::size_t indent) {
    text += '\n';
    text.append(indent, ' ');
    column_ = indent;
  }

  std::vector<Frame> open_;
  std::size_t column_ = 0;
};

}  // namespace

std::string print_float(double value) {
  if (std::isnan(value)) return "nan";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // 'n' of inf
  return text;
}

std::string print_line(const Datum& datum) {
  std::string text;
  append_line(text, datum, any_width);
  return text;
}

std::string print(const Datum& datum) {
  Printer printer;
  printer.print(datum);
  return std::move(printer.text) + '\n';
}

std::string print(const Document& document) {
  std::string text;
  for (const auto* item : document.items) text += print(*item);
  return text;
}

}  // namespace lantern::sexpr
