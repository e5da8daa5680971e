#include "views/plan/alternatives_tables.h"

#include "views/common/text/interval_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace views {

namespace {

QString alternativesText(const char* text) {
    return QCoreApplication::translate("views::AlternativesView", text);
}

TableColumn nameColumn(const QString& title) {
    return {title, ColumnKind::Text, {}, 0, {}, true};
}
core::Bytes notAlwaysLive(const core::AlternativeIpu& ipu) {
    const auto most = std::ranges::max_element(ipu.live);
    return core::Bytes(most == ipu.live.end() ? 0 : *most);
}

/// Everything in a column in one unit.
TableCell bytesWithUnitCell(core::Bytes bytes, const UnitChoice& unit) {
    return numberCell(inUnit(bytes.value(), unit).joined(), static_cast<double>(bytes.value()));
}

TableCell differenceCell(core::Bytes peak, core::Bytes chosen) {
    if (chosen.value() == 0 || peak == chosen)
        return dashCell();
    const double share =
        static_cast<double>(peak.value() - chosen.value()) / static_cast<double>(chosen.value());
    TableCell cell = numberCell(signedText(100 * share, 2) + QStringLiteral(" %"), share);
    cell.isBetter = peak < chosen;
    return cell;
}

} // namespace

TableContent schedulerTable(const core::ProgramAlternatives& alternatives, std::size_t ipu,
                            const Units& units) {
    const std::vector<core::SchedulerAlternative>& schedulers = alternatives.schedulers;
    TableContent content;
    content.columns = {
        nameColumn(alternativesText("Algorithm")),
        numberColumn(alternativesText("Peak"), alternativesText("Always live and not, at the fullest step")),
        numberColumn(alternativesText("To chosen"), alternativesText("Against the project's choice")),
        numberColumn(alternativesText("Not always live"), alternativesText("The highest point of the curve")),
        numberColumn(alternativesText("Fullest tile"), {}),
        {alternativesText("Fits"), ColumnKind::Chip, {}, 0, {}, false},
        {alternativesText("Measured peak, 4 of 5"), ColumnKind::Text, {}, 0, {}, false},
    };
    core::Bytes largest;
    core::Bytes chosen;
    for (const core::SchedulerAlternative& scheduler : schedulers) {
        if (ipu >= scheduler.ipus.size())
            continue;
        largest = std::max(largest, scheduler.ipus[ipu].peak);
        if (scheduler.isChosen)
            chosen = scheduler.ipus[ipu].peak;
    }
    const UnitChoice unit = byteUnitFor(largest, units.bytes);
    for (const core::SchedulerAlternative& scheduler : schedulers) {
        if (ipu >= scheduler.ipus.size())
            continue;
        const core::AlternativeIpu& row = scheduler.ipus[ipu];
        TableCell name =
            textCell(toQString(scheduler.algorithm) +
                     (scheduler.isChosen ? QStringLiteral("  ") + alternativesText("(chosen)") : QString()));
        TableCell fits = textCell(row.fits ? alternativesText("fits") : alternativesText("too large"));
        fits.tone = row.fits ? ChipTone::Success : ChipTone::Error;
        content.rows.push_back(
            {std::move(name), bytesWithUnitCell(row.peak, unit), differenceCell(row.peak, chosen),
             bytesWithUnitCell(notAlwaysLive(row), unit),
             bytesWithUnitCell(row.worstTile, byteUnitFor(row.worstTile, units.bytes)), std::move(fits),
             textCell(peakRangeText(
                 core::predictedRanges(alternatives.intervals, 0, core::Cycles(), row.peak), units))});
    }
    return content;
}

TableContent executionTable(const core::ProgramAlternatives& alternatives, const Units& units,
                            double clockHz) {
    TableContent content;
    content.columns = {
        nameColumn(alternativesText("Execution")),
        numberColumn(alternativesText("Launches"),
                     alternativesText("Programs that the host starts, per weight update")),
        numberColumn(alternativesText("Launching"), {}),
        numberColumn(alternativesText("Device"), {}),
        numberColumn(alternativesText("Step"), {}),
        {alternativesText("Throughput"), ColumnKind::Number, QStringLiteral("samples/s"), 0, {}, false},
        {alternativesText("Measured, 4 of 5"), ColumnKind::Text, {}, 0, {}, false},
    };
    for (const core::ExecutionAlternative& execution : alternatives.executions) {
        const auto time = [&](core::Cycles cycles) {
            return numberCell(timeText(cycles, units.time, {clockHz, execution.total()}).joined(),
                              static_cast<double>(cycles.value()));
        };
        content.rows.push_back(
            {textCell(execution.mode == "graph" ? alternativesText("Graph: one program")
                                                : alternativesText("Eager: one per operation")),
             numberCell(compactText(execution.launches), execution.launches), time(execution.launch),
             time(execution.device), time(execution.total()),
             numberCell(countText(execution.samplesPerSecond).joined(), execution.samplesPerSecond),
             textCell(rateRangeText(core::predictedRanges(alternatives.intervals, execution.samplesPerSecond,
                                                          execution.total(), core::Bytes())))});
    }
    return content;
}

} // namespace views
