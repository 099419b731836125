#include "lantern/passes.h"

#include <fmt/format.h>

#include <algorithm>

#include "lantern/verify.h"
#include "support/diagnostic.h"

namespace lantern {

namespace {

struct Pass {
  std::string_view name;
  bool optional;  // a program can do without
};

constexpr Pass passes[] = {
    {"read", false},                // text → data
    {"check", false},               // data → IR: names, types, shapes
    {"unwrap-entry", true},         // an entry that only passes its arguments on is the function it calls
    {"merge-functions", true},      // functions that do the same, of one of the user's, are one
    {"forward-mode", false},        // a jvp is a call of a function that computes tangents, too
    {"hoist", true},                // what a loop computes alike in each turn is computed in front of it
    {"share-values", true},         // what is computed twice of the same values is computed once
    {"read-transposed", true},      // a product of a matrix that is turned for it alone reads it as it lies
    {"activity", false},            // what carries an adjoint
    {"nested-gradients", false},    // a gradient in what is differentiated is a call with a derivative of its own
    {"inline-calls", true},         // a call of numbers in a loop that carries an adjoint, or of anything in one that sets items, is what it does
    {"accumulate-gradients", true},  // the gradient of a sum is taken term by term
    {"join-products", true},        // products of parameters that share their vectors are one
    {"batch", true},                // calls that do not depend on each other are made side by side
    {"loops-to-recursion", false},  // a loop that carries one calls itself
    {"take-snapshots", false},      // a view of what changes before it is read has elements of its own
    {"tape-recursions", true},      // a recursion over numbers is differentiated in two sweeps, with a tape between them
    {"inline-gradients", true},     // the gradient of what makes no call, and is taken once, is written where it is taken
    {"integer-ranges", true},       // sums of integers that cannot overflow, and places that are there, are not checked
    {"lower", false},               // IR → direct style and continuation-passing style
    {"defer-values", true},         // elementwise values that are as cheap to compute as to keep are computed where they are read
    {"write-in-place", true},       // an array that a loop changes item by item is changed where it is
    {"tidy", true},                 // values without a name of the user's are written where they are used
    {"fuse-adjoints", true},        // an elementwise adjoint that is read once is written there
    {"join-adjoints", true},        // an adjoint whose parts are all known is written at once
    {"defer-adjoints", true},       // and adjoints that are
    {"share-loops", true},          // loops over the same elements are one, with several results
    {"overwrite-values", true},     // an elementwise value takes the place of what it is made of, where that is read no more
    {"defer-steps", true},          // what a step of Adam does to a row without a gradient is put off until the row is read
    {"model-use", false},           // which functions need the model
    {"emit", false},                // lowered → C++ text
    {"format", false},              // C++ text, laid out for who reads it
    {"build", false},               // C++ → a shared object
};

const Pass& find(std::string_view name) {
  const auto* found = std::ranges::find(passes, name, &Pass::name);
  if (found == std::end(passes)) bug("passes", fmt::format("there is no pass '{}'", name));
  return *found;
}

void refuse(const std::string& name, const std::vector<std::string_view>& known, const char* what) {
  if (std::ranges::find(known, name) != known.end()) return;
  throw Failure({.code = "LT0809",
                 .location = {},
                 .message = fmt::format("there is no pass '{}'{}", name, what),
                 .hint = fmt::format("there are: {}", fmt::join(known, ", ")),
                 .outcome = Outcome::usage_is_wrong});
}

}  // namespace

std::vector<std::string_view> Passes::names(bool optional_ones) {
  std::vector<std::string_view> names;
  for (const auto& pass : passes) {
    if (pass.optional || !optional_ones) names.push_back(pass.name);
  }
  return names;
}

Passes::Passes(PassOptions options) : options_(std::move(options)) {
  auto printable = names();
  printable.push_back("all");
  for (const auto& name : options_.print_after) refuse(name, printable, "");
  for (const auto& name : options_.disabled) refuse(name, names(true), " that can be left out");
  if (!options_.bug_in.empty()) refuse(options_.bug_in, names(), "");
}

Passes::Timer::Timer(Passes& passes, std::string_view name) : passes_(passes), name_(find(name).name), began_(std::chrono::steady_clock::now()) {
  if (passes.options_.bug_in == name) bug(std::string(name), "it was asked to report one");
}

Passes::Timer::~Timer() {
  const auto spent = std::chrono::steady_clock::now() - began_;
  auto& times = passes_.times_;
  const auto found = std::ranges::find(times, name_, [](const auto& entry) { return entry.first; });
  if (found == times.end()) times.emplace_back(name_, spent);
  else found->second += spent;
}

void Passes::run(std::string_view name, ir::Program& program, const std::function<void(ir::Program&)>& work) {
  if (leaves_out(name)) return;
  run(name, [&] { work(program); });
  made(name, program);
}

void Passes::run(std::string_view name, lowered::Program& program, const std::function<void(lowered::Program&)>& work) {
  if (leaves_out(name)) return;
  run(name, [&] { work(program); });
  made(name, program);
}

void Passes::made(std::string_view name, const ir::Program& program) {
  made(name, [&] { return ir::print(program); });
#ifndef NDEBUG
  verify(program, std::string(name));
#endif
}

void Passes::made(std::string_view name, const lowered::Program& program) {
  made(name, [&] { return lowered::print(program); });
}

void Passes::made(std::string_view name, const std::function<std::string()>& text) {
  if (!options_.print_after.contains(std::string(name)) && !options_.print_after.contains("all")) return;
  printed_ += fmt::format("; after {}\n{}\n", name, text());
}

void Passes::remark(const Remark& remark) {
  const auto is_same = [&](const Remark& other) {
    return other.text == remark.text && other.location.line == remark.location.line && other.location.column == remark.location.column &&
           other.location.file_name() == remark.location.file_name();
  };
  if (std::ranges::any_of(remarks_, is_same)) return;
  remarks_.push_back(remark);
  if (!options_.remarks) return;
  const Location& at = remark.location;
  if (at.known()) printed_ += fmt::format("{}:{}:{}: ", at.file_name(), at.line, at.column);
  printed_ += remark.text + "\n";
}

std::string Passes::log() const {
  if (!options_.time) return printed_;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  std::chrono::steady_clock::duration all{};
  for (const auto& [name, spent] : times_) all += spent;
  std::string text = printed_ + fmt::format("{:<20} {:>10}  {:>5}\n", "pass", "ms", "%");
  for (const auto& [name, spent] : times_) {
    const double share = all.count() ? 100.0 * static_cast<double>(spent.count()) / static_cast<double>(all.count()) : 0;
    text += fmt::format("{:<20} {:>10.3f}  {:>5.1f}\n", name, Milliseconds(spent).count(), share);
  }
  return text + fmt::format("{:<20} {:>10.3f}\n", "all", Milliseconds(all).count());
}

}  // namespace lantern
