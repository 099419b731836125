// The reader of treebanks.
#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "lantern/file.h"
#include "lantern/treebank.h"

namespace lantern {

namespace detail {

/// Characters of a file with their line and column (in bytes, from 1).
class TreebankText {
 public:
  explicit TreebankText(const std::string& path) : file_(path) {}

  int peek() {
    if (at_ == end_) {
      end_ = file_.read(buffer_, sizeof buffer_);
      at_ = 0;
      if (end_ == 0) return -1;
    }
    return static_cast<unsigned char>(buffer_[at_]);
  }
  void advance() {
    if (buffer_[at_++] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
  void skip_space() {
    for (int c = peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek()) advance();
  }
  /// Up to a space, a line's end or a parenthesis.
  void read_word(std::string& word) {
    word.clear();
    for (int c = peek(); c >= 0 && c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '(' && c != ')'; c = peek()) {
      word.push_back(static_cast<char>(c));
      advance();
    }
  }
  struct Place {
    int64_t line, column;
  };
  Place place() const { return {line_, column_}; }
  [[noreturn]] void refuse(const std::string& message, Place at) const {
    throw FileError{&errors::treebank, file_.path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column), message};
  }
  [[noreturn]] void refuse(const std::string& message) const { refuse(message, place()); }

 private:
  InputFile file_;
  char buffer_[1 << 16];
  size_t at_ = 0, end_ = 0;
  int64_t line_ = 1, column_ = 1;
};

/// The reader of one file: leaf(label, word) and inner(label, left, right) make nodes of type Node, root(node) takes trees.
template <class Node, class Leaf, class Inner, class Root>
void parse_treebank(const std::string& path, Leaf&& leaf, Inner&& inner, Root&& root) {
  struct Open {
    int64_t label;
    int children;
    Node child[2];
    TreebankText::Place begin;
  };
  const auto text_owner = std::make_unique<TreebankText>(path);
  TreebankText& text = *text_owner;
  std::vector<Open> open;
  std::string word;
  for (;;) {
    text.skip_space();
    const int c = text.peek();
    if (c < 0) break;
    if (c == '(') {
      Open phrase{0, 0, {}, text.place()};
      if (!open.empty() && open.back().children == 2) text.refuse("a third phrase where a tree has two: the tree is not binary");
      text.advance();
      text.skip_space();
      const auto at = text.place();
      text.read_word(word);
      const auto end = std::from_chars(word.data(), word.data() + word.size(), phrase.label);
      if (word.empty() || end.ec != std::errc() || end.ptr != word.data() + word.size())
        text.refuse(word.empty() ? "a phrase needs an integer label" : "the label '" + word + "' is not an integer", at);
      open.push_back(phrase);
    } else if (c == ')') {
      if (open.empty()) text.refuse("')' without a '('");
      const Open phrase = open.back();
      if (phrase.children == 0) text.refuse("a phrase needs a word or two phrases");
      if (phrase.children == 1) text.refuse("a single phrase where a tree has two: the tree is not binary");
      text.advance();
      open.pop_back();
      const Node node = inner(phrase.label, phrase.child[0], phrase.child[1]);
      if (open.empty()) root(node);
      else open.back().child[open.back().children++] = node;
    } else {
      if (open.empty()) text.refuse("text outside of a tree");
      const auto at = text.place();
      text.read_word(word);
      if (open.back().children > 0) text.refuse("the word '" + word + "' beside a phrase", at);
      text.skip_space();
      if (text.peek() != ')') text.refuse(text.peek() < 0 ? "the file ends inside a tree" : "a phrase has one word, then ')'");
      text.advance();
      const Node node = leaf(open.back().label, std::string_view(word));
      open.pop_back();
      if (open.empty()) root(node);
      else open.back().child[open.back().children++] = node;
    }
  }
  if (!open.empty()) text.refuse("the file ends inside a tree that begins here", open.front().begin);
}

LANTERN_INLINE List<const void*> read_trees(std::string_view path, const List<std::string_view>& vocabulary, NewNode new_node) {
  return at_border([&] {
    std::unordered_map<std::string_view, int64_t> place;
    for (int64_t i = 0; i < vocabulary.size; ++i) place.emplace(vocabulary.data[i], i);
    std::vector<const void*> trees;
    parse_treebank<const void*>(
        std::string(path),
        [&](int64_t label, std::string_view word) {
          const auto found = place.find(word);
          return new_node(label, found == place.end() ? 0 : found->second, nullptr, nullptr);
        },
        [&](int64_t label, const void* left, const void* right) { return new_node(label, -1, left, right); },
        [&](const void* tree) { trees.push_back(tree); });
    const auto size = static_cast<int64_t>(trees.size());
    return List<const void*>{copy_to_arena(trees.data(), size, size), size};
  });
}

}  // namespace detail

LANTERN_INLINE List<std::string_view> read_vocabulary(std::string_view path) {
  return detail::at_border([&] {
    std::vector<std::string_view> words{"<unk>"};
    std::unordered_map<std::string_view, int> known{{"<unk>", 0}};
    detail::parse_treebank<int>(
        std::string(path),
        [&](int64_t, std::string_view word) {
          if (known.count(word)) return 0;
          const std::string_view own = arena_string(word);
          known.emplace(own, 0);
          words.push_back(own);
          return 0;
        },
        [](int64_t, int, int) { return 0; }, [](int) {});
    const auto size = static_cast<int64_t>(words.size());
    return List<std::string_view>{detail::with_room(words.data(), size, size), size};
  });
}

}  // namespace lantern
