// score WEIGHTS < LINES: labels each phrase of a line. A line is a tree, (3 (2 It) …), or plain words, which become a right-branching tree.
#include <iostream>

#include "phrases.h"

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: score WEIGHTS < LINES\n";
    return 2;
  }
  try {
    const Vocabulary vocabulary(words[1]);
    sentiment::Model model;
    sentiment::load(model, words[1]);
    std::string line;
    for (int number = 1; std::getline(std::cin, line); ++number) {
      try {
        const bool plain = line.find_first_of("()") == std::string::npos;
        if (plain) std::cerr << "line " << number << ": plain words, taken as a right-branching tree\n";
        const auto sentence = plain ? Sentence::of_words(line, vocabulary) : Sentence::bracketed(line, vocabulary);
        const auto labels = sentiment::labels(model, sentence.root());  // in memory that the next call uses again
        std::cout << sentence.text({labels.begin(), labels.end()}) << '\n';
      } catch (const std::exception& error) {
        std::cerr << "line " << number << ": " << error.what() << '\n';
        return 1;
      }
    }
  } catch (const sentiment::Error& error) {
    std::cerr << error.text() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
