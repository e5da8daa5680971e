#include "tests/views/plan/schedule/schedule_samples.h"

namespace tests {

using namespace views;

namespace {

ScheduleCell cell(core::SpanKind kind, std::size_t stage, std::int64_t microBatch) {
    return {kind, core::StageId(stage), microBatch, true};
}

} // namespace

ScheduleChart grouped() {
    ScheduleChart chart;
    chart.schedule = "Grouped";
    chart.subject = "net";
    chart.stages = 2;
    chart.microBatches = 4;
    chart.overlap = 4;
    chart.slotsWithCompute = 7;
    chart.rows = {{core::IpuId(0), {core::StageId(0)}, 2}, {core::IpuId(1), {core::StageId(1)}, 0}};
    chart.updateAfter = 7;
    for (std::int64_t slot = 0; slot < 8; ++slot) {
        ScheduleSlot& column = chart.slotList.emplace_back();
        column.band = slot < 4 ? core::ScheduleBand::RampUp : core::ScheduleBand::RampDown;
        column.work.resize(2);
        for (std::int64_t stage = 0; stage < 2; ++stage) {
            auto& work = column.work[static_cast<std::size_t>(stage)];
            const std::int64_t backward = slot - 3 + stage;
            if (backward >= 0 && backward < 4)
                work.push_back(cell(core::SpanKind::Backward, static_cast<std::size_t>(stage), backward));
            const std::int64_t forward = slot - stage;
            if (forward >= 0 && forward < 4)
                work.push_back(cell(core::SpanKind::Forward, static_cast<std::size_t>(stage), forward));
        }
    }
    return chart;
}

} // namespace tests
