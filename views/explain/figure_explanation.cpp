#include "views/explain/figure_explanation.h"

#include <cmath>

namespace views {

namespace {

TimeScale scaleOf(const core::RunSummary& summary) {
    return {summary.provenance.clockHz, summary.step};
}

bool isWhole(double value) {
    constexpr double exact = 9e15;
    return value == std::floor(value) && std::abs(value) < exact;
}

QString plainNumber(double value) {
    return isWhole(value) ? groupedText(static_cast<std::int64_t>(value)) : compactText(value);
}

QString coloured(const QString& text, const QColor& colour) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), text.toHtmlEscaped());
}

/// The whole number behind a value that is read in another unit.
QString exactValue(double value, const std::string& unit, const QString& shown) {
    if ((unit != "cycles" && unit != "bytes") || !isWhole(value))
        return {};
    const QString exact = groupedText(static_cast<std::int64_t>(value)) + thinSpace + toQString(unit);
    return exact == shown ? QString() : exact;
}

QString inputRows(const core::RunSummary& summary, const core::MetricExplanation& explanation,
                  const Units& units, const Theme& theme) {
    QString rows;
    const core::MetricExplainer explainer(summary);
    for (const core::ExplainedInput& input : explanation.inputs) {
        const QString name = toQString(input.name).toHtmlEscaped();
        const bool isFigure = explainer.has(input.name);
        const QString value = figureValue(input.name, input.value, input.unit, units, scaleOf(summary));
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=\"right\"><b>%2</b>&nbsp;&nbsp;</td>"
                               "<td>%3</td></tr>")
                    .arg(isFigure ? QStringLiteral("<a href=\"%1\" style=\"color:%2\">%1</a>")
                                        .arg(name, theme.color(Role::AccentText).name())
                                  : name,
                         value.toHtmlEscaped(), coloured(toQString(input.meaning), theme.color(Role::Text2)));
    }
    return rows;
}

} // namespace

QString figureValue(const std::string& metric, double value, const std::string& unit, const Units& units,
                    const TimeScale& scale) {
    if (!std::isfinite(value))
        return dashCell().text;
    if (unit == "cycles")
        return timeText(core::Cycles(std::llround(value)), units.time, scale).joined();
    if (unit == "bytes")
        return bytesText(core::Bytes(std::llround(value)), units.bytes).joined();
    if (unit.empty() && metric.ends_with("_fraction"))
        return percentText(value, 2);
    if (unit == "1/s") // behind a number that reads as one more digit
        return plainNumber(value) + thinSpace + QStringLiteral("/s");
    return unit.empty() ? plainNumber(value) : plainNumber(value) + thinSpace + toQString(unit);
}

TableContent figureTable(const core::RunSummary& summary, const Units& units) {
    TableContent table;
    table.columns = {
        {QStringLiteral("Figure"), ColumnKind::Text, {}, 0, {}, true},
        numberColumn(QStringLiteral("Value")),
        numberColumn(QStringLiteral("Of its bound"), QStringLiteral("Value over what it should approach"))};
    const core::MetricExplainer explainer(summary);
    for (const std::string& name : explainer.metrics()) {
        const auto explanation = explainer.explain(name);
        const double value = explanation->value;
        const bool hasBound = explanation->bound && *explanation->bound > 0;
        table.rows.push_back(
            {textCell(toQString(name)),
             numberCell(figureValue(name, value, explanation->unit, units, scaleOf(summary)), value),
             hasBound ? numberCell(percentText(value / *explanation->bound), value / *explanation->bound)
                      : dashCell()});
    }
    return table;
}

QString figurePage(const core::RunSummary& summary, const core::MetricExplanation& explanation,
                   const Units& units, const Theme& theme) {
    const auto valueOf = [&](double value) {
        return figureValue(explanation.metric, value, explanation.unit, units, scaleOf(summary));
    };
    const QColor soft = theme.color(Role::Text2);
    const QString value = valueOf(explanation.value);
    const QString exact = exactValue(explanation.value, explanation.unit, value);
    QString page =
        QStringLiteral(
            "<p style=\"font-size:15px\"><b>%1</b>&nbsp;&nbsp;=&nbsp;&nbsp;<b>%2</b>%3</p><p>%4</p>")
            .arg(toQString(explanation.metric).toHtmlEscaped(), value.toHtmlEscaped(),
                 exact.isEmpty() ? QString() : QStringLiteral("&nbsp;&nbsp;") + coloured(exact, soft),
                 toQString(explanation.meaning).toHtmlEscaped());
    page += QStringLiteral("<p>%1 %2</p>")
                .arg(coloured(QStringLiteral("="), soft), toQString(explanation.formula).toHtmlEscaped());
    if (!explanation.inputs.empty())
        page += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\">%1</table>")
                    .arg(inputRows(summary, explanation, units, theme));
    if (!explanation.boundMeaning.empty())
        page += QStringLiteral("<p>%1 %2%3</p>")
                    .arg(coloured(explanation.bound ? toQString(explanation.boundVerb())
                                                    : QStringLiteral("Bound:"),
                                  soft),
                         explanation.bound
                             ? QStringLiteral("<b>%1</b>: ").arg(valueOf(*explanation.bound).toHtmlEscaped())
                             : QString(),
                         toQString(explanation.boundMeaning).toHtmlEscaped());
    return page;
}

} // namespace views
