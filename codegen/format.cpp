#include "codegen/format.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "codegen/clang_format.h"
#include "codegen/long_literals.h"
#include "codegen/pieces.h"

namespace lantern {

namespace {

constexpr int columns = 110;
constexpr unsigned most_threads = 8;

struct Formatted {
  std::string text;
  std::vector<std::size_t> offsets;
};

/// Each of these, by as many threads as there are for it.
void format_all(std::vector<Formatted>& all) {
  std::atomic<std::size_t> taken = 0;
  const auto work = [&] {
    for (std::size_t i; (i = taken++) < all.size();) all[i].text = clang_formatted(all[i].text, columns, all[i].offsets);
  };
  std::vector<std::future<void>> others;
  try {
    const std::size_t threads = std::min<std::size_t>({all.size(), std::thread::hardware_concurrency(), most_threads});
    while (others.size() + 1 < threads) others.push_back(std::async(std::launch::async, work));
  } catch (const std::system_error&) {  // as many as the system has
  }
  work();
  for (auto& other : others) other.get();
}

}  // namespace

std::string format(const std::string& code) {
  std::vector<std::size_t> none;
  return format(code, none);
}

std::string format(const std::string& code, std::vector<std::size_t>& offsets) {
  const WithoutLongLiterals without = without_long_literals(code, offsets);
  const auto pieces = pieces_of(without.code);
  std::vector<Formatted> all;
  for (const Piece& piece : pieces) all.push_back({without.code.substr(piece.begin, piece.end - piece.begin), {}});
  std::vector<std::pair<std::size_t, std::size_t>> places;  // of each offset its piece, and which of that piece's it is
  for (const std::size_t offset : offsets) {
    const auto behind = std::upper_bound(pieces.begin(), pieces.end(), offset, [](std::size_t at, const Piece& piece) { return at < piece.begin; });
    const auto i = static_cast<std::size_t>(behind - pieces.begin()) - 1;
    places.emplace_back(i, all[i].offsets.size());
    all[i].offsets.push_back(offset - pieces[i].begin);
  }
  format_all(all);
  std::string whole;
  std::vector<std::size_t> begins;
  for (const auto& each : all) {
    if (!whole.empty()) whole += '\n';
    begins.push_back(whole.size());
    whole += each.text;
  }
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = begins[places[i].first] + all[places[i].first].offsets[places[i].second];
  return with_long_literals(whole, without, columns, offsets);
}

}  // namespace lantern
