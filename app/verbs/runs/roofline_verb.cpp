#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/verb.h"
#include "core/profile/analysis/roofline.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

using Points = std::vector<core::RooflinePoint> core::Roofline::*;

/// Operations, layers or stages of a run against what its target can do.
class RooflineVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_run, "A run's number, or last")->required();
        addChoice(command, "--by", m_points,
                  {{"operation", Points(&core::Roofline::operations)},
                   {"layer", Points(&core::Roofline::layers)},
                   {"stage", Points(&core::Roofline::stages)}},
                  "operation (otherwise), layer or stage")
            ->type_name("WHAT");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto run = m_database.openRun(m_run);
        if (!run)
            return core::failure(run.error());
        const auto roofline = core::loadRoofline(run->database, run->id);
        if (!roofline)
            return core::failure(roofline.error());
        return reportOf(*roofline);
    }

private:
    [[nodiscard]] Report reportOf(const core::Roofline& roofline) const {
        Report report;
        report.json = reportJson("roofline");
        report.json["run"] = roofline.run.value();
        report.json["step_cycles"] = roofline.step.value();
        report.json["clock_hz"] = finite(roofline.clockHz);
        report.json["mfu"] = roofline.shareOfStep();
        report.json["exchange_bytes_per_second"] = finite(roofline.bytesPerCycle * roofline.clockHz);
        const ReportTable roofs = roofTable(roofline);
        report.json["roofs"] = roofs.json();
        const ReportTable points = pointTable(roofline);
        report.json["points"] = points.json();
        report.csv = points.csv();
        report.text =
            fmt::format("run {}: {:.2f} % of what its IPUs could compute in a step (MFU)\n\n"
                        "Roofs of one IPU; exchange of all its tiles {:.2f} TB/s:\n{}\n"
                        "A weight update of one replica; FLOP per byte that the tiles could receive while "
                        "they exchange:\n{}",
                        roofline.run.value(), 100 * roofline.shareOfStep(),
                        roofline.bytesPerCycle * roofline.clockHz / tera, roofs.text(), points.text());
        return report;
    }

    static ReportTable roofTable(const core::Roofline& roofline) {
        using Align = ReportTable::Align;
        ReportTable table({{"precision"},
                           {"flops_per_second", Align::Right, "TFLOP/s"},
                           {"ridge_flops_per_byte", Align::Right, "ridge FLOP/byte"}});
        for (const core::ComputeRoof& roof : roofline.roofs) {
            const double rate = core::real(roof.perCycle.value()) * roofline.clockHz;
            table.add({roof.precision,
                       {finite(rate), fmt::format("{:.2f}", rate / tera)},
                       {finite(roofline.ridge(roof)), fmt::format("{:.2f}", roofline.ridge(roof))}});
        }
        return table;
    }

    [[nodiscard]] ReportTable pointTable(const core::Roofline& roofline) const {
        using Align = ReportTable::Align;
        ReportTable table({{"name"},
                           {"kind"},
                           {"phase"},
                           {"layer"},
                           {"stage", Align::Right},
                           {"precision"},
                           {"runs", Align::Right},
                           {"flops", Align::Right},
                           {"exchange_capacity_bytes", Align::Right, "bytes"},
                           {"flops_per_byte", Align::Right, "FLOP/byte"},
                           {"cycles", Align::Right},
                           {"flops_per_second", Align::Right, "TFLOP/s"},
                           {"share_of_peak", Align::Right, "% of peak"},
                           {"share_of_roof", Align::Right, "% of roof"},
                           {"bound"},
                           {"mfu", Align::Right, "MFU %"}});
        for (const core::RooflinePoint& point : roofline.*m_points) {
            const double rate = point.flopsPerCycle() * roofline.clockHz;
            const auto intensity = point.intensity();
            const bool computes = point.flops.value() > 0;
            table.add({point.name, point.kind,
                       point.phase ? ReportTable::Cell(std::string(core::toString(*point.phase))) : noCell(),
                       point.layer, stageOrNone(point.stage), point.precision,
                       point.operation.isValid() ? ReportTable::Cell(point.runs) : noCell(),
                       point.flops.value(), point.bytes.value(),
                       intensity ? ReportTable::Cell(finite(*intensity), fmt::format("{:.3f}", *intensity))
                                 : noCell(),
                       point.cycles().value(),
                       ReportTable::Cell(finite(rate), fmt::format("{:.3f}", rate / tera)),
                       percent(point.shareOfPeak()), percent(point.shareOfRoof()),
                       computes ? ReportTable::Cell(std::string(core::toString(point.bound()))) : noCell(),
                       percent(roofline.shareOfStep(point))});
        }
        return table;
    }

    static ReportTable::Cell percent(double share) {
        return {finite(share), fmt::format("{:.2f}", 100 * share)};
    }

    static constexpr double tera = 1e12;

    DatabaseArgument m_database;
    std::string m_run;
    Points m_points = &core::Roofline::operations;
};

} // namespace

VerbDefinition rooflineVerb() {
    return {.name = "roofline",
            .summary = "How near the operations, layers or stages of a run come to what its target can do",
            .examples = {"roofline last", "roofline last --by layer --csv", "roofline 3 --by stage --json",
                         "render last --view roofline -o roofline.svg"},
            .make = makeVerb<RooflineVerb>,
            .hasCsv = true};
}

} // namespace app
