// The reader of treebanks.
#pragma once

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <string>
#include <utility>
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
  char buffer_[1 << 12];
  size_t at_ = 0, end_ = 0;
  int64_t line_ = 1, column_ = 1;
};

/// Where words stand in an array of them, by their hashes: an array, too, since what one node a word leaves behind is never all given back.
class WordPlaces {
 public:
  /// The place of a word in `words`; -1: it has none yet.
  int64_t find(std::string_view word, const std::string_view* words) const { return slots_.empty() ? -1 : slots_[slot_of(word, words)]; }
  /// The word at a place is new.
  void add(int64_t place, const std::string_view* words) {
    if (2 * ++count_ > slots_.size()) {
      const std::vector<int32_t> before = std::exchange(slots_, std::vector<int32_t>(std::max<size_t>(64, 2 * slots_.size()), -1));
      for (const int32_t known : before) {
        if (known >= 0) slots_[slot_of(words[known], words)] = known;
      }
    }
    slots_[slot_of(words[place], words)] = static_cast<int32_t>(place);
  }

 private:
  /// Where the word's place is, or is to be.
  size_t slot_of(std::string_view word, const std::string_view* words) const {
    const size_t last = slots_.size() - 1;  // of a power of two
    size_t slot = std::hash<std::string_view>()(word) & last;
    while (slots_[slot] >= 0 && words[slots_[slot]] != word) slot = (slot + 1) & last;
    return slot;
  }

  std::vector<int32_t> slots_;
  size_t count_ = 0;
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
    WordPlaces places;
    for (int64_t i = 0; i < vocabulary.size; ++i) {
      if (places.find(vocabulary.data[i], vocabulary.data) < 0) places.add(i, vocabulary.data);
    }
    std::vector<const void*> trees;
    parse_treebank<const void*>(
        std::string(path),
        [&](int64_t label, std::string_view word) {
          return new_node(label, std::max<int64_t>(places.find(word, vocabulary.data), 0), nullptr, nullptr);
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
    detail::WordPlaces places;
    places.add(0, words.data());
    detail::parse_treebank<int>(
        std::string(path),
        [&](int64_t, std::string_view word) {
          if (places.find(word, words.data()) >= 0) return 0;
          words.push_back(arena_string(word));
          places.add(static_cast<int64_t>(words.size()) - 1, words.data());
          return 0;
        },
        [](int64_t, int, int) { return 0; }, [](int) {});
    const auto size = static_cast<int64_t>(words.size());
    return List<std::string_view>{detail::with_room(words.data(), size, size), size};
  });
}

}  // namespace lantern
