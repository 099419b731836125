#pragma once

#include <optional>
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

/// What all programs have in common, compiled: a precompiled header to -include, and the objects of the functions that it declares.
/// There is no file of the header's name, but of what is precompiled.
struct Prepared {
  std::string header;
  std::string precompiled() const { return header + ".gch"; }
  std::vector<std::string> objects() const { return {header + ".o", header + ".f64.o"}; }
  bool is_there() const;
  void forget() const;
};

/// That of `identity`: what came with the build, if that serves, or in a folder where it is made on first use, header and objects at once. Of
/// two processes that race, the files of one stay. Nothing, if that fails: a program is then compiled with all that it needs, and says why, if it fails, too.
std::optional<Prepared> prepared_runtime(const Toolchain& toolchain, const std::string& identity, const std::string& built, const std::string& folder);

/// FNV-1a over 128 bits' worth of two seeds: names a cache entry, guards nothing.
std::string fingerprint(const std::string& text);

}  // namespace lantern
