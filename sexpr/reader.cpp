// Nesting is a stack of open lists beside one stack of elements: a closing parenthesis turns the elements since its
// opening one into a list. So depth costs memory only.
#include "sexpr/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "sexpr/token.h"
#include "support/deep_stack.h"
#include "support/diagnostic.h"

namespace lantern::sexpr {

namespace {

constexpr std::size_t max_errors = 20;

// A place in the text that moves forward only, with its line and column.
class Cursor {
 public:
  Cursor(std::string_view text, FileName file) : text_(text), file_(std::move(file)) {
    if (text_.starts_with("\xEF\xBB\xBF")) offset_ = line_start_ = 3;  // a byte order mark
  }

  std::string_view rest() const { return text_.substr(offset_); }
  int column() const { return column_; }

  // Moves over `bytes` and returns where they stand.
  Location take(std::size_t bytes) {
    Location location{file_, line_, column_, 0, 0};
    for (const char byte : text_.substr(offset_, bytes)) {
      ++offset_;
      if (byte == '\n') {
        ++line_;
        column_ = 1;
        line_start_ = offset_;
      } else if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80) {
        ++column_;
      }
    }
    location.end_line = line_;
    location.end_column = column_;
    return location;
  }

  // The text of the line the cursor is in. Of a line too long to show, what stands just before the cursor.
  std::string line() const {
    constexpr std::size_t longest = 240;
    const auto line = text_.substr(line_start_, text_.find('\n', offset_) - line_start_);
    if (line.size() <= longest) return std::string(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
    std::size_t first = offset_ - std::min<std::size_t>(offset_ - line_start_, 60);
    while (first < offset_ && (static_cast<unsigned char>(text_[first]) & 0xC0) == 0x80) ++first;
    return "… " + std::string(text_.substr(first, offset_ - first));
  }

 private:
  std::string_view text_;
  FileName file_;
  std::size_t offset_ = 0, line_start_ = 0;
  int line_ = 1, column_ = 1;
};

class Reader {
 public:
  Reader(std::string_view text, FileName file) : cursor_(text, std::move(file)) {}

  Document read() {
    for (;;) {
      cursor_.take(skip_blank(cursor_.rest()));
      if (errors_.size() >= max_errors) break;
      const Token token = next_token(cursor_.rest());
      if (token.kind == TokenKind::end) break;
      report(token);
      if (!take(token)) break;
    }
    if (!open_.empty() && errors_.size() < max_errors && !too_deep_) report_open();
    if (!errors_.empty()) {
      std::ranges::stable_sort(errors_, [](const auto& a, const auto& b) {
        return std::pair(a.location.line, a.location.column) < std::pair(b.location.line, b.location.column);
      });
      throw Failure(std::move(errors_));
    }
    document_.items = std::move(elements_);
    return std::move(document_);
  }

 private:
  struct Open {
    Location location;
    std::size_t first;  // of its elements
    std::string line;   // shown if it is never closed; kept for the outermost list alone
  };

  bool take(const Token& token) {
    if (token.kind == TokenKind::open) return open();
    if (token.kind == TokenKind::close) {
      close();
      return true;
    }
    const Location location = cursor_.take(token.spelling.size());
    if (token.kind != TokenKind::malformed) elements_.push_back(atom(token, location));
    return true;
  }

  bool open() {
    if (open_.size() == static_cast<std::size_t>(max_nesting)) {
      too_deep_ = true;
      const std::string line = cursor_.line();
      fail({.code = "LT0208",
            .location = cursor_.take(1),
            .message = fmt::format("lists nest deeper than {}", max_nesting),
            .hint = "split the program into several definitions",
            .source_line = line});
      return false;
    }
    if (!open_.empty() && cursor_.column() == 1 && !suspect_.known()) {
      suspect_ = cursor_.take(1);
      open_.push_back({suspect_, elements_.size(), {}});
      return true;
    }
    std::string line = open_.empty() ? cursor_.line() : std::string();
    open_.push_back({cursor_.take(1), elements_.size(), std::move(line)});
    return true;
  }

  void close() {
    if (open_.empty()) {
      const std::string line = cursor_.line();
      fail({.code = "LT0202",
            .location = cursor_.take(1),
            .message = "this ')' closes nothing",
            .hint = "take it out, or open the list it is meant to close",
            .source_line = line});
      return;
    }
    const Location end = cursor_.take(1);
    Location location = std::move(open_.back().location);
    location.end_line = end.end_line;
    location.end_column = end.end_column;
    const std::size_t first = open_.back().first;
    const Datum* list = document_.list(std::span(elements_).subspan(first), std::move(location));
    open_.pop_back();
    elements_.resize(first);
    elements_.push_back(list);
    if (open_.empty()) suspect_ = {};
  }

  const Datum* atom(const Token& token, const Location& location) {
    switch (token.kind) {
      case TokenKind::boolean: return document_.boolean(token.boolean, location);
      case TokenKind::integer: return document_.integer(token.integer, location);
      case TokenKind::floating: return document_.floating(token.number, location);
      case TokenKind::string: return document_.string(token.text, location);
      case TokenKind::symbol: return document_.symbol(token.text, location);
      case TokenKind::keyword: return document_.keyword(token.text, location);
      default: return document_.none(location);
    }
  }

  // The errors of the token at the cursor. A copy of the cursor finds each one's place.
  void report(const Token& token) {
    for (const auto& error : token.errors) {
      Cursor at = cursor_;
      at.take(error.offset);
      const std::string line = at.line();
      fail({.code = error.code,
            .location = at.take(error.length),
            .message = error.message,
            .hint = error.hint,
            .source_line = line});
    }
  }

  void report_open() {
    const auto& outermost = open_.front();
    Diagnostic diagnostic{.code = "LT0201",
                          .location = outermost.location,
                          .message = "this '(' is never closed",
                          .source_line = outermost.line};
    if (open_.size() > 1) diagnostic.message += fmt::format(", nor {} {} inside it", open_.size() == 2 ? "is" : "are", open_.size() - 1);
    if (suspect_.known()) {
      diagnostic.notes.push_back({suspect_, "an item seems to start here, while that list is still open"});
      diagnostic.hint = "check the parentheses of the item before the one noted";
    } else {
      diagnostic.hint = "close it with ')'";
    }
    fail(std::move(diagnostic));
  }

  void fail(Diagnostic diagnostic) {
    if (errors_.size() < max_errors) errors_.push_back(std::move(diagnostic));
  }

  Cursor cursor_;
  Document document_;
  std::vector<Open> open_;
  std::vector<const Datum*> elements_;  // of all open lists, outermost first
  std::vector<Diagnostic> errors_;
  Location suspect_;  // the first list since the outermost opened that starts a line
  bool too_deep_ = false;
};

}  // namespace

Document read(std::string_view text, FileName file) { return Reader(text, std::move(file)).read(); }

}  // namespace lantern::sexpr
