// Of what a program does without arrays each header is small; with arrays nearly all belong together, and runtime.h has them.
#include "codegen/includes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "codegen/spelling.h"

namespace lantern {

namespace {

constexpr std::string_view everything = "runtime.h";

/// Where a program has no arrays, and says no name of other headers', nor an overload of these that is not
/// in the header, but for arrays. tests/python/compile/test_includes.py holds it to the headers.
const std::map<std::string, std::string_view, std::less<>>& headers_of_names() {
  static const std::map<std::string, std::string_view, std::less<>> table = {
      {"Error", "api.h"}, {"List", "api.h"}, {"Mark", "api.h"}, {"arena", "api.h"}, {"check_stack", "api.h"}, {"continuation", "api.h"}, {"forget_results", "api.h"},
      {"length", "api.h"}, {"make", "api.h"}, {"on_stack", "api.h"}, {"passive", "api.h"}, {"present", "api.h"}, {"raise_error", "api.h"},
      {"range", "api.h"}, {"require", "api.h"},
      {"each", "batch_direct.h"}, {"each_on_one_thread", "batch_direct.h"}, {"together", "batch_direct.h"},
      {"append", "list_operations.h"}, {"append_to_item", "list_operations.h"}, {"check_column", "list_operations.h"}, {"deep_copy", "list_operations.h"}, {"insert", "list_operations.h"},
      {"list_of", "list_operations.h"}, {"pop", "list_operations.h"},
      {"find_key", "hash_table.h"}, {"make_slots", "hash_table.h"}, {"put_slot", "hash_table.h"}, {"slot_for", "hash_table.h"}, {"with_slot", "hash_table.h"},
      {"with_slot_there", "hash_table.h"},
      {"Saved", "saved.h"},
      {"check_divisor", "scalar.h"}, {"checked_abs", "scalar.h"}, {"checked_add", "scalar.h"}, {"checked_multiply", "scalar.h"},
      {"checked_negate", "scalar.h"}, {"checked_subtract", "scalar.h"}, {"divide", "scalar.h"}, {"power", "scalar.h"},
      {"to_int", "scalar.h"},
      {"AdjointLinks", "structure_adjoints.h"}, {"adjoint", "structure_adjoints.h"},
      {"Tape", "tape.h"},
      {"character", "characters.h"}, {"character_of", "characters.h"}, {"characters", "characters.h"}, {"code_of", "characters.h"}, {"every", "characters.h"},
      {"substring", "characters.h"},
      {"consists_of", "letters.h"}, {"in_case", "letters.h"},
      {"join_texts", "text.h"}, {"print", "text.h"}, {"print_part", "text.h"}, {"str", "text.h"},
      {"is_float", "text_numbers.h"}, {"is_int", "text_numbers.h"}, {"parse_float", "text_numbers.h"}, {"parse_int", "text_numbers.h"},
      {"contains", "text_search.h"}, {"count_of", "text_search.h"}, {"ends_with", "text_search.h"}, {"find_from", "text_search.h"}, {"find_last", "text_search.h"},
      {"replaced", "text_search.h"}, {"split", "text_search.h"}, {"split_lines", "text_search.h"}, {"starts_with", "text_search.h"},
      {"strip_left", "text_search.h"}, {"strip_right", "text_search.h"}};
  return table;
}

/// Not the runtime's, or not its functions'.
const std::set<std::string, std::less<>> other_names = {"lantern", "k", "k_", "join", "mark", "begin_adjoint"};

struct Optional {
  const char* header;
  std::initializer_list<const char*> for_what;
  const char* remark = "";
};
const Optional optional_headers[] = {{"blocks.h", {"return blocks"}},
                                     {"checkpoint.h", {"_checkpoint("}},
                                     {"csv.h", {"read_csv<"}},
                                     {"host.h", {"call_host<"}},
                                     {"idx.h", {"read_idx<"}, "  // link with -lz"},
                                     {"linear_algebra.h", {"solve(", "inverse(", "determinant(", "cholesky("}},
                                     {"npy.h", {"read_npy<"}},
                                     {"npz.h", {"read_npz<"}, "  // link with -lz"},
                                     {"progress.h", {"progress("}},
                                     {"safetensors.h", {"_safetensors(", "load_words("}},
                                     {"treebank.h", {"read_treebank<", "read_vocabulary("}},
                                     {"word_vectors.h", {"read_word_vectors("}}};

bool says_any(const std::string& text, std::initializer_list<const char*> what) {
  return std::any_of(what.begin(), what.end(), [&](const char* one) { return text.find(one) != std::string::npos; });
}

std::string line(std::string_view header, const char* remark = "") { return fmt::format("#include \"lantern/{}\"{}\n", header, remark); }

}  // namespace

std::string includes_of(const std::string& functions, const std::string& types) {
  std::set<std::string> lines;
  for (const auto& optional : optional_headers) {
    if (says_any(functions, optional.for_what)) lines.insert(line(optional.header, optional.remark));
  }
  std::set<std::string_view> headers;
  // What makes or reads a file goes with arrays, too.
  if (!lines.empty()) headers.insert(everything);
  for (const auto& name : spelling::names_of_runtime_in(types + functions)) {
    const auto known = headers_of_names().find(name);
    if (known != headers_of_names().end()) headers.insert(known->second);
    else if (!other_names.contains(name)) headers.insert(everything);
  }
  headers.erase("api.h");
  if (headers.contains(everything)) headers = {everything};
  for (const auto& header : headers) lines.insert(line(header));
  std::string text;
  for (const auto& one : lines) text += one;
  return text;
}

std::string includes_of_header(const std::string& header) {
  std::string text = line("api.h");
  if (says_any(header, {"DeferredSteps<"})) text += line("deferred_steps.h");
  if (says_any(header, {"Gradient<"})) text += line("gradient.h");
  return text;
}

}  // namespace lantern
