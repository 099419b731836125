// The templates of f64 that declarations.h declares: few programs need them.
#define LANTERN_DEFINITIONS(file) "lantern/precompiled/nothing.h"
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE template
#include "lantern/precompiled/instances.h"

namespace lantern {
LANTERN_INSTANCES(double)
}  // namespace lantern
