// learn WEIGHTS TREES EPOCHS OUT: goes on from WEIGHTS with labelled trees, one a line, and writes what was learnt to OUT.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <type_traits>

#include "phrases.h"

namespace {

// Adagrad's memory is zero where nothing has been learnt yet: an array for each parameter, in its shape.
void begin_learning(sentiment::Model& model) {
  model.state.visit([&](const std::string& memory, auto& array) {
    model.parameters.visit([&](const std::string& name, auto& parameter) {
      if constexpr (std::is_same_v<decltype(array), decltype(parameter)>) {
        if (memory == name + ".adagrad") array.resize(parameter.shape());
      }
    });
  });
}

}  // namespace

int main(int count, char** words) {
  if (count != 5 || std::atoi(words[3]) < 1) {
    std::cerr << "usage: learn WEIGHTS TREES EPOCHS OUT\n";
    return 2;
  }
  try {
    const Vocabulary vocabulary(words[1]);
    sentiment::Model model;
    sentiment::load(model, words[1]);
    begin_learning(model);

    std::vector<Sentence> sentences;
    std::ifstream trees(words[2]);
    for (std::string line; std::getline(trees, line);) sentences.push_back(Sentence::bracketed(line, vocabulary));
    if (sentences.empty()) throw std::runtime_error(std::string("there are no trees in ") + words[2]);

    for (int epoch = 1; epoch <= std::atoi(words[3]); ++epoch) {
      double total = 0;
      for (const auto& sentence : sentences) total += sentiment::learn(model, sentence.root());
      std::cout << "epoch " << epoch << ": mean loss " << total / static_cast<double>(sentences.size()) << '\n';
    }
    const auto all = vocabulary.words();
    sentiment::save_safetensors(words[4], model.parameters, {all.data(), static_cast<std::int64_t>(all.size())});
  } catch (const sentiment::Error& error) {
    std::cerr << error.text() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
