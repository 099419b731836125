// Treebanks in PTB form, one tree or several a line: (3 (2 It) (4 (2 's) (2 lovely))). Every phrase has an integer
// label and either one word or two phrases. Read in a stream, by a stack of our own, so that depth costs only memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "lantern/definitions.h"
#include "lantern/list.h"

namespace lantern {

namespace detail {

/// The trees of a file, each node made by `new_node(label, word, left, right)`, its words' places those in `vocabulary`.
using NewNode = const void* (*)(int64_t label, int64_t word, const void* left, const void* right);
List<const void*> read_trees(std::string_view path, const List<std::string_view>& vocabulary, NewNode new_node);

}  // namespace detail

/// The words of a treebank by first appearance, behind "<unk>". Fails with DataError (file:line:column) or FileNotFoundError.
List<std::string_view> read_vocabulary(std::string_view path);

/// The trees of a file as structures with the members label, word (an index into `vocabulary`, 0 if unknown, −1 at
/// inner nodes), left and right. All in the arena. Fails with DataError (file:line:column) or FileNotFoundError.
template <class Tree>
Dataset<Tree> read_treebank(std::string_view path, const List<std::string_view>& vocabulary) {
  const auto trees = detail::read_trees(path, vocabulary, [](int64_t label, int64_t word, const void* left, const void* right) -> const void* {
    Tree* tree = new (arena().allocate_close<Tree>()) Tree{};
    tree->label = label;
    tree->word = word;
    tree->left = static_cast<const Tree*>(left);
    tree->right = static_cast<const Tree*>(right);
    return tree;
  });
  const Tree** items = arena().allocate_array<const Tree*>(trees.size);
  for (int64_t i = 0; i < trees.size; ++i) items[i] = static_cast<const Tree*>(trees.data[i]);
  detail::keep_for_host();
  return {items, trees.size, ""};
}

}  // namespace lantern

#include LANTERN_DEFINITIONS("lantern/definitions/treebank.h")
