// Statements are marked while they are written; the formatter says where what it moves ends up, so marks become lines.
#include "codegen/listing.h"

#include <algorithm>
#include <string_view>

#include "codegen/format.h"
#include "codegen/marks.h"

namespace lantern {

Listing write_listing(const lowered::Program& program) {
  Listing listing;
  std::vector<Origin> origins;
  const auto marked = marks::take_out(marked_listing(program, origins, listing.names));
  std::vector<std::size_t> offsets;
  for (const auto& [offset, number] : marked.marks) offsets.push_back(offset);
  listing.text = format(marked.text, offsets);

  std::size_t next = 0;
  for (std::size_t begin = 0, end; begin < listing.text.size(); begin = end + 1) {
    end = std::min(listing.text.find('\n', begin), listing.text.size());
    const auto line = std::string_view(listing.text).substr(begin, end - begin);
    Origin here;
    const auto first = line.find_first_not_of(' ');
    const bool closes = first != std::string_view::npos && line[first] == '}';
    if (!listing.lines.empty() && (line.starts_with(' ') || closes)) {  // it goes on with what the line before began
      here = listing.lines.back();
      if (closes) here.places.clear();
    }
    if (next < offsets.size() && offsets[next] < end) here.places.clear();
    for (; next < offsets.size() && offsets[next] < end; ++next) {
      if (listing.text[offsets[next]] == '}') continue;  // of a statement that has no text
      const Origin& origin = origins[marked.marks[next].second];
      here.form = origin.form;
      here.reverse = origin.reverse;
      for (const auto& place : origin.places) add_place(here.places, place);
    }
    listing.lines.push_back(std::move(here));
  }
  return listing;
}

}  // namespace lantern
