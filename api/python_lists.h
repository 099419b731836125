/* Lists of Python's as the images of values that programs take (python/lantern/abi.py), and back: each element by a function of CPython's, of its
 * stable ABI. These are looked for in the process, so that nothing of Python's is needed to build this, and any version will do. The caller
 * holds Python's lock, as who calls through ctypes.PyDLL does; none of Python's errors is left behind. */
#ifndef LANTERN_API_PYTHON_LISTS_H
#define LANTERN_API_PYTHON_LISTS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _object PyObject;

/* The type that all elements of a list have, borrowed; NULL: they have several, there are none, or it is not a list. */
PyObject* lantern_python_type(PyObject* list);

/* Writes the numbers of a list behind one another. code: 'd' doubles, of float, int and bool; 'q' 64 and 'i' 32 bits, of int and bool; 'b' bytes, of bool; 's'
 * {length, address} of texts as UTF-8, which live as long as the elements do. 0: one is of another type, even a class derived from these, or does not fit. */
int lantern_python_elements(PyObject* list, char code, void* images);

/* A list of `count` texts whose images, {length, address}, lie behind one another; NULL: there is no room. */
PyObject* lantern_python_texts(const void* images, size_t count);

#ifdef __cplusplus
}
#endif

#endif
