#pragma once

#include "core/plan/schedule/pipeline_schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// Cycles of one stage, per micro-batch and per weight update.
struct StageWork {
    std::int64_t forward = 0;
    std::int64_t backward = 0;
    std::int64_t recompute = 0;
    std::int64_t update = 0;

    [[nodiscard]] std::int64_t total() const { return forward + backward + recompute; }
};

/// The slots of a schedule as a bound of the time that they take. A slot lasts as long as its slowest IPU
/// (`simulateUpdate`), so at least the mean over those that work in it. In a full slot, in which every stage
/// does all of its work, it is the slowest stage; the others add up to a sum with one factor for each kind of
/// work of each stage, which a search over cuts can minimise exactly.
class SlotBound {
public:
    /// `wraps`: the first and the last stage share an IPU.
    SlotBound(const core::PipelineSchedule& schedule, bool recompute, bool wraps);

    /// Slots in which every stage does all of its work.
    [[nodiscard]] std::int64_t fullSlots() const { return m_fullSlots; }
    /// What the slots that are not full and the update take at least of a stage's work.
    [[nodiscard]] double share(std::size_t stage, const StageWork& work) const;
    /// All slots and the update with the work of every stage, as the engine adds them up, without copies.
    /// `ipus`: the IPU of every stage.
    [[nodiscard]] std::int64_t cycles(std::span<const StageWork> work,
                                      std::span<const std::size_t> ipus) const;

private:
    struct Item {
        core::Phase phase = core::Phase::Forward;
        std::size_t stage = 0;
        auto operator<=>(const Item&) const = default;
    };
    struct SlotGroup {
        std::int64_t count = 0;
        std::vector<Item> items;
    };
    /// Factors of a stage's kinds of work.
    struct Factors {
        double forward = 0;
        double backward = 0;
        double recompute = 0;
        double update = 0;
    };

    [[nodiscard]] static std::int64_t workOf(const Item& item, const StageWork& work);
    [[nodiscard]] std::size_t ipusIn(const std::vector<Item>& items, bool wraps) const;

    std::size_t m_stages;
    std::int64_t m_fullSlots = 0;
    std::vector<SlotGroup> m_groups;
    std::vector<Factors> m_factors;
};

} // namespace simulator
