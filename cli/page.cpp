#include "cli/page.h"

#include <string_view>

#include "page_files.h"

namespace lantern::cli {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else result += c;
  }
  return result;
}

// Where the page has a slot, it has the text instead. Slots are looked for in our own files alone: data comes last.
void put(std::string& page, std::string_view slot, std::string_view text) {
  for (std::size_t at = page.find(slot); at != std::string::npos; at = page.find(slot, at + text.size())) page.replace(at, slot.size(), text);
}

}  // namespace

std::string page(const std::string& title, const std::string& data) {
  std::string page(page_files::html);
  put(page, "{{style}}", page_files::css);
  put(page, "{{script}}", page_files::js);
  put(page, "{{title}}", escaped(title));
  page.replace(page.find("{{data}}"), 8, data);
  return page;
}

}  // namespace lantern::cli
