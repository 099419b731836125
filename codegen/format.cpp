#include "codegen/format.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "codegen/long_literals.h"
#include "codegen/pieces.h"
#include "support/diagnostic.h"

namespace lantern {

namespace {

constexpr int columns = 110;
constexpr unsigned most_threads = 8;

clang::format::FormatStyle style() {
  auto style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = columns;
  style.AllowShortFunctionsOnASingleLine = clang::format::FormatStyle::SFS_Empty;
  style.AllowShortLambdasOnASingleLine = clang::format::FormatStyle::SLS_Inline;
  style.AllowShortIfStatementsOnASingleLine = clang::format::FormatStyle::SIS_WithoutElse;
  style.MaxEmptyLinesToKeep = 1;
  style.LambdaBodyIndentation = clang::format::FormatStyle::LBI_OuterScope;
  style.KeepEmptyLinesAtTheStartOfBlocks = false;
  style.FixNamespaceComments = style.SortUsingDeclarations = false;  // each would read the text once more, and we write them as they should be
  return style;
}

struct Formatted {
  std::string text;
  clang::tooling::Replacements replacements;
};

Formatted formatted(const std::string& code, const clang::format::FormatStyle& style) {
  Formatted result;
  result.replacements = clang::format::reformat(style, code, {clang::tooling::Range(0, static_cast<unsigned>(code.size()))}, "generated.cpp");
  auto text = clang::tooling::applyAllReplacements(code, result.replacements);
  if (!text) bug("format", llvm::toString(text.takeError()));
  result.text = std::move(*text);
  return result;
}

/// Each piece of the code, by as many threads as there are for it.
std::vector<Formatted> formatted(const std::string& code, const std::vector<Piece>& pieces) {
  const auto google = style();
  std::vector<Formatted> results(pieces.size());
  std::atomic<std::size_t> taken = 0;
  const auto work = [&] {
    for (std::size_t i; (i = taken++) < pieces.size();) results[i] = formatted(code.substr(pieces[i].begin, pieces[i].end - pieces[i].begin), google);
  };
  std::vector<std::future<void>> others;
  try {
    const std::size_t threads = std::min<std::size_t>({pieces.size(), std::thread::hardware_concurrency(), most_threads});
    while (others.size() + 1 < threads) others.push_back(std::async(std::launch::async, work));
  } catch (const std::system_error&) {  // as many as the system has
  }
  work();
  for (auto& other : others) other.get();
  return results;
}

}  // namespace

std::string format(const std::string& code) {
  std::vector<std::size_t> none;
  return format(code, none);
}

std::string format(const std::string& code, std::vector<std::size_t>& offsets) {
  const WithoutLongLiterals without = without_long_literals(code, offsets);
  const auto pieces = pieces_of(without.code);
  std::string whole;
  std::vector<std::size_t> begins;
  const auto results = formatted(without.code, pieces);
  for (const auto& result : results) {
    if (!whole.empty()) whole += '\n';
    begins.push_back(whole.size());
    whole += result.text;
  }
  for (auto& offset : offsets) {
    const auto behind = std::upper_bound(pieces.begin(), pieces.end(), offset, [](std::size_t at, const Piece& piece) { return at < piece.begin; });
    const auto i = static_cast<std::size_t>(behind - pieces.begin()) - 1;
    offset = begins[i] + results[i].replacements.getShiftedCodePosition(static_cast<unsigned>(offset - pieces[i].begin));
  }
  return with_long_literals(whole, without, columns, offsets);
}

}  // namespace lantern
