#include "core/profile/queries/schedule_bands.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <array>
#include <map>

namespace core {

namespace {

/// Slots in which the first and the last stage work, by kind.
struct PipelineEnds {
    std::vector<std::int64_t> firstStageForward;
    std::vector<std::int64_t> firstStageBackward;
    std::vector<std::int64_t> lastStageForward;
};

/// Runs without stages name no schedule; those of other versions may name one that is not known.
bool overlaps(const std::string& schedule) {
    const ScheduleDefinition* definition = findSchedule(schedule);
    return !schedule.empty() && (definition == nullptr || !definition->isSerial);
}

PipelineEnds readEnds(const ProfileDatabase& database, RunId run) {
    SQLite::Statement last(database.connection(), "SELECT max(stage) FROM stage WHERE run_id = ?");
    last.bind(1, sqlId(run));
    StageId lastStage;
    if (last.executeStep())
        RowReader(last).read(lastStage);
    PipelineEnds ends;
    SpanReader reader(database, run);
    const auto listsOf = [&](const ReadShape& shape) {
        const auto& [kind, stage] = std::pair(shape.record.kind, shape.record.stage);
        std::vector<std::vector<std::int64_t>*> lists;
        if (!shape.hasSlot || !stage.isValid() || (kind != SpanKind::Forward && kind != SpanKind::Backward))
            return lists;
        if (stage == StageId(0))
            lists.push_back(kind == SpanKind::Forward ? &ends.firstStageForward : &ends.firstStageBackward);
        if (stage == lastStage && kind == SpanKind::Forward)
            lists.push_back(&ends.lastStageForward);
        return lists;
    };
    std::vector<std::vector<std::vector<std::int64_t>*>> listsOfShape;
    for (const ReadShape& shape : reader.shapes())
        listsOfShape.push_back(listsOf(shape));
    for (const LaneId lane : reader.computeLanes())
        reader.forEachBlock(lane, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
            for (const PackedSpan& span : spans)
                for (std::vector<std::int64_t>* list : listsOfShape[span.shape])
                    for (std::int64_t turn = 0; turn < block.turns; ++turn)
                        list->push_back(span.slot + turn * block.slotStride);
        });
    for (std::vector<std::int64_t>* list :
         {&ends.firstStageForward, &ends.firstStageBackward, &ends.lastStageForward})
        std::ranges::sort(*list);
    return ends;
}

Cycles startOfSlot(const std::vector<SlotTime>& times, std::int64_t slot, Cycles otherwise) {
    for (const SlotTime& time : times) {
        if (time.slot >= slot)
            return time.start;
    }
    return otherwise;
}

} // namespace

Result<std::vector<BandTime>> loadBands(const ProfileDatabase& database, RunId run) {
    const Result<std::vector<SlotTime>> times = loadSlots(database, run);
    if (!times)
        return failure(times.error());
    return loadBands(database, run, *times);
}

Result<std::vector<BandTime>> loadBands(const ProfileDatabase& database, RunId run,
                                        const std::vector<SlotTime>& times) {
    return guardedPart(database, "phases of the schedule", [&]() -> Result<std::vector<BandTime>> {
        SQLite::Statement statement(database.connection(),
                                    "SELECT coalesce(step_cycles, 0), schedule FROM run WHERE id = ?");
        statement.bind(1, sqlId(run));
        if (!statement.executeStep())
            return std::vector<BandTime>();
        Cycles step;
        std::string schedule;
        RowReader(statement).read(step, schedule);
        // Slots of an asynchronous schedule overlap: the last need not end last.
        Cycles slotsEnd = times.empty() ? step : Cycles(0);
        for (const SlotTime& time : times)
            slotsEnd = std::max(slotsEnd, time.end);
        const PipelineEnds ends = readEnds(database, run);
        std::vector<BandTime> bands;
        const auto add = [&](ScheduleBand band, Cycles from, Cycles to) {
            if (to > from)
                bands.push_back({band, from, to});
        };
        const std::vector<std::int64_t>& passed =
            ends.firstStageBackward.empty() ? ends.lastStageForward : ends.firstStageBackward;
        const bool isPipelined = overlaps(schedule) && passed != ends.firstStageForward && !passed.empty() &&
                                 !ends.firstStageForward.empty();
        if (!isPipelined) {
            add(ScheduleBand::Whole, Cycles(), slotsEnd);
        } else {
            const std::vector<std::int64_t>& f = ends.firstStageForward;
            const std::int64_t stride = f.size() > 1 ? f[1] - f[0] : 1;
            const Cycles full = startOfSlot(times, passed.front() + 1, slotsEnd);
            const Cycles down = std::max(full, startOfSlot(times, f.back() + stride, slotsEnd));
            add(ScheduleBand::RampUp, Cycles(), full);
            add(ScheduleBand::Main, full, down);
            add(ScheduleBand::RampDown, down, slotsEnd);
        }
        add(ScheduleBand::Update, slotsEnd, step);
        return bands;
    });
}

std::string_view toString(ScheduleBand band) {
    static constexpr std::array<std::string_view, 5> names{"Ramp-up", "Main", "Ramp-down", "Update", "Step"};
    return names[static_cast<std::size_t>(band)];
}

} // namespace core
