#include "views/comparison/trace_table.h"

#include "views/common/text/number_text.h"
#include "views/profile/tables/number_card.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

TableCell countCell(const core::EventFigures& figures) {
    return figures.count == 0 ? dashCell()
                              : numberCell(groupedText(figures.count), core::real(figures.count));
}

TableCell meanCell(const core::EventFigures& figures) {
    return figures.count == 0 ? dashCell() : numberCell(fixedText(figures.mean() / 1e3, 3), figures.mean());
}

} // namespace

TableContent traceTable(const std::vector<core::ComparedEvents>& events, const QString& run,
                        const QString& trace) {
    const auto number = [](const QString& title, const QString& unit, const QString& toolTip) {
        return TableColumn{title, ColumnKind::Number, unit, 0, toolTip, false};
    };
    const QString mean = QStringLiteral("µs");
    TableContent content;
    content.columns = {{QStringLiteral("Lane"), ColumnKind::Text, {}, 130, {}, false},
                       {QStringLiteral("Name"), ColumnKind::Text, {}, 130, {}, true},
                       number(QStringLiteral("A count"), {}, run),
                       number(QStringLiteral("T count"), {}, trace),
                       number(QStringLiteral("A mean"), mean, run),
                       number(QStringLiteral("T mean"), mean, trace),
                       {QString(), ColumnKind::SignedBar, {}, 56, {}, false},
                       number(QStringLiteral("Δ T − A"), QStringLiteral("%"),
                              QStringLiteral("By how much one slice of the trace lasts longer"))};
    for (const core::ComparedEvents& row : events) {
        TableCell bar;
        TableCell delta = dashCell();
        if (row.run.count > 0 && row.trace.count > 0 && row.run.mean() > 0) {
            const double relative = row.trace.mean() / row.run.mean() - 1;
            bar.signedShare = std::clamp(relative / 0.5, -1.0, 1.0);
            bar.isBetter = relative <= 0;
            bar.sort = relative;
            delta = numberCell(signedText(100 * relative, 1), relative);
            delta.isMuted = std::abs(relative) < 0.0005;
        }
        content.rows.push_back({textCell(toQString(row.lane)), textCell(toQString(row.name)),
                                countCell(row.run), countCell(row.trace), meanCell(row.run),
                                meanCell(row.trace), bar, delta});
    }
    const auto input = [](const char* title) { return NumberExplanation::Input{QString::fromUtf8(title)}; };
    const QString slices = QStringLiteral("Slices of this name on this lane in ");
    const QString length = QStringLiteral("How long such a slice lasts in the mean, in ");
    const QString meanOf = QStringLiteral("the sum of their durations / their number");
    explainColumns(
        content,
        {{QStringLiteral("A count"), {slices + run + QLatin1Char('.'), {}, {}, {}}},
         {QStringLiteral("T count"), {slices + trace + QLatin1Char('.'), {}, {}, {}}},
         {QStringLiteral("A mean"), {length + run + QLatin1Char('.'), meanOf, {input("A count")}, {}}},
         {QStringLiteral("T mean"), {length + trace + QLatin1Char('.'), meanOf, {input("T count")}, {}}},
         {QStringLiteral("Δ T − A"),
          {QStringLiteral("By how much one slice of the trace lasts longer."),
           QStringLiteral("100 · (T mean / A mean − 1)"),
           {input("T mean"), input("A mean")},
           QStringLiteral("0 %: both last as long.")}}});
    return content;
}

} // namespace views
