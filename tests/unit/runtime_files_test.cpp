// Treebanks and weights: what is right comes in, what is not is refused with its place.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "lantern/progress.h"
#include "lantern/runtime.h"
#include "lantern/safetensors.h"
#include "lantern/treebank.h"

namespace runtime_files_test {

using namespace lantern;

namespace {

struct Tree {
  int64_t label;
  int64_t word;
  const Tree* left;
  const Tree* right;
};

std::string path(const std::string& name) { return "/tmp/lantern_files_test_" + std::to_string(getpid()) + "_" + name; }

std::string file_with(const std::string& text, const std::string& name = "data") {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}
std::string contents(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// "code place-in-the-file message", with the file's name left out.
template <class F>
std::string error_of(const std::string& file, F&& work) {
  try {
    on_stack(work);
  } catch (const Error& error) {
    std::string place = error.location();
    if (place.rfind(file, 0) == 0) place = place.substr(file.size());
    return error.code() + " " + place + " " + error.what();
  }
  return "none";
}
std::string treebank_error(const std::string& text) {
  const std::string file = file_with(text);
  return error_of(file, [&] { read_treebank<Tree>(file, read_vocabulary(file)); });
}

struct Parameters {
  Array<float, 2> embedding;
  Array<double, 1> bias;
  Array<float, 0> scale;
  template <class Visit>
  void visit(Visit&& f) {
    f("embedding", embedding);
    f("bias", bias);
    f("scale", scale);
  }
};

}  // namespace

TEST_CASE("trees become structures") {
  const std::string file = file_with("(3 (2 It) (4 (2 's) (2 lovely)))\r\n\n  (1 It)\n(0 (1 (2 a) (2 caf\xc3\xa9)) (2 -LRB-))");
  const List<std::string_view> words = read_vocabulary(file);
  CHECK(words.size == 7);
  CHECK(index(words, 0) == "<unk>");
  CHECK(index(words, 2) == "'s");
  CHECK(index(words, 5) == "caf\xc3\xa9");
  const auto trees = read_treebank<Tree>(file, List<std::string_view>{words.data, 3});
  REQUIRE(trees.size == 3);
  CHECK(trees[0].label == 3);
  CHECK(trees[0].word == -1);
  CHECK(trees[0].left->word == 1);
  CHECK(trees[0].right->right->word == 0);  // not in the vocabulary
  CHECK(trees[1].label == 1);
  CHECK(trees[1].left == nullptr);
  int64_t labels = 0;
  for (const Tree& tree : progress(trees, "reading")) labels += tree.label;
  CHECK(labels == 4);
  for (const Tree& tree : trees) labels -= tree.label;
  CHECK(labels == 0);
  CHECK(length(progress(trees)) == 3);
  CHECK(read_treebank<Tree>(file_with("\n"), words).size == 0);
}

TEST_CASE("what a host has read is there behind its calls, which forget what others have left") {
  const std::string file = file_with("(3 (2 It) (4 (2 's) (2 lovely)))");
  const List<std::string_view> words = read_vocabulary(file);
  const auto trees = read_treebank<Tree>(file, words);
  const auto* const left = static_cast<char*>(arena().allocate(1000));
  forget_results(1.0);
  auto* const next = static_cast<char*>(arena().allocate(1000));
  CHECK(next == left);
  std::fill(next, next + 1000, '\xff');
  CHECK(index(words, 3) == "lovely");
  CHECK(trees[0].right->right->word == 3);
  forget_results(trees);  // which lies there
  CHECK(arena().allocate(8) != next);
}

TEST_CASE("words have the place where each appears first, however many there are") {
  std::string text;
  for (int round = 0; round < 2; ++round) {
    for (int word = 0; word < 3000; ++word) text += "(1 w" + std::to_string(word * 7919 % 3000) + ")\n";
  }
  const std::string file = file_with(text);
  const List<std::string_view> words = read_vocabulary(file);
  REQUIRE(words.size == 3001);
  const auto trees = read_treebank<Tree>(file, words);
  for (int64_t i = 0; i < trees.size; ++i) CHECK(trees[i].word == 1 + i % 3000);
  CHECK(words.data[3000].data() - words.data[1].data() < 8 * 3000);  // they lie close to each other

  const std::string_view twice[] = {"<unk>", "w5", "w5", "w6"};
  const auto few = read_treebank<Tree>(file_with("(1 (2 w5) (3 w6))"), List<std::string_view>{twice, 4});
  CHECK(few[0].left->word == 1);
  CHECK(few[0].right->word == 3);
  CHECK(read_treebank<Tree>(file_with("(1 w5)"), List<std::string_view>{})[0].word == 0);
}

TEST_CASE("a malformed tree is refused with line and column") {
  CHECK(treebank_error("(3 (2 a) (x b))") == "LT0720 :1:11 the label 'x' is not an integer");
  CHECK(treebank_error("(3 (2 a) ( (2 b) (2 c)))") == "LT0720 :1:12 a phrase needs an integer label");
  CHECK(treebank_error("(2 a)\n(3 (2 a) (2 b)") == "LT0720 :2:1 the file ends inside a tree that begins here");
  CHECK(treebank_error("(3 (2 a) (2 b)))") == "LT0720 :1:16 ')' without a '('");
  CHECK(treebank_error("(3 (2 a) (2 b) (2 c))") == "LT0720 :1:16 a third phrase where a tree has two: the tree is not binary");
  CHECK(treebank_error("(3 (2 a))") == "LT0720 :1:9 a single phrase where a tree has two: the tree is not binary");
  CHECK(treebank_error("(3 )") == "LT0720 :1:4 a phrase needs a word or two phrases");
  CHECK(treebank_error("(3 a b)") == "LT0720 :1:6 a phrase has one word, then ')'");
  CHECK(treebank_error("(3 (2 a) b)") == "LT0720 :1:10 the word 'b' beside a phrase");
  CHECK(treebank_error("(2 a) text") == "LT0720 :1:7 text outside of a tree");
  CHECK(treebank_error("(2 a") == "LT0720 :1:5 the file ends inside a tree");
  CHECK(treebank_error("(99999999999999999999 a)") == "LT0720 :1:2 the label '99999999999999999999' is not an integer");
  CHECK(error_of("", [] { read_vocabulary("/no/such/file"); }) == "LT0722 /no/such/file no such file");
  CHECK(error_of("", [] { read_vocabulary("/tmp"); }).substr(0, 6) == "LT0721");
}

TEST_CASE("a tree a million phrases deep is read") {
  std::string text;
  const int depth = 1000000;
  for (int i = 0; i < depth; ++i) text += "(1 ";
  text += "(2 end)";
  for (int i = 0; i < depth; ++i) text += " (2 w))";
  const std::string file = file_with(text);
  const auto trees = read_treebank<Tree>(file, read_vocabulary(file));
  int64_t seen = 0;
  for (const Tree* tree = &trees[0]; tree->left; tree = tree->left) ++seen;
  CHECK(seen == depth);
  std::remove(file.c_str());
}

TEST_CASE("weights and words come back as they were saved") {
  Parameters saved, loaded;
  saved.embedding.resize({4, 3});
  saved.bias.resize({2});
  initialize_normal(saved.embedding, 0, 1);
  initialize_normal(saved.bias, 0, 1);
  saved.scale = 2.5f;
  List<std::string_view> words;
  for (const char* word : {"<unk>", "a\"quote", "back\\slash", "caf\xc3\xa9", "tab\t"}) words = append(words, std::string_view(word));
  const std::string file = path("weights");
  save_safetensors(file, saved, words);
  load_safetensors(file, loaded);
  CHECK(loaded.embedding.shape() == saved.embedding.shape());
  CHECK(std::equal(saved.embedding.begin(), saved.embedding.end(), loaded.embedding.begin()));
  CHECK(std::equal(saved.bias.begin(), saved.bias.end(), loaded.bias.begin()));
  CHECK(loaded.scale == 2.5f);
  const auto read_words = load_words(file);
  REQUIRE(read_words.size == 5);
  for (int64_t i = 0; i < 5; ++i) CHECK(index(read_words, i) == index(words, i));
  CHECK(error_of(file, [&] { load_safetensors(file, loaded, [](const char*, int axis) { return int64_t{axis == 1 ? 7 : -1}; }); }) ==
        "LT0724  dimension 1 of 'embedding' is 3, and the model's is 7");
  saved.embedding.resize({1, 1});
  save_safetensors(path("smaller"), saved);
  CHECK(error_of(path("smaller"), [&] { load_safetensors(path("smaller"), loaded); }) == "LT0724  dimension 0 of 'embedding' is 1, and the model's is 4");
  Parameters empty;
  CHECK(error_of(path("smaller"), [&] { load_safetensors(path("smaller"), empty, {{"embedding", {-1, 3}}}); }) ==
        "LT0724  dimension 1 of 'embedding' is 1, and the model's is 3");
  CHECK(!empty.embedding.has_value());
  std::remove(path("smaller").c_str());
  CHECK(error_of("", [&] { save_safetensors("/no/such/folder/file", saved); }).substr(0, 6) == "LT0722");
  std::remove(file.c_str());
}

TEST_CASE("a damaged or foreign weights file is refused, and nothing changes") {
  Parameters parameters;
  parameters.embedding.resize({4, 3});
  parameters.bias.resize({2});
  const std::string file = path("weights");
  save_safetensors(file, parameters);
  const std::string good = contents(file);
  fill(parameters.embedding, 5);
  const auto load = [&](const std::string& bytes) {
    file_with(bytes, "weights");
    return error_of(file, [&] { load_safetensors(file, parameters); }).substr(0, 6);
  };
  for (size_t length = 0; length < good.size(); ++length) CHECK(load(good.substr(0, length)) == "LT0723");
  int accepted = 0;
  for (size_t i = 0; i < good.size(); ++i) {  // one byte changed: refused, or still a file of this shape
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x15);
    const std::string code = load(bad);
    CHECK((code == "LT0723" || code == "LT0724" || code == "none"));
    accepted += code == "none";
  }
  CHECK(accepted > 0);
  const auto with_header = [&](const std::string& header) {
    const uint64_t size = header.size();
    return load(std::string(reinterpret_cast<const char*>(&size), 8) + header + std::string(100, '\0'));
  };
  CHECK(with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[9223372036854775807,9],\"data_offsets\":[0,4]}}") == "LT0723");
  CHECK(with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}") == "LT0723");
  CHECK(with_header("{\"x\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}") == "LT0723");
  CHECK(with_header("{\"bias\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}") == "LT0724");
  CHECK(with_header("[1]") == "LT0723");
  CHECK(with_header("") == "LT0723");
  CHECK(load(good) == "none");
  CHECK(load("") == "LT0723");
  std::remove(file.c_str());
}

}  // namespace runtime_files_test
