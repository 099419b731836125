#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lantern::cli {

struct Finished {
  int start_error = 0;  // errno, if the program could not be started; nothing else holds then
  int exit_code = 0;
  int signal = 0;       // that ended it; 0: none
  std::string reply = {};
};

/// The descriptor on which a started program replies.
inline constexpr int reply_descriptor = 3;

/// Starts `command` (its first word is looked up in PATH unless it has a slash), with `input` on its standard input and
/// `variables` set over our own environment; waits for it, and returns what it wrote to reply_descriptor. Its standard
/// output and error are ours. An interrupt from the terminal goes to it alone, and ends us only if it ended it.
Finished run_process(const std::vector<std::string>& command, const std::string& input,
                     const std::vector<std::pair<std::string, std::string>>& variables);

}  // namespace lantern::cli
