#pragma once

namespace lantern::cli {

/// Does what a command line says, as `main` gets it; returns the exit code.
int run_command_line(int count, char** words);

}  // namespace lantern::cli
