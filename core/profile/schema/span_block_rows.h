#pragma once

#include "core/profile/schema/span_blocks.h"

#include <SQLiteCpp/SQLiteCpp.h>

// Private to the folder.

namespace core {

/// Inserts the blocks of spans of a run and their shapes, inside the caller's transaction. Throws
/// SQLite::Exception.
class SpanBlockRows {
public:
    SpanBlockRows(SQLite::Database& connection, std::int64_t run);

    void insert(const SpanBlock& block);
    void insert(const std::vector<SpanShape>& shapes);

private:
    SQLite::Statement m_blocks;
    SQLite::Statement m_shapes;
    std::int64_t m_run;
};

/// Moves the spans of files of versions up to 6 into blocks.
void packStoredSpans(SQLite::Database& connection);

} // namespace core
