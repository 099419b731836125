#include "api/result.h"

#include <memory>
#include <new>

#include "api/diagnostic_json.h"
#include "support/deep_stack.h"

namespace lantern {

namespace {

Failure as_failure(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::bad_alloc&) {
    return Failure({.code = "LT0808",
                    .location = {},
                    .message = "out of memory",
                    .hint = "split the program, or allow the process more",
                    .outcome = Outcome::environment});
  } catch (const std::exception& exception) {
    try {
      bug("api", exception.what());
    } catch (const Failure& failure) {
      return failure;
    }
  }
}

}  // namespace

lantern_result* as_result(const std::function<std::string(std::string& log)>& work) noexcept {
  auto result = std::make_unique<lantern_result>();
  try {
    on_deep_stack([&] { result->text = work(result->log); });
  } catch (...) {
    const Failure failure = as_failure(std::current_exception());
    result->outcome = failure.outcome();
    result->diagnostics = dump(to_json(failure.diagnostics));
    result->text.clear();
  }
  return result.release();
}

}  // namespace lantern

int lantern_result_outcome(const lantern_result* result) { return static_cast<int>(result->outcome); }

const char* lantern_result_text(const lantern_result* result, size_t* length) {
  if (length) *length = result->text.size();
  return result->text.c_str();
}

const char* lantern_result_log(const lantern_result* result) { return result->log.c_str(); }

const char* lantern_result_diagnostics_json(const lantern_result* result) { return result->diagnostics.c_str(); }

void lantern_result_free(lantern_result* result) { delete result; }
