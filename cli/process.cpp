#include "cli/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

extern char** environ;

namespace lantern::cli {

namespace {

// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// Its ends lie above every descriptor that a child is given, so that placing one never overwrites the other.
struct Pipe {
  Descriptor read_end, write_end;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    const Descriptor low_read(ends[0]), low_write(ends[1]);
    read_end = Descriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, reply_descriptor + 1));
    write_end = Descriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, reply_descriptor + 1));
  }
  bool open() const { return read_end.number() >= 0 && write_end.number() >= 0; }
};

volatile std::sig_atomic_t noted = 0;  // the signal from the terminal that came last

// Does no more than note a signal while it lives.
class Noted {
 public:
  explicit Noted(int signal) : signal_(signal) {
    struct sigaction note = {};
    note.sa_handler = [](int number) {
      if (number != SIGPIPE) noted = number;
    };
    sigaction(signal_, &note, &before_);
  }
  ~Noted() { sigaction(signal_, &before_, nullptr); }
  Noted(const Noted&) = delete;

 private:
  int signal_;
  struct sigaction before_;
};

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : variables) replaced |= text.starts_with(name + "=");
    if (!replaced) environment.push_back(text);
  }
  for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

int spawn(pid_t& child, std::vector<std::string> command, std::vector<std::string> environment, const Pipe& input,
          const Pipe& reply) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input.read_end.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, reply.write_end.number(), reply_descriptor);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&child, command[0].c_str(), &actions, &attributes, pointers(command).data(),
                                 pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Moves bytes both ways until the reply ends. A grandchild may keep the reply's descriptor open: the child's own end
// is an end, too.
std::string exchange(pid_t child, int& status, Descriptor input, const std::string& text, const Descriptor& reply) {
  fcntl(input.number(), F_SETFL, O_NONBLOCK);
  fcntl(reply.number(), F_SETFL, O_NONBLOCK);
  std::string received;
  std::size_t sent = 0;
  bool ended = false;
  for (;;) {
    if (sent == text.size()) input.close();
    pollfd polled[] = {{reply.number(), POLLIN, 0}, {input.number(), POLLOUT, 0}};
    const int ready = poll(polled, 2, ended ? 0 : 100);
    if (polled[1].revents) {
      const auto count = write(input.number(), text.data() + sent, text.size() - sent);
      if (count > 0) sent += static_cast<std::size_t>(count);
      if (count < 0 && errno != EAGAIN && errno != EINTR) sent = text.size();  // it does not listen
    }
    if (polled[0].revents) {
      char bytes[65536];
      const auto count = read(reply.number(), bytes, sizeof bytes);
      if (count > 0) {
        received.append(bytes, static_cast<std::size_t>(count));
        continue;
      }
      if (count == 0) break;
    }
    if (ended && ready <= 0) break;
    if (!ended) ended = waitpid(child, &status, WNOHANG) == child;
  }
  while (!ended && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return received;
}

}  // namespace

Finished run_process(const std::vector<std::string>& command, const std::string& input,
                     const std::vector<std::pair<std::string, std::string>>& variables) {
  Pipe to_child, from_child;
  if (!to_child.open() || !from_child.open()) return {.start_error = errno};
  int status = 0;
  Finished finished;
  {
    const Noted interrupt(SIGINT), quit(SIGQUIT), broken_pipe(SIGPIPE);
    noted = 0;
    pid_t child = 0;
    finished.start_error = spawn(child, command, environment_with(variables), to_child, from_child);
    if (finished.start_error) return finished;
    to_child.read_end.close();
    from_child.write_end.close();
    finished.reply = exchange(child, status, std::move(to_child.write_end), input, from_child.read_end);
  }
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
  // Python that is interrupted as it starts ends by an error of its own.
  const bool is_interrupted = finished.exit_code != 0 && (noted == SIGINT || noted == SIGQUIT);
  if (const int signal = is_interrupted ? noted : finished.signal; signal == SIGINT || signal == SIGQUIT) raise(signal);
  return finished;
}

}  // namespace lantern::cli
