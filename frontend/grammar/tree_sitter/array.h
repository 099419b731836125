/* The growable array that tree-sitter-python's scanner.c is written with; newer tree-sitter ships a header of
   this name, Debian 12's does not. Only what the scanner uses. */
#ifndef LANTERN_TREE_SITTER_ARRAY_H
#define LANTERN_TREE_SITTER_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define Array(Element)   \
  struct {               \
    Element *contents;   \
    uint32_t size;       \
    uint32_t capacity;   \
  }

#define array_init(array) ((array)->contents = NULL, (array)->size = 0, (array)->capacity = 0)
#define array_get(array, index) (&(array)->contents[index])
#define array_back(array) array_get(array, (array)->size - 1)
#define array_pop(array) ((array)->contents[--(array)->size])
#define array_delete(array) (free((array)->contents), array_init(array))

#define array_reserve(array, wanted)                                                                \
  ((void)((wanted) > (array)->capacity &&                                                           \
          ((array)->contents = realloc((array)->contents, (wanted) * sizeof(*(array)->contents)),   \
           (array)->capacity = (wanted), true)))

#define array_push(array, element)                                                          \
  ((array)->size == (array)->capacity                                                       \
       ? array_reserve(array, (array)->capacity ? 2 * (array)->capacity : 8) : (void)0,     \
   (array)->contents[(array)->size++] = (element))

#endif
