#include "cli/staging.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "api/diagnostic_json.h"
#include "cli/process.h"
#include "support/installation.h"

namespace lantern::cli {

namespace {

// What `python -m lantern.stage` does, and three things before it: the current folder is not searched for modules (a
// json.py there is none of our business), a Python that lacks what we need says so in a reply, not in a traceback, and
// the package `lantern` is the one that belongs to this command. Nothing else is searched for in the folder that it lies in.
// What we load stays: Python need not look for garbage in it, neither meanwhile nor later. An interrupt is the user's code's to handle, and otherwise ends
// Python as it ends other programs, without a traceback.
constexpr const char* bootstrap = R"python(
import signal
signal.signal(signal.SIGINT, signal.SIG_DFL)
import sys
if sys.path and sys.path[0] == "":
    del sys.path[0]

def refuse(message, hint):
    import json, os
    diagnostic = {"code": "LT0804", "message": message, "hint": hint, "outcome": 4}
    os.write(int(sys.argv[2]), json.dumps({"diagnostics": [diagnostic]}).encode())
    sys.exit(4)

if sys.version_info < (3, 9):
    refuse("Lantern needs Python 3.9 or newer; %s is %d.%d" % ((sys.executable,) + sys.version_info[:2]),
           "name another one by --python")
import gc, importlib.util, os
gc.disable()
if importlib.util.find_spec("numpy") is None:
    refuse("the Python at %s has no working NumPy: No module named 'numpy'" % sys.executable,
           "%s -m pip install numpy, or name another Python by --python" % sys.executable)
package = os.environ["LANTERN_PACKAGE"]
spec = importlib.util.spec_from_file_location("lantern", os.path.join(package, "__init__.py"), submodule_search_locations=[package])
sys.modules["lantern"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["lantern"])
from lantern import stage
gc.freeze()
gc.set_threshold(20_000)
gc.enable()
sys.argv[0] = stage.__file__
try:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stage.main()
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        sys.stdout.flush()
    finally:
        os.kill(os.getpid(), signal.SIGINT)
)python";

[[noreturn]] void fail(const char* code, std::string message, std::string hint) {
  throw Failure({.code = code,
                 .location = {},
                 .message = std::move(message),
                 .hint = std::move(hint),
                 .outcome = Outcome::environment});
}

nlohmann::ordered_json reply_of(const Finished& finished, const std::string& python) {
  if (finished.start_error) {
    fail("LT0803", fmt::format("cannot start '{}': {}", python, std::strerror(finished.start_error)),
         "install Python 3, or name one by --python PATH");
  }
  auto reply = nlohmann::ordered_json::parse(finished.reply, nullptr, false);
  if (reply.is_object()) return reply;
  if (finished.signal) {
    fail("LT0806", fmt::format("Python was ended by signal {} ({}) while it ran the program", finished.signal,
                               strsignal(finished.signal)),
         "run the file by itself to see whether it does that without Lantern, too");
  }
  if (!finished.reply.empty()) bug("staging", "its reply is not JSON");
  fail("LT0806", fmt::format("Python ended with exit code {} before the program was staged", finished.exit_code),
       "does the file call os._exit?");
}

}  // namespace

std::string python_to_start(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  if (const char* environment = std::getenv("VIRTUAL_ENV"); environment && *environment) {
    const std::string python = std::string(environment) + "/bin/python3";
    if (access(python.c_str(), X_OK) == 0) return python;
  }
  if (const char* installed = std::getenv("LANTERN_PYTHON"); installed && *installed) return installed;
  return "python3";
}

StagingReply stage(const StagingRequest& request) {
  const std::string python = python_to_start(request.python);
  nlohmann::ordered_json asked = {{"file", request.file},   {"entry", nullptr},
                                  {"emit", request.emit},   {"dtype", request.dtype},
                                  {"mode", request.mode},   {"arguments", request.arguments}};
  if (request.mode == "check") asked.update({{"calls", request.calls}, {"seed", request.seed}});
  if (request.source) asked["source"] = *request.source;
  if (!request.entry.empty()) asked["entry"] = request.entry;
  const auto finished = run_process({python, "-c", bootstrap, "--reply-fd", std::to_string(reply_descriptor)}, dump(asked),
                                    {{"LANTERN_PACKAGE", installation::python_package()},
                                     {"LANTERN_LIBRARY", installation::shared_library()}});
  const auto json = reply_of(finished, python);
  if (const auto found = json.find("diagnostics"); found != json.end() && !found->empty()) {
    throw Failure(diagnostics_from_json(*found));
  }
  StagingReply reply;
  const auto text = [&](const char* field) {
    const auto found = json.find(field);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  reply.sexpr = text("sexpr");
  reply.staging = text("staging");
  reply.name = text("name");
  reply.entry = text("entry");
  reply.sources = json.value("sources", nlohmann::ordered_json::array());
  reply.folders = json.value("folders", std::vector<std::string>());
  reply.imports = json.value("imports", std::vector<std::string>());
  reply.arguments = json.value("arguments", nlohmann::ordered_json::object());
  if (reply.sexpr.empty()) {
    if (json.value("exit", 1) != 0) bug("staging", "its reply holds no program");
    reply.ended = true;
  }
  return reply;
}

}  // namespace lantern::cli
