//     f"{word!r}: {loss:.{digits}f}"
// becomes
//     ag__.fstring(ag__.field(word, 'r'), ': ', ag__.field(loss, None, ag__.fstring('.', ag__.field(digits), 'f', (1, 15))),
//                  (1, 1))
//
// Python formats a value before it evaluates the next; so does `ag__.field`.
#include "frontend/passes/passes.h"

namespace lantern::passes {

using namespace syntax;

namespace {

class Formatting {
 public:
  Formatting(const Function& function, const Range& at) : function_(function), at_(at) {}

  ExprPtr convert(String& literal) {
    for (StringToken& token : literal.tokens) {
      if (token.is_formatted()) {
        add(token.parts, token);
      } else {
        parts_.push_back(make(String{list_of<StringToken>(std::move(token))}));
      }
    }
    return function_.operation("fstring", std::move(parts_), at_);
  }

 private:
  void add(std::vector<StringPart>& parts, const StringToken& token) {
    for (StringPart& part : parts) {
      part.value ? add_value(part, token) : add_text(part.text, token);
    }
  }

  void add_text(const std::string& text, const StringToken& token) {
    StringToken plain{{}, token.quote, {}};
    for (const char letter : token.prefix) {
      if (letter != 'f' && letter != 'F') plain.prefix += letter;
    }
    std::string single;
    for (std::size_t i = 0; i < text.size(); ++i) {
      single += text[i];
      if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
    }
    plain.parts.push_back(StringPart{.text = std::move(single)});
    ExprPtr literal = make(String{list_of<StringToken>(std::move(plain))}, at_);
    const std::optional<std::string> value = string_value(*literal);
    parts_.push_back(value ? string(*value) : std::move(literal));
  }

  void add_value(StringPart& part, const StringToken& token) {
    has_values_ = true;
    const Range at = part.value->range;
    Formatting spec(function_, part.value->range);
    spec.add(part.format_spec, token);
    ExprPtr spec_value = spec.parts_.empty()
                             ? nullptr
                             : spec.parts_.size() == 1 && !spec.has_values_
                                   ? std::move(spec.parts_[0])
                                   : function_.operation("fstring", std::move(spec.parts_), part.value->range);
    std::vector<ExprPtr> field = list_of<ExprPtr>(std::move(part.value));
    if (part.conversion || spec_value) field.push_back(part.conversion ? string(std::string(1, part.conversion)) : none());
    if (spec_value) field.push_back(std::move(spec_value));
    parts_.push_back(function_.placeless("field", std::move(field), at));
  }

  const Function& function_;
  Range at_;
  std::vector<ExprPtr> parts_;
  bool has_values_ = false;
};

bool has_fields(const String& literal) {
  for (const StringToken& token : literal.tokens) {
    for (const StringPart& part : token.parts) {
      if (part.value) return true;
    }
  }
  return false;
}

}  // namespace

void convert_formatted_strings(Function& function) {
  rewrite_loads(function, [&](ExprPtr& expr) {
    auto* literal = as<String>(expr);
    if (!literal || !literal->is_formatted() || !has_fields(*literal)) return;
    const Range at = expr->range;
    expr = Formatting(function, at).convert(*literal);
    inherit(expr, at);
  });
}

}  // namespace lantern::passes
