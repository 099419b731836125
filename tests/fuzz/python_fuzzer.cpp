// Python: what is parsed and printed parses as the same code, and what `convert` makes of it is Python.
#include <cstdint>
#include <memory>
#include <string_view>

#include "frontend/convert.h"
#include "frontend/parse.h"
#include "frontend/unparse.h"
#include "support/deep_stack.h"
#include "support/diagnostic.h"
#include "tests/fuzz/must.h"

using namespace lantern;

namespace {

bool same_code(const syntax::Module& a, const syntax::Module& b) {
  if (a.body.size() != b.body.size()) return false;
  for (std::size_t i = 0; i < a.body.size(); ++i) {
    if (!syntax::same_code(*a.body[i], *b.body[i])) return false;
  }
  return true;
}

syntax::Module parse_ours(const std::string& text, const char* what) {
  try {
    return syntax::parse_text(text, std::make_shared<const std::string>("<printed>"));
  } catch (const Failure& failure) {
    must(false, std::string(what) + " is Python: " + render(failure.diagnostics) + "\n" + text);
    throw;
  }
}

void run(std::string_view source) {
  try {
    const auto module = syntax::parse(source, std::make_shared<const std::string>("<fuzzed>"));
    const std::string text = syntax::unparse(module).text;
    must(same_code(module, parse_ours(text, "what is printed")), "what is printed is the same code:\n" + text);
    parse_ours(convert(source, "<fuzzed>").text, "what is converted");
  } catch (const Failure& failure) {
    must(failure.outcome() == Outcome::program_is_wrong, render(failure.diagnostics));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  on_deep_stack([&] { run(std::string_view(reinterpret_cast<const char*>(data), size)); });
  return 0;
}
