// The command `lantern`.
#include "cli/command_line.h"

int main(int count, char** words) { return lantern::cli::run_command_line(count, words); }
