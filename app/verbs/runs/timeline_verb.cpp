#include "app/reports/report_table.h"
#include "app/services/plan/faster_parts.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/profile/analysis/idle_reason.h"
#include "core/profile/analysis/path/critical_path.h"
#include "core/profile/notes/store/note_store.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/span_label.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

using core::Cycles;

/// Everything about one run that the tables are made from.
struct RunTimeline {
    core::RunSummary summary;
    std::vector<core::LaneRecord> lanes;
    core::CriticalPath path;
    core::StageProgramMap programs;
    std::vector<core::LaneStatistics> statistics;
    core::IdleGaps gaps;
    std::vector<core::NoteRecord> notes;
    /// Where they were asked for.
    std::optional<core::FasterParts> faster;

    [[nodiscard]] std::string time(Cycles cycles) const {
        return core::plainWords(summary.provenance.clockHz).time(cycles);
    }
    [[nodiscard]] double ofStep(Cycles cycles) const { return ratio(cycles, summary.step); }
};

ReportTable::Cell percentCell(double share) {
    return {core::Json(share), fmt::format("{:.2f}", 100 * share)};
}

/// Where the time of one step goes: by IPU, along the critical path, in the longest gaps.
class TimelineVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        command.add_flag("--links", m_wantsLinks, "List every link of the critical path, in time");
        command.add_flag("--slack", m_wantsSlack, "List all work with its slack");
        command.add_option("--gaps", m_gaps, "Idle gaps to list, longest first (all: 0)")
            ->check(CLI::NonNegativeNumber)
            ->capture_default_str();
        addWholeNumber(command, "--faster", m_faster, 1, 99,
                       "Simulate the step with each part of the critical path taking so much less time")
            ->type_name("PERCENT");
        command
            .add_option(
                "--folder", m_folder,
                "With --faster: where relative paths of the stored project start; else the database's folder")
            ->type_name("FOLDER")
            ->needs("--faster");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        auto timeline = load(run->database, run->id);
        if (!timeline)
            return core::failure(timeline.error());
        if (m_faster != 0) {
            const std::filesystem::path folder =
                m_folder.empty() ? run->database.path().parent_path() : std::filesystem::path(m_folder);
            auto faster = simulateFasterParts(timeline->summary, core::partsOf(timeline->path), folder,
                                              m_faster / 100.0, context.job);
            if (!faster)
                return core::failure(std::move(faster.error()));
            timeline->faster = *std::move(faster);
        }
        return reportOf(run->id, *timeline);
    }

