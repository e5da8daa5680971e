#pragma once

#include <cstddef>

namespace tests {

/// Allocations by `new` of this executable so far, on all threads.
std::size_t allocationCount();

} // namespace tests
