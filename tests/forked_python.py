"""A Python that has imported the package and NumPy, to be forked: `python -c TEXT_OF_THIS_FILE SOCKET PACKAGE`, until its standard input ends.

The command starts Python for each file, which takes it longer to import the package than most tests' files to be staged. In suites that start the
command often, what it starts is forked_python.c, which has a process forked from this one. That becomes what `python -c` would be: its
descriptors, folder, environment, process group and `__main__` are those that were asked for. It is refused, and Python started, where it would not be
the same: variables that Python reads as it starts, limits, the session or the package are others.
"""
import gc
import io
import os
import resource
import selectors
import signal
import socket
import struct
import sys
import types

READ_AT_START = ("PYTHON", "LC_", "LANG", "LOCPATH", "LD_", "MALLOC_", "OPENBLAS_", "OMP_")     # and PYTHONPATH, which this one has none of
LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


def import_package(folder):
    """As the command's own program does it (cli/staging.cpp)."""
    gc.disable()
    import importlib.util
    spec = importlib.util.spec_from_file_location("lantern", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    package = sys.modules["lantern"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    import numpy.random  # noqa: F401

    import lantern.stage  # noqa: F401
    make = importlib.util.module_from_spec

    def module_from_spec(spec):     # that program makes the package once more, of modules that are there already
        made = make(spec)
        if spec.name == "lantern":
            vars(made).update({name: value for name, value in vars(package).items() if sys.modules.get(f"lantern.{name}") is value})
            importlib.util.module_from_spec = make
        return made
    importlib.util.module_from_spec = module_from_spec


def read_at_start(environment):
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START) and name != "PYTHONPATH"}


def request_of(connection):
    """(program, the number of the reply's descriptor, folder, environment), its descriptors."""
    size, descriptors, _, _ = socket.recv_fds(connection, 4, 4)
    left, parts = struct.unpack("=I", size)[0], []
    while left:
        parts.append(connection.recv(left))
        left -= len(parts[-1])
        assert parts[-1]
    program, reply, folder, *variables = map(os.fsdecode, b"".join(parts).split(b"\0")[:-1])
    return (program, int(reply), folder, dict(variable.split("=", 1) for variable in variables)), descriptors


def serves(request, peer, package):
    environment = request[3]
    return read_at_start(environment) == read_at_start(os.environ) and os.path.realpath(environment.get("LANTERN_PACKAGE", "")) == package \
        and os.getsid(peer) == os.getsid(0) and all(resource.prlimit(peer, limit) == resource.getrlimit(limit) for limit in LIMITS)


def become(request, descriptors, group):
    """This process is the one that was asked for, but for the program, which is returned."""
    program, reply, folder, environment = request
    import fcntl
    kept = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 500) for descriptor in descriptors]
    os.closerange(3, 500)
    for descriptor, number in zip(kept, (0, 1, 2, reply)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.setpgid(0, group)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = ["-c", "--reply-fd", str(reply)]
    sys.path[:1] = ["", *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    at_once = bool(environment.get("PYTHONUNBUFFERED"))
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        before = getattr(sys, name)
        raw = open(number, mode + "b", 0 if at_once and mode == "w" else -1, closefd=False)
        stream = io.TextIOWrapper(raw, before.encoding, before.errors, line_buffering=number == 2 or os.isatty(number), write_through=at_once and mode == "w")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for module in ("random", "numpy.random"):       # not the numbers of another process
        sys.modules[module].seed()
    sys.modules["__main__"] = types.ModuleType("__main__")
    return program


def serve(path, package):
    """In the process that was asked for, its program; None once standard input has ended."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()
    ended, wake = os.pipe2(os.O_NONBLOCK)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running = {}    # process → its connection
    watched = selectors.DefaultSelector()
    for source in (listening, ended, 0):
        watched.register(source, selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        for key, _ in watched.select():
            if key.fileobj == 0:
                return None
            if key.fileobj == ended:
                os.read(ended, 4096)
                for process in list(running):
                    _, status = found = os.waitpid(process, os.WNOHANG)
                    if found != (0, 0):
                        connection = running.pop(process)
                        watched.unregister(connection)
                        try:
                            connection.send(struct.pack("=i", status))
                        except OSError:
                            pass    # who asked is gone
                        connection.close()
            elif key.fileobj is not listening:      # who asked is gone
                os.kill(next(process for process, connection in running.items() if connection is key.fileobj), signal.SIGKILL)
            else:
                connection, _ = listening.accept()
                request, descriptors = request_of(connection)
                peer = struct.unpack("=3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
                taken = serves(request, peer, package)
                connection.send(bytes([taken]))
                process = os.fork() if taken else None
                if process == 0:
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    group = os.getpgid(peer)
                    watched.close()
                    for each in (listening, connection, *running.values()):
                        each.detach()
                    return become(request, descriptors, group)
                for descriptor in descriptors:
                    os.close(descriptor)
                if taken:
                    running[process] = connection
                    watched.register(connection, selectors.EVENT_READ)
                else:
                    connection.close()


import_package(sys.argv[2])
asked_for = serve(*sys.argv[1:])
if asked_for is not None:
    exec(compile(asked_for, "<string>", "exec"), vars(sys.modules["__main__"]))
