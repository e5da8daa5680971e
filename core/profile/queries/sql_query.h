#pragma once

#include "core/base/job_context.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <functional>
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
    /// There were more rows than asked for, or more bytes.
    bool isCut = false;
    bool isCutByBytes = false;
};

/// What an answer may cost. Nobody knows beforehand what a query of a foreign file's views computes.
struct SqlLimits {
    /// The most bytes that a value has while it is computed, whatever `bytes` says.
    static constexpr std::int64_t longestValue = std::int64_t{32} << 20;

    std::int64_t rows = 1'000'000;
    /// Of all values together.
    std::int64_t bytes = std::int64_t{64} << 20;
    /// Asked again and again while the query runs.
    std::function<bool()> isLate;
};

/// Answers one SELECT (or EXPLAIN) that a person wrote; whatever would write, attach a file or load code is
/// refused, also on a connection that could. Errors (Trouble::Input, place `line:column` where SQLite tells):
/// "sql/error" with what SQLite says and the nearest table's or column's name, "sql/not-read-only",
/// "sql/one-statement", "sql/too-large" for a value beyond the limit, "sql/too-long" when it is late;
/// Trouble::Interrupted when `job` stops it.
[[nodiscard]] Result<SqlTable> querySql(const ProfileDatabase& database, std::string_view sql,
                                        const SqlLimits& limits, const JobContext& job = {});
[[nodiscard]] Result<SqlTable> querySql(const ProfileDatabase& database, std::string_view sql,
                                        std::int64_t mostRows = 1'000'000, const JobContext& job = {});

} // namespace core
