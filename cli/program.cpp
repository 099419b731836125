// The C ABI of a built program, as codegen/ emits it: an entry takes pointers to the images of its arguments and of its
// results, and fills an error.
#include "cli/program.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/report.h"
#include "support/diagnostic.h"

namespace lantern::cli {

namespace {

struct RunTimeError {
  char code[16];
  char kind[64];
  char location[512];
  char message[2048];
};

struct Text {
  const char* data;
  std::int64_t size;
};

constexpr std::int32_t abi_version = 1;

using AbiVersion = std::int32_t();
using Create = void*();
using Destroy = void(void*);
using Manifest = const char*();
using Entry = std::int32_t(void*, void**, void**, RunTimeError*);

[[noreturn]] void cannot_load(const std::string& what, std::string hint = {}) {
  throw Failure({.code = "LT0602",
                 .location = {},
                 .message = fmt::format("cannot load the built program: {}", what),
                 .hint = std::move(hint),
                 .outcome = Outcome::environment});
}

template <class Function>
Function* symbol(void* library, const std::string& name) {
  auto* address = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
  if (!address) cannot_load(fmt::format("it has no '{}'", name));
  return address;
}

// What an entry takes and gives: of each its TYPE, as the language writes it.
struct Signature {
  std::vector<std::pair<std::string, std::string>> arguments;  // name, TYPE
  std::size_t results = 0;
};

// The manifest: {"entries": [{"name", "arguments": [{"name", "type"}…], "results": [TYPE…]}…], …}
Signature signature_of(const char* manifest, const std::string& entry) {
  const auto json = nlohmann::json::parse(manifest, nullptr, false);
  if (!json.is_object()) cannot_load("its manifest is not JSON");
  for (const auto& described : json.at("entries")) {
    if (described.at("name") != entry) continue;
    Signature signature;
    for (const auto& argument : described.at("arguments")) {
      signature.arguments.emplace_back(argument.at("name"), argument.at("type"));
    }
    signature.results = described.at("results").size();
    return signature;
  }
  cannot_load(fmt::format("it has no entry '{}'", entry));
}

// JSON has no infinities: those come as Python writes them, "inf", "-inf" and "nan".
double number_of(const nlohmann::ordered_json& value) {
  return value.is_string() ? std::strtod(value.get_ref<const std::string&>().c_str(), nullptr) : value.get<double>();
}

// The images of an entry's arguments, each at an address that stays.
class Arguments {
 public:
  void add(const std::string& name, const std::string& type, const nlohmann::ordered_json& value) {
    if (type == "string") {
      const auto& text = texts_.emplace_back(value.get<std::string>());
      return add<Text>({text.data(), static_cast<std::int64_t>(text.size())});
    }
    if (type == "bool") return add<std::uint8_t>(value.get<bool>());
    if (type == "i32") return add<std::int32_t>(value.get<std::int32_t>());
    if (type == "i64") return add<std::int64_t>(value.get<std::int64_t>());
    if (type == "f32" || type == "(tensor f32)") return add<float>(static_cast<float>(number_of(value)));
    if (type == "f64" || type == "(tensor f64)") return add<double>(number_of(value));
    wrong_usage(fmt::format("no flag can give '{}' a value: its type is {}", name, type),
                "an entry that is run takes bool, int, float and str");
  }
  void** images() { return pointers_.data(); }

 private:
  template <class Image>
  void add(Image image) {
    auto& place = images_.emplace_back();
    static_assert(sizeof image <= sizeof place);
    std::memcpy(&place, &image, sizeof image);
    pointers_.push_back(&place);
  }

  std::deque<std::array<std::int64_t, 2>> images_;
  std::deque<std::string> texts_;
  std::vector<void*> pointers_;
};

// "tree_lstm.py:31:12"; the program knows its source by name only, the user by the path given to us.
Location location_of(const std::string& text, const std::string& source) {
  const auto column_at = text.rfind(':');
  const auto line_at = column_at == std::string::npos ? column_at : text.rfind(':', column_at - 1);
  if (line_at == std::string::npos || column_at == 0) return {};
  Location location;
  const std::string file = text.substr(0, line_at);
  const bool ours = std::filesystem::path(source).filename() == std::filesystem::path(file).filename();
  location.file = std::make_shared<const std::string>(ours ? source : file);
  std::from_chars(text.data() + line_at + 1, text.data() + column_at, location.line);
  std::from_chars(text.data() + column_at + 1, text.data() + text.size(), location.column);
  return location;
}

Failure failure_of(const RunTimeError& error, const std::string& source) {
  const std::string kind = error.kind;
  const bool environment = kind == "DataError" || kind == "FileNotFoundError" || kind == "OSError" ||
                           std::string_view(error.code) == "LT0713" || kind == "OutOfMemory" || kind == "MemoryError" || kind == "StackExhausted";
  const Location location = location_of(error.location, source);
  std::string message = error.message;
  if (!location.known() && error.location[0]) message = fmt::format("{}: {}", error.location, message);  // a file as a whole
  return Failure({.code = error.code[0] ? error.code : "LT0701",
                  .location = location,
                  .message = kind.empty() ? message : fmt::format("{}: {}", kind, message),
                  .outcome = environment ? Outcome::environment : Outcome::program_is_wrong});
}

}  // namespace

void run_program(const std::string& shared_object, const std::string& entry, const nlohmann::ordered_json& arguments,
                 const std::string& source) {
  void* library = dlopen(std::filesystem::absolute(shared_object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) cannot_load(dlerror(), "it is built anew once that file is deleted; LANTERN_CXX names the compiler that builds it");
  if (const auto version = symbol<AbiVersion>(library, "lantern_abi_version")(); version != abi_version) {
    cannot_load(fmt::format("it has version {} of the interface, this command version {}", version, abi_version));
  }
  const auto signature = signature_of(symbol<Manifest>(library, "lantern_manifest")(), entry);
  Arguments images;
  for (const auto& [name, type] : signature.arguments) {
    if (!arguments.contains(name)) bug("run", fmt::format("the argument '{}' has no value", name));
    images.add(name, type, arguments.at(name));
  }
  // No image of a result is larger than a tensor of rank 31.
  std::vector<std::array<std::int64_t, 32>> values(signature.results);
  std::vector<void*> places;
  for (auto& value : values) places.push_back(value.data());

  auto* call = symbol<Entry>(library, "lantern_entry_" + entry);
  const std::unique_ptr<void, Destroy*> instance(symbol<Create>(library, "lantern_create")(),
                                                 symbol<Destroy>(library, "lantern_destroy"));
  const auto error = std::make_unique<RunTimeError>();
  const auto status = call(instance.get(), images.images(), places.data(), error.get());
  if (status != 0) {
    std::fflush(stdout);
    throw failure_of(*error, source);
  }
  print("");  // what it printed has got there
}

}  // namespace lantern::cli
