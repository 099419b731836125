#pragma once

#include <nlohmann/json.hpp>

#include "lantern/pipeline.h"

namespace lantern {

/// A program at every stage, each line with where it comes from: what `lantern explore` shows. A JSON object:
///   files      [name, …] that places are in, the S-expressions' own among them
///   sexpr, cps, cpp
///              {"text", "lines": [line, …]}, a line {"at": [[file, line, column], …], "in": function (sexpr) or form, "reverse": true,
///              "binds": [variable, …]}; what is empty is left out
///   functions  [{"name", "at", "exported", "recursive", "names": {name: variable}, "calls": [{"to", "how", "at"}]}]: of the S-expressions;
///              how: "call", "gradient" or "jvp"
///   forms      [{"function", "kind": "direct", "cps", "forward" or "reverse", "cps": {name: variable}, "cpp": {name: variable}}]: what became of them
///   variables  [{"name", "type", "active", "saved"}]
///   globals    [{"name", "type", "trained"}]
///   remarks    [{"at", "text", "batched"}]
/// Throws Failure, as compiling the program does.
nlohmann::ordered_json explore(const Source& source, Passes& passes);

}  // namespace lantern