private:
    [[nodiscard]] core::Result<RunTimeline> load(const core::ProfileDatabase& database,
                                                 core::RunId run) const {
        RunTimeline timeline;
        auto path = core::loadCriticalPath(database, run);
        if (!path)
            return core::failure(path.error());
        timeline.path = *std::move(path);
        auto summary = core::loadRun(database, run);
        if (!summary)
            return core::failure(summary.error());
        timeline.summary = *std::move(summary);
        auto lanes = core::loadLanes(database, run);
        if (!lanes)
            return core::failure(lanes.error());
        timeline.lanes = *std::move(lanes);
        auto programs = core::loadStagePrograms(database, run);
        if (!programs)
            return core::failure(programs.error());
        timeline.programs = *std::move(programs);
        auto statistics = core::areaStatistics(database, run, Cycles(), timeline.summary.step);
        if (!statistics)
            return core::failure(statistics.error());
        timeline.statistics = *std::move(statistics);
        auto gaps = core::idleGaps(database, run, m_gaps == 0 ? -1 : m_gaps);
        if (!gaps)
            return core::failure(gaps.error());
        timeline.gaps = *std::move(gaps);
        auto notes = core::loadNotes(database, run);
        if (!notes)
            return core::failure(notes.error());
        timeline.notes = *std::move(notes);
        return timeline;
    }

    [[nodiscard]] Report reportOf(core::RunId run, const RunTimeline& timeline) const {
        Report report;
        report.json = reportJson("timeline");
        report.json["run"] = run.value();
        report.json["step_cycles"] = timeline.summary.step.value();
        report.json["clock_hz"] = finite(timeline.summary.provenance.clockHz);
        report.text = fmt::format("run {}: a step of {} cycles = {}\n", run.value(),
                                  timeline.summary.step.value(), timeline.time(timeline.summary.step));
        if (timeline.faster) {
            report.json["faster_percent"] = m_faster;
            report.json["simulated_step_cycles"] = timeline.faster->step.value();
            report.text += fmt::format("each part of the critical path is simulated taking {} % less time, "
                                       "nothing else changed\n",
                                       m_faster);
            if (timeline.faster->step != timeline.summary.step)
                report.diagnostics.push_back(core::makeWarning(
                    core::Trouble::Input, "run/other-version", {"", fmt::format("run {}", run.value())},
                    fmt::format("its step is {} cycles now, not the {} that are stored; gains are against "
                                "the first",
                                timeline.faster->step.value(), timeline.summary.step.value()),
                    {fmt::format("`verify {}` names what changed", run.value())}));
        }
        const auto add = [&](const ReportTable& table, const char* key, const std::string& title) {
            report.json[key] = table.json();
            report.text += fmt::format("\n{}\n{}", title, table.text());
            report.csv = table.csv();
        };
        const ReportTable notes = noteTable(timeline);
        report.json["notes"] = notes.json();
        if (!timeline.notes.empty())
            report.text +=
                fmt::format("\nNotes, in cycles from the start of an execution:\n{}", notes.text());
        add(gapTable(timeline), "idle_gaps",
            timeline.gaps.count > static_cast<std::int64_t>(timeline.gaps.longest.size())
                ? fmt::format("The {} longest of {} idle gaps:", timeline.gaps.longest.size(),
                              timeline.gaps.count)
                : "Idle gaps:");
        add(ipuTable(timeline), "ipus", "IPUs (busy + idle = step):");
        add(shareTable(timeline, timeline.path.byLayer, "layer"), "critical_path_by_layer",
            "Critical path by layer:");
        add(shareTable(timeline, timeline.path.byStage, "where"), "critical_path_by_stage",
            "Critical path by stage:");
        if (m_wantsSlack)
            add(slackTable(timeline), "slack", "Slack of all work:");
        if (m_wantsLinks)
            add(linkTable(timeline), "critical_path", "Critical path, link by link:");
        // The table of CSV: the last one that was asked for, else the path by kind.
        const std::string asked = m_wantsSlack || m_wantsLinks ? report.csv : std::string();
        add(shareTable(timeline, timeline.path.byKind, "kind"), "critical_path_by_kind",
            "Critical path by kind, which sums to the step:");
        if (!asked.empty())
            report.csv = asked;
        return report;
    }

    static ReportTable ipuTable(const RunTimeline& timeline) {
        using Align = ReportTable::Align;
        ReportTable table({{"ipu", Align::Right},
                           {"busy_cycles", Align::Right},
                           {"busy_fraction", Align::Right, "busy %"},
                           {"idle_cycles", Align::Right},
                           ReportTable::jsonColumn("idle_by_cause_cycles"),
                           ReportTable::textColumn("idle by cause")});
        for (const core::LaneStatistics& lane : timeline.statistics) {
            core::Json causes = core::Json::object();
            std::string words;
            for (std::size_t i = 0; i < core::idleCauseCount; ++i)
                if (const Cycles cycles = lane.idleByCause[i]; cycles.value() > 0) {
                    const auto cause = static_cast<core::IdleCause>(i);
                    causes[std::string(core::toString(cause))] = cycles.value();
                    words += fmt::format("{}{} {:.1f} %", words.empty() ? "" : ", ",
                                         core::idleCauseLabel(cause), 100 * timeline.ofStep(cycles));
                }
            table.add({lane.ipu.value(),
                       lane.busy().value(),
                       percentCell(timeline.ofStep(lane.busy())),
                       lane.idle().value(),
                       {causes, ""},
                       {std::nullopt, words}});
        }
        return table;
    }

    static ReportTable shareTable(const RunTimeline& timeline, const std::vector<core::CriticalShare>& shares,
                                  const std::string& title) {
        using Align = ReportTable::Align;
        std::vector<ReportTable::Column> columns{{"name", Align::Left, title},
                                                 {"stage", Align::Right},
                                                 {"cycles", Align::Right},
                                                 {"share_of_step", Align::Right, "% of step"},
                                                 {"links", Align::Right}};
        if (timeline.faster) {
            columns.push_back({"faster_step_cycles", Align::Right, "step if faster"});
            columns.push_back({"throughput_gain", Align::Right, "throughput %"});
        }
        ReportTable table(columns);
        for (const core::CriticalShare& share : shares) {
            std::vector<ReportTable::Cell> cells{share.name, stageOrNone(share.stage), share.cycles.value(),
                                                 percentCell(timeline.ofStep(share.cycles)), share.links};
            if (timeline.faster)
                addFaster(*timeline.faster, share.part, cells);
            table.add(std::move(cells));
        }
        return table;
    }

    /// Empty for what nothing can make faster.
    static void addFaster(const core::FasterParts& faster, const core::PathPart& part,
                          std::vector<ReportTable::Cell>& cells) {
        const core::FasterPart* trial = faster.find(part);
        if (trial == nullptr) {
            cells.push_back(noCell());
            cells.push_back(noCell());
            return;
        }
        const double gain = ratio(faster.step, trial->step) - 1;
        cells.emplace_back(trial->step.value());
        cells.emplace_back(core::Json(gain), fmt::format("{:+.2f}", 100 * gain));
    }

    static std::vector<ReportTable::Column> spanColumns(std::vector<ReportTable::Column> more) {
        using Align = ReportTable::Align;
        std::vector<ReportTable::Column> columns{{"ipu", Align::Right},
                                                 {"kind"},
                                                 {"stage", Align::Right},
                                                 {"micro_batch", Align::Right},
                                                 {"slot", Align::Right},
                                                 {"start_cycles", Align::Right},
                                                 {"duration_cycles", Align::Right}};
        columns.insert(columns.end(), more.begin(), more.end());
        return columns;
    }
    static std::vector<ReportTable::Cell> spanCells(const core::SpanRecord& span, core::IpuId ipu) {
        const std::string kind(span.kind == core::SpanKind::Idle ? core::toString(span.cause)
                                                                 : core::toString(span.kind));
        return {ipu.isValid() ? ReportTable::Cell(ipu.value()) : noCell(),
                kind,
                stageOrNone(span.stage),
                numberOrNone(span.microBatch),
                numberOrNone(span.slot),
                span.start.value(),
                span.duration.value()};
    }

    static ReportTable linkTable(const RunTimeline& timeline) {
        ReportTable table(spanColumns({}));
        for (const core::CriticalLink& link : timeline.path.links)
            table.add(spanCells(link.span, link.ipu));
        return table;
    }

    static ReportTable slackTable(const RunTimeline& timeline) {
        ReportTable table(spanColumns({{"slack_cycles", ReportTable::Align::Right}, {"critical"}}));
        for (const core::SpanSlack& slack : timeline.path.slacks) {
            std::vector<ReportTable::Cell> cells = spanCells(slack.span, slack.ipu);
            cells.emplace_back(slack.slack.value());
            cells.emplace_back(core::Json(slack.isCritical), slack.isCritical ? "yes" : "");
            table.add(std::move(cells));
        }
        return table;
    }

    static ReportTable noteTable(const RunTimeline& timeline) {
        ReportTable table({{"at_cycles", ReportTable::Align::Right}, {"note"}});
        for (const core::NoteRecord& note : timeline.notes)
            table.add({note.at.value(), note.text});
        return table;
    }

    static ReportTable gapTable(const RunTimeline& timeline) {
        using Align = ReportTable::Align;
        ReportTable table({{"ipu", Align::Right},
                           {"cause"},
                           {"waits_for_stage", Align::Right, "stage"},
                           {"slot", Align::Right},
                           {"start_cycles", Align::Right},
                           {"duration_cycles", Align::Right},
                           {"reason"}});
        std::map<core::StageId, core::IpuId> ipus;
        for (const core::StageSummary& stage : timeline.summary.stages)
            ipus[stage.stage] = stage.ipu;
        std::map<core::LaneId, core::IpuId> ipuOfLane;
        for (const core::LaneRecord& lane : timeline.lanes)
            ipuOfLane[lane.id] = lane.ipu;
        const core::IdleContext context{timeline.programs, ipus, timeline.summary.provenance,
                                        core::plainWords(timeline.summary.provenance.clockHz)};
        for (const core::SpanRecord& gap : timeline.gaps.longest) {
            const core::IpuId ipu = ipuOfLane[gap.lane];
            table.add({ipu.value(), std::string(core::toString(gap.cause)), stageOrNone(gap.blame),
                       numberOrNone(gap.slot), gap.start.value(), gap.duration.value(),
                       core::idleReason(context, gap, ipu)});
        }
        return table;
    }

    DatabaseArgument m_database;
    std::string m_run;
    bool m_wantsLinks = false;
    bool m_wantsSlack = false;
    std::int64_t m_gaps = 10;
    int m_faster = 0;
    std::string m_folder;
};

} // namespace

VerbDefinition timelineVerb() {
    return {.name = "timeline",
            .summary =
                "Where the time of a run's step goes: critical path, slack, idle gaps with their reasons",
            .examples = {"timeline last", "timeline last --gaps 0 --json", "timeline last --faster 10",
                         "timeline 3 --slack --csv", "timeline 3 --links --csv"},
            .make = makeVerb<TimelineVerb>,
            .hasCsv = true};
}

} // namespace app
