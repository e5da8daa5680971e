#include "core/plan/schedule/schedule_check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace core {

namespace {

/// The phases that work of a table may have.
constexpr std::array workPhases{Phase::Forward, Phase::Backward, Phase::Recompute, Phase::WeightGradient};

/// Where each piece of work is: its slot, and its place in the list of items.
class WorkPlaces {
public:
    struct Place {
        std::int32_t slot = -1;
        std::int32_t item = -1;

        [[nodiscard]] bool isThere() const { return slot >= 0; }
    };

    explicit WorkPlaces(const PipelineSchedule& schedule)
        : m_stages(schedule.shape.stages) {
        // Most tables need two phases of the four.
        for (const WorkItem& item : schedule.items)
            if (std::vector<Place>& places = m_places[index(item.phase)]; places.empty())
                places.resize(m_stages * static_cast<std::size_t>(schedule.shape.microBatches));
    }

    [[nodiscard]] bool has(Phase phase) const { return !m_places[index(phase)].empty(); }
    [[nodiscard]] Place at(Phase phase, std::size_t stage, std::int64_t microBatch) const {
        return has(phase) ? m_places[index(phase)][cell(stage, microBatch)] : Place{};
    }
    void put(const WorkItem& item, Place place) {
        m_places[index(item.phase)][cell(item.stage.index(), item.microBatch)] = place;
    }

private:
    static std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }
    [[nodiscard]] std::size_t cell(std::size_t stage, std::int64_t microBatch) const {
        return static_cast<std::size_t>(microBatch) * m_stages + stage;
    }

    std::size_t m_stages;
    std::array<std::vector<Place>, phaseCount> m_places;
};

/// As a cell of the table says it, where the number is the micro-batch.
std::string nameOfWork(Phase phase, std::size_t stage, std::int64_t microBatch) {
    return fmt::format("{}{} of stage {}", workLetter(phase), microBatch, stage);
}

class ScheduleChecker {
public:
    explicit ScheduleChecker(const PipelineSchedule& schedule)
        : m_schedule(schedule)
        , m_shape(schedule.shape)
        , m_places(schedule) {}

    Diagnostics findings() {
        collect();
        for (std::int64_t microBatch = 0; microBatch < m_shape.microBatches && !isFull(); ++microBatch)
            for (std::size_t stage = 0; stage < m_shape.stages && !isFull(); ++stage)
                checkStage(stage, microBatch);
        return std::move(m_findings);
    }

private:
    /// Nobody reads more of them.
    [[nodiscard]] bool isFull() const { return m_findings.size() >= 50; }

    void report(std::string code, std::string message, std::string hint) {
        m_findings.push_back(makeError(Trouble::Input, std::move(code), {"", "/pipeline/schedule"},
                                       std::move(message), {std::move(hint)}));
    }

