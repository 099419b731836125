#include "codegen/c_abi.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/cpp.h"
#include "codegen/spelling.h"

namespace lantern {

using namespace lowered;

namespace {

/// Whether it may draw from the stream of random numbers, or say where that goes on; or call Python, which may.
bool draws(const ir::Program& program) {
  const auto initializes = [&](const ir::Initialize& binding) {
    return std::any_of(program.globals.begin(), program.globals.end(), [&](const ir::Global& global) { return global.variable == binding.target && (global.initializer.kind == "uniform" || global.initializer.kind == "normal"); });
  };
  std::vector<const ir::Block*> pending;
  for (const auto& function : program.functions) pending.push_back(&function.body);
  while (!pending.empty()) {
    const ir::Block* block = pending.back();
    pending.pop_back();
    for (const auto& binding : block->bindings) {
      const auto* operate = std::get_if<ir::Operate>(&binding.node);
      const auto* initialize = std::get_if<ir::Initialize>(&binding.node);
      if (operate ? operate->op->draws : initialize && initializes(*initialize)) return true;
      ir::for_each_block(binding.node, [&](const ir::Block& nested) { pending.push_back(&nested); });
    }
  }
  return false;
}

std::string bind(const ProgramNames& names) {
  std::string text = "int32_t lantern_bind([[maybe_unused]] void* instance, [[maybe_unused]] const char* name, [[maybe_unused]] void* data, "
                     "[[maybe_unused]] const int64_t* dims) {\n";
  for (const auto& global : names.program.source->globals) {
    std::vector<std::string> dims;
    for (std::size_t i = 0; i < rank(global.variable->type); ++i) dims.push_back(fmt::format("dims[{}]", i));
    text += fmt::format("if (std::strcmp(name, {}) == 0) {{\nstatic_cast<Instance*>(instance)->model.{}.{}.bind(static_cast<{}*>(data), {{{}}});\nreturn 0;\n}}\n",
                        cpp::string_literal(global.variable->name).text, global.variable->storage == ir::Storage::parameter ? "parameters" : "state",
                        names.global(global.variable), spelling::element_type(global.variable->type), cpp::list(dims));
  }
  return text + "return 1;\n}\n\n";
}

std::string entry(const ProgramNames& names, const ir::Export& exported, const std::string& space, bool calls_host) {
  const ir::Function& function = *exported.function;
  std::vector<std::string> arguments;
  const bool with_model = names.uses_model(&function, Form::direct);
  if (with_model) arguments.push_back("static_cast<Instance*>(instance)->model");
  for (std::size_t i = 0; i < function.formals.size(); ++i) {
    const Type& type = function.formals[i]->type;
    if (is(type, TypeKind::string)) {
      const std::string text = fmt::format("static_cast<const Text*>(arguments[{}])", i);
      arguments.push_back(fmt::format("std::string_view({0}->data, static_cast<size_t>({0}->size))", text));
    } else if (is(type, TypeKind::structure)) {
      arguments.push_back(fmt::format("**static_cast<{}*>(arguments[{}])", spelling::value_type(type), i));
    } else {
      arguments.push_back(fmt::format("*static_cast<{}*>(arguments[{}])", spelling::value_type(type), i));
    }
  }
  const std::string call = fmt::format("::{}::{}({})", space, names.exported(&function), cpp::list(arguments));
  const auto store = [&](std::size_t i, const std::string& value) {
    const Type& type = function.results[i];
    if (is(type, TypeKind::string)) {
      return fmt::format("*static_cast<Text*>(results[{}]) = {{{}.data(), static_cast<int64_t>({}.size())}};\n", i, value, value);
    }
    return fmt::format("*static_cast<{}*>(results[{}]) = {};\n", spelling::value_type(type), i, value);
  };
  std::string body = calls_host ? "detail::host_call = static_cast<Instance*>(instance)->host;\n" : "";
  if (function.results.empty()) {
    body += call + ";\n";
  } else if (function.results.size() == 1) {
    body += fmt::format("const auto result = {};\n{}", call, store(0, "result"));
  } else {
    body += fmt::format("const auto result = {};\n", call);
    for (std::size_t i = 0; i < function.results.size(); ++i) body += store(i, fmt::format("std::get<{}>(result)", i));
  }
  return fmt::format("static void lantern_run_{0}([[maybe_unused]] void* instance, [[maybe_unused]] void** arguments, [[maybe_unused]] void** results) {{\n{1}}}\n"
                     "int32_t lantern_entry_{0}(void* instance, void** arguments, void** results, CError* error) {{\n"
                     "return guard(lantern_run_{0}, instance, arguments, results, error);\n}}\n\n",
                     exported.name, body);
}

}  // namespace

std::string write_c_abi(const ProgramNames& names, const std::string& space, bool calls_host) {
  const ir::Program& program = *names.program.source;
  const bool has_model = !program.globals.empty(), drawn = draws(program);
  std::string text = fmt::format(
      "#include <cstdio>\n#include <cstring>\n\n#include \"{0}.h\"\n{4}\nnamespace {5} {{\n\nnamespace {{\n\n"
      "struct CError {{\nchar code[16];\nchar kind[64];\nchar location[512];\nchar message[2048];\n}};\n\n"
      "/// {{const char*; int64_t}}: how text passes between languages.\nstruct Text {{\nconst char* data;\nint64_t size;\n}};\n\n"
      "struct Instance {{\n{1}{2}}};\n\n"
      "int32_t guard(void (*run)(void*, void**, void**), void* instance, void** arguments, void** results, CError* error) {{\n"
      "try {{\narena().reset({3});\nrun(instance, arguments, results);\nreturn 0;\n}} catch (const Error& failure) {{\n"
      "std::snprintf(error->code, sizeof error->code, \"%s\", failure.code().c_str());\n"
      "std::snprintf(error->kind, sizeof error->kind, \"%s\", failure.kind().c_str());\n"
      "std::snprintf(error->location, sizeof error->location, \"%s\", failure.location().c_str());\n"
      "std::snprintf(error->message, sizeof error->message, \"%s\", failure.what());\n"
      "}} catch (const std::exception& failure) {{\n"
      "std::snprintf(error->code, sizeof error->code, \"LT0701\");\nstd::snprintf(error->kind, sizeof error->kind, \"RuntimeError\");\n"
      "error->location[0] = 0;\nstd::snprintf(error->message, sizeof error->message, \"%s\", failure.what());\n}}\nreturn 1;\n}}\n\n}}  // namespace\n\n",
      program.name, has_model ? "Model model;\n" : "", calls_host ? "HostCall host = nullptr;\n" : "",
      calls_host ? "detail::waiting" : "Mark{}", drawn ? "#include \"lantern/random.h\"\n" : "", space);
  text += "#pragma GCC visibility push(default)\nextern \"C\" {\n\nint32_t lantern_abi_version() { return 1; }\nvoid* lantern_create() { return new Instance; }\n"
          "void lantern_destroy(void* instance) { delete static_cast<Instance*>(instance); }\n\n";
  text += bind(names);
  if (calls_host) {
    text += "void lantern_host(void* instance, HostCall host) { static_cast<Instance*>(instance)->host = host; }\n\n";
  }
  if (drawn) {
    text += "/// Where the stream of random numbers has come to, and from where it goes on: key and position.\n"
            "void lantern_stream(uint64_t* place) {\nplace[0] = stream().key();\nplace[1] = stream().position();\n}\n"
            "void lantern_resume_stream(uint64_t key, uint64_t position) { stream().resume(key, position); }\n\n";
  }
  for (const auto& exported : program.exports) text += entry(names, exported, space, calls_host);
  text += fmt::format("const char* lantern_manifest() {{\nreturn {};\n}}\n\n}}  // extern \"C\"\n#pragma GCC visibility pop\n\n}}  // namespace {}\n", cpp::string_literal(write_manifest(program)).text, space);
  return text;
}

std::string write_manifest(const ir::Program& program) {
  const auto quoted = [](const std::string& text) { return spelling::json(text); };
  std::vector<std::string> entries, structures, parameters, states;
  for (const auto& exported : program.exports) {
    std::vector<std::string> arguments, results;
    for (const auto* formal : exported.function->formals) {
      arguments.push_back(fmt::format("{{\"name\": {}, \"type\": {}}}", quoted(formal->name), quoted(to_string(formal->type))));
    }
    for (const auto& type : exported.function->results) results.push_back(quoted(to_string(type)));
    entries.push_back(fmt::format("{{\"name\": {}, \"arguments\": [{}], \"results\": [{}]}}", quoted(exported.name),
                                  cpp::list(arguments), cpp::list(results)));
  }
  for (const auto& structure : program.structures) {
    std::vector<std::string> fields;
    for (const auto& [name, type] : structure.fields) fields.push_back(fmt::format("[{}, {}]", quoted(name), quoted(to_string(type))));
    structures.push_back(fmt::format("{{\"name\": {}, \"fields\": [{}]}}", quoted(structure.name), cpp::list(fields)));
  }
  for (const auto& [variable, initializer] : program.globals) {
    auto& all = variable->storage == ir::Storage::parameter ? parameters : states;
    all.push_back(fmt::format("{{\"name\": {}, \"type\": {}}}", quoted(variable->name), quoted(to_string(variable->type))));
  }
  return fmt::format("{{\"entries\": [{}], \"structures\": [{}], \"parameters\": [{}], \"states\": [{}]}}", cpp::list(entries),
                     cpp::list(structures), cpp::list(parameters), cpp::list(states));
}

}  // namespace lantern
