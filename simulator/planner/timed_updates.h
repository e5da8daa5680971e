#pragma once

#include "core/plan/plan_estimate.h"
#include "simulator/compiler/program_cache.h"
#include "simulator/engine/clock/slot_pattern.h"
#include "simulator/engine/clock/update_timing.h"
#include "simulator/target/link_figures.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace simulator {

/// What an IPU's memory comes to.
[[nodiscard]] core::IpuEstimate memoryEstimate(const IpuMemoryPlan& memory);

/// The totals of updates that have been timed, by their programs, slots, links and places on them: a plan
/// that differs from an earlier one only in its counts, or in queues of the host that keep up with it, is not
/// timed again. Used by one thread, with the pipelines of one `ProgramCache`.
class TimedUpdates {
public:
    /// The figures of the whole plan and of its IPUs' memory.
    /// `entry` is the one that `programs` found or remembered last.
    [[nodiscard]] core::PlanEstimate totals(const ProgramCache::Entry& entry, ProgramCache& programs);

    /// `ProgramCache::Entry::number` of the plan that was asked for last; 0 before any.
    [[nodiscard]] std::uint64_t latestPrograms() const { return m_latest; }
    /// How often an update was timed.
    [[nodiscard]] std::size_t timed() const { return m_timed; }

private:
    struct Key {
        std::uint64_t programs = 0;
        const TracedSchedule* schedule = nullptr;
        std::vector<std::int64_t> places;
        LinkFigures links;

        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    /// What updates of the same programs and slots share, wherever their IPUs are.
    struct Slots {
        /// Kept, so that no other ever has its address.
        std::shared_ptr<const TracedSchedule> schedule;
        /// With the copies of the plan that was asked for last, and without the kinds of the slots where the
        /// sums say it all.
        SlotPattern pattern;
        std::optional<UpdateSums> sums;
        /// Of an asynchronous schedule, which has no such sums.
        std::vector<core::SlotRepeat> repeats;
        /// What each IPU works in an update.
        std::vector<core::Cycles> busy;
    };
    struct SlotsHash {
        std::size_t operator()(const std::pair<std::uint64_t, const TracedSchedule*>& key) const;
    };
    struct Known {
        Slots* ofPrograms = nullptr;
        /// What no queue changes; the length is that of `update`.
        core::PlanEstimate totals;
        core::Cycles busy;
        /// Where no queue lets an update wait, and how fast it then asks them.
        core::Cycles unhindered;
        HostPauses pauses;
        /// The last that did not wait for the host, where the pauses do not say so; else the last.
        UpdateLength update;
        /// The lengths of those that wait, by the depths of the host's queues.
        std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, core::Cycles>> waiting;
    };

    static Slots makeSlots(const ProgramCache::Entry& entry, ProgramCache& programs);
    Known time(const ProgramCache::Entry& entry, ProgramCache& programs, Slots& ofPrograms);
    core::Cycles lengthOf(Known& known, const ProgramCache::Entry& entry, ProgramCache& programs);

    std::unordered_map<std::pair<std::uint64_t, const TracedSchedule*>, Slots, SlotsHash> m_slots;
    std::unordered_map<Key, Known, KeyHash> m_known;
    /// Calls and slots of all that are known together.
    std::size_t m_calls = 0;
    std::size_t m_timed = 0;
    std::uint64_t m_latest = 0;
};

} // namespace simulator
