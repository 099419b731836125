// Errors that a running program can meet. Each has a stable code and the name of the Python exception it stands for.
//
// `fail` is how the runtime and generated code report one. Off the Lantern stack it throws; on it, it abandons the
// stack and the exception comes out of `on_stack` (stack.h). No destructor of an abandoned frame runs, so callers of
// `fail` own nothing: messages are formatted into storage of the thread.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lantern {

/// A row of the table of errors: code and Python's (or our) name of the kind.
struct ErrorKind {
  const char* code;
  const char* kind;
};

namespace errors {
inline constexpr ErrorKind raised{"LT0701", ""};                                   // the user's `raise`; it names the kind
inline constexpr ErrorKind assertion{"LT0702", "AssertionError"};                  // the user's `assert`
inline constexpr ErrorKind missing{"LT0703", "AttributeError"};                    // a field of None was read
inline constexpr ErrorKind division_by_zero{"LT0704", "ZeroDivisionError"};        // scalars only; tensors follow IEEE
inline constexpr ErrorKind overflow{"LT0705", "OverflowError"};                    // a result does not fit in 64 bits
inline constexpr ErrorKind index{"LT0706", "IndexError"};                          // index or slice out of range
inline constexpr ErrorKind shape{"LT0707", "ValueError"};                          // shapes that do not fit each other
inline constexpr ErrorKind domain{"LT0708", "ValueError"};                         // no (real) result for this argument
inline constexpr ErrorKind stack_exhausted{"LT0710", "StackExhausted"};            // recursion past the stack's limit
inline constexpr ErrorKind out_of_memory{"LT0711", "OutOfMemory"};                 // past the memory limit
inline constexpr ErrorKind host{"LT0712", "RuntimeError"};                         // a function that the program called back raised
inline constexpr ErrorKind setting{"LT0713", "ValueError"};                        // a variable of the environment says no limit
inline constexpr ErrorKind treebank{"LT0720", "DataError"};                        // a malformed treebank
inline constexpr ErrorKind file{"LT0721", "OSError"};                              // a file cannot be read or written
inline constexpr ErrorKind file_not_found{"LT0722", "FileNotFoundError"};          // no such file
inline constexpr ErrorKind weights{"LT0723", "DataError"};                         // a malformed weights file
inline constexpr ErrorKind weights_mismatch{"LT0724", "DataError"};                // weights of another model
inline constexpr ErrorKind data_file{"LT0725", "DataError"};                       // a malformed file of numbers
}  // namespace errors

/// What an API call throws. `location` is "tree_lstm.py:31:12" (a place in the Python or in a data file), or empty.
class Error : public std::runtime_error {
 public:
  Error(std::string code, std::string kind, std::string location, const std::string& message)
      : std::runtime_error(message), code_(std::move(code)), kind_(std::move(kind)), location_(std::move(location)) {}

  const std::string& code() const { return code_; }
  const std::string& kind() const { return kind_; }
  const std::string& location() const { return location_; }
  /// "tree_lstm.py:31:12: ZeroDivisionError: division by zero [LT0704]"
  std::string text() const {
    return (location_.empty() ? "" : location_ + ": ") + kind_ + ": " + what() + " [" + code_ + "]";
  }

 private:
  std::string code_, kind_, location_;
};

struct StackExhausted : Error { using Error::Error; };
struct OutOfMemory : Error { using Error::Error; };
struct DataError : Error { using Error::Error; };

/// Reports an error; does not return (see above). `format` is printf's; the text is cut at 1,000 bytes.
[[noreturn]] __attribute__((format(printf, 3, 4))) void fail(const ErrorKind& kind, const char* location,
                                                             const char* format, ...);

namespace detail {
inline thread_local const char* current_place = "";
}

/// What runs next comes from this place: an error about shapes, which are compared deep inside, carries it.
inline void at(const char* place) { detail::current_place = place; }

/// The user's `raise KIND(message)`.
[[noreturn]] void raise_error(std::string_view kind, const char* location, std::string_view message);

/// The user's `assert`.
inline void require(bool holds, const char* location, std::string_view message) {
  if (!holds) fail(errors::assertion, location, "%.*s", static_cast<int>(message.size()), message.data());
}

/// The structure behind a link that may be None; `what` is the user's expression, such as "tree.left".
template <class T>
const T& present(const T* link, const char* location, const char* what) {
  if (!link) fail(errors::missing, location, "%s is missing (None)", what);
  return *link;
}

}  // namespace lantern
