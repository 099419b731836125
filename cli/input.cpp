#include "cli/input.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <iterator>

#include "api/stages.h"
#include "cli/report.h"
#include "support/file.h"

namespace lantern::cli {

std::string Input::base_name() const { return std::filesystem::path(file).filename().string(); }

std::string Input::folder() const {
  const auto parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

Input read_input(const std::string& file) {
  if (file == "-") {
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    const auto first = text.find_first_not_of(" \t\r\n");
    const bool is_python = first == std::string::npos || (text[first] != '(' && text[first] != ';');
    return {.file = "<stdin>", .name = "stdin_program", .text = std::move(text), .is_python = is_python, .is_stdin = true};
  }
  const auto suffix = std::filesystem::path(file).extension();
  if (suffix != ".py" && suffix != ".sexpr") wrong_usage(fmt::format("'{}' is neither a .py nor a .sexpr file", file));
  return {.file = file, .name = stages::program_name(file), .text = read_file(file), .is_python = suffix == ".py", .is_stdin = false};
}

Input read_python(const std::string& file, const std::string& message, const std::string& hint) {
  if (std::filesystem::path(file).extension() == ".sexpr") wrong_usage(message, hint);
  auto input = read_input(file);
  if (!input.is_python) wrong_usage(message, hint);
  return input;
}

}  // namespace lantern::cli
