#include "codegen/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "codegen/cpp.h"
#include "codegen/macro_names.h"
#include "support/diagnostic.h"

namespace lantern::spelling {

namespace {

/// C++17's keywords, and what is spelled like one: no name anywhere.
const std::set<std::string>& words() {
  static const std::set<std::string> names = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "char16_t", "char32_t", "class", "compl", "const", "constexpr", "const_cast", "continue", "decltype", "default",
      "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
      "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
      "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "return",
      "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
      "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "main", "std",
      "int32_t", "int64_t", "uint8_t", "concept", "requires", "co_await", "co_return", "co_yield", "char8_t",
      "consteval", "constinit", "signbit", "isnan", "isinf"};
  return names;
}

/// Types that members of structures and of the model may have.
const std::set<std::string>& types_of_members() {
  static const std::set<std::string> names = {"Tensor", "Vector", "Matrix", "List", "Dataset", "Array", "Gradient"};
  return names;
}

/// The runtime's names, and those of what is made beside the user's functions.
const std::set<std::string>& names_of_runtime() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = {
        "lantern", "k", "model", "Model", "Parameters", "State", "Gradients", "Arena", "Mark", "Error", "Shape", "Scalar", "continuation", "passive",
        "arena", "mark", "join", "k_", "present", "require", "check_divisor", "at", "fail", "raise_error", "adjoint", "begin_adjoint", "AdjointLinks", "copy_links",
        "Copies", "list_of", "view_of", "part_of", "together", "each", "each_on_one_thread", "each_term", "each_term_on_one_thread", "Saved", "Tape", "on_stack", "forget_results", "check_stack", "evaluate",
        "copy", "assign", "keep", "make", "for_each", "for_each_touched", "store_unless", "print", "print_part", "initialize_uniform", "initialize_normal", "fill", "check_filled", "begin_filled", "check_model",
        "shape_of", "row", "row_at", "index_at", "item_of", "append_to_item", "placed", "checked_add", "check_dimensions", "check_column", "checked_subtract", "checked_multiply",
        "checked_negate", "checked_abs", "divide", "to_int", "size", "begin", "end", "stream", "detail", "errors", "ops", "Random", "Eigen", "pow",
        "dot", "guarded", "call_host", "HostCall", "HostRequest", "range", "difference", "named", "outline", "Text", "Instance", "CError", "Deferred", "DeferredSteps", "AtRest", "up_to_date_behind", "in_one_loop", "sum_of", "mean_of"};
    all.insert(types_of_members().begin(), types_of_members().end());
    for (const auto& op : operators()) all.insert(std::string(op.cpp));
    return all;
  }();
  return names;
}

bool kept_by_cpp(const std::string& name) {
  return words().contains(name) || is_macro(name) || name.starts_with("LANTERN") || name.find("__") != std::string::npos ||
         (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])));
}

/// Without what no identifier of C++'s has.
std::string of_letters(const std::string& name) {
  const auto end = name.rfind("__");  // of a method of Python's own: __call__, and the second of that name, __call___1
  const bool is_method = end != std::string::npos && end > 2 && name.starts_with("__") && name.find_first_not_of("_0123456789", end) == std::string::npos;
  std::string spelled = is_method ? name.substr(2, end - 2) + name.substr(end + 2) : name;
  std::replace(spelled.begin(), spelled.end(), '.', '_');
  std::erase(spelled, '%');  // what goes with a temporary
  return spelled;
}

/// Another name, for one that is taken.
std::string with_underscore(const std::string& spelled) {
  std::string safe;
  for (const char c : spelled) {
    if (!(c == '_' && !safe.empty() && safe.back() == '_')) safe += c;  // no double underscore
  }
  if (safe.size() > 1 && safe.find_first_not_of("0123456789", 1) == std::string::npos && safe[0] == '_') return safe;
  if (safe[0] == '_') safe = "u" + safe;
  return safe.ends_with('_') ? safe + "u" : safe + "_";
}

std::string first_free(const std::string& base, std::set<std::string>& taken) {
  std::string name = base;
  for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}{}{}", base, base.ends_with('_') ? "" : "_", i);
  return name;
}

bool is_in_use(const std::string& name, const NamesInUse* names) {
  if (!names || names->known) return !names || names->known->contains(name);
  return names->are_asked_for = true;
}

}  // namespace

std::string identifier(const std::string& name, const NamesInUse* in_use) {
  const std::string spelled = of_letters(name);
  const bool is_type = !spelled.empty() && std::isupper(static_cast<unsigned char>(spelled[0]));
  const bool is_ours = names_of_runtime().contains(spelled) && (is_type || is_in_use(spelled, in_use));
  const bool reserved = is_ours || kept_by_cpp(spelled) || spelled.ends_with("_adj") || spelled.starts_with("join_");
  return reserved ? with_underscore(spelled) : spelled;
}

std::set<std::string> names_of_runtime_in(std::string_view code) {
  std::set<std::string> found;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.substr(i, 2) == "//") {
      i = std::min(code.find('\n', i), code.size());
    } else if (code[i] == '"') {
      while (++i < code.size() && code[i] != '"') i += code[i] == '\\';
    } else if (is_part(code[i])) {
      const std::size_t begin = i;
      while (i < code.size() && is_part(code[i])) ++i;
      std::string word(code.substr(begin, i-- - begin));
      const bool is_member = code.substr(0, begin).ends_with('.') || code.substr(0, begin).ends_with("->");
      if (!is_member && names_of_runtime().contains(word)) found.insert(std::move(word));
    }
  }
  return found;
}

