// The templates of f32 that declarations.h declares.
#define LANTERN_DEFINITIONS(file) "lantern/precompiled/nothing.h"
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE template
#include "lantern/precompiled/instances.h"

namespace lantern {
LANTERN_INSTANCES(float)
}  // namespace lantern
