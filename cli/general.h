#pragma once

namespace lantern::cli {

/// What the command line asks of every subcommand.
struct General {
  bool quiet = false;    // no progress, no warnings: errors alone
  bool verbose = false;  // also what is converted, staged and written
};

}  // namespace lantern::cli
