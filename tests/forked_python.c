// The Python that the command starts in tests: asks forked_python.py for a process that has imported the package already, and ends as that process
// ends. Where that is no such Python as would be started now, it is the real one.
//   LANTERN_TESTS_SOCKET: where it is asked
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { most = 1 << 20 };
static char message[most];
static size_t size = sizeof(uint32_t);  // behind its own size

static int add(const char* text) {
  const size_t length = strlen(text) + 1;
  if (size + length > most) return 0;
  memcpy(message + size, text, length);
  size += length;
  return 1;
}

// -c PROGRAM --reply-fd N, the folder, the environment.
static int describe(char** argv) {
  static char folder[4096];
  int fits = getcwd(folder, sizeof folder) && add(argv[2]) && add(argv[4]) && add(folder);
  for (char** variable = environ; fits && *variable; ++variable) fits = add(*variable);
  const uint32_t length = size - sizeof length;
  memcpy(message, &length, sizeof length);
  return fits;
}

static int connected(void) {
  const char* path = getenv("LANTERN_TESTS_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return connect(connection, (struct sockaddr*)&address, sizeof address) == 0 ? connection : -1;
}

// The size goes with the descriptors.
static int ask(int connection, int reply) {
  const int descriptors[] = {0, 1, 2, reply};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof descriptors)];
  } control = {.header = {.cmsg_len = CMSG_LEN(sizeof descriptors), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), descriptors, sizeof descriptors);
  struct iovec part = {message, sizeof(uint32_t)};
  const struct msghdr first = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  if (sendmsg(connection, &first, 0) != (ssize_t)part.iov_len) return 0;
  for (size_t sent = part.iov_len; sent < size;) {
    const ssize_t more = write(connection, message + sent, size - sent);
    if (more <= 0) return 0;
    sent += more;
  }
  char taken = 0;
  return read(connection, &taken, 1) == 1 && taken;
}

int main(int argc, char** argv) {
  const int connection = argc == 5 && strcmp(argv[1], "-c") == 0 && describe(argv) ? connected() : -1;
  if (connection < 0 || !ask(connection, atoi(argv[4]))) {
    argv[0] = "python3";
    execvp(argv[0], argv);
    return 127;
  }
  int32_t status = 0;
  if (read(connection, &status, sizeof status) != sizeof status) return 126;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 126;
}
