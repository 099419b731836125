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

/// As trial/timing.py says it.
constexpr int ROUNDS = 5;
constexpr double ROUND = 0.02, LONGEST = 2;

/// Waits for this process's turn.
inline void turn(const std::string& name) {
  if (!std::getenv("BENCHMARK_TURNS")) return;
  std::printf("turn\t%s\n", name.c_str());
  std::fflush(stdout);
  for (int c = 0; c != '\n' && c != EOF;) c = std::getchar();
}

/// taken: seconds, round by round.
inline void print_rate(const std::string& name, double units, const std::vector<double>& taken) {
  std::printf("rate\t%s", name.c_str());
  for (const double seconds : taken) std::printf("\t%.9g", units / seconds);
  std::printf("\n");
}

/// Prints how many units of work a second `work` does, `units` a call, round by round, after a call that is not timed. A round is one call;
/// where that takes less than ROUND seconds, as many as fit.
template <class Work>
void rate(const std::string& name, double units, const Work& work) {
  work();
  turn(name);
  const double once = std::max(seconds(work, 1), 1e-9);
  const int calls = std::max(1, static_cast<int>(ROUND / once));
  std::vector<double> taken;
  double sum = 0;
  const auto add = [&](double each) { taken.push_back(each), sum += calls * each; };
  if (calls == 1) add(once);
  while (taken.size() < ROUNDS && sum < LONGEST) {
    turn(name);
    if (calls > 1) work();  // what it reads may have left the processor's caches meanwhile
    add(seconds(work, calls) / calls);
  }
  print_rate(name, units, taken);
}

/// How long `work(i)` takes for each i below count, called one after the other in each round, after a first call that is not timed: rates and percentiles.
template <class Work>
void latencies(const std::string& name, int64_t count, const Work& work) {
  for (int64_t i = 0; i < count; ++i) work(i);
  std::vector<double> taken, of_rounds;
  double sum = 0;
  while (of_rounds.size() < ROUNDS && sum < LONGEST) {
    turn(name);
    double of_round = 0;
    for (int64_t i = 0; i < count; ++i) of_round += taken.emplace_back(seconds([&] { work(i); }, 1));
    sum += of_rounds.emplace_back(of_round);
  }
  std::sort(taken.begin(), taken.end());
  const auto percentile = [&](size_t share) { return 1e6 * taken[std::max<size_t>((taken.size() * share + 99) / 100, 1) - 1]; };
  print_rate(name, static_cast<double>(count), of_rounds);
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
