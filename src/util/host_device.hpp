// Marks what device code calls as well.
#pragma once

#if defined(__CUDACC__)
#define SPINEWEAVE_HOST_DEVICE __host__ __device__
#else
#define SPINEWEAVE_HOST_DEVICE
#endif
