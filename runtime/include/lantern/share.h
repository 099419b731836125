// Work on many numbers that threads share (crew.h), where none of their turns are under way.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lantern/crew.h"
#include "lantern/fibers.h"

namespace lantern::detail {

/// work(first, end) for ranges that make up [0, count), all but the last of them multiples of `step`: on several threads, where they
/// are idle, or can be made, and there are `operations` enough. What `work` does for one number must not depend on the range that it is in.
template <class Work>
void share(int64_t count, int64_t step, double operations, const Work& work) {
  constexpr double enough = 4e6;  // takes far longer than to wake a thread
  const int64_t steps = (count + step - 1) / step, sharing = std::min<int64_t>(threads(), steps);
  if (sharing < 2 || operations < enough || this_worker != 0 || (crew && crew->is_out()) || side_by_side.on_fiber || !thread_crew().hire(static_cast<int>(sharing) - 1)) {
    return work(int64_t{0}, count);
  }
  thread_fibers();  // at the end of a run, which an error may bring, they wait for the workers
  struct Job {
    const Work& work;
    int64_t count, step, steps, sharing;
    void of(int64_t thread) const { work(steps * thread / sharing * step, std::min(count, steps * (thread + 1) / sharing * step)); }
    ~Job() { crew->cancel(); }  // an exception, outside of a run
  } job{work, count, step, steps, sharing};
  crew->start(static_cast<int>(sharing) - 1, [](void* with, int worker) { static_cast<Job*>(with)->of(worker); }, &job);
  job.of(0);
  crew->finish();
}

}  // namespace lantern::detail
