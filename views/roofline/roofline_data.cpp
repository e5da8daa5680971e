#include "views/roofline/roofline_data.h"

#include "views/common/theme/theme.h"
#include "views/profile/tables/number_card.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

constexpr double tera = 1e12;

QString boundName(const core::RooflinePoint& point) {
    return point.bound() == core::RoofKind::Compute ? QStringLiteral("compute") : QStringLiteral("exchange");
}

QString shareWords(core::Cycles part, const core::RooflinePoint& point) {
    return percentText(ratio(part, point.cycles()));
}

TableCell shareCell(double share) {
    return numberCell(fixedText(100 * share, 2), share);
}

std::vector<TableColumn> columnsOf(RooflineGrouping grouping, const UnitChoice& time) {
    constexpr std::array titles{"Operation", "Layer", "Stage"};
    std::vector<TableColumn> columns;
    const auto addText = [&](const char* title, ColumnKind kind = ColumnKind::Text) -> TableColumn& {
        TableColumn column;
        column.title = QLatin1String(title);
        column.kind = kind;
        return columns.emplace_back(std::move(column));
    };
    TableColumn& name = addText(titles[std::size_t(grouping)]);
    name.width = 180;
    name.isElastic = true;
    if (grouping == RooflineGrouping::Operation) {
        addText("Kind");
        addText("Phase");
    } else {
        columns.push_back(numberColumn(QStringLiteral("Operations")));
    }
    addText("Stage", ColumnKind::Chip);
    addText("Precision");
    const auto add = [&](const char* title, const char* unit, const char* tip) {
        columns.push_back(numberColumn(QLatin1String(title), QLatin1String(tip)));
        columns.back().unit = QString::fromUtf8(unit);
    };
    add("Intensity", "FLOP/byte", "FLOP per byte that the tiles could receive while the exchange lasts");
    add("Achieved", "TFLOP/s", "While it runs, on one IPU");
    add("Of roof", "%", "Share of what intensity and precision allow");
    add("Of peak", "%", "Share of the peak of the matrix units at its precision");
    addText("Bound").toolTip = QStringLiteral("Which roof is above it");
    add("Time per step", "", "All its runs in one weight update of one replica");
    columns.back().unit = time.name;
    add("MFU", "%", "Share of what its IPU could compute in the step; what is recomputed does not count");
    return columns;
}

std::vector<std::pair<QString, NumberExplanation>> rooflineExplanations(const core::Roofline& roofline,
                                                                        const Units& units) {
    const auto title = [](const char* text) { return QString::fromUtf8(text); };
    const auto input = [](const char* text) { return NumberExplanation::Input{QString::fromUtf8(text)}; };
    const TimeScale scale{roofline.clockHz, roofline.step};
    const NumberExplanation::Input step{title("step"), timeText(roofline.step, units.time, scale).joined(),
                                        title("One weight update."), "step_cycles"};
    const NumberExplanation::Input exchange{title("exchange of an IPU"),
                                            fixedText(roofline.bytesPerCycle * roofline.clockHz / tera, 2) +
                                                thinSpace + title("TB/s"),
                                            title("What all its tiles receive at most.")};
    std::vector<NumberExplanation::Input> peaks;
    for (const core::ComputeRoof& roof : roofline.roofs)
        peaks.push_back({title("peak, ") + toQString(roof.precision),
                         fixedText(double(roof.perCycle.value()) * roofline.clockHz / tera, 2) + thinSpace +
                             title("TFLOP/s"),
                         title("Of the matrix units of one IPU.")});
    const auto withPeaks = [&](std::vector<NumberExplanation::Input> inputs) {
        inputs.insert(inputs.end(), peaks.begin(), peaks.end());
        return inputs;
    };
    return {
        {title("Operations"),
         {title("Operations of the program that are summed up here."),
          {},
          {},
          title("All operations of the program.")}},
        {title("Intensity"),
         {title("How much is computed for what the tiles exchange."),
          title("floating-point operations / (cycles of exchange · bytes that all tiles receive in a cycle)"),
          {exchange},
          title(
              "Above the ridge, peak / exchange, computing is what one waits for; below it the exchange.")}},
        {title("Achieved"),
         {title("How fast it computes while it runs, on one IPU."),
          title("floating-point operations / Time per step"), withPeaks({input("Time per step")}),
          title("The lower of the peak and Intensity · exchange of an IPU.")}},
        {title("Of roof"),
         {title("How near it comes to what intensity and precision allow."),
          title("100 · Achieved / the lower of peak and Intensity · exchange of an IPU"),
          withPeaks({input("Achieved"), input("Intensity"), exchange}),
          title("100 %: no waiting and no badly spread work.")}},
        {title("Of peak"),
         {title("How near it comes to the peak of the matrix units."), title("100 · Achieved / peak"),
          withPeaks({input("Achieved")}), title("100 %, where the exchange is none.")}},
        {title("Time per step"),
         {title("All its runs in one weight update of one replica."),
          title("(compute + exchange + sync) · runs"),
          {step},
          title("The busy time of its IPU.")}},
        {title("MFU"),
         {title("Share of what its IPU could compute in the step; what is only recomputed does not count."),
          title("100 · cycles that the needed operations take at the peak / step"), withPeaks({step}),
          title("100 %: nothing waits, and everything runs at the peak.")}},
    };
}

TableCell nameCell(const core::RooflinePoint& point) {
    TableCell cell = textCell(toQString(point.name));
    cell.isLink = !point.layer.empty();
    return cell;
}

