#pragma once

#include "core/base/quantity.h"

#include <string>

namespace core {

// What people keep beside runs, after these have ended.

/// A mark on the time axis of a run. A mark without a text is a mark.
struct NoteRecord {
    /// From the start of an execution, whose updates follow one another.
    Cycles at;
    std::string text;

    bool operator==(const NoteRecord&) const = default;
};

/// A question in SQL that is asked again.
struct QueryRecord {
    std::string name;
    std::string sql;

    bool operator==(const QueryRecord&) const = default;
};

} // namespace core
