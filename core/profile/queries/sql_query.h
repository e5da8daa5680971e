#pragma once

#include "core/base/job_context.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

/// NULL, whole number, real number, text. Blobs come as text in SQL's notation, x'0a1b'.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;

struct SqlTable {
    std::vector<std::string> columns;
    std::vector<std::vector<SqlValue>> rows;
    /// There were more rows than asked for.
    bool isCut = false;
};

/// Answers one SELECT (or EXPLAIN) that a person wrote; whatever would write, attach a file or load code is
/// refused, also on a connection that could. Errors (Trouble::Input, place `line:column` where SQLite tells):
/// "sql/error" with what SQLite says and the nearest table's or column's name, "sql/not-read-only",
/// "sql/one-statement"; Trouble::Interrupted when `job` stops it.
[[nodiscard]] Result<SqlTable> querySql(const ProfileDatabase& database, std::string_view sql,
                                        std::int64_t mostRows = 1'000'000, const JobContext& job = {});

} // namespace core
