#pragma once

#include "core/profile/queries/comparison.h"
#include "core/profile/schema/profile_database.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// By what the steps of several runs are cut, so that their pieces can be held against one another.
enum class StepCut : std::uint8_t {
    Slots,        ///< the runs have the same schedule and slots
    MicroBatches, ///< a piece ends when the first stage is done with a micro-batch
};

struct ComparedPiece {
    /// From the start of the update, in cycles of the run's own clock.
    struct Place {
        Cycles start;
        Cycles end;
    };

    /// Slot or micro-batch; −1 for what comes behind all of them.
    std::int64_t index = -1;
    /// One per run; nothing where a run has no such piece.
    std::vector<std::optional<Place>> places;
    /// In cycles of the baseline's clock. What is not there takes nothing.
    std::vector<Cycles> lengths;

    [[nodiscard]] Cycles difference(std::size_t run, std::size_t baseline) const {
        return lengths[run] - lengths[baseline];
    }
};

/// The pieces of every run fill its step, so the differences add up to that of the steps.
struct ComparedPieces {
    StepCut cut = StepCut::Slots;
    std::vector<ComparedPiece> pieces;
    /// What comes behind the last slot is a weight update.
    bool isTraining = true;

    /// "slot 3", "micro-batch 3", "weight update".
    [[nodiscard]] std::string name(const ComparedPiece& piece) const;
};

/// Of the compared runs, in the order of time; empty where a run has no timeline. Errors: those of the
/// database.
[[nodiscard]] Result<ComparedPieces> comparePieces(const ProfileDatabase& database,
                                                   const RunComparison& comparison);

} // namespace core
