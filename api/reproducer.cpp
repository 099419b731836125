#include "api/reproducer.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>

#include "support/file.h"

namespace lantern {

void add_reproducer(Failure& failure, const Source& source, const std::string& emit) {
  const auto stage = emit == "files" ? "cpp" : emit;
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (error) return;
  const auto name = fmt::format("lantern-bug-{}-{:08x}.sexpr", source.name, std::hash<std::string_view>()(source.sexpr) & 0xFFFFFFFFU);
  const auto path = (folder / name).string();
  try {
    write_file(path, fmt::format("; lantern {} compile {} --emit {}\n; {}\n{}", LANTERN_VERSION, name, stage, failure.what(), source.sexpr));
  } catch (const Failure&) {
    return;
  }
  failure.diagnostics[0].hint = fmt::format("please report it with the program that shows it, which is now in '{}': lantern compile {} --emit {}",
                                            path, path, stage);
}

}  // namespace lantern
