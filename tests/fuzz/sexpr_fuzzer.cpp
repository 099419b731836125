// S-expressions through the C API, as a caller sees it: every stage up to C++ gives a text or a diagnostic. Bytes seldom
// make a program, so most mutations are of trees: a datum is replaced, doubled, dropped or wrapped.
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>

#include "api/lantern.h"
#include "sexpr/printer.h"
#include "sexpr/reader.h"
#include "support/deep_stack.h"
#include "support/diagnostic.h"
#include "tests/fuzz/must.h"

using namespace lantern;
using sexpr::Datum;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string compile(std::string_view text, const char* options) {
  const std::unique_ptr<lantern_result, void (*)(lantern_result*)> result(
      lantern_compile(text.data(), text.size(), "<fuzzed>", options), lantern_result_free);
  const int outcome = lantern_result_outcome(result.get());
  must(outcome == 0 || outcome == 1, lantern_result_diagnostics_json(result.get()));
  return lantern_result_text(result.get(), nullptr);
}

void collect(const Datum& root, std::vector<const Datum*>& all) {
  std::vector<const Datum*> pending = {&root};
  while (!pending.empty()) {
    all.push_back(pending.back());
    const auto elements = pending.back()->elements();
    pending.pop_back();
    pending.insert(pending.end(), elements.begin(), elements.end());
  }
}

std::vector<const Datum*> data_of(const sexpr::Document& document) {
  std::vector<const Datum*> all;
  for (const Datum* item : document.items) collect(*item, all);
  return all;
}

/// The document's text with one datum changed, perhaps to one of another document.
std::string mutated(const sexpr::Document& document, const sexpr::Document& source, std::mt19937& random) {
  const auto all = data_of(document), others = data_of(source);
  if (all.empty() || others.empty()) return "";
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const Datum* target = all[pick(all.size())];
  const Datum* other = others[pick(others.size())];
  static const char* const atoms[] = {"0", "-1", "2.5", "none", "true", "\"\"", "x", "t", "t_2", "f64", "(tensor f32 ? n)", "(optional T)", "(tuple)",
                                      "(list i64)", "9223372036854775807", "nan", "(begin)", "(undefined i64)"};
  const std::string here = print_line(*target), there = print_line(*other);
  std::string after;
  switch (pick(7)) {
    case 0: after = there; break;
    case 1: after = here + " " + there; break;
    case 2: break;
    case 3: after = "(" + here + " " + there + ")"; break;
    case 4: after = target->is_list() && target->size() > 0 ? print_line((*target)[pick(target->size())]) : there; break;
    case 5: after = here + " " + here; break;
    default: after = atoms[pick(std::size(atoms))];
  }
  const std::function<void(const Datum&, std::string&)> print = [&](const Datum& datum, std::string& out) {
    if (&datum == target) {
      out += after;
    } else if (datum.is_list()) {
      out += "(";
      for (const Datum* element : datum.elements()) print(*element, out), out += " ";
      out += ")";
    } else {
      out += print_line(datum);
    }
  };
  std::string text;
  for (const Datum* item : document.items) print(*item, text), text += "\n";
  return text;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  try {
    const auto document = sexpr::read(std::string_view(reinterpret_cast<char*>(data), size), "<fuzzed>");
    const std::string text = random() % 4 == 0 ? "" : mutated(document, document, random);
    if (text.empty() || text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, text.data(), text.size());
    return text.size();
  } catch (const Failure&) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  try {
    const std::string text = mutated(sexpr::read(std::string_view(reinterpret_cast<const char*>(data), size), "<fuzzed>"),
                                     sexpr::read(std::string_view(reinterpret_cast<const char*>(other), other_size), "<fuzzed>"), random);
    if (text.size() > max_size) return 0;
    std::memcpy(out, text.data(), text.size());
    return text.size();
  } catch (const Failure&) {
    return 0;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string printed = compile(text, R"({"emit": "sexpr"})");
  must(compile(printed, R"({"emit": "sexpr"})") == printed, "what is printed reads back as the same");
  if (compile(text, R"({"emit": "cps"})").empty()) return 0;
  compile(text, R"({"emit": "ir"})");
  compile(text, R"({"emit": "cpp"})");
  return 0;
}
