// All that sees clang's headers: LLVM is compiled without the names of types that others know each other by (-fno-rtti), and so is this.
#include "codegen/clang_format.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#pragma GCC diagnostic pop

#include "support/diagnostic.h"

namespace lantern {

namespace {

clang::format::FormatStyle style(int columns) {
  auto style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = static_cast<unsigned>(columns);
  style.AllowShortFunctionsOnASingleLine = clang::format::FormatStyle::SFS_Empty;
  style.AllowShortLambdasOnASingleLine = clang::format::FormatStyle::SLS_Inline;
  style.AllowShortIfStatementsOnASingleLine = clang::format::FormatStyle::SIS_WithoutElse;
  style.MaxEmptyLinesToKeep = 1;
  style.LambdaBodyIndentation = clang::format::FormatStyle::LBI_OuterScope;
  style.KeepEmptyLinesAtTheStartOfBlocks = false;
  style.FixNamespaceComments = style.SortUsingDeclarations = false;  // each would read the text once more, and we write them as they should be
  return style;
}

}  // namespace

std::string clang_formatted(const std::string& code, int columns, std::vector<std::size_t>& offsets) {
  const auto replacements = clang::format::reformat(style(columns), code, {clang::tooling::Range(0, static_cast<unsigned>(code.size()))}, "generated.cpp");
  auto text = clang::tooling::applyAllReplacements(code, replacements);
  if (!text) bug("format", llvm::toString(text.takeError()));
  for (auto& offset : offsets) offset = replacements.getShiftedCodePosition(static_cast<unsigned>(offset));
  return std::move(*text);
}

}  // namespace lantern
