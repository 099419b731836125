// The kernels for one kind of packets: products.h says which, and includes this once for each.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // of how packets are passed to lambdas: all of those are inlined
#endif

#include "lantern/products/parts.h"

#include "lantern/products/matrix_products.h"

#include "lantern/products/stepped_products.h"

#include "lantern/products/down_columns.h"

#include "lantern/products/along_rows.h"

#include "lantern/products/turned_vectors.h"

#include "lantern/products/vector_products.h"

#include "lantern/products/skinny_products.h"

#include "lantern/products/block_products.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#undef LANTERN_PACKETS
#undef LANTERN_KERNEL
#undef LANTERN_INLINED
#undef LANTERN_APART
#undef LANTERN_STEP
#undef LANTERN_PACKET_BYTES