    void collect() {
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size() && !isFull(); ++slot)
            for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[slot]))
                place(item, static_cast<std::int32_t>(slot));
    }

    void place(const WorkItem& item, std::int32_t slot) {
        const std::size_t stage = item.stage.index();
        if (stage >= m_shape.stages || item.microBatch < 0 || item.microBatch >= m_shape.microBatches ||
            item.phase == Phase::WeightUpdate || (!m_shape.training && item.phase != Phase::Forward))
            return report("schedule/unknown-work",
                          fmt::format("slot {} runs {}, which the pipeline does not have", slot,
                                      nameOfWork(item.phase, stage, item.microBatch)),
                          fmt::format("the pipeline has stages 0 to {} and micro-batches 0 to {}{}",
                                      m_shape.stages - 1, m_shape.microBatches - 1,
                                      m_shape.training ? "" : "; inference has forward passes only"));
        if (item.ipu != m_shape.ipuOf(stage))
            report("schedule/wrong-ipu",
                   fmt::format("slot {} runs {} on IPU {}; stage {} is on IPU {}", slot,
                               nameOfWork(item.phase, stage, item.microBatch), item.ipu.index(), stage,
                               m_shape.ipuOf(stage).index()),
                   "move the work to that IPU, or map the stage to this one");
        if (item.phase == Phase::Recompute && !m_shape.recomputes(stage))
            report("schedule/unknown-work",
                   fmt::format("slot {} runs {}, but {}", slot,
                               nameOfWork(item.phase, stage, item.microBatch),
                               !m_shape.recompute            ? "nothing is recomputed"
                               : stage + 1 == m_shape.stages ? "the last stage recomputes nothing"
                                                             : "recompute_stages leaves that stage out"),
                   m_shape.recompute ? "leave it out" : "leave it out, or turn allow_recompute on");
        const WorkPlaces::Place known = m_places.at(item.phase, stage, item.microBatch);
        if (known.isThere())
            return report("schedule/repeated-work",
                          fmt::format("{} runs in slot {} and again in slot {}",
                                      nameOfWork(item.phase, stage, item.microBatch), known.slot, slot),
                          "leave one of them out");
        m_places.put(item, {slot, static_cast<std::int32_t>(&item - m_schedule.items.data())});
    }

    void checkStage(std::size_t stage, std::int64_t microBatch) {
        checkDependencies(stage, microBatch);
        for (const Phase phase : workPhases)
            if (microBatch > 0 && m_places.has(phase))
                inOrder(phase, stage, microBatch);
    }

    void checkDependencies(std::size_t stage, std::int64_t microBatch) {
        require(Phase::Forward, stage, microBatch);
        if (stage > 0)
            after({Phase::Forward, stage, microBatch}, {Phase::Forward, stage - 1, microBatch}, 1);
        if (!m_shape.training)
            return;
        require(Phase::Backward, stage, microBatch);
        after({Phase::Backward, stage, microBatch}, {Phase::Forward, stage, microBatch}, 0);
        if (stage + 1 < m_shape.stages)
            after({Phase::Backward, stage, microBatch}, {Phase::Backward, stage + 1, microBatch}, 1);
        if (m_shape.recomputes(stage))
            checkRecomputation(stage, microBatch);
        if (m_places.has(Phase::WeightGradient)) {
            require(Phase::WeightGradient, stage, microBatch);
            after({Phase::WeightGradient, stage, microBatch}, {Phase::Backward, stage, microBatch}, 0);
        }
    }

    void checkRecomputation(std::size_t stage, std::int64_t microBatch) {
        require(Phase::Recompute, stage, microBatch);
        after({Phase::Recompute, stage, microBatch}, {Phase::Forward, stage, microBatch}, 0);
        after({Phase::Backward, stage, microBatch}, {Phase::Recompute, stage, microBatch}, 0);
        // What a stage recomputes it keeps for one micro-batch.
        if (microBatch > 0)
            after({Phase::Recompute, stage, microBatch}, {Phase::Backward, stage, microBatch - 1}, 0);
    }

    void require(Phase phase, std::size_t stage, std::int64_t microBatch) {
        if (!m_places.at(phase, stage, microBatch).isThere())
            report("schedule/missing-work",
                   fmt::format("{} runs in no slot", nameOfWork(phase, stage, microBatch)),
                   phase == Phase::WeightGradient
                       ? "give every stage and micro-batch its weight gradients, or none"
                       : "give every micro-batch all its work");
    }

    void inOrder(Phase phase, std::size_t stage, std::int64_t microBatch) {
        const WorkPlaces::Place here = m_places.at(phase, stage, microBatch);
        const WorkPlaces::Place before = m_places.at(phase, stage, microBatch - 1);
        if (here.isThere() && before.isThere() && here.item < before.item)
            report("schedule/order",
                   fmt::format("{} in slot {} comes before {} in slot {}",
                               nameOfWork(phase, stage, microBatch), here.slot,
                               nameOfWork(phase, stage, microBatch - 1), before.slot),
                   "FIFOs hand values on in the order of micro-batches: keep that order");
    }

    struct Work {
        Phase phase = Phase::Forward;
        std::size_t stage = 0;
        std::int64_t microBatch = 0;
    };

    /// `work` runs at least `slots` slots after `earlier`; with 0, in the same slot if later on the IPU.
    void after(Work work, Work earlierWork, std::int32_t slots) {
        const WorkPlaces::Place here = m_places.at(work.phase, work.stage, work.microBatch);
        const WorkPlaces::Place earlier =
            m_places.at(earlierWork.phase, earlierWork.stage, earlierWork.microBatch);
        if (!here.isThere() || !earlier.isThere())
            return;
        if (here.slot < earlier.slot + slots || here.item < earlier.item)
            report("schedule/dependency",
                   fmt::format("{} in slot {} depends on {} in slot {}",
                               nameOfWork(work.phase, work.stage, work.microBatch), here.slot,
                               nameOfWork(earlierWork.phase, earlierWork.stage, earlierWork.microBatch),
                               earlier.slot),
                   slots > 0 ? "move it to a later slot: values cross between stages at the end of a slot"
                             : "move it behind the work that it depends on");
    }

    const PipelineSchedule& m_schedule;
    const PipelineShape& m_shape;
    WorkPlaces m_places;
    Diagnostics m_findings;
};

} // namespace

Diagnostics checkSchedule(const PipelineSchedule& schedule) {
    return ScheduleChecker(schedule).findings();
}

} // namespace core
