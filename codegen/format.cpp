#include "codegen/format.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#pragma GCC diagnostic pop

#include "codegen/long_literals.h"
#include "support/diagnostic.h"

namespace lantern {

constexpr int columns = 110;

std::string format(const std::string& code) {
  std::vector<std::size_t> none;
  return format(code, none);
}

std::string format(const std::string& code, std::vector<std::size_t>& offsets) {
  auto style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = columns;
  style.AllowShortFunctionsOnASingleLine = clang::format::FormatStyle::SFS_Empty;
  style.AllowShortLambdasOnASingleLine = clang::format::FormatStyle::SLS_Inline;
  style.AllowShortIfStatementsOnASingleLine = clang::format::FormatStyle::SIS_WithoutElse;
  style.MaxEmptyLinesToKeep = 1;
  style.LambdaBodyIndentation = clang::format::FormatStyle::LBI_OuterScope;
  style.KeepEmptyLinesAtTheStartOfBlocks = false;
  style.FixNamespaceComments = style.SortUsingDeclarations = false;  // each would read the text once more, and we write them as they should be
  const WithoutLongLiterals without = without_long_literals(code, offsets);
  const auto length = static_cast<unsigned>(without.code.size());
  const auto replacements = clang::format::reformat(style, without.code, {clang::tooling::Range(0, length)}, "generated.cpp");
  auto formatted = clang::tooling::applyAllReplacements(without.code, replacements);
  if (!formatted) bug("format", llvm::toString(formatted.takeError()));
  for (auto& offset : offsets) offset = replacements.getShiftedCodePosition(static_cast<unsigned>(offset));
  return with_long_literals(*formatted, without, columns, offsets);
}

}  // namespace lantern
