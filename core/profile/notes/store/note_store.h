#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/profile/notes/note_records.h"
#include "core/profile/schema/profile_database.h"

#include <span>
#include <vector>

namespace core {

/// The longest text of a note, and of a question, in bytes.
inline constexpr std::size_t longestRunNote = 2000;
inline constexpr std::size_t longestKeptQuery = 20000;

/// Notes of a run, in time.
[[nodiscard]] Result<std::vector<NoteRecord>> loadNotes(const ProfileDatabase& database, RunId run);
/// These in place of all that the run has. Errors: those of the database; "run/unknown", "note/too-long"
/// (Trouble::Input), which change nothing.
[[nodiscard]] Result<void> storeNotes(const ProfileDatabase& database, RunId run,
                                      std::span<const NoteRecord> notes);

/// Questions that people kept, in their order.
[[nodiscard]] Result<std::vector<QueryRecord>> loadQueries(const ProfileDatabase& database);
/// These in place of all. Errors: those of the database; "query/name", "query/too-long" (Trouble::Input).
[[nodiscard]] Result<void> storeQueries(const ProfileDatabase& database,
                                        std::span<const QueryRecord> queries);

} // namespace core
