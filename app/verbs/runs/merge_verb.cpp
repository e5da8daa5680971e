#include "app/reports/report_table.h"
#include "app/verbs/base/verb.h"
#include "core/profile/queries/sql_query.h"
#include "core/profile/writer/merge_databases.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace app {

namespace {

/// Several profile databases into one.
class MergeVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("DATABASE", m_sources, "Profile databases to take runs and sweeps from")
            ->required();
    }

    core::Result<Report> run(const VerbContext& context) override {
        const std::filesystem::path file = context.output.file;
        if (!context.output.toFile())
            return core::failure(usageError("usage/merge", "--output", "there is no database to merge into",
                                            "name one with -o ALL.sqlite"));
        for (const std::string& source : m_sources) {
            std::error_code ignored;
            if (std::filesystem::equivalent(source, file, ignored))
                return core::failure(usageError("usage/merge", source, "a database is not merged into itself",
                                                "leave it out, or choose another file with -o"));
        }
        if (auto nothing = objectionsToAll(file); !nothing.empty())
            return core::failure(std::move(nothing));
        std::error_code ignored;
        const bool isNew = !std::filesystem::exists(file, ignored);
        auto target = core::ProfileDatabase::open(file);
        if (!target)
            return core::failure(target.error());
        Report report;
        report.json = reportJson("merge");
        report.json["database"] = file.string();
        constexpr auto right = TextTable::Align::Right;
        ReportTable table({{"file", TextTable::Align::Left, "database"},
                           {"runs_added", right},
                           {"runs_known", right},
                           {"points_added", right},
                           {"points_known", right}});
        for (std::size_t i = 0; i < m_sources.size(); ++i) {
            context.job.report(static_cast<double>(i) / static_cast<double>(m_sources.size()), m_sources[i]);
            if (context.job.isCancelled())
                return core::failure(core::makeError(core::Trouble::Interrupted, "interrupted",
                                                     {file.string(), ""},
                                                     "stopped on request; the databases before are merged",
                                                     {"the same command goes on: what is there stays"}));
            auto merged = core::mergeDatabase(*target, m_sources[i]);
            if (!merged && isOfDisk(merged.error().front())) {
                merged.error().front().location.file = file.string();
                const bool isEmpty = isNew && holdsNothing(*target);
                { const auto closed = std::move(*target); }
                if (isEmpty)
                    core::removeDatabase(file);
                return core::failure(std::move(merged.error()));
            }
            if (!merged) {
                const core::Diagnostics trouble = ofSource(merged.error());
                report.diagnostics.insert(report.diagnostics.end(), trouble.begin(), trouble.end());
                continue;
            }
            table.add({m_sources[i], merged->runsAdded, merged->runsKnown, merged->pointsAdded,
                       merged->pointsKnown});
            if (merged->runsRecording > 0)
                report.diagnostics.push_back(core::makeWarning(
                    core::Trouble::World, "merge/recording", {m_sources[i], ""},
                    fmt::format("{} still being recorded: not taken", counted(merged->runsRecording, "run")),
                    {"merge again when it is complete"}));
        }
        table.writeTo(report, "databases");
        if (context.output.force && !isNew)
            report.diagnostics.push_back(core::makeNote(
                core::Trouble::Usage, "usage/force", {file.string(), ""},
                "it was added to: --force replaces no database, since merging never loses what is there",
                {"remove the file first to begin anew"}));
        return report;
    }

private:
    /// What the next source would meet as well.
    static bool isOfDisk(const core::Diagnostic& trouble) {
        return trouble.code == "database/disk-full" || trouble.code == "database/disk-error" ||
               trouble.code == "database/read-only";
    }
    /// A source is named by its path alone.
    static core::Diagnostics ofSource(core::Diagnostics trouble) {
        for (core::Diagnostic& one : trouble)
            if (one.code == "database/missing")
                one.hints = {"check the spelling of the path"};
        return trouble;
    }
    static bool holdsNothing(const core::ProfileDatabase& database) {
        const auto rows = core::querySql(database, "SELECT 1 FROM run UNION ALL SELECT 1 FROM sweep LIMIT 1",
                                         1, core::JobContext());
        return rows && rows->rows.empty();
    }

    /// No database is begun where none of the others can be read; empty otherwise.
    [[nodiscard]] core::Diagnostics objectionsToAll(const std::filesystem::path& file) const {
        std::error_code ignored;
        core::Diagnostics objections;
        if (std::filesystem::exists(file, ignored))
            return objections;
        for (const std::string& source : m_sources) {
            const auto database =
                core::ProfileDatabase::open(source, {.access = core::DatabaseAccess::ReadOnly});
            if (database)
                return {};
            const core::Diagnostics trouble = ofSource(database.error());
            objections.insert(objections.end(), trouble.begin(), trouble.end());
        }
        return objections;
    }

    std::vector<std::string> m_sources;
};

} // namespace

VerbDefinition mergeVerb() {
    return {.name = "merge",
            .summary = "Several profile databases into one: every run and every point of a sweep once",
            .examples = {"merge shard-1.sqlite shard-2.sqlite -o all.profiles.sqlite"},
            .make = makeVerb<MergeVerb>,
            .ownsOutput = true};
}

} // namespace app
