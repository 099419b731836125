// The tokens of docs/language.md, stated with Boost.Spirit X3. A run of word characters is cut out first and then
// classified as a whole, so that `12abc` is one malformed word and not an integer with a name behind it. X3
// recognises; std::from_chars converts, because X3's own real parser does not round correctly.
#include "sexpr/token.h"

#include <boost/spirit/home/x3.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "sexpr/utf8.h"

namespace lantern::sexpr {

namespace {

namespace x3 = boost::spirit::x3;
using x3::ascii::alnum;
using x3::ascii::alpha;
using x3::ascii::char_;
using x3::ascii::digit;
using x3::lit;

const auto blank = char_(" \t\r\n\f\v") | (lit(';') >> *(x3::char_ - '\n'));
const auto word_character = alnum | char_("_.:+*/%<>=!?&|^~@$#',`{}[]-");

const auto sign = -lit('-');
const auto exponent = char_("eE") >> -char_("+-") >> +digit;
const auto integer = sign >> +digit;
const auto fraction = (+digit >> '.' >> *digit) | (lit('.') >> +digit);
const auto floating = sign >> ((fraction >> -exponent) | (+digit >> exponent));

const auto name = (alpha | '_') >> *(alnum | '_');
const auto dotted_name = name >> *(lit('.') >> name);
const auto hyphenated_name = name >> *(lit('-') >> name) >> -lit('?');  // value-and-grad, none?
const auto operator_name = +char_("+*/%<>=!?-");
const auto symbol = dotted_name | operator_name;
const auto keyword = lit(':') >> hyphenated_name;

const x3::symbols<double> special_floats{{{"inf", std::numeric_limits<double>::infinity()},
                                          {"-inf", -std::numeric_limits<double>::infinity()},
                                          {"nan", std::numeric_limits<double>::quiet_NaN()}},
                                         "special float"};
const x3::symbols<bool> booleans{{{"true", true}, {"false", false}}, "boolean"};

const x3::symbols<char> simple_escapes{{{"\\\"", '"'}, {"\\\\", '\\'}, {"\\n", '\n'}, {"\\t", '\t'}, {"\\r", '\r'}},
                                       "escape"};
const x3::uint_parser<unsigned char, 16, 2, 2> hexadecimal_byte;
const auto string_character = simple_escapes | (lit("\\x") >> hexadecimal_byte) | (x3::char_ - char_("\"\\\n"));

template <class Parser>
bool is_whole(std::string_view text, const Parser& parser) {
  auto first = text.begin();
  return x3::parse(first, text.end(), parser) && first == text.end();
}

template <class Parser, class Value>
bool is_whole(std::string_view text, const Parser& parser, Value& value) {
  auto first = text.begin();
  return x3::parse(first, text.end(), parser, value) && first == text.end();
}

void read_integer(Token& token) {
  const auto& spelling = token.spelling;
  const auto result = std::from_chars(spelling.data(), spelling.data() + spelling.size(), token.integer);
  if (result.ec == std::errc()) return;
  token.errors.push_back({.code = "LT0204",
                          .message = fmt::format("the integer {} does not fit in 64 bits",
                                                 spelling.size() <= 60 ? spelling : std::string_view("here")),
                          .hint = "write it as a float, or keep it between -2**63 and 2**63 - 1",
                          .length = spelling.size()});
}

void read_floating(Token& token) {
  const std::string spelling(token.spelling);
  const auto result = std::from_chars(spelling.data(), spelling.data() + spelling.size(), token.number);
  if (result.ec == std::errc()) return;
  token.number = std::strtod(spelling.c_str(), nullptr);  // out of range: tells too large from too small
  if (!std::isinf(token.number)) return;
  token.errors.push_back({.code = "LT0204",
                          .message = "the float does not fit in 64 bits",
                          .hint = "write inf if infinity is meant",
                          .length = spelling.size()});
}

Token read_word(std::string_view text) {
  auto first = text.begin();
  x3::parse(first, text.end(), +word_character);
  Token token{.spelling = text.substr(0, first - text.begin())};
  const auto word = token.spelling;
  if (is_whole(word, booleans, token.boolean)) {
    token.kind = TokenKind::boolean;
  } else if (word == "none") {
    token.kind = TokenKind::none;
  } else if (is_whole(word, special_floats, token.number)) {
    token.kind = TokenKind::floating;
  } else if (is_whole(word, integer)) {
    token.kind = TokenKind::integer;
    read_integer(token);
  } else if (is_whole(word, floating)) {
    token.kind = TokenKind::floating;
    read_floating(token);
  } else if (is_whole(word, symbol) || is_whole(word, hyphenated_name)) {
    token.kind = TokenKind::symbol;
    token.text = word;
  } else if (is_whole(word, keyword)) {
    token.kind = TokenKind::keyword;
    token.text = word.substr(1);
  } else {
    token.kind = TokenKind::malformed;
    const bool number = is_whole(word, sign >> -lit('.') >> digit >> *x3::char_);
    const auto shown = word.size() <= 60 ? fmt::format("'{}'", word) : std::string("this");
    token.errors.push_back(
        {.code = word[0] == ':' ? "LT0209" : "LT0203",
         .message = word[0] == ':' ? fmt::format("{} is not a keyword", shown)
                    : number       ? fmt::format("{} is not a number", shown)
                                   : fmt::format("{} is neither a number nor a name", shown),
         .hint = word[0] == ':' ? "a keyword is a colon and a name, as in :axis"
                 : number       ? "an integer is digits, a float has a point or an exponent: 12, -3.5, 1e-3"
                                : "a name is letters, digits and _, joined by dots: x1, encoder.leaf.weight",
         .length = word.size()});
  }
  return token;
}

// `text` opens with a quotation mark. A string ends on the line it begins on.
Token read_string(std::string_view text) {
  Token token{.kind = TokenKind::string, .spelling = {}};
  auto first = text.begin() + 1;
  const auto offset = [&] { return static_cast<std::size_t>(first - text.begin()); };
  for (;;) {
    if (first == text.end() || *first == '\n') {
      token.errors.push_back({.code = "LT0205",
                              .message = "this string is not closed before the end of its line",
                              .hint = "close it with \"; a line feed inside a string is written \\n",
                              .length = 1});
      break;
    }
    if (*first == '"') {
      ++first;
      break;
    }
    const auto rest = text.substr(offset());
    const std::size_t length = utf8_length(rest);
    const auto byte = static_cast<unsigned char>(*first);
    if (length == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7F) {
      token.errors.push_back({.code = "LT0207",
                              .message = fmt::format("the byte 0x{:02X} cannot stand in a string as it is", byte),
                              .hint = fmt::format("write it as \\x{:02x}", byte),
                              .offset = offset()});
      ++first;
    } else if (length > 1) {
      token.text += rest.substr(0, length);
      first += length;
    } else if (char character; x3::parse(first, text.end(), string_character, character)) {
      token.text += character;
    } else {
      token.errors.push_back({.code = "LT0206",
                              .message = "this backslash opens no escape",
                              .hint = "the escapes are \\\" \\\\ \\n \\t \\r and \\xHH, H a hexadecimal digit",
                              .offset = offset()});
      first += rest.size() > 1 && rest[1] != '\n' && rest[1] != '"' && utf8_length(rest.substr(1)) == 1 ? 2 : 1;
    }
  }
  token.spelling = text.substr(0, offset());
  return token;
}

Token bad_character(std::string_view text) {
  const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
  const auto byte = static_cast<unsigned char>(text[0]);
  const bool shown = length > 1;
  const auto what = shown ? fmt::format("the character '{}'", text.substr(0, length)) : fmt::format("the byte 0x{:02X}", byte);
  Token token{.kind = TokenKind::malformed, .spelling = text.substr(0, length)};
  token.errors.push_back({.code = "LT0207",
                          .message = what + " means nothing outside a string",
                          .hint = "names are written with the letters of ASCII"});
  return token;
}

}  // namespace

std::size_t skip_blank(std::string_view text) {
  auto first = text.begin();
  x3::parse(first, text.end(), *blank);
  return static_cast<std::size_t>(first - text.begin());
}

Token next_token(std::string_view text) {
  if (text.empty()) return {};
  if (text[0] == '(') return {.kind = TokenKind::open, .spelling = text.substr(0, 1)};
  if (text[0] == ')') return {.kind = TokenKind::close, .spelling = text.substr(0, 1)};
  if (text[0] == '"') return read_string(text);
  if (is_whole(text.substr(0, 1), word_character)) return read_word(text);
  return bad_character(text);
}

}  // namespace lantern::sexpr
