// The functions that declarations.h declares, but templates of arrays: functions_f32.cpp and functions_f64.cpp have those.
#define LANTERN_DEFINITIONS(file) file
#define LANTERN_INLINE
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE template
#include "lantern/precompiled/instances.h"

namespace lantern {
LANTERN_SCALAR_INSTANCES(float)
LANTERN_SCALAR_INSTANCES(double)
}  // namespace lantern
