#pragma once

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/program_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/document/selection.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace views {

/// Says of a cursor at `time` of an update in which stage program it is, and how far; nothing changes where
/// none runs then, or its spans are not shown one by one. `compute`: a compute lane, its spans in time.
void placeInProgram(TimeCursor& cursor, const core::LaneWindow& compute, core::Cycles time);

/// When a compute lane is where the cursor is in a stage program, from the start of an update.
[[nodiscard]] std::vector<core::Cycles> timesOfPlace(const TimeCursor& cursor,
                                                     const core::LaneWindow& compute);

/// What stage programs run when: between a place in time and the operation that is there.
class ProgramPlaces {
public:
    struct Item {
        core::Cycles start;
        core::OperationId operation;
        std::string name;
        /// Empty where it belongs to no layer.
        std::string layer;
    };

    ProgramPlaces(const std::vector<core::ProgramStepRecord>& steps,
                  const std::vector<core::OperationRecord>& operations);

    /// The operation that runs there; null where none does.
    [[nodiscard]] const Item* at(const TimeCursor& cursor) const;
    /// Where an operation begins in a program; nothing where it is no part of it.
    [[nodiscard]] std::optional<TimeCursor> find(core::StageId stage, core::Phase phase,
                                                 std::string_view operation) const;

private:
    /// In time.
    std::map<std::pair<core::StageId, core::Phase>, std::vector<Item>> m_programs;
};

/// Errors: those of the database.
[[nodiscard]] core::Result<ProgramPlaces> loadProgramPlaces(const core::ProfileDatabase& database,
                                                            core::RunId run);

} // namespace views
