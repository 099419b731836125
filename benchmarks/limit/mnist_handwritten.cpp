// Softmax regression by hand on Eigen, its gradient derived by hand; prints steps of gradient descent per second:
//   mnist_handwritten IMAGES BATCH STEPS
//   likely = softmax(x W + b)      adj = (likely - one_hot(y)) / batch      W -= rate xᵀ adj      b -= rate Σ adj
// The step is part of the weight gradient's product: there is no gradient in memory.
#include <Eigen/Dense>

#include "trial.h"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Row = Eigen::Matrix<float, 1, Eigen::Dynamic>;
constexpr int64_t pixels = 784, classes = 10;

class Regression {
 public:
  /// One step on a batch; labels: as many as x has rows.
  template <class Images>
  void step(const Images& x, const int64_t* labels, float rate) {
    const Eigen::Index batch = x.rows();
    scores_.noalias() = x * weight;
    for (Eigen::Index i = 0; i < batch; ++i) {
      auto row = scores_.row(i);
      row += bias;
      row.array() = (row.array() - row.maxCoeff()).exp();
      row *= 1 / (row.sum() * static_cast<float>(batch));
      row(labels[i]) -= 1 / static_cast<float>(batch);
    }
    scores_ *= rate;
    weight.noalias() -= x.transpose() * scores_;
    bias -= scores_.colwise().sum();
  }

  Matrix weight = Matrix::Zero(pixels, classes);
  Row bias = Row::Zero(classes);

 private:
  Matrix scores_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: mnist_handwritten IMAGES BATCH STEPS\n");
    return 2;
  }
  const int64_t count = std::atoll(argv[1]), batch = std::atoll(argv[2]), steps = std::atoll(argv[3]);
  const std::vector<float> images = trial::fixed(1, count * pixels, -0.5, 0.5);
  std::vector<int64_t> labels;
  for (const float number : trial::fixed(2, count, 0, classes)) labels.push_back(static_cast<int64_t>(number));
  Regression model;
  const trial::Memory memory;
  const auto train = [&](int64_t number) {
    for (int64_t i = 0; i < number; ++i) {
      const int64_t start = i % (count / batch) * batch;
      model.step(Eigen::Map<const Matrix>(images.data() + start * pixels, batch, pixels), labels.data() + start, 0.5f);
    }
  };
  train(10);
  trial::sample("weight after ten steps", model.weight.data(), model.weight.size());
  trial::rate("", static_cast<double>(steps), [&] { train(steps); });
  memory.print();
}
