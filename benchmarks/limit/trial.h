// What the hand-written programs that are measured share: arrays that are the same in every peer, and the lines that they print
// (benchmarks/trial/fixed.py and timing.py say what they are).
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace trial {

/// `count` numbers between low and high: splitmix64's hash of seed and place.
inline std::vector<float> fixed(uint64_t seed, int64_t count, double low = -1, double high = 1) {
  std::vector<float> numbers(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t z = (static_cast<uint64_t>(i) + 1 + (seed << 32)) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    numbers[static_cast<size_t>(i)] = static_cast<float>(low + (high - low) * (static_cast<double>(z >> 40) / 16777216.0));
  }
  return numbers;
}

template <class Work>
double seconds(const Work& work, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void print_rate(const std::string& name, double units, std::vector<double> taken) {
  std::sort(taken.begin(), taken.end());
  std::printf("rate\t%s\t%.9g\n", name.c_str(), units / taken[taken.size() / 2]);
  std::fflush(stdout);
}

/// Prints how many units of work a second `work` does, `units` a call, after a call that is not timed: the median of five rounds, of fewer
/// where a call takes long.
template <class Work>
void rate(const std::string& name, double units, const Work& work, double all = 0.1) {
  work();
  const double once = std::max(seconds(work, 1), 1e-9);
  const int calls = std::max(1, static_cast<int>(all / 5 / once));
  std::vector<double> taken;
  double sum = 0;
  const auto add = [&](double each) { taken.push_back(each), sum += calls * each; };
  if (calls == 1) add(once);
  while (taken.size() < 5 && sum < all) add(seconds(work, calls) / calls);
  print_rate(name, units, taken);
}

/// The same where one call takes long enough to be timed by itself, and has been called before.
template <class Work>
void rate_of_passes(const std::string& name, double units, const Work& work, int passes) {
  std::vector<double> taken;
  for (int i = 0; i < passes; ++i) taken.push_back(seconds(work, 1));
  print_rate(name, units, taken);
}

/// How long `work(i)` takes for each i below count, called so many times each after a first that is not timed: rate and percentiles.
template <class Work>
void latencies(const std::string& name, int64_t count, const Work& work, int rounds) {
  for (int64_t i = 0; i < count; ++i) work(i);
  std::vector<double> taken;
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int64_t i = 0; i < count; ++i) sum += taken.emplace_back(seconds([&] { work(i); }, 1));
  }
  std::sort(taken.begin(), taken.end());
  const auto percentile = [&](size_t share) { return 1e6 * taken[std::max<size_t>((taken.size() * share + 99) / 100, 1) - 1]; };
  print_rate(name, static_cast<double>(taken.size()), {sum});
  std::printf("latency\t%s\t%.9g\t%.9g\t%.9g\n", name.c_str(), percentile(50), percentile(95), percentile(99));
}

inline void value(const std::string& name, double number, double scale = 1) {
  std::printf("value\t%s\t%.9g\t%.9g\n", name.c_str(), number, scale * std::abs(number));
}

/// The size of an array and some of its elements.
inline void sample(const std::string& name, const float* numbers, int64_t count, int64_t places = 8) {
  double squares = 0;
  for (int64_t i = 0; i < count; ++i) squares += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  const double size = std::sqrt(squares / static_cast<double>(count));
  std::printf("value\t%s rms\t%.9g\t%.9g\n", name.c_str(), size, size);
  for (int64_t i = 0; i < places; ++i) {
    const int64_t at = (2 * i + 1) * count / (2 * places);
    std::printf("value\t%s[%lld]\t%.9g\t%.9g\n", name.c_str(), static_cast<long long>(at), static_cast<double>(numbers[at]), size);
  }
}

/// Bytes of this process that Linux counts under a name, 0 elsewhere.
inline long long status(const char* field) {
  long long kilobytes = 0;
  if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    const size_t length = std::strlen(field);
    while (std::fgets(line, sizeof line, file)) {
      if (std::strncmp(line, field, length) == 0 && line[length] == ':') kilobytes = std::atoll(line + length + 1);
    }
    std::fclose(file);
  }
  return 1024 * kilobytes;
}

/// Resident memory before the work; prints it, the peak, and how much of that is files that were mapped since: code.
class Memory {
 public:
  Memory() {
    if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {  // the peak until now, of making data, is forgotten
      std::fputs("5", file);
      std::fclose(file);
    }
  }
  void print() const { std::printf("memory\t%lld\t%lld\t%lld\n", before_, status("VmHWM"), status("RssFile") - files_before_); }

 private:
  long long before_ = status("VmRSS"), files_before_ = status("RssFile");
};

}  // namespace trial
