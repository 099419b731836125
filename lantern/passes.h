#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lantern/batching.h"
#include "lantern/ir.h"
#include "lantern/lowered.h"

namespace lantern {

/// What may be asked of the passes beside their work. Names are those of `Passes::names()`, in the order of the pipeline.
struct PassOptions {
  std::set<std::string> print_after = {};  // passes, or "all"
  std::set<std::string> disabled = {};     // passes that improve a program, and that it can do without
  bool time = false;
  Schedule schedule = Schedule::automatic;
  bool remarks = false;                    // what was batched, and what was not and why
  std::string bug_in = {};                 // a pass that reports a bug of ours: tests what happens then
};

/// Runs passes: each by its name, timed, the IR verified behind it in debug builds, and printed where that is asked for.
class Passes {
 public:
  /// Throws Failure LT0809 for a name that no pass has, or one to be left out that cannot be.
  explicit Passes(PassOptions options = {});

  /// What `work` gives, as the pass `name`.
  template <class Work>
  auto run(std::string_view name, Work&& work) {
    const Timer timer(*this, name);
    return std::forward<Work>(work)();
  }
  /// A pass that changes the program, unless it is disabled.
  void run(std::string_view name, ir::Program& program, const std::function<void(ir::Program&)>& work);
  void run(std::string_view name, lowered::Program& program, const std::function<void(lowered::Program&)>& work);
  /// The program that a pass has made.
  void made(std::string_view name, const ir::Program& program);
  void made(std::string_view name, const lowered::Program& program);
  void made(std::string_view name, const std::function<std::string()>& text);

  const PassOptions& options() const { return options_; }
  bool leaves_out(std::string_view name) const { return options_.disabled.contains(std::string(name)); }
  /// Keeps a remark on the program, a new one, and says it if remarks are asked for: "trees.py:31:9: …".
  void remark(const Remark& remark);
  const std::vector<Remark>& remarks() const { return remarks_; }

  /// What was asked to be said, for people: the programs behind passes, remarks, then how long each pass took.
  std::string log() const;

  /// Every pass, in order; with `optional_ones` those that can be disabled.
  static std::vector<std::string_view> names(bool optional_ones = false);

 private:
  class Timer {
   public:
    Timer(Passes& passes, std::string_view name);
    ~Timer();
    Timer(const Timer&) = delete;

   private:
    Passes& passes_;
    std::string_view name_;
    std::chrono::steady_clock::time_point began_;
  };

  PassOptions options_;
  std::string printed_;
  std::vector<Remark> remarks_;
  std::vector<std::pair<std::string_view, std::chrono::steady_clock::duration>> times_;  // in order of first runs
};

}  // namespace lantern
