// Where a training program stands, in a safetensors file: parameters, states and the stream of random numbers. The file
// appears complete or not at all, and is checked in full before anything changes.
//
// `save_checkpoint("run.ckpt", named("weight", model.parameters.weight), named("weight.momentum", model.state.weight_momentum))`
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <tuple>

#include "lantern/random.h"
#include "lantern/safetensors.h"

namespace lantern {

namespace detail {

template <class A>
struct Named {
  const char* name;
  A& array;
};

/// Arrays as `save_safetensors` and `load_safetensors` visit them, the stream's key and position behind them.
template <class... Arrays>
struct Checkpoint {
  std::tuple<Named<Arrays>...> arrays;
  Array<int64_t, 1> stream{Shape<1>{2}};

  template <class Visit>
  void visit(Visit&& visit) {
    std::apply([&](auto&... one) { static_cast<void>(std::initializer_list<int>{(visit(one.name, one.array), 0)...}); }, arrays);
    visit("lantern.stream", stream);
  }
};

}  // namespace detail

template <class A>
detail::Named<A> named(const char* name, A& array) { return {name, array}; }

/// Fails with OSError.
template <class... Arrays>
void save_checkpoint(std::string_view path, detail::Named<Arrays>... arrays) {
  detail::Checkpoint<Arrays...> checkpoint{{arrays...}};
  checkpoint.stream.data()[0] = static_cast<int64_t>(stream().key());
  checkpoint.stream.data()[1] = static_cast<int64_t>(stream().position());
  save_safetensors(path, checkpoint);
}

/// Fails with DataError where the file's arrays are not these, by name, type and shape; then nothing has changed.
template <class... Arrays>
void load_checkpoint(std::string_view path, detail::Named<Arrays>... arrays) {
  detail::Checkpoint<Arrays...> checkpoint{{arrays...}};
  load_safetensors(path, checkpoint, [&](std::string_view name, int axis) {
    int64_t size = -1;
    checkpoint.visit([&](const char* own, auto& array) {
      if constexpr (std::decay_t<decltype(array)>::rank > 0) {
        if (name == own) size = array.shape()[static_cast<size_t>(axis)];
      }
    });
    return size;
  });
  stream().resume(static_cast<uint64_t>(checkpoint.stream.data()[0]), static_cast<uint64_t>(checkpoint.stream.data()[1]));
}

}  // namespace lantern
