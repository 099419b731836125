#include "api/python_lists.h"

#include <dlfcn.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace {

/// A function, or an object, of CPython's that the process has.
template <class T>
T of_process(const char* name) { return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name)); }

/// What is called of CPython.
struct Python {
  using Size = std::ptrdiff_t;  // Py_ssize_t

  Size (*size)(PyObject*) = of_process<decltype(size)>("PyList_Size");
  PyObject* (*item)(PyObject*, Size) = of_process<decltype(item)>("PyList_GetItem");
  PyObject* (*type)(PyObject*) = of_process<decltype(type)>("PyObject_Type");
  void (*release)(PyObject*) = of_process<decltype(release)>("Py_DecRef");
  long long (*whole)(PyObject*, int*) = of_process<decltype(whole)>("PyLong_AsLongLongAndOverflow");
  double (*number)(PyObject*) = of_process<decltype(number)>("PyFloat_AsDouble");
  const char* (*text)(PyObject*, Size*) = of_process<decltype(text)>("PyUnicode_AsUTF8AndSize");
  PyObject* (*made_text)(const char*, Size, const char*) = of_process<decltype(made_text)>("PyUnicode_DecodeUTF8");
  PyObject* (*made_list)(Size) = of_process<decltype(made_list)>("PyList_New");
  int (*set)(PyObject*, Size, PyObject*) = of_process<decltype(set)>("PyList_SetItem");
  PyObject* (*error)() = of_process<decltype(error)>("PyErr_Occurred");
  void (*clear_error)() = of_process<decltype(clear_error)>("PyErr_Clear");
  PyObject* const float_type = of_process<PyObject*>("PyFloat_Type");
  PyObject* const int_type = of_process<PyObject*>("PyLong_Type");
  PyObject* const bool_type = of_process<PyObject*>("PyBool_Type");
  PyObject* const text_type = of_process<PyObject*>("PyUnicode_Type");

  bool is_there() const {
    return size && item && type && release && whole && number && text && made_text && made_list && set && error && clear_error && float_type && int_type && bool_type && text_type;
  }
  /// Its type, which lives as long as it does.
  PyObject* type_of(PyObject* object) const {
    PyObject* const found = type(object);
    release(found);
    return found;
  }
  /// How many elements a list has; none: it is not one.
  std::optional<Size> size_of(PyObject* list) const {
    const Size found = size(list);
    if (found < 0) clear_error();
    return found < 0 ? std::nullopt : std::optional(found);
  }
};

const Python* python() {
  static const Python functions;
  return functions.is_there() ? &functions : nullptr;
}

struct Text {
  std::int64_t length;
  const char* begin;
};

std::optional<double> double_of(const Python& in, PyObject* object, PyObject* type) {
  if (type != in.float_type && type != in.int_type && type != in.bool_type) return {};
  const double value = in.number(object);
  if (value != -1.0 || !in.error()) return value;
  in.clear_error();  // a whole number that no double is near to
  return {};
}

template <class T>
std::optional<T> whole_of(const Python& in, PyObject* object, PyObject* type) {
  if (type != in.int_type && type != in.bool_type) return {};
  int overflow = 0;
  const long long value = in.whole(object, &overflow);
  const bool fits = overflow == 0 && value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
  return fits ? std::optional(static_cast<T>(value)) : std::nullopt;
}

std::optional<char> bool_of(const Python& in, PyObject* object, PyObject* type) {
  int overflow = 0;
  return type == in.bool_type ? std::optional<char>(in.whole(object, &overflow) != 0) : std::nullopt;
}

std::optional<Text> text_of(const Python& in, PyObject* object, PyObject* type) {
  Python::Size length = 0;
  const char* const begin = type == in.text_type ? in.text(object, &length) : nullptr;
  if (begin) return Text{length, begin};
  if (type == in.text_type) in.clear_error();  // half of a surrogate pair
  return {};
}

/// The elements, each by `value_of`, behind one another; false: one has none.
template <class ValueOf>
bool write(const Python& in, PyObject* list, void* images, const ValueOf& value_of) {
  auto* next = static_cast<typename decltype(value_of(in, list, list))::value_type*>(images);
  const auto size = in.size_of(list);
  for (Python::Size i = 0; size && i < *size; ++i) {
    PyObject* const object = in.item(list, i);
    const auto value = value_of(in, object, in.type_of(object));
    if (!value) return false;
    *next++ = *value;
  }
  return size.has_value();
}

}  // namespace

PyObject* lantern_python_type(PyObject* list) {
  const Python* const in = python();
  const auto size = in ? in->size_of(list) : std::nullopt;
  PyObject* found = nullptr;
  for (Python::Size i = 0; size && i < *size; ++i) {
    PyObject* const type = in->type_of(in->item(list, i));
    if (found && type != found) return nullptr;
    found = type;
  }
  return found;
}

int lantern_python_elements(PyObject* list, char code, void* images) {
  const Python* const in = python();
  if (!in) return 0;
  switch (code) {
    case 'd': return write(*in, list, images, double_of);
    case 'q': return write(*in, list, images, whole_of<std::int64_t>);
    case 'i': return write(*in, list, images, whole_of<std::int32_t>);
    case 'b': return write(*in, list, images, bool_of);
    case 's': return write(*in, list, images, text_of);
    default: return 0;
  }
}

PyObject* lantern_python_texts(const void* images, size_t count) {
  const Python* const in = python();
  PyObject* const list = in ? in->made_list(static_cast<Python::Size>(count)) : nullptr;
  const auto* const texts = static_cast<const Text*>(images);
  for (size_t i = 0; list && i < count; ++i) {
    PyObject* const text = in->made_text(texts[i].length ? texts[i].begin : "", texts[i].length, "surrogateescape");
    if (!text) {
      in->clear_error();
      in->release(list);
      return nullptr;
    }
    in->set(list, static_cast<Python::Size>(i), text);  // which takes it
  }
  if (in && !list) in->clear_error();
  return list;
}
