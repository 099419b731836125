#include "frontend/lexical.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace lantern::syntax {

namespace {

constexpr std::string_view openers = "([{", closers = ")]}";
constexpr std::size_t max_levels = 100;  // CPython's

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source), result_{std::string(source)} {}

  LogicalLines scan() {
    while (at_ < source_.size() && !result_.error) {
      if (at_line_start_) indentation();
      else token();
    }
    if (!result_.error && !open_.empty()) fail(open_.back(), fmt::format("'{}' was never closed", source_[open_.back()]));
    if (!result_.error) end_line();
    return std::move(result_);
  }

 private:
  void fail(std::size_t at, std::string message) { result_.error = LexicalError{static_cast<std::uint32_t>(at), std::move(message)}; }

  bool sees(std::string_view wanted) const { return source_.substr(at_, wanted.size()) == wanted; }

  // Blanks and tabs at the head of a line; a backslash joins lines here too, and the first one's indentation counts.
  void indentation() {
    const std::size_t begin = at_;
    Indent indent{0, 0}, joined{0, 0};
    for (;; ++at_) {
      if (sees(" ")) ++indent.column, ++indent.characters;
      else if (sees("\t")) indent.column = (indent.column / 8 + 1) * 8, ++indent.characters;
      else if (sees("\f")) indent = {0, 0};
      else if (sees("\\\n")) {
        if (joined.column == 0) joined = indent;
        indent = {0, 0};
        ++at_;
      } else break;
    }
    if (joined.column != 0) indent = joined;
    at_line_start_ = false;
    if (at_ == source_.size() || sees("\n") || sees("#")) return;  // blank: says nothing
    const std::size_t level = indents_.size();
    if (!enter(indent)) return;
    const bool goes_on = simple_comma_ ? is_simple_word(word_at(at_)) : std::string_view("([{\"'").find(source_[at_]) != std::string_view::npos;
    if (simple_end_ && indents_.size() == level && goes_on) result_.text[*simple_end_] = ';';
    simple_end_.reset();
    const std::size_t levels = std::min(indents_.size(), at_ - begin);
    std::fill(result_.text.begin() + begin, result_.text.begin() + at_, '\f');
    std::fill(result_.text.begin() + (at_ - levels), result_.text.begin() + at_, ' ');
    first_word();
  }

  struct Indent {
    int column;      // with tab stops at every eighth
    int characters;  // with a tab as wide as a blank: the two must agree on what is deeper
  };

  bool enter(Indent indent) {
    const Indent current = indents_.empty() ? Indent{0, 0} : indents_.back();
    const auto inconsistent = [&] {
      fail(at_, "inconsistent use of tabs and spaces in indentation");
      return false;
    };
    const bool after_header = std::exchange(header_ended_, false);
    if (indent.column > current.column) {
      if (indent.characters <= current.characters) return inconsistent();
      if (!after_header) {
        fail(at_, "unexpected indent");
        if (result_.missing_colon) result_.error = result_.missing_colon;
        return false;
      }
      indents_.push_back(indent);
      if (indents_.size() >= max_levels) return fail(at_, "too many levels of indentation"), false;
      return true;
    }
    if (after_header) return fail(at_, "expected an indented block"), false;
    while (!indents_.empty() && indents_.back().column > indent.column) indents_.pop_back();
    const Indent outer = indents_.empty() ? Indent{0, 0} : indents_.back();
    if (outer.column != indent.column) {
      return fail(at_, "unindent does not match any outer indentation level"), false;
    }
    return outer.characters == indent.characters || inconsistent();
  }

  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (end < source_.size() && is_name_character(source_[end])) ++end;
    return source_.substr(begin, end - begin);
  }

  static bool is_compound_word(std::string_view word) {
    static const std::set<std::string_view> words{"if",    "elif", "else", "while", "for",    "def",
                                                  "class", "try",  "with", "async", "except", "finally"};
    return words.count(word) > 0;
  }

  // Whether a line that begins so is one of simple statements, for all one can tell.
  bool is_simple_word(std::string_view word) const { return source_[at_] != '@' && word != "match" && word != "case" && !is_compound_word(word); }

  void first_word() {
    const std::string_view word = word_at(at_);
    const std::size_t end = at_ + word.size();
    result_.begins.push_back(static_cast<std::uint32_t>(at_));
    is_compound_ = wants_colon_ = is_compound_word(word);
    const std::size_t next = source_.find_first_not_of(" \t\f", end);
    if (word == "match" && next != std::string_view::npos && (source_[next] == '(' || source_[next] == '[')) matched_ = end;
    if (wants_colon_) at_ = end;
  }

  // The end of the string whose quote is at `at_`; none if it is left open.
  std::optional<std::size_t> string_end(std::string_view quote) const {
    for (std::size_t at = at_ + quote.size(); at < source_.size(); ++at) {
      if (source_[at] == '\\') ++at;
      else if (source_[at] == '\n' && quote.size() == 1) return std::nullopt;
      else if (source_.substr(at, quote.size()) == quote) return at + quote.size();
    }
    return std::nullopt;
  }

  void token() {
    const char c = source_[at_];
    if (c == '#') {
      const std::size_t end = std::min(source_.find('\n', at_), source_.size());
      std::fill(result_.text.begin() + at_, result_.text.begin() + end, ' ');
      result_.comments.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end), last_ != '\0' || !open_.empty()});
      at_ = end;
      return;
    }
    if (c == '"' || c == '\'') {
      last_ = c;
      const bool triple = sees(std::string(3, c));
      const auto end = string_end(source_.substr(at_, triple ? 3 : 1));
      if (!end) return fail(at_, fmt::format("unterminated {}string literal", triple ? "triple-quoted " : ""));
      at_ = *end;
      return;
    }
    if (sees("\\\n")) {
      result_.text[at_] = result_.text[at_ + 1] = ' ';
      at_ += 2;
      return;
    }
    if (c == '\n') {
      if (open_.empty()) end_line();
      else result_.text[at_] = ' ';
    } else if (openers.find(c) != std::string_view::npos) {
      open_.push_back(at_);
    } else if (closers.find(c) != std::string_view::npos) {
      close(c);
    } else if (c == ':' && open_.empty()) {
      wants_colon_ = false;
    } else if (c == '*') {
      move_star_to_except();
      if (unpacks_no_name()) result_.stars.push_back(static_cast<std::uint32_t>(at_));
    }
    if (c != ' ' && c != '\t' && c != '\f' && c != '\n') last_ = c;
    ++at_;
  }

  void end_line() {
    if (wants_colon_ && !result_.missing_colon) {
      result_.missing_colon = LexicalError{static_cast<std::uint32_t>(at_), "expected ':'"};
    }
    header_ended_ = header_ended_ || last_ == ':';  // stays over blank lines
    if (matched_ && last_ == ':') invert_subject(*matched_);
    matched_.reset();
    const bool is_simple = !is_compound_ && last_ != ':' && last_ != ';' && last_ != '\0';
    if (is_simple && at_ < source_.size()) {
      simple_end_ = at_;
      simple_comma_ = last_ == ',';
    }
    is_compound_ = wants_colon_ = false;
    last_ = '\0';
    at_line_start_ = true;
  }

  // `match (x).y:` → `match~(x).y:`, which is no call. Where there is no blank, one of the indentation's that says nothing gives way.
  void invert_subject(std::size_t end) {
    constexpr std::string_view keyword = "match";
    std::string& text = result_.text;
    if (std::string_view("([").find(source_[end]) == std::string_view::npos) {
      text[end] = '~';
      return;
    }
    const std::size_t begin = end - keyword.size(), blanks = begin - std::min(indents_.size(), begin);
    if (blanks == 0 || text[blanks - 1] != '\f') return;
    text[blanks - 1] = ' ';
    text.replace(begin - 1, keyword.size(), keyword);
    text[end - 1] = '~';
    --result_.begins.back();
  }

  void close(char closer) {
    if (open_.empty()) return fail(at_, fmt::format("unmatched '{}'", closer));
    const char opener = source_[open_.back()];
    if (opener != openers[closers.find(closer)]) {
      return fail(at_, fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'", closer, opener));
    }
    open_.pop_back();
  }

  // `except *E` → `except* E`: to the grammar, `except*` is one token.
  void move_star_to_except() {
    constexpr std::string_view keyword = "except";
    std::string& text = result_.text;
    const auto last = at_ == 0 ? std::string::npos : text.find_last_not_of(" \t", at_ - 1);
    if (last == std::string::npos || last + 1 == at_ || last + 1 < keyword.size()) return;
    const std::size_t begin = last + 1 - keyword.size();
    if (text.compare(begin, keyword.size(), keyword) != 0 || (begin > 0 && is_name_character(text[begin - 1]))) return;
    std::swap(text[last + 1], text[at_]);
  }

  // Whether the star here begins an operand, and something other than a name follows.
  bool unpacks_no_name() const {
    static const std::set<std::string_view> before{"return", "yield", "in", "for"};
    constexpr std::string_view blanks = " \t\f";
    const std::string_view text = result_.text;
    const auto last = at_ == 0 ? std::string_view::npos : text.find_last_not_of(blanks, at_ - 1);
    if (last != std::string_view::npos && std::string_view("\n([{,=:;").find(text[last]) == std::string_view::npos) {
      std::size_t begin = last + 1;
      while (begin > 0 && is_name_character(text[begin - 1])) --begin;
      if (before.count(text.substr(begin, last + 1 - begin)) == 0) return false;
    }
    const auto next = source_.find_first_not_of(" \t\f\n", at_ + 1);
    if (next == std::string_view::npos) return false;
    if (std::string_view("*=,):").find(source_[next]) != std::string_view::npos) return false;  // `**`, `*=`, or `f(*, a)`
    std::size_t end = next;
    while (end < source_.size() && is_name_character(source_[end])) ++end;
    const bool string_prefix = end - next <= 2 && end < source_.size() && (source_[end] == '"' || source_[end] == '\'');
    return end == next || string_prefix || (source_[next] >= '0' && source_[next] <= '9');
  }

  std::string_view source_;
  LogicalLines result_;
  std::optional<std::size_t> matched_;  // the end of the `match` that begins this line, before a bracket
  std::optional<std::size_t> simple_end_;  // the end of the last line that was not blank, if it was one of simple statements
  bool simple_comma_ = false;              // whether that ends with a comma
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // brackets
  std::vector<Indent> indents_;    // of the blocks around this line, all deeper than 0
  bool at_line_start_ = true;
  bool is_compound_ = false;   // the line began with a compound statement's keyword
  bool wants_colon_ = false;   // the line began with a compound statement's keyword, and no colon came yet
  bool header_ended_ = false;  // the last line that was not blank ended with a colon: a block must follow
  char last_ = '\0';           // the line's last character that is no blank
};

}  // namespace

LogicalLines logical_lines(std::string_view source) { return Scanner(source).scan(); }

}  // namespace lantern::syntax
