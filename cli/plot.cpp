// lantern plot: curves of logs of training.
#include "cli/plot.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/report.h"
#include "cli/staging.h"
#include "support/file.h"

namespace lantern::cli {

namespace {

struct Plot {
  std::vector<std::string> logs;
  std::string output, title, python;
};

int run(const Plot& command) {
  const auto ending = [](const std::string& path) { return std::filesystem::path(path).extension().string(); };
  for (const auto& log : command.logs) {
    if (ending(log) != ".jsonl" && ending(log) != ".csv") wrong_usage(fmt::format("'{}' is no log: its name ends in neither .jsonl nor .csv", log));
    read_file(log);  // one that is missing is said so before Python starts
  }
  const std::string output = command.output.empty() ? std::filesystem::path(command.logs[0]).stem().string() + ".svg" : command.output;
  if (ending(output) != ".svg" && ending(output) != ".png" && ending(output) != ".pdf")
    wrong_usage(fmt::format("a plot's name ends in .svg, .png or .pdf, and '{}' does not", output));
  std::vector<std::string> arguments = {output, command.title};
  arguments.insert(arguments.end(), command.logs.begin(), command.logs.end());
  stage({.file = command.logs[0], .entry = {}, .emit = {}, .dtype = "f32", .mode = "plot", .arguments = arguments, .python = command.python});
  print(output + "\n");
  return 0;
}

}  // namespace

void add_plot(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("plot", "Draw the curves of logs of training, several runs together");
  const auto options = std::make_shared<Plot>();
  command.add_option("-o,--output", options->output, "The picture, .svg, .png or .pdf (default: the first log's name, .svg)")->type_name("FILE");
  command.add_option("--title", options->title, "What stands above it")->type_name("TEXT");
  command.add_option("--python", options->python, "A Python that has matplotlib (default: python3)")->type_name("PATH");
  command.add_option("LOG", options->logs, "RUN.jsonl or RUN.csv, as lt.fit writes them")->required();
  command.footer("Examples:\n  lantern plot first.jsonl second.jsonl -o runs.png");
  command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lantern::cli