std::string space_of(const std::string& program) {
  static const std::set<std::string> of_c = {
      "abort", "abs", "access", "acct", "acos", "acosh", "alarm", "alphasort", "chmod", "closedir", "dirfd", "fchmod", "fstat", "lstat", "mkdir",
      "mkfifo", "mknod", "opendir", "readdir", "rewinddir", "scandir", "seekdir", "stat", "telldir", "umask", "versionsort", "asin", "asinh", "atan", "atanh", "brk", "cbrt", "ceil", "chroot", "clock",
      "close", "cos", "cosh", "ctime", "daemon", "daylight", "div", "drem", "dup", "environ", "erf", "erfc", "exit", "exp", "exp2", "expm1", "fabs",
      "fdim", "finite", "floor", "fma", "fmax", "fmin", "fmod", "fork", "free", "gamma", "getline", "hypot", "ilogb", "index", "j0", "j1", "jn",
      "labs", "lgamma", "link", "lockf", "log", "log10", "log1p", "log2", "logb", "lrint", "modf", "nan", "nice", "pause", "pipe", "pow", "printf",
      "puts", "rand", "random", "read", "realpath", "remainder", "remove", "rename", "revoke", "rewind", "rindex", "rint", "round", "scalb",
      "select", "significand", "sin", "sinh", "sleep", "sqrt", "srand", "swab", "symlink", "sync", "system", "tan", "tanh", "tgamma", "time",
      "timezone", "trunc", "truncate", "tzname", "unlink", "unshare", "write", "y0", "y1", "yn"};
  const std::string name = identifier(program);
  return of_c.contains(name) ? name + "_" : name;
}

std::string distinct(const std::string& name, std::set<std::string>& taken, const NamesInUse* in_use) {
  return first_free(identifier(name, in_use), taken);
}

std::string distinct_member(const std::string& name, std::set<std::string>& taken) {
  const std::string spelled = of_letters(name);
  return first_free(kept_by_cpp(spelled) || types_of_members().contains(spelled) ? with_underscore(spelled) : spelled, taken);
}

std::string member(const ir::Structure& structure, const std::string& field) {
  std::set<std::string> taken = {identifier(structure.name)};  // and a member is not called as what another one's type is
  const std::function<void(const Type&)> take = [&](const Type& given) {
    const Type type = resolve(given);
    if (type->kind == TypeKind::structure) taken.insert(identifier(type->name));
    if (!is_numeric(type)) std::for_each(type->elements.begin(), type->elements.end(), take);
  };
  for (const auto& [name, type] : structure.fields) take(type);
  for (const auto& [name, type] : structure.fields) {
    const std::string member = distinct_member(name, taken);
    if (name == field) return member;
  }
  bug("codegen", fmt::format("'{}' has no field '{}'", structure.name, field));
}

std::string element_type(const Type& type) {
  switch (resolve(type)->dtype) {
    case DType::boolean: return "bool";
    case DType::i32: return "int32_t";
    case DType::i64: return "int64_t";
    case DType::f32: return "float";
    case DType::f64: return "double";
  }
  bug("codegen", "a dtype of no kind");
}

std::string value_type(const Type& given) {
  const Type type = resolve(given);
  switch (type->kind) {
    case TypeKind::scalar: return element_type(type);
    case TypeKind::tensor:
      if (type->dims.empty()) return element_type(type);
      if (type->dims.size() == 1) return fmt::format("Vector<{}>", element_type(type));
      if (type->dims.size() == 2) return fmt::format("Matrix<{}>", element_type(type));
      return fmt::format("Tensor<{}, {}>", element_type(type), type->dims.size());
    case TypeKind::string: return "std::string_view";
    case TypeKind::structure: return fmt::format("const {}*", identifier(type->name));
    case TypeKind::optional: {
      const Type inner = resolve(type->elements[0]);
      if (inner->kind == TypeKind::structure) return value_type(inner);
      bug("codegen", fmt::format("{} holds no structure", to_string(type)));
    }
    case TypeKind::list: return fmt::format("List<{}>", value_type(type->elements[0]));
    case TypeKind::dataset: return fmt::format("Dataset<{}>", identifier(resolve(type->elements[0])->name));
    case TypeKind::none: return "std::nullptr_t";
    default: bug("codegen", fmt::format("the type {} has no values", to_string(type)));
  }
}

std::string constant_type(const Type& type) {
  const bool link = is(type, TypeKind::structure) || is(type, TypeKind::optional);
  return link ? value_type(type) + " const" : "const " + value_type(type);
}

std::string formal_type(const Type& type) {
  if (is(type, TypeKind::structure)) return fmt::format("const {}&", identifier(resolve(type)->name));
  return value_type(type);
}

std::string adjoint_name(const std::string& of) { return of + (of.ends_with('_') ? "adj" : "_adj"); }

std::string adjoint_type(const Type& given) {
  const Type type = resolve(given);
  if (type->kind == TypeKind::optional) return adjoint_type(type->elements[0]);
  if (type->kind == TypeKind::structure) return identifier(type->name) + "*";
  return value_type(type) + (is_one_number(type) ? "&" : "");
}

std::string place(const Location& location) {
  if (!location.known()) return "\"\"";
  const std::string file = std::filesystem::path(location.file_name()).filename().string();
  return cpp::string_literal(fmt::format("{}:{}:{}", file, location.line, location.column)).text;
}

std::string number(double value, std::string_view suffix) {
  const std::string_view type = suffix == "f" ? "float" : "double";
  if (std::isnan(value)) return fmt::format("std::numeric_limits<{}>::quiet_NaN()", type);
  if (std::isinf(value)) return fmt::format("{}std::numeric_limits<{}>::infinity()", value < 0 ? "-" : "", type);
  std::string text = suffix == "f" ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text == "inf" || text == "-inf") return number(value);  // too large for a float: what it rounds to is its user's affair
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + std::string(suffix);
}

std::string json(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace lantern::spelling
