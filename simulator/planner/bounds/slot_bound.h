#pragma once

#include "core/plan/schedule/pipeline_schedule.h"
#include "simulator/planner/bounds/copy_bound.h"

#include <array>
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

/// What the first stages of a slot do that the others do not.
enum class PrefixWork : std::uint8_t { All, Backward, Forward };
inline constexpr std::size_t prefixWorkCount = 3;
/// Backward work with its recomputation.
[[nodiscard]] constexpr std::int64_t cyclesOf(PrefixWork kind, const StageWork& work) {
    return kind == PrefixWork::All        ? work.total()
           : kind == PrefixWork::Backward ? work.backward + work.recompute
                                          : work.forward;
}

/// The longest copy so far of each kind of slot in which several stages send.
using SlotCopies = std::array<std::int64_t, 3>;

/// The slots of a schedule as a bound of the time that they take. A slot lasts as long as its slowest IPU
/// (`simulateUpdate`), so at least the mean over those that work in it. In a full slot, in which every stage
/// does all of its work, it is the slowest stage; where the first or the last stages do the same, it is the
/// slowest of these; the others add up to a sum with one factor for each kind of
/// work of each stage, which a search over cuts can minimise exactly.
class SlotBound {
public:
    /// `wraps`: the first and the last stage share an IPU.
    SlotBound(const core::PipelineSchedule& schedule, bool recompute, bool wraps);

    /// Slots in which every stage does all of its work.
    [[nodiscard]] std::int64_t fullSlots() const { return m_fullSlots; }
    /// Each of them is the work of every stage once.
    [[nodiscard]] std::int64_t microBatches() const { return m_microBatches; }
    /// What the update takes at least of the work of all stages together: the mean of the IPUs.
    [[nodiscard]] double updateShare(const StageWork& work) const {
        return m_factors.front().update * static_cast<double>(work.update);
    }
    /// What the slots that are not full take at least of a stage's work; no part of it is the update.
    [[nodiscard]] double share(std::size_t stage, const StageWork& work) const;
    /// Slots, none of them full, in which `stage` and all after it do all of their work and the one before it
    /// does not: they take as long as the slowest of these. No part of `share`.
    [[nodiscard]] std::int64_t suffixSlots(std::size_t stage) const { return m_suffixSlots[stage]; }
    /// Slots in which the stages up to `stage` do this work, whatever the next ones do: they take as long as
    /// the slowest of these. No part of `share`.
    [[nodiscard]] std::int64_t prefixSlots(PrefixWork kind, std::size_t stage) const {
        return m_prefixSlots[static_cast<std::size_t>(kind)][stage];
    }
    /// Kinds of slots, each with work of its own; the last one is the update. One takes as long as the IPU
    /// that has most to do in it.
    [[nodiscard]] std::size_t kinds() const { return m_groups.size() + 1; }
    /// How many slots there are of a kind.
    [[nodiscard]] std::int64_t slotsOf(std::size_t kind) const {
        return kind < m_groups.size() ? m_groups[kind].count : 1;
    }
    /// What a stage does in a slot of a kind.
    [[nodiscard]] std::int64_t workIn(std::size_t kind, std::size_t stage, const StageWork& work) const;
    /// All slots and the update with the work of every stage, as the engine adds them up, without copies.
    /// `ipus`: the IPU of every stage.
    [[nodiscard]] std::int64_t cycles(std::span<const StageWork> work,
                                      std::span<const std::size_t> ipus) const;

    /// What the cut between `stage` and the next one, which begins with layer `end`, adds to an update where
    /// its copies have a slot for themselves.
    [[nodiscard]] std::int64_t copyCycles(const CopyBound& copies, std::size_t stage, std::size_t end) const;
    /// The same cut in the slots in which several stages send: the longest copy counts.
    [[nodiscard]] SlotCopies withCopies(SlotCopies known, const CopyBound& copies, std::size_t stage,
                                        std::size_t end) const;
    /// What all slots of these kinds take for their copies, where each has one as long as `known` says and at
    /// least one of them has a copy of `longest` cycles.
    [[nodiscard]] std::int64_t sharedCopyCycles(const CopyBound& copies, const SlotCopies& known,
                                                std::int64_t longest = 0) const;

private:
    struct Item {
        core::Phase phase = core::Phase::Forward;
        std::size_t stage = 0;
        auto operator<=>(const Item&) const = default;
    };
    /// How often a stage runs each of its programs in a slot.
    struct StagePrograms {
        std::int64_t forward = 0;
        std::int64_t backward = 0;
        std::int64_t recompute = 0;
    };
    struct SlotGroup {
        std::int64_t count = 0;
        std::vector<Item> items;
        std::vector<StagePrograms> programs;
    };
    /// Factors of a stage's kinds of work.
    struct Factors {
        double forward = 0;
        double backward = 0;
        double recompute = 0;
        double update = 0;
    };

    /// Slots at whose end the same copies run, by the lower stage of the border that they cross.
    struct CopyGroup {
        std::int64_t count = 0;
        std::vector<bool> up;
        std::vector<bool> down;
        bool operator==(const CopyGroup&) const = default;
    };

    /// Counts the slots of a group by their first stages; false where these are too few.
    [[nodiscard]] bool addPrefix(const SlotGroup& group, const std::vector<Item>& all);
    [[nodiscard]] std::size_t suffixOf(const std::vector<Item>& items, const std::vector<Item>& all) const;
    void addCopies(const core::PipelineSchedule& schedule);
    [[nodiscard]] static std::int64_t longestCopy(const CopyGroup& group, const CopyBound& copies,
                                                  std::size_t stage, std::size_t end);
    [[nodiscard]] std::vector<StagePrograms> programsOf(const std::vector<Item>& items) const;
    [[nodiscard]] std::size_t ipusIn(const std::vector<Item>& items, bool wraps) const;

    std::size_t m_stages;
    std::int64_t m_microBatches;
    std::int64_t m_fullSlots = 0;
    std::vector<SlotGroup> m_groups;
    std::vector<std::int64_t> m_suffixSlots;
    std::array<std::vector<std::int64_t>, prefixWorkCount> m_prefixSlots;
    std::vector<Factors> m_factors;
    /// One copy each; several.
    std::vector<CopyGroup> m_singleCopies;
    std::vector<CopyGroup> m_copies;
};

} // namespace simulator