std::vector<TableCell> rowOf(const core::Roofline& roofline, const core::RooflinePoint& point,
                             RooflineGrouping grouping, const UnitChoice& time) {
    std::vector<TableCell> row{nameCell(point)};
    if (grouping == RooflineGrouping::Operation) {
        row.push_back(textCell(toQString(point.kind)));
        row.push_back(textCell(point.phase ? activityName(activityOf(*point.phase)) : QString()));
    } else {
        row.push_back(numberCell(groupedText(point.operations), double(point.operations)));
    }
    row.push_back(point.stage.isValid() ? stageCell(point.stage.index(), QString::number(point.stage.index()))
                                        : dashCell());
    row.push_back(textCell(toQString(point.precision)));
    const bool computes = point.flops.value() > 0;
    const auto intensity = point.intensity();
    const double rate = point.flopsPerCycle() * roofline.clockHz;
    row.push_back(computes && intensity ? numberCell(compactText(*intensity), *intensity) : dashCell());
    row.push_back(computes ? numberCell(fixedText(rate / tera, 3), rate) : dashCell());
    row.push_back(computes ? shareCell(point.shareOfRoof()) : dashCell());
    row.push_back(computes ? shareCell(point.shareOfPeak()) : dashCell());
    row.push_back(computes ? textCell(boundName(point)) : dashCell());
    row.push_back(cyclesCell(point.cycles(), time));
    row.push_back(computes ? shareCell(roofline.shareOfStep(point)) : dashCell());
    return row;
}

} // namespace

const std::vector<core::RooflinePoint>& pointsOf(const core::Roofline& roofline, RooflineGrouping grouping) {
    switch (grouping) {
    case RooflineGrouping::Operation:
        return roofline.operations;
    case RooflineGrouping::Layer:
        return roofline.layers;
    case RooflineGrouping::Stage:
        break;
    }
    return roofline.stages;
}

NumberText flopRateText(double flopsPerSecond) {
    constexpr std::array units{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"};
    std::size_t unit = 0;
    while (flopsPerSecond >= 1000 && unit + 1 < units.size()) {
        flopsPerSecond /= 1000;
        ++unit;
    }
    return {compactText(flopsPerSecond), QLatin1String(units[unit])};
}

TableContent rooflineTable(const core::Roofline& roofline, RooflineGrouping grouping,
                           const std::vector<std::size_t>& rows, const Units& units) {
    const auto& points = pointsOf(roofline, grouping);
    const TimeScale scale{roofline.clockHz, roofline.step};
    core::Cycles longest;
    for (const std::size_t row : rows)
        longest = std::max(longest, points[row].cycles());
    const UnitChoice time = timeUnitFor(longest, units.time, scale);
    TableContent table;
    table.columns = columnsOf(grouping, time);
    const std::size_t timeColumn = table.columns.size() - 2;
    std::vector<core::Cycles> cycles;
    for (const std::size_t row : rows) {
        table.rows.push_back(rowOf(roofline, points[row], grouping, time));
        cycles.push_back(points[row].cycles());
    }
    constexpr std::array names{"operations", "layers", "stages"};
    table.footerOf = [=, columns = table.columns.size()](const std::vector<std::size_t>& shown) {
        core::Cycles sum;
        for (const std::size_t row : shown)
            sum += cycles[row];
        std::vector<TableCell> footer(columns);
        footer[0] = textCell(QStringLiteral("%1 %2").arg(groupedText(std::int64_t(shown.size())),
                                                         QLatin1String(names[std::size_t(grouping)])));
        footer[timeColumn] = cyclesCell(sum, time);
        return footer;
    };
    std::vector<std::size_t> all(rows.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    table.footer = table.footerOf(all);
    explainColumns(table, rooflineExplanations(roofline, units));
    return table;
}

QString rooflineFigures(const core::Roofline& roofline, RooflineGrouping grouping) {
    const auto& points = pointsOf(roofline, grouping);
    const auto idle = std::ranges::count_if(
        points, [](const core::RooflinePoint& point) { return point.flops.value() == 0; });
    QString text = QStringLiteral("MFU ") + percentText(roofline.shareOfStep(), 2);
    if (idle > 0)
        text += QStringLiteral(" · %1 of %2 without FLOPs")
                    .arg(groupedText(idle), groupedText(std::int64_t(points.size())));
    return text;
}

ToolTipContent rooflineToolTip(const core::Roofline& roofline, const core::RooflinePoint& point,
                               const Units& units) {
    const TimeScale scale{roofline.clockHz, roofline.step};
    ToolTipContent content;
    content.title = toQString(point.name);
    const auto add = [&](const QString& name, const QString& value) {
        content.rows.push_back({name, value});
    };
    if (!point.kind.empty())
        add(QStringLiteral("Kind"), toQString(point.kind));
    if (point.phase)
        add(QStringLiteral("Phase"), activityName(activityOf(*point.phase)));
    if (!point.layer.empty() && point.layer != point.name)
        add(QStringLiteral("Layer"), toQString(point.layer));
    const auto intensity = point.intensity();
    add(QStringLiteral("Intensity"),
        intensity ? compactText(*intensity) + QStringLiteral(" FLOP/byte") : QStringLiteral("no exchange"));
    add(QStringLiteral("Achieved"),
        flopRateText(point.flopsPerCycle() * roofline.clockHz).joined() +
            (point.precision.empty() ? QString() : QStringLiteral(", ") + toQString(point.precision)));
    add(QStringLiteral("Of roof"),
        percentText(point.shareOfRoof(), 2) + QStringLiteral(", ") + boundName(point));
    add(QStringLiteral("Of peak"), percentText(point.shareOfPeak(), 2));
    add(QStringLiteral("Time per step"), timeText(point.cycles(), units.time, scale).joined());
    content.footer = QStringLiteral("compute %1, exchange %2, sync %3")
                         .arg(shareWords(point.compute, point), shareWords(point.exchange, point),
                              shareWords(point.sync, point));
    return content;
}

} // namespace views
