#include "simulator/schedule/schedule_check.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace simulator {

namespace {

constexpr std::int64_t never = -1;

/// Where each piece of work stands: its slot, and its place in the list of items.
class WorkPlaces {
public:
    struct Place {
        std::int64_t slot = never;
        std::int64_t item = never;
    };

    explicit WorkPlaces(const PipelineSchedule& schedule)
        : m_stages(schedule.shape.stages)
        , m_places(3 * m_stages * static_cast<std::size_t>(schedule.shape.microBatches)) {}

    [[nodiscard]] Place& at(WorkKind kind, std::size_t stage, std::int64_t microBatch) {
        return m_places[(static_cast<std::size_t>(microBatch) * m_stages + stage) * 3 +
                        static_cast<std::size_t>(kind)];
    }

private:
    std::size_t m_stages;
    std::vector<Place> m_places;
};

std::string nameOf(WorkKind kind, std::size_t stage, std::int64_t microBatch) {
    constexpr std::string_view letters = "FBR";
    return fmt::format("{}{} of micro-batch {}", letters[static_cast<std::size_t>(kind)], stage, microBatch);
}

class ScheduleChecker {
public:
    explicit ScheduleChecker(const PipelineSchedule& schedule)
        : m_schedule(schedule)
        , m_shape(schedule.shape)
        , m_places(schedule) {}

    core::Diagnostics findings() {
        collect();
        for (std::int64_t microBatch = 0; microBatch < m_shape.microBatches; ++microBatch)
            for (std::size_t stage = 0; stage < m_shape.stages; ++stage)
                checkStage(stage, microBatch);
        return std::move(m_findings);
    }

private:
    void report(std::string code, std::string message) {
        m_findings.push_back(
            {core::Severity::Error, core::Trouble::Input, std::move(code), {}, std::move(message), {}});
    }

    void collect() {
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot)
            for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[slot]))
                place(item, static_cast<std::int64_t>(slot));
    }

    void place(const WorkItem& item, std::int64_t slot) {
        const std::size_t stage = item.stage.index();
        if (stage >= m_shape.stages || item.microBatch < 0 || item.microBatch >= m_shape.microBatches)
            return report("schedule/unknown-work",
                          fmt::format("slot {} runs {}, which the pipeline does not have", slot,
                                      nameOf(item.kind, stage, item.microBatch)));
        if (item.ipu != m_shape.ipuOf(stage))
            report("schedule/wrong-ipu", fmt::format("slot {} runs {} on IPU {}; stage {} is on IPU {}", slot,
                                                     nameOf(item.kind, stage, item.microBatch),
                                                     item.ipu.index(), stage, m_shape.ipuOf(stage).index()));
        WorkPlaces::Place& known = m_places.at(item.kind, stage, item.microBatch);
        if (known.slot != never)
            return report("schedule/repeated-work",
                          fmt::format("{} runs in slot {} and again in slot {}",
                                      nameOf(item.kind, stage, item.microBatch), known.slot, slot));
        known = {slot, &item - m_schedule.items.data()};
    }

    void checkStage(std::size_t stage, std::int64_t microBatch) {
        require(WorkKind::Forward, stage, microBatch);
        if (stage > 0)
            after(WorkKind::Forward, stage, WorkKind::Forward, stage - 1, microBatch, 1);
        if (!m_shape.training)
            return;
        require(WorkKind::Backward, stage, microBatch);
        after(WorkKind::Backward, stage, WorkKind::Forward, stage, microBatch, 0);
        if (stage + 1 < m_shape.stages)
            after(WorkKind::Backward, stage, WorkKind::Backward, stage + 1, microBatch, 1);
        if (m_shape.recompute && stage + 1 < m_shape.stages) {
            require(WorkKind::Recompute, stage, microBatch);
            after(WorkKind::Recompute, stage, WorkKind::Forward, stage, microBatch, 0);
            after(WorkKind::Backward, stage, WorkKind::Recompute, stage, microBatch, 1);
        }
    }

    void require(WorkKind kind, std::size_t stage, std::int64_t microBatch) {
        if (m_places.at(kind, stage, microBatch).slot == never)
            report("schedule/missing-work",
                   fmt::format("{} runs in no slot", nameOf(kind, stage, microBatch)));
    }

    /// `kind` runs at least `slots` slots after `earlier`; with 0, in the same slot if later on the IPU.
    void after(WorkKind kind, std::size_t stage, WorkKind earlierKind, std::size_t earlierStage,
               std::int64_t microBatch, std::int64_t slots) {
        const auto here = m_places.at(kind, stage, microBatch);
        const auto earlier = m_places.at(earlierKind, earlierStage, microBatch);
        if (here.slot == never || earlier.slot == never)
            return;
        if (here.slot < earlier.slot + slots || here.item < earlier.item)
            report("schedule/dependency",
                   fmt::format("{} in slot {} depends on {} in slot {}", nameOf(kind, stage, microBatch),
                               here.slot, nameOf(earlierKind, earlierStage, microBatch), earlier.slot));
    }

    const PipelineSchedule& m_schedule;
    const PipelineShape& m_shape;
    WorkPlaces m_places;
    core::Diagnostics m_findings;
};

} // namespace

core::Diagnostics checkSchedule(const PipelineSchedule& schedule) {
    return ScheduleChecker(schedule).findings();
}

} // namespace simulator
