// lantern completion: scripts made of the command line's own description, so that they know what it knows.
#include "cli/completion.h"

#include <fmt/format.h>

#include <memory>

#include "cli/description.h"
#include "cli/report.h"

namespace lantern::cli {

namespace {

using Commands = std::vector<CommandDescription>;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> subcommands(const Commands& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

bool takes_file(const CommandDescription& command) {
  for (const auto& option : command.options) {
    if (option.positional && option.names[0] == "FILE") return true;
  }
  return false;
}

// The choices of a positional stand in its description alone: those of `completion` itself.
std::string positional_choices(const CommandDescription& command) { return command.name == "completion" ? "bash zsh fish" : ""; }

std::string bash(const Commands& commands) {
  std::string words, values;
  for (const auto& command : commands) {
    const std::string pattern = command.name.empty() ? "*" : command.name;
    if (!command.name.empty()) {
      words += fmt::format("    {}) words=\"{} {} {}\"{} ;;\n", pattern, joined(command.option_names()), joined(commands[0].option_names()), positional_choices(command),
                           takes_file(command) ? " files=1" : "");
    }
    for (const auto& option : command.options) {
      if (!option.choices.empty()) values += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", fmt::join(option.names, "|"), joined(option.choices));
      else if (!option.value.empty() && !option.positional) values += fmt::format("    {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", fmt::join(option.names, "|"));
    }
  }
  return fmt::format(R"(# bash completion of lantern: source <(lantern completion bash)
_lantern() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD-1]}} command= words= files= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in {}) command=${{COMP_WORDS[i]}}; break ;; esac
  done
  case $last in
{}  esac
  case $command in
{}    *) words="{} {}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ -n "$files" ] && [[ $word != -* ]] && COMPREPLY+=($(compgen -f -X '!*.@(py|sexpr)' -- "$word") $(compgen -d -S / -- "$word"))
}}
shopt -s extglob
complete -o nospace -o bashdefault -F _lantern lantern
)",
                     fmt::join(subcommands(commands), "|"), values, words, joined(subcommands(commands)), joined(commands[0].option_names()));
}

// In zsh's and fish's single quotes.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "'\\''");
  return text;
}

std::string zsh_option(const OptionDescription& option) {
  std::string text = quoted(option.text), all;
  for (std::size_t at = 0; (at = text.find_first_of("[]:", at)) != std::string::npos; at += 2) text.insert(at, "\\");
  for (const auto& name : option.names) {
    all += fmt::format(" \\\n        '{}[{}]", name, text);
    if (!option.choices.empty()) all += fmt::format(":{}:({})", option.value, joined(option.choices));
    else if (!option.value.empty()) all += fmt::format(":{}:_files", option.value);
    all += "'";
  }
  return all;
}

std::string zsh(const Commands& commands) {
  std::string names, cases, common;
  for (const auto& option : commands[0].options) common += zsh_option(option);
  for (const auto& command : commands) {
    if (command.name.empty()) continue;
    names += fmt::format("    '{}:{}'\n", command.name, quoted(command.text));
    std::string options;
    for (const auto& option : command.options) {
      if (!option.positional) options += zsh_option(option);
    }
    if (takes_file(command)) options += " \\\n        '1:FILE:_files -g \"*.(py|sexpr)\"'";
    if (const auto choices = positional_choices(command); !choices.empty()) options += fmt::format(" \\\n        '1:SHELL:({})'", choices);
    cases += fmt::format("      {})\n        _arguments{}{} ;;\n", command.name, options, common);
  }
  return fmt::format(R"(#compdef lantern
# zsh completion of lantern: lantern completion zsh > a folder of $fpath/_lantern
_lantern() {{
  local -a commands=(
{})
  _arguments -C '1:command:->command' '*::rest:->rest'{}
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
{}      esac ;;
  esac
}}
if [ "$funcstack[1]" = _lantern ]; then _lantern "$@"; else compdef _lantern lantern; fi
)",
                     names, common, cases);
}

std::string fish(const Commands& commands) {
  std::string text = "# fish completion of lantern: lantern completion fish | source\ncomplete -c lantern -f\n";
  for (const auto& command : commands) {
    const std::string when = command.name.empty() ? "" : fmt::format(" -n '__fish_seen_subcommand_from {}'", command.name);
    if (!command.name.empty()) text += fmt::format("complete -c lantern -n __fish_use_subcommand -a {} -d '{}'\n", command.name, quoted(command.text));
    if (takes_file(command)) text += fmt::format("complete -c lantern{} -k -a '(__fish_complete_suffix .py; __fish_complete_suffix .sexpr)'\n", when);
    if (const auto choices = positional_choices(command); !choices.empty()) text += fmt::format("complete -c lantern{} -a '{}'\n", when, choices);
    for (const auto& option : command.options) {
      if (option.positional) continue;
      text += fmt::format("complete -c lantern{}", when);
      for (const auto& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty()) text += fmt::format(" -x -a '{}'", joined(option.choices));
      else if (!option.value.empty()) text += " -r";
      text += fmt::format(" -d '{}'\n", quoted(option.text));
    }
  }
  return text;
}

}  // namespace

void add_completion(CLI::App& app, std::function<int()>& chosen) {
  auto& command = *app.add_subcommand("completion", "Print what makes a shell complete the words of this command");
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command.footer("Examples:\n"
                 "  source <(lantern completion bash)        in ~/.bashrc\n"
                 "  lantern completion fish | source         in ~/.config/fish/config.fish");
  command.callback([shell, &app, &chosen] {
    chosen = [shell, &app] {
      const auto commands = describe(app);
      print(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
      return 0;
    };
  });
}

}  // namespace lantern::cli
