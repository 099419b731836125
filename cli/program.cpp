// The C ABI of a built program, as codegen/ emits it: an entry takes pointers to the images of its arguments and of its
// results, and fills an error.
#include "cli/program.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <vector>

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

using Create = void*();
using Destroy = void(void*);
using Manifest = const char*();
using Entry = std::int32_t(void*, void**, void**, RunTimeError*);

[[noreturn]] void cannot_load(const std::string& what) {
  throw Failure({.code = "LT0602",
                 .location = {},
                 .message = fmt::format("cannot load the built program: {}", what),
                 .outcome = Outcome::environment});
}

template <class Function>
Function* symbol(void* library, const std::string& name) {
  auto* address = reinterpret_cast<Function*>(dlsym(library, name.c_str()));
  if (!address) cannot_load(fmt::format("it has no '{}'", name));
  return address;
}

// The images that an entry reads, each at an address that stays.
class Arguments {
 public:
  explicit Arguments(const nlohmann::ordered_json& values) {
    for (const auto& [name, value] : values.items()) {
      if (value.is_boolean()) {
        add(integers_.emplace_back(value.get<bool>()));  // little-endian: a uint8_t at the same address
      } else if (value.is_number_integer()) {
        add(integers_.emplace_back(value.get<std::int64_t>()));
      } else if (value.is_number()) {
        add(floats_.emplace_back(value.get<double>()));
      } else if (value.is_string()) {
        const auto& text = texts_.emplace_back(value.get<std::string>());
        add(views_.emplace_back(Text{text.data(), static_cast<std::int64_t>(text.size())}));
      } else {
        bug("run", fmt::format("the argument '{}' is {}", name, value.type_name()));
      }
    }
  }
  void** images() { return images_.data(); }

 private:
  template <class Image>
  void add(Image& image) {
    images_.push_back(&image);
  }

  std::deque<std::int64_t> integers_;
  std::deque<double> floats_;
  std::deque<std::string> texts_;
  std::deque<Text> views_;
  std::vector<void*> images_;
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
                           kind == "OutOfMemory" || kind == "MemoryError" || kind == "StackExhausted";
  return Failure({.code = error.code[0] ? error.code : "LT0701",
                  .location = location_of(error.location, source),
                  .message = kind.empty() ? error.message : fmt::format("{}: {}", kind, error.message),
                  .outcome = environment ? Outcome::environment : Outcome::program_is_wrong});
}

std::size_t result_count(const char* manifest, const std::string& entry) {
  const auto json = nlohmann::json::parse(manifest, nullptr, false);
  if (!json.is_object() || !json.contains("entries")) cannot_load("its manifest is not one");
  for (const auto& candidate : json["entries"]) {
    if (candidate.value("name", "") == entry) return candidate.value("results", nlohmann::json::array()).size();
  }
  cannot_load(fmt::format("it has no entry '{}'", entry));
}

}  // namespace

void run_program(const std::string& shared_object, const std::string& entry, const nlohmann::ordered_json& arguments,
                 const std::string& source) {
  void* library = dlopen(std::filesystem::absolute(shared_object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) cannot_load(dlerror());
  const auto results = result_count(symbol<Manifest>(library, "lantern_manifest")(), entry);
  auto* call = symbol<Entry>(library, "lantern_entry_" + entry);
  const std::unique_ptr<void, Destroy*> instance(symbol<Create>(library, "lantern_create")(),
                                                 symbol<Destroy>(library, "lantern_destroy"));
  Arguments images(arguments);
  // No image of a result is larger than a tensor of rank 31.
  std::vector<std::array<std::int64_t, 32>> values(results);
  std::vector<void*> places;
  for (auto& value : values) places.push_back(value.data());
  const auto error = std::make_unique<RunTimeError>();
  const auto status = call(instance.get(), images.images(), places.data(), error.get());
  std::fflush(stdout);
  if (status != 0) throw failure_of(*error, source);
}

}  // namespace lantern::cli
