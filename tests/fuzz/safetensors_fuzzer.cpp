// Weights as generated programs load them: what is loaded is saved and loaded again as the same; anything else is refused
// with nothing changed.
#include <algorithm>
#include <cstdint>

#include "lantern/runtime.h"
#include "lantern/safetensors.h"
#include "file_of.h"
#include "must.h"

using namespace lantern;

namespace {

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

template <class A>
bool same_bytes(const A& a, const A& b) {
  return a.shape() == b.shape() && (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(*a.data())) == 0);
}

bool same(const Parameters& a, const Parameters& b) {
  return same_bytes(a.embedding, b.embedding) && same_bytes(a.bias, b.bias) && same_bytes(a.scale, b.scale);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string file = file_of(data, size);
  Parameters loaded, untouched, again;
  try {
    on_stack([&] { load_words(file); });
  } catch (const Error&) {
  }
  try {
    on_stack([&] { load_safetensors(file, loaded); });
  } catch (const Error&) {
    must(same(loaded, untouched), "a refused file changes nothing");
    return 0;
  }
  on_stack([&] { save_safetensors(file, loaded); });
  on_stack([&] { load_safetensors(file, again); });
  must(same(loaded, again), "what is saved is what is loaded");
  return 0;
}
