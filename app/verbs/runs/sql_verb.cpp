#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/sql_query.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>

namespace app {

namespace {

ReportTable::Cell cellOf(const core::SqlValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return *whole;
    if (const auto* real = std::get_if<double>(&value))
        return {finite(*real), fmt::format("{}", *real)};
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return nullptr;
}

/// Answers a read-only query on a profile database.
class SqlVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("QUERY", m_query, "One SELECT statement")->required();
        m_database.addOption(command);
        constexpr std::int64_t most = std::int64_t{1} << 40;
        addWholeNumber(command, "--max-rows", m_rows, 1, most, "Most rows that are shown (1000000)")
            ->type_name("N");
        addWholeNumber(command, "--max-bytes", m_bytes, 1000, most,
                       "Most bytes of the answer (67108864), of which a value has at most 33554432")
            ->type_name("N");
        addWholeNumber(command, "--max-seconds", m_seconds, 1, 1'000'000, "Longest time of the query (60)")
            ->type_name("N");
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        core::SqlLimits limits;
        limits.rows = m_rows.value_or(limits.rows);
        limits.bytes = m_bytes.value_or(limits.bytes);
        limits.isLate = [end = Clock::now() + std::chrono::seconds(m_seconds.value_or(usualSeconds))] {
            return Clock::now() > end;
        };
        auto answer = core::querySql(*database, m_query, limits, context.job);
        if (!answer)
            return core::failure(std::move(answer.error()));
        Report report;
        report.json = reportJson("sql");
        report.diagnostics = m_database.warnings();
        report.json["columns"] = answer->columns;
        std::vector<ReportTable::Column> columns;
        for (const std::string& column : answer->columns)
            columns.push_back({column});
        ReportTable table(std::move(columns), ReportTable::RowShape::List);
        for (const auto& row : answer->rows) {
            std::vector<ReportTable::Cell> cells;
            for (const core::SqlValue& value : row)
                cells.push_back(cellOf(value));
            table.add(std::move(cells));
        }
        report.json["rows"] = table.takeJson();
        report.text = table.text();
        report.csv = table.csv();
        if (answer->isCutByBytes)
            context.console.note(fmt::format(
                "only the first {} rows are shown: more would be more than {} bytes; add LIMIT and "
                "OFFSET, or allow more with --max-bytes",
                answer->rows.size(), limits.bytes));
        else if (answer->isCut)
            context.console.note(fmt::format(
                "only the first {} rows are shown; add LIMIT and OFFSET, or allow more with --max-rows",
                limits.rows));
        return report;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t usualSeconds = 60;

    DatabaseArgument m_database;
    std::string m_query;
    std::optional<std::int64_t> m_rows;
    std::optional<std::int64_t> m_bytes;
    std::optional<std::int64_t> m_seconds;
};

} // namespace

VerbDefinition sqlVerb() {
    return {.name = "sql",
            .summary = "Answer a read-only SQL query on a profile database",
            .examples = {"sql 'SELECT * FROM v_stage_summary' --database net.profiles.sqlite",
                         "sql 'SELECT * FROM v_idle' --csv -o idle.csv"},
            .make = makeVerb<SqlVerb>,
            .hasCsv = true};
}

} // namespace app
