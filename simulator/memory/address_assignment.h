#pragma once

#include "simulator/memory/liveness.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// What to place: bytes for some steps of `steps`.
struct AddressRequest {
    LiveInterval interval;
    std::int64_t bytes = 0;
};

/// An address for each request by first fit in the order of first steps (larger ones first where they start
/// together): no two that are live at one step overlap. What lives around the end of a slot keeps its place
/// for the whole slot.
[[nodiscard]] std::vector<std::int64_t> assignAddresses(std::span<const AddressRequest> requests,
                                                        std::uint32_t slotEnd);

} // namespace simulator
