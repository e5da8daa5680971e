#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/profile/analysis/time_tree.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Where the time of all IPUs of a run goes, as a tree.
class FlameVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        std::vector<std::pair<std::string_view, core::TimeGrouping>> groupings;
        for (std::size_t i = 0; i < core::timeGroupingCount; ++i)
            groupings.emplace_back(toString(core::TimeGrouping(i)), core::TimeGrouping(i));
        addChoice(command, "--by", m_grouping, groupings,
                  "What time is divided by first: stage (otherwise), phase, layer, kind or ipu")
            ->type_name("WHAT");
        addWholeNumber(command, "--depth", m_depth, 1, mostDepth,
                       "Levels of the tree that are told (otherwise 3)");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        const auto pieces = core::loadTimePieces(run->database, run->id);
        if (!pieces)
            return core::failure(pieces.error());
        return reportOf(*pieces);
    }

private:
    [[nodiscard]] Report reportOf(const core::TimePieces& pieces) const {
        const core::TimeNode root = core::timeTree(pieces, m_grouping);
        using Align = ReportTable::Align;
        ReportTable table({{"depth", Align::Right},
                           {"level"},
                           {"name"},
                           {"stage", Align::Right},
                           {"layer"},
                           {"cycles", Align::Right},
                           {"share", Align::Right, "% of all"},
                           {"share_of_parent", Align::Right, "% of it"},
                           {"runs", Align::Right}});
        addRows(table, root, root, root, 0);
        Report report;
        report.json = reportJson("flame");
        report.json["run"] = pieces.run.value();
        report.json["by"] = std::string(toString(m_grouping));
        report.json["ipus"] = pieces.ipus;
        report.json["step_cycles"] = pieces.step.value();
        report.json["clock_hz"] = finite(pieces.clockHz);
        report.json["nodes"] = table.json();
        report.csv = table.csv();
        report.text =
            fmt::format("run {}: one update of {} IPUs, {} cycles each; the parts of a level add up to "
                        "what holds them\n\n{}",
                        pieces.run.value(), pieces.ipus, pieces.step.value(), table.text());
        return report;
    }

    void addRows(ReportTable& table, const core::TimeNode& root, const core::TimeNode& parent,
                 const core::TimeNode& node, std::int64_t depth) const {
        table.add(
            {depth, std::string(toString(node.level)),
             ReportTable::Cell(node.name, std::string(2 * static_cast<std::size_t>(depth), ' ') + node.name),
             stageOrNone(node.stage), node.layer, node.cycles.value(), share(node, root), share(node, parent),
             node.times > 0 ? ReportTable::Cell(node.times) : noCell()});
        if (depth < m_depth)
            for (const core::TimeNode& child : node.children)
                addRows(table, root, node, child, depth + 1);
    }

    static ReportTable::Cell share(const core::TimeNode& node, const core::TimeNode& whole) {
        const double value = ratio(node.cycles, whole.cycles);
        return {finite(value), fmt::format("{:.2f}", 100 * value)};
    }

    static constexpr std::int64_t mostDepth = 100;

    DatabaseArgument m_database;
    std::string m_run;
    core::TimeGrouping m_grouping = core::TimeGrouping::Stage;
    std::int64_t m_depth = 3;
};

} // namespace

VerbDefinition flameVerb() {
    return {.name = "flame",
            .summary = "Where the time of all IPUs of a run goes: a tree by stage, phase, layer, kind or IPU",
            .examples = {"flame last", "flame last --by layer --depth 2", "flame 3 --by kind --csv",
                         "render last --view flame --by layer -o flame.svg"},
            .make = makeVerb<FlameVerb>,
            .hasCsv = true};
}

} // namespace app
