#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lantern::sexpr {

enum class TokenKind { open, close, none, boolean, integer, floating, string, symbol, keyword, malformed, end };

/// What is wrong with a token, `offset` bytes behind its first.
struct TokenError {
  std::string code, message, hint;
  std::size_t offset = 0;
  std::size_t length = 1;
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view spelling;       // as it stands in the text
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text = {};           // of a string, unescaped; of a symbol or keyword, its name
  std::vector<TokenError> errors = {};
};

/// How many bytes of space and comments `text` opens with.
std::size_t skip_blank(std::string_view text);

/// The token that `text` opens with (no blank before it). Takes one byte at least unless `text` is empty.
Token next_token(std::string_view text);

}  // namespace lantern::sexpr
