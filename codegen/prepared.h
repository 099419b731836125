#pragma once

#include <string>
#include <vector>

namespace lantern {

/// The compiler of generated code and its flags, and the folder of the runtime's headers.
struct Toolchain {
  std::string compiler;
  std::vector<std::string> flags;
  std::string runtime;
};

/// What decides the code that a header compiles to, as text: the machine, the compiler, its flags, and which headers they are.
std::string identity_of(const Toolchain& toolchain);

/// What all programs have in common, compiled: a precompiled header to -include, and objects of the functions that it declares. What came with the
/// build serves; the rest is made on first use, in a folder where it is found again. Of two processes that race, the files of one stay.
class Prepared {
 public:
  enum Part { declarations, functions, functions_f32, functions_f64 };

  /// That of `identity`, which `built` may hold already, and else `folder`.
  Prepared(const Toolchain& toolchain, const std::string& identity, const std::string& built, const std::string& folder);

  /// Makes those parts that are missing, all at once. False where one cannot be made: a program is then compiled with all that it needs, and says why,
  /// if that fails, too.
  bool make(const std::vector<Part>& parts);
  bool has(Part part) const;
  /// There is no file of this name, but of what is precompiled.
  std::string header() const;
  /// Those that are there.
  std::vector<std::string> objects() const;
  void forget() const;

 private:
  std::string file(Part part) const;

  const Toolchain& toolchain_;
  std::string shipped_, own_;  // the header in one folder, and in the other
};

/// FNV-1a over 128 bits' worth of two seeds: names a cache entry, guards nothing.
std::string fingerprint(const std::string& text);

}  // namespace lantern
