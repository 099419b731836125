// The functions that declarations.h declares, but of templates those of f64.
#define LANTERN_DEFINITIONS(file) file
#define LANTERN_INLINE
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE template
#include "lantern/precompiled/instances.h"

namespace lantern {
LANTERN_INSTANCES(float)
}  // namespace lantern
