#include "core/plan/schedule/schedule_cells.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The first byte says how many stages there are; a stage of them shares the first IPU with another.
    if (size == 0)
        return 0;
    core::PipelineShape shape;
    shape.stages = 1 + data[0] % 8;
    if (data[0] >= 128)
        for (std::size_t stage = 0; stage < shape.stages; ++stage)
            shape.deviceMapping.emplace_back(stage / 2);
    shape.table = {"slots.csv", "slots.csv", {reinterpret_cast<const char*>(data) + 1, size - 1}};
    if (const auto schedule = core::readScheduleCells(shape))
        static_cast<void>(core::scheduleCells(*schedule));
    return 0;
}
