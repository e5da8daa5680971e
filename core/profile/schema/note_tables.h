#pragma once

#include "core/profile/notes/note_records.h"
#include "core/profile/schema/table.h"

namespace core {

/// The version in which people could keep things.
inline constexpr std::int32_t noteVersion = 6;

// clang-format off
inline constexpr auto noteTable =
    table<NoteRecord>("note", "run_id, position",
                      runColumn(),
                      given("position", "INTEGER NOT NULL"),
                      column("at_cycles", "INTEGER NOT NULL", &NoteRecord::at),
                      column("note", "TEXT NOT NULL", &NoteRecord::text)).from(noteVersion);

/// Belongs to no run: the same is asked of every one.
inline constexpr auto queryTable =
    table<QueryRecord>("kept_query", "position",
                       given("position", "INTEGER NOT NULL"),
                       column("title", "TEXT NOT NULL", &QueryRecord::name),
                       column("query", "TEXT NOT NULL", &QueryRecord::sql)).from(noteVersion);
// clang-format on

inline constexpr std::array noteViews{
    ViewText{"v_note", R"sql(
SELECT run_id AS run, position, at_cycles, at_cycles * 1e9 / clock_hz AS at_ns, note
FROM note JOIN run ON run.id = note.run_id)sql"},
};

} // namespace core
