// The functions that declarations.h declares.
#define LANTERN_DEFINITIONS(file) file
#define LANTERN_INLINE
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE template
#include "lantern/precompiled/instances.h"
