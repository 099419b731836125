// Functions that no program changes are declared in their header and defined in definitions/, which the header takes in:
//     #include LANTERN_DEFINITIONS("lantern/definitions/stack.h")
// They are inline, and that is all, unless they are compiled apart from the program (precompiled/declarations.h).
#pragma once

#ifndef LANTERN_DEFINITIONS
#define LANTERN_DEFINITIONS(file) file
#define LANTERN_INLINE inline
#endif
