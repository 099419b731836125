// Everything that a program can call, but of the functions that are the same for each program the declarations: functions.cpp has them, functions_f32.cpp
// and functions_f64.cpp templates of arrays. Where Lantern itself compiles programs, this header is precompiled once for a compiler, its flags and the
// machine, and so are those objects; a program is then its own code, and loops that are made for it.
//
// g++ instantiates what inline functions of a precompiled header call anew for each program that takes it in: such functions stand in definitions/.
#pragma once

#include <cstddef>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS  // libstdc++: <cmath> without Bessel's functions and the like, which would be a tenth of what is instantiated

#define LANTERN_DEFINITIONS(file) "lantern/precompiled/nothing.h"
#include "lantern/precompiled/contents.h"
#define LANTERN_INSTANCE extern template
#include "lantern/precompiled/instances.h"

namespace lantern {
LANTERN_SCALAR_INSTANCES(float)
LANTERN_SCALAR_INSTANCES(double)
LANTERN_INSTANCES(float)
LANTERN_INSTANCES(double)
}  // namespace lantern
