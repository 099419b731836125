// Sentences as the model's trees: read from a line, printed with other labels. The words stay here; the model has their numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lantern/safetensors.h"
#include "sentiment.h"

/// The vocabulary saved with the weights; word 0 stands for those that are not in it.
class Vocabulary {
 public:
  explicit Vocabulary(const std::string& weights) {
    for (const auto word : sentiment::load_words(weights)) words_.emplace_back(word);
    for (std::size_t i = 0; i < words_.size(); ++i) numbers_.emplace(words_[i], static_cast<std::int64_t>(i));
    if (words_.empty()) throw std::runtime_error(weights + " holds no vocabulary: train with --save");
  }
  std::int64_t number(const std::string& word) const {
    const auto found = numbers_.find(word);
    return found == numbers_.end() ? 0 : found->second;
  }
  std::vector<std::string_view> words() const { return {words_.begin(), words_.end()}; }

 private:
  std::deque<std::string> words_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
};

/// A sentence: owns its nodes, each behind its two parts, the root last. No depth is too deep.
class Sentence {
 public:
  Sentence(Sentence&&) = default;  // its nodes stay where they are; those of a copy would be linked to these
  Sentence& operator=(Sentence&&) = default;

  /// "(3 (2 It) (4 (2 's) (2 lovely)))". Throws std::runtime_error with the column.
  static Sentence bracketed(const std::string& line, const Vocabulary& vocabulary) {
    Sentence sentence;
    struct Open { std::int64_t label; std::vector<const sentiment::Tree*> parts; };
    std::vector<Open> open;
    const auto fail = [&](std::size_t at, const char* what) { throw std::runtime_error("column " + std::to_string(at + 1) + ": " + what); };
    for (std::size_t at = 0; at < line.size();) {
      if (line[at] == ' ' || line[at] == '\r') {
        ++at;
      } else if (line[at] == '(') {
        if (open.empty() && !sentence.nodes_.empty()) fail(at, "one tree a line");
        if (at + 1 >= line.size() || line[at + 1] < '0' || line[at + 1] > '4') fail(at + 1, "a label is 0, 1, 2, 3 or 4");
        open.push_back({line[at + 1] - '0', {}});
        at += 2;
      } else if (open.empty()) {
        fail(at, "this stands outside the tree");
      } else if (line[at] == ')') {
        auto& [label, parts] = open.back();
        if (parts.size() != 2 && !(parts.size() == 1 && parts[0] == &sentence.nodes_.back() && sentence.is_fresh_word_)) fail(at, "a phrase is one word or two phrases");
        if (parts.size() == 2) sentence.add({label, -1, parts[0], parts[1]}, "");
        else sentence.nodes_.back().label = label;
        sentence.is_fresh_word_ = false;
        open.pop_back();
        if (!open.empty()) open.back().parts.push_back(&sentence.nodes_.back());
        ++at;
      } else {
        const auto end = std::min(line.find_first_of(" ()", at), line.size());
        if (!open.back().parts.empty()) fail(at, "a phrase is one word or two phrases");
        const auto word = line.substr(at, end - at);
        sentence.add({0, vocabulary.number(word), nullptr, nullptr}, word);
        sentence.is_fresh_word_ = true;
        open.back().parts.push_back(&sentence.nodes_.back());
        at = end;
      }
    }
    if (!open.empty() || sentence.nodes_.empty()) fail(line.size(), "the tree does not end");
    return sentence;
  }

  /// Words between blanks, as the tree (a (b (c d))): there is no parser here. Throws std::runtime_error if there is none.
  static Sentence of_words(const std::string& line, const Vocabulary& vocabulary) {
    Sentence sentence;
    std::vector<const sentiment::Tree*> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \r", at)) != std::string::npos;) {
      const auto end = std::min(line.find_first_of(" \r", at), line.size());
      const auto word = line.substr(at, end - at);
      words.push_back(sentence.add({0, vocabulary.number(word), nullptr, nullptr}, word));
      at = end;
    }
    if (words.empty()) throw std::runtime_error("the line is empty");
    const auto* right = words.back();
    for (std::size_t i = words.size() - 1; i-- > 0;) right = sentence.add({0, -1, words[i], right}, "");
    return sentence;
  }

  const sentiment::Tree& root() const { return nodes_.back(); }

  /// In brackets, with these labels: one for each phrase, behind those of its parts, the left one first.
  std::string text(const std::vector<std::int64_t>& labels) const {
    // Backwards, the labels are those of a walk from the root that goes right first.
    std::map<const sentiment::Tree*, std::int64_t> label_of;
    std::vector<const sentiment::Tree*> pending = {&root()};
    for (auto label = labels.rbegin(); label != labels.rend() && !pending.empty(); ++label) {
      const auto* node = pending.back();
      pending.pop_back();
      label_of[node] = *label;
      if (node->left) pending.insert(pending.end(), {node->left, node->right});
    }
    std::string text;
    pending = {&root()};
    while (!pending.empty()) {  // null: a phrase ends
      const auto* node = pending.back();
      pending.pop_back();
      if (!node) {
        text += ')';
        continue;
      }
      text += (text.empty() ? "(" : " (") + std::to_string(label_of.at(node));
      pending.push_back(nullptr);
      if (node->left) pending.insert(pending.end(), {node->right, node->left});
      else text += ' ' + words_.at(node);
    }
    return text;
  }

 private:
  Sentence() = default;
  const sentiment::Tree* add(const sentiment::Tree& node, const std::string& word) {
    nodes_.push_back(node);
    if (!word.empty()) words_[&nodes_.back()] = word;
    return &nodes_.back();
  }

  std::deque<sentiment::Tree> nodes_;
  std::map<const sentiment::Tree*, std::string> words_;
  bool is_fresh_word_ = false;  // the last node is a word whose phrase has not ended
};
