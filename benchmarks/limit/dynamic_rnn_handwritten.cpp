// Runs the hand-written recurrent network on minibatches and prints sequences per second:
//   dynamic_rnn_handwritten HIDDEN BATCHES LENGTHS       numbers with commas between them
#include "dynamic_rnn.h"

namespace {

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> all;
  for (size_t at = 0; at < text.size(); at = text.find(',', at) == std::string::npos ? text.size() : text.find(',', at) + 1) {
    all.push_back(std::atoll(text.c_str() + at));
  }
  return all;
}

void sample(const std::string& name, const Eigen::Ref<const dynamic_rnn::Matrix>& matrix) { trial::sample(name, matrix.data(), matrix.size()); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: dynamic_rnn_handwritten HIDDEN BATCHES LENGTHS\n");
    return 2;
  }
  const int64_t hidden = std::atoll(argv[1]);
  dynamic_rnn::Network network(hidden, 1 / std::sqrt(static_cast<double>(hidden)));
  const trial::Memory memory;
  for (const int64_t batch : numbers(argv[2])) {
    for (const int64_t length : numbers(argv[3])) {
      const dynamic_rnn::Matrix sequences = dynamic_rnn::fixed(4, length * batch, hidden, 1);
      const std::string name = "batch " + std::to_string(batch) + ", length " + std::to_string(length);
      const auto both = [&] {
        network.forward(sequences, batch);
        network.backward(sequences, batch);
      };
      sample(name + ": state", network.forward(sequences, batch));
      both();
      sample(name + ": d input", network.gradients.input);
      sample(name + ": d recurrent", network.gradients.recurrent);
      trial::sample(name + ": d bias", network.gradients.bias.data(), hidden);
      trial::rate(name + ", forward", static_cast<double>(batch), [&] { network.forward(sequences, batch); });
      trial::rate(name + ", forward and backward", static_cast<double>(batch), both);
    }
  }
  memory.print();
}
