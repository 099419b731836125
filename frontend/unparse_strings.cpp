// String literals. Python 3.11 allows neither a backslash in an f-string's replacement field nor the quote that
// delimits the string, so code that a pass put into a field may ask for another quote, or for str.format.
#include <algorithm>
#include <array>

#include "frontend/build.h"
#include "frontend/printer.h"

namespace lantern::syntax {

namespace {

constexpr std::array<std::string_view, 4> quotes{"\"", "'", "\"\"\"", "'''"};

// A colon in the open would start the format specification.
bool ends_in_lambda(const Expr& expr) {
  const auto* conditional = as<IfExp>(expr);
  return is<Lambda>(expr) || (conditional && ends_in_lambda(*conditional->orelse));
}

std::string field_source(const Expr& expr) {
  Printer printer;
  printer.expression(expr, ends_in_lambda(expr) ? Precedence::or_ : Precedence::test);
  return std::move(printer.text);
}

// The text between quotes; respells what the new quotes would end or break. "" beside `ok` false: cannot be.
struct Respelled {
  std::string text;
  bool ok = true;
};

Respelled respelled(const StringToken& token, const std::string& text, std::string_view quote) {
  if (quote == token.quote) return {text};
  Respelled result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == quote[0], breaks = text[i] == '\n' && quote.size() == 1;
    if (text[i] == '\\' && i + 1 < text.size()) {
      result.text += text[i++];
    } else if (ends || breaks) {
      if (token.is_raw()) return {"", false};
      result.text += '\\';
      if (breaks) {
        result.text += 'n';
        continue;
      }
    }
    result.text += text[i];
  }
  return result;
}

bool fits(const std::string& field, std::string_view quote) {
  return field.find('\\') == std::string::npos && field.find(quote) == std::string::npos &&
         (quote.size() == 3 || field.find('\n') == std::string::npos);
}

bool parts_with_quote(const StringToken& token, const std::vector<StringPart>& parts, std::string_view quote,
                      std::string& out) {
  for (const StringPart& part : parts) {
    if (!part.value) {
      const Respelled text = respelled(token, part.text, quote);
      if (!text.ok) return false;
      out += text.text;
      continue;
    }
    const std::string field = field_source(*part.value);
    if (!fits(field, quote)) return false;
    out += field[0] == '{' ? "{ " : "{";  // `{{` would be a brace
    out += field;
    if (field.back() == '}') out += ' ';
    if (part.conversion) out += std::string("!") + part.conversion;
    if (part.has_format_spec) {
      out += ':';
      if (!parts_with_quote(token, part.format_spec, quote, out)) return false;
    }
    out += '}';
  }
  return true;
}

// The token's text as a part of the format string that stands for the whole literal; fields leave their values.
void append_format(const StringToken& token, const std::vector<StringPart>& parts, std::string& out,
                   std::vector<const Expr*>& values) {
  for (const StringPart& part : parts) {
    if (part.value) {
      values.push_back(part.value.get());
      out += '{';
      if (part.conversion) out += std::string("!") + part.conversion;
      if (part.has_format_spec) {
        out += ':';
        append_format(token, part.format_spec, out, values);
      }
      out += '}';
      continue;
    }
    for (std::size_t i = 0; i < part.text.size(); ++i) {
      const char c = part.text[i];
      out += c;
      const bool named_character = c == '\\' && !token.is_raw() && part.text.compare(i, 3, "\\N{") == 0;
      if (named_character) {  // \N{…}: these braces are no fields
        const std::size_t end = std::min(part.text.find('}', i), part.text.size() - 1);
        out += part.text.substr(i + 1, end - i);
        i = end;
      } else if (c == '\\' && i + 1 < part.text.size()) {
        out += part.text[++i];
      } else if ((c == '{' || c == '}') && !token.is_formatted()) {
        out += c;
      }
    }
  }
}

std::string without_f(const std::string& prefix) {
  std::string result;
  std::copy_if(prefix.begin(), prefix.end(), std::back_inserter(result), [](char c) { return c != 'f' && c != 'F'; });
  return result;
}

}  // namespace

std::string Printer::with_quote(const StringToken& token, std::string_view quote) {
  std::string body;
  if (!parts_with_quote(token, token.parts, quote, body)) return {};
  return token.prefix + std::string(quote) + body + std::string(quote);
}

void Printer::print(const String& node) {
  std::string all;
  for (const StringToken& token : node.tokens) {
    std::string one = with_quote(token, token.quote);
    for (auto quote = quotes.begin(); one.empty() && quote != quotes.end(); ++quote) one = with_quote(token, *quote);
    if (one.empty()) return format_call(node);
    if (!all.empty()) all += ' ';
    all += one;
  }
  write(all);
}

// `"{!r:{}}".format(x, width)` for `f"{x!r:{width}}"`
void Printer::format_call(const String& node) {
  std::vector<const Expr*> values;
  std::string_view separator;
  for (const StringToken& token : node.tokens) {
    std::string body;
    append_format(token, token.parts, body, values);
    write(separator);
    write(without_f(token.prefix) + token.quote + body + token.quote);
    separator = " ";
  }
  write(".format(");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) write(", ");
    expression(*values[i], Precedence::test);
  }
  write(")");
}

}  // namespace lantern::syntax
