#include "cli/description.h"

#include <sstream>

namespace lantern::cli {

namespace {

// CLI11 tells an option's choices in the name of its type: `STAGE:{cps,cpp}`.
OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription described{.names = {}, .value = {}, .choices = {}, .text = option.get_description(), .positional = option.get_positional(), .required = option.get_required()};
  if (described.positional) {
    described.names = {option.get_name(true)};
    return described;
  }
  for (const auto& name : option.get_snames()) described.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) described.names.push_back("--" + name);
  const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  described.value = type.substr(0, type.find(':'));
  const auto begin = type.find('{'), end = type.find('}');
  if (begin != std::string::npos && end != std::string::npos) {
    std::istringstream choices(type.substr(begin + 1, end - begin - 1));
    for (std::string choice; std::getline(choices, choice, ',');) described.choices.push_back(choice);
  }
  return described;
}

CommandDescription describe_command(const CLI::App& app, const std::string& name) {
  CommandDescription command{.name = name, .text = app.get_description(), .footer = app.get_footer(), .options = {}};
  for (const auto* option : app.get_options()) {
    if (!option->get_group().empty()) command.options.push_back(describe_option(*option));
  }
  return command;
}

}  // namespace

std::vector<std::string> CommandDescription::option_names() const {
  std::vector<std::string> all;
  for (const auto& option : options) {
    if (!option.positional) all.insert(all.end(), option.names.begin(), option.names.end());
  }
  return all;
}

std::vector<CommandDescription> describe(const CLI::App& app) {
  std::vector<CommandDescription> commands = {describe_command(app, "")};
  for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) commands.push_back(describe_command(*sub, sub->get_name()));
  }
  return commands;
}

}  // namespace lantern::cli
