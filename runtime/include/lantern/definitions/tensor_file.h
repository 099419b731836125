// The reader of a safetensors header.
#pragma once

#include <charconv>

#include "lantern/tensor_file.h"

namespace lantern::detail {

LANTERN_INLINE std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// A reader of that much JSON. `refuse` throws.
template <class Refuse>
class HeaderReader {
 public:
  HeaderReader(std::string_view text, Refuse refuse) : text_(text), refuse_(refuse) {}

  /// `{ "key": … , … }`: member(key) reads each value.
  template <class Member>
  void object(Member&& member) {
    expect('{');
    if (accept('}')) return;
    do {
      const std::string key = string();
      expect(':');
      member(key);
    } while (accept(','));
    expect('}');
  }
  std::vector<int64_t> integers() {
    std::vector<int64_t> values;
    expect('[');
    if (accept(']')) return values;
    do {
      if (values.size() >= 64) refuse_("more than 64 dimensions");
      values.push_back(integer());
    } while (accept(','));
    expect(']');
    return values;
  }
  std::string string() {
    expect('"');
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) refuse_("the header ends inside a string");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (c == '\\') escape(out);
      else out += c;
    }
  }
  void end() {
    space();
    if (at_ != text_.size()) refuse_("text behind the header's last brace");
  }

 private:
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }
  bool accept(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse_(std::string("expected '") + c + "' at byte " + std::to_string(at_) + " of the header");
  }
  int64_t integer() {
    space();
    int64_t value = 0;
    const auto end = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (end.ec != std::errc() || value < 0) refuse_("expected a non-negative integer at byte " + std::to_string(at_) + " of the header");
    at_ = static_cast<size_t>(end.ptr - text_.data());
    return value;
  }
  unsigned hex4() {
    unsigned value = 0;
    if (at_ + 4 > text_.size() || std::from_chars(text_.data() + at_, text_.data() + at_ + 4, value, 16).ptr != text_.data() + at_ + 4)
      refuse_("a malformed \\u escape in the header");
    at_ += 4;
    return value;
  }
  void escape(std::string& out) {
    const char c = at_ < text_.size() ? text_[at_++] : '\0';
    constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    if (const size_t i = from.find(c); i != std::string_view::npos) {
      out += to[i];
      return;
    }
    if (c != 'u') refuse_("an unknown escape in the header");
    unsigned code = hex4();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {  // a surrogate pair
      at_ += 2;
      code = 0x10000 + ((code - 0xD800) << 10) + ((hex4() - 0xDC00) & 0x3FF);
    }
    if (code < 0x80) {
      out += static_cast<char>(code);
      return;
    }
    const int tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // UTF-8: bytes behind the first
    constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(leads[tail] | (code >> (6 * tail)));
    for (int i = tail - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3F));
  }

  std::string_view text_;
  Refuse refuse_;
  size_t at_ = 0;
};

LANTERN_INLINE TensorFile::TensorFile(const std::string& path) : file_(path) {
  const int64_t size = file_.size();
  uint64_t length = 0;
  if (file_.read(&length, sizeof length) != sizeof length) malformed("it is shorter than a header's length");
  if (length > 100'000'000 || static_cast<int64_t>(length) > size - 8) malformed("its header's length is impossible");
  std::string text(static_cast<size_t>(length), '\0');
  if (file_.read(text.data(), text.size()) != text.size()) malformed("it ends inside the header");
  data_begin_ = 8 + static_cast<int64_t>(length);
  read_header(text);
  const int64_t data_size = size - data_begin_;
  for (const auto& [name, entry] : entries_) check(name, entry, data_size);
}

LANTERN_INLINE const TensorEntry& TensorFile::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) mismatch("the parameter '" + name + "' is missing");
  return found->second;
}

LANTERN_INLINE std::vector<char> TensorFile::read(const TensorEntry& entry) {
  std::vector<char> bytes(static_cast<size_t>(entry.end - entry.begin));
  file_.seek(data_begin_ + entry.begin);
  if (file_.read(bytes.data(), bytes.size()) != bytes.size()) malformed("it ends inside a tensor");
  return bytes;
}

LANTERN_INLINE void TensorFile::malformed(const std::string& what) const { throw FileError{&errors::weights, file_.path(), "not a safetensors file: " + what}; }

LANTERN_INLINE void TensorFile::mismatch(const std::string& what) const { throw FileError{&errors::weights_mismatch, file_.path(), what}; }

LANTERN_INLINE void TensorFile::read_header(std::string_view text) {
  const auto refuse = [this](const std::string& what) { malformed(what); };
  HeaderReader reader(text, refuse);
  reader.object([&](const std::string& name) {
    if (name == "__metadata__") {
      reader.object([&](const std::string& key) {
        std::string value = reader.string();
        if (key != "vocabulary") return;
        has_vocabulary_ = true;
        vocabulary_ = std::move(value);
      });
      return;
    }
    TensorEntry entry;
    std::vector<int64_t> range;
    reader.object([&](const std::string& key) {
      if (key == "dtype") entry.type = reader.string();
      else if (key == "shape") entry.shape = reader.integers();
      else if (key == "data_offsets") range = reader.integers();
      else malformed("'" + name + "' has an unknown field '" + key + "'");
    });
    if (range.size() != 2) malformed("'" + name + "' has no range of bytes");
    entry.begin = range[0];
    entry.end = range[1];
    if (!entries_.emplace(name, entry).second) malformed("'" + name + "' appears twice");
  });
  reader.end();
}

LANTERN_INLINE void TensorFile::check(const std::string& name, const TensorEntry& entry, int64_t data_size) const {
  int64_t bytes = entry.type == "F64" || entry.type == "I64" || entry.type == "U64" ? 8
                  : entry.type == "F32" || entry.type == "I32" || entry.type == "U32" ? 4
                  : entry.type == "F16" || entry.type == "BF16" || entry.type == "I16" || entry.type == "U16" ? 2 : 1;
  for (const int64_t n : entry.shape)
    if (__builtin_mul_overflow(bytes, n, &bytes)) malformed("the size of '" + name + "' is impossible");
  if (entry.begin > entry.end || entry.end > data_size || entry.end - entry.begin != bytes)
    malformed("the range of bytes of '" + name + "' does not fit its shape or the file");
}

}  // namespace lantern::detail
