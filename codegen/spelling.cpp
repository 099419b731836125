#include "codegen/spelling.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "codegen/cpp.h"
#include "support/diagnostic.h"

namespace lantern::spelling {

namespace {

const std::set<std::string>& taken() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = {
        // C++17's keywords and what is spelled like one
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
        "char16_t", "char32_t", "class", "compl", "const", "constexpr", "const_cast", "continue", "decltype", "default",
        "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
        "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
        "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "return",
        "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
        "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual",
        "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "main", "std", "errno", "assert", "NULL", "EOF", "INFINITY", "NAN",
        "int32_t", "int64_t", "uint8_t", "linux", "unix", "concept", "requires", "co_await", "co_return", "co_yield", "char8_t",
        "consteval", "constinit", "stdin", "stdout", "stderr", "signbit", "isnan", "isinf",
        // the runtime's and ours
        "lantern", "k", "model", "Model", "Parameters", "State", "Gradients", "Tensor", "Vector", "Matrix", "List", "Dataset",
        "Array", "Gradient", "Arena", "Mark", "Error", "Shape", "Scalar", "continuation", "passive", "arena", "mark", "join", "k_", "present",
        "require", "at", "fail", "raise_error", "adjoint", "begin_adjoint", "AdjointLinks", "copy_links", "Copies", "together", "each", "each_on_one_thread", "each_term", "each_term_on_one_thread", "Saved", "on_stack", "check_stack", "evaluate", "copy", "assign", "keep", "make",
        "for_each", "for_each_touched", "store_unless", "print", "initialize_uniform", "initialize_normal", "fill", "shape_of", "row",
        "row_at", "index_at", "placed", "checked_add", "check_dimensions", "checked_subtract", "checked_multiply", "checked_negate",
        "checked_abs", "divide", "to_int", "size", "begin", "end", "stream", "detail", "errors", "ops", "Random", "Eigen", "pow", "dot", "guarded", "call_host", "HostCall", "HostRequest",
        "range", "difference", "named", "outline", "Text", "Instance", "CError"};
    for (const auto& op : operators()) all.insert(std::string(op.cpp));
    return all;
  }();
  return names;
}

}  // namespace

std::string identifier(const std::string& name) {
  const bool is_method = name.size() > 4 && name.starts_with("__") && name.ends_with("__");  // of Python's own: __call__
  std::string spelled = is_method ? name.substr(2, name.size() - 4) : name;
  for (char& c : spelled) {
    if (c == '.') c = '_';
  }
  const bool reserved = taken().contains(spelled) || spelled.ends_with("_adj") || spelled.starts_with("join_") ||
                        spelled.starts_with("LANTERN") || spelled.find("__") != std::string::npos ||
                        (spelled.size() > 1 && spelled[0] == '_' && std::isupper(static_cast<unsigned char>(spelled[1])));
  if (!reserved) return spelled;
  std::string safe;
  for (const char c : spelled) {
    if (!(c == '_' && !safe.empty() && safe.back() == '_')) safe += c;  // no double underscore
  }
  if (safe[0] == '_') safe = "u" + safe;
  return safe.ends_with('_') ? safe + "u" : safe + "_";
}

std::string distinct(const std::string& name, std::set<std::string>& taken) {
  const std::string base = identifier(name);
  std::string distinct = base;
  for (int i = 2; !taken.insert(distinct).second; ++i) distinct = fmt::format("{}{}{}", base, base.ends_with('_') ? "" : "_", i);
  return distinct;
}

std::string member(const ir::Structure& structure, const std::string& field) {
  std::set<std::string> taken;
  for (const auto& [name, type] : structure.fields) {
    const std::string member = distinct(name, taken);
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

std::string formal_type(const Type& type) {
  if (is(type, TypeKind::structure)) return fmt::format("const {}&", identifier(resolve(type)->name));
  return value_type(type);
}

std::string adjoint_name(const std::string& of) { return of + (of.ends_with('_') ? "adj" : "_adj"); }

std::string adjoint_type(const Type& given) {
  const Type type = resolve(given);
  if (type->kind == TypeKind::optional) return adjoint_type(type->elements[0]);
  if (type->kind == TypeKind::structure) return identifier(type->name) + "*";
  return value_type(type) + (is_numeric(type) && rank(type) == 0 ? "&" : "");
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
