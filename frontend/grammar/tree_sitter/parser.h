/* What the generated parser.c of tree-sitter-python 0.23.6 expects of <tree_sitter/parser.h> and Debian 12's
   0.20.7 does not have yet. The tables' layout (ABI 14) is the same in both. */
#ifndef LANTERN_TREE_SITTER_PARSER_H
#define LANTERN_TREE_SITTER_PARSER_H

#include_next <tree_sitter/parser.h>

#ifndef ADVANCE_MAP /* came with TSCharacterRange and set_contains */

/* A set of code points is a sorted table of closed ranges. */
typedef struct {
  int32_t start;
  int32_t end;
} TSCharacterRange;

static inline bool set_contains(const TSCharacterRange *ranges, uint32_t count, int32_t character) {
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (character < ranges[middle].start) high = middle;
    else if (character > ranges[middle].end) low = middle + 1;
    else return true;
  }
  return false;
}

/* ADVANCE_MAP('a', 1, 'b', 2, …): goes to the state that follows the character read, if it is listed. */
#define ADVANCE_MAP(...)                                                    \
  {                                                                         \
    static const uint16_t steps[] = {__VA_ARGS__};                          \
    for (uint32_t i = 0; i + 1 < sizeof(steps) / sizeof(*steps); i += 2) {  \
      if (steps[i] == lookahead) {                                          \
        state = steps[i + 1];                                               \
        goto next_state;                                                    \
      }                                                                     \
    }                                                                       \
  }

/* Older generators wrote the last two by name, and the older macro takes them so. */
#undef REDUCE
#define REDUCE(symbol_, children_, precedence_, production_)                          \
  {{                                                                                  \
    .reduce = {.type = TSParseActionTypeReduce, .symbol = symbol_,                    \
               .child_count = children_, .dynamic_precedence = precedence_,           \
               .production_id = production_}                                          \
  }}

#endif
#endif
