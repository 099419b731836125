// A program with the C ABI of a built one, written by hand: `scale` checks its arguments, `fail` raises.
#include <cstdint>
#include <cstring>

namespace {

struct Text { const char* data; std::int64_t size; };
struct Error { char code[16], kind[64], location[512], message[2048]; };
struct Vector { float* data; std::int64_t shape[1]; };

std::int32_t raise(Error* error, const char* code, const char* kind, const char* location, const char* message) {
  std::strcpy(error->code, code);
  std::strcpy(error->kind, kind);
  std::strcpy(error->location, location);
  std::strcpy(error->message, message);
  return 1;
}

template <class T>
T argument(void** arguments, int i) { return *static_cast<const T*>(arguments[i]); }

int instances = 0;

}  // namespace

extern "C" {

std::int32_t lantern_abi_version() { return 1; }
void* lantern_create() { return &++instances; }
void lantern_destroy(void* instance) { --*static_cast<int*>(instance); }

const char* lantern_manifest() {
  return R"json({"entries": [
    {"name": "scale", "results": ["f64", "i64", "(tensor f32 3)", "string"], "arguments": [
      {"name": "path", "type": "string"}, {"name": "epochs", "type": "i64"}, {"name": "rate", "type": "f64"},
      {"name": "bound", "type": "f32"}, {"name": "frozen", "type": "bool"}]},
    {"name": "fail", "arguments": [{"name": "how", "type": "i64"}], "results": []},
    {"name": "tree", "arguments": [{"name": "tree", "type": "Tree"}], "results": ["f64"]}]})json";
}

std::int32_t lantern_entry_scale(void* instance, void** arguments, void** results, Error* error) {
  const auto path = argument<Text>(arguments, 0);
  const bool right = *static_cast<int*>(instance) == 1 && path.size == 5 && std::memcmp(path.data, "a\0b/c", 5) == 0 &&
                     argument<std::int64_t>(arguments, 1) == -3 && argument<double>(arguments, 2) == 0.05 &&
                     argument<float>(arguments, 3) > 3e38F && argument<std::uint8_t>(arguments, 4) == 1;
  *static_cast<double*>(results[0]) = 1;
  *static_cast<std::int64_t*>(results[1]) = 2;
  *static_cast<Vector*>(results[2]) = {nullptr, {3}};
  *static_cast<Text*>(results[3]) = {"x", 1};
  return right ? 0 : raise(error, "LT0709", "AssertionError", "", "the arguments did not arrive");
}

std::int32_t lantern_entry_fail(void*, void** arguments, void**, Error* error) {
  if (argument<std::int64_t>(arguments, 0) == 0) {
    return raise(error, "LT0705", "ZeroDivisionError", "model.py:3:14", "division by zero");
  }
  return raise(error, "LT0720", "DataError", "data/train.txt:7:2", "a label is not an integer");
}

std::int32_t lantern_entry_tree(void*, void**, void**, Error*) { return 0; }

}
