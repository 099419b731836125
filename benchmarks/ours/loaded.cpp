// A program that Lantern has built, in a process that has no Python and no compiler: loads the shared object, gives it the numbers that all peers
// begin with, and calls an entry (trial.h says what is printed).
//   loaded SHARED_OBJECT train TREEBANK CASE PARAMETER...     a pass over the trees, for the memory that it takes
//   loaded SHARED_OBJECT infer TREEBANK CASE PARAMETER...     calls the entry, a tree's loss, tree by tree
// CASE: its name in the table; PARAMETER: "3 name 450 300", of a parameter or a state: seed of fixed.py or "zeros", name, shape.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "../limit/trial.h"
#include "lantern/runtime.h"
#include "lantern/treebank.h"

namespace {

struct Tree {
  int64_t label, word;
  const Tree *left, *right;
};

// As python/lantern/abi.py and compiled.py have them.
struct Text {
  const char* data;
  int64_t size;
};
struct CallError {
  char code[16], kind[64], location[512], message[2048];
};

class Program {
 public:
  explicit Program(const char* path) : library_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) stop(dlerror());
    instance_ = reinterpret_cast<void* (*)()>(symbol("lantern_create"))();
  }

  void bind(const std::string& name, float* numbers, const std::vector<int64_t>& shape) {
    auto* bind = reinterpret_cast<int32_t (*)(void*, const char*, void*, const int64_t*)>(symbol("lantern_bind"));
    if (bind(instance_, name.c_str(), numbers, shape.data())) stop("the program has no parameter " + name);
  }

  /// Images of arguments in, that of a scalar result out.
  template <class Result>
  Result call(void** arguments) {
    Result result{};
    void* results[] = {&result};
    CallError error;
    if (entry_(instance_, arguments, results, &error)) stop(error.message);
    return result;
  }

  void choose(const std::string& entry) { entry_ = reinterpret_cast<Entry*>(symbol("lantern_entry_" + entry)); }

  [[noreturn]] static void stop(const std::string& message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::exit(4);
  }

 private:
  using Entry = int32_t(void*, void**, void**, CallError*);

  void* symbol(const std::string& name) const {
    void* found = dlsym(library_, name.c_str());
    if (!found) stop(dlerror());
    return found;
  }

  void* library_;
  void* instance_ = nullptr;
  Entry* entry_ = nullptr;
};

struct Free {
  void operator()(float* numbers) const { std::free(numbers); }
};
/// An array that begins where a cache line does, as those of a Model do.
using Numbers = std::unique_ptr<float, Free>;

Numbers numbers_of(const char* seed, int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  Numbers numbers(static_cast<float*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
  if (std::strcmp(seed, "zeros") == 0) std::memset(numbers.get(), 0, bytes);
  else std::memcpy(numbers.get(), trial::fixed(std::strtoull(seed, nullptr, 10), count, -0.05, 0.05).data(), bytes);
  return numbers;
}

/// The numbers of parameters and states, which the program works on in place. Read without C++'s streams: their code, 0.4 MiB, would be
/// in the memory that the program is said to take.
std::vector<Numbers> bound(Program& program, char** words, int count) {
  std::vector<Numbers> all;
  for (int i = 0; i < count; ++i) {
    const char* const seed = std::strtok(words[i], " ");
    const char* const name = std::strtok(nullptr, " ");
    if (!seed || !name) Program::stop("a parameter is given by seed, name and shape");
    std::vector<int64_t> shape;
    int64_t size = 1;
    while (const char* const dimension = std::strtok(nullptr, " ")) size *= shape.emplace_back(std::atoll(dimension));
    all.push_back(numbers_of(seed, size));
    program.bind(name, all.back().get(), shape);
  }
  return all;
}

void train(Program& program, const char* treebank) {
  int64_t passes = 1;
  Text path{treebank, static_cast<int64_t>(std::strlen(treebank))};
  void* arguments[] = {&path, &passes};
  program.choose("train");
  trial::value("mean loss of the first pass", program.call<double>(arguments));
}

void infer(Program& program, const char* treebank, const std::string& name) {
  const auto vocabulary = lantern::read_vocabulary(treebank);
  const auto trees = lantern::read_treebank<Tree>(treebank, vocabulary);
  program.choose("loss");
  const auto loss = [&](int64_t i) {
    const Tree* tree = &static_cast<const Tree&>(trees[i]);
    void* arguments[] = {&tree};
    return program.call<float>(arguments);
  };
  double sum = 0;
  for (int64_t i = 0; i < trees.size; ++i) sum += static_cast<double>(loss(i));
  const std::string over = " over " + std::to_string(trees.size) + " trees";
  trial::value(name + ": mean loss of the first pass" + over, sum / static_cast<double>(trees.size));
  trial::latencies(name, trees.size, loss);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: loaded SHARED_OBJECT train|infer TREEBANK CASE PARAMETER...\n");
    return 2;
  }
  try {
    const trial::Memory memory;
    Program program(argv[1]);
    const auto parameters = bound(program, argv + 5, argc - 5);
    if (std::strcmp(argv[2], "train") == 0) train(program, argv[3]);
    else infer(program, argv[3], argv[4]);
    memory.print();
  } catch (const lantern::Error& error) {
    Program::stop(error.text());
  }
}
