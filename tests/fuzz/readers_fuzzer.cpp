// Files of numbers as generated programs read them: an array of the promised shape, or an error that names the file.
// The first byte says which reader is meant.
#include <cstdint>

#include "lantern/csv.h"
#include "lantern/idx.h"
#include "lantern/npz.h"
#include "lantern/runtime.h"
#include "lantern/word_vectors.h"
#include "file_of.h"
#include "must.h"

using namespace lantern;

namespace {

void read(int kind, const std::string& file) {
  switch (kind % 7) {
    case 0: must(read_idx<float>(file, {-1, 3, -1}).shape[1] == 3, "a size that is expected is found"); break;
    case 1: read_idx<int32_t>(file, {-1}); break;
    case 2: must(read_npy<double>(file, {-1, 2}).shape[1] == 2, "a size that is expected is found"); break;
    case 3: read_npy<bool>(file, {-1, -1, -1}); break;
    case 4: read_npz<int64_t>(file, "a", {-1, -1}); break;
    case 5: {
      const auto table = read_csv<float>(file, false, {-1, -1});
      must(table.size() == 0 || table.shape[1] > 0, "a row has fields");
      read_csv<int32_t>(file, true, {-1, 2});
      break;
    }
    default: {
      const std::string_view words[] = {"<unk>", "cat", "new york"};
      const auto table = zeros<float>({3, 2});
      must(read_word_vectors(file, List<std::string_view>{words, 3}, Matrix<float>(table)).size() == 6, "a table keeps its shape");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string file = file_of(data + 1, size - 1);
  try {
    on_stack([&] { read(data[0], file); });
  } catch (const DataError& error) {
    must(error.location().rfind(file, 0) == 0, std::string("an error has a place: ") + error.what());
  }
  return 0;
}
