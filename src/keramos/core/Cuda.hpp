#pragma once
#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include "../../../backends/cuda/Launch.hpp"
#endif
