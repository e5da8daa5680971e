#include "views/profile/tables/table_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"

#include <algorithm>
#include <numeric>

namespace views {

namespace {

constexpr double rowHeight = 22;
constexpr double headerHeight = 24;
constexpr double padding = 8;
constexpr double barWidth = 44;
constexpr double leastElastic = 96;

class TablePass {
public:
    TablePass(QPainter& painter, const QRectF& rect, const TableContent& content, const Theme& theme)
        : m_painter(painter)
        , m_rect(rect)
        , m_content(content)
        , m_theme(theme)
        , m_widths(widths()) {}

    void run() {
        paintHeader();
        const double pitch = m_theme.px(rowHeight);
        double top = m_rect.top() + m_theme.px(headerHeight);
        const bool hasFooter = !m_content.footer.empty();
        const auto space = static_cast<std::size_t>(std::max(0.0, (m_rect.bottom() - top) / pitch));
        const std::size_t wanted = m_content.rows.size() + (hasFooter ? 1 : 0);
        std::size_t shown = m_content.rows.size();
        if (wanted > space)
            shown = std::min(shown, space - std::min<std::size_t>(space, hasFooter ? 2 : 1));
        for (std::size_t i = 0; i < shown; ++i, top += pitch) {
            const QRectF row(m_rect.left(), top, m_rect.width(), pitch);
            if (i % 2 == 1)
                m_painter.fillRect(row, m_theme.color(Role::RowAlt));
            paintRow(row, m_content.rows[i], QFont::Normal);
        }
        if (shown < m_content.rows.size()) {
            text(QRectF(m_rect.left(), top, m_rect.width(), pitch).adjusted(m_theme.px(padding), 0, 0, 0),
                 Qt::AlignLeft | Qt::AlignVCenter,
                 QStringLiteral("and %1 more rows").arg(m_content.rows.size() - shown), m_theme.font(11),
                 m_theme.color(Role::Text3));
            top += pitch;
        }
        if (hasFooter && space > 0) {
            m_painter.fillRect(QRectF(m_rect.left(), top, m_rect.width(), 1),
                               m_theme.color(Role::BorderStrong));
            paintRow(QRectF(m_rect.left(), top, m_rect.width(), pitch), m_content.footer, QFont::DemiBold);
        }
    }

private:
    void text(const QRectF& rect, Qt::Alignment alignment, const QString& text, const QFont& font,
              const QColor& colour) {
        m_painter.setPen(colour);
        paintElided(m_painter, rect, alignment, text, font);
    }

    [[nodiscard]] QFont fontOf(const TableColumn& column, int weight = QFont::Normal) const {
        return column.kind == ColumnKind::Number ? m_theme.mono(11, weight) : m_theme.font(12, weight);
    }

    [[nodiscard]] QString titleOf(const TableColumn& column) const {
        return column.unit.isEmpty() ? column.title : column.title + QLatin1Char(' ') + column.unit;
    }

    /// What the texts of a column need.
    [[nodiscard]] double contentWidth(std::size_t index) const {
        const TableColumn& column = m_content.columns[index];
        double width = textWidth(titleOf(column), m_theme.font(11));
        if (column.kind == ColumnKind::SignedBar || column.kind == ColumnKind::StackedBar ||
            column.kind == ColumnKind::Waterfall)
            width = std::max(width, m_theme.px(barWidth));
        const auto measure = [&](const std::vector<TableCell>& row) {
            if (index >= row.size())
                return;
            double needed = textWidth(row[index].text, fontOf(column));
            if (row[index].stage)
                needed += stageChipSide(m_theme) + m_theme.px(6);
            if (column.kind == ColumnKind::Chip)
                needed = chipWidth(row[index].text, m_theme) - m_theme.px(4);
            width = std::max(width, needed);
        };
        std::for_each(m_content.rows.begin(), m_content.rows.end(), measure);
        measure(m_content.footer);
        return width + m_theme.px(2 * padding);
    }

    /// As wide as wished where there is space, else as their texts; the elastic columns take the rest, or
    /// give.
    [[nodiscard]] std::vector<double> widths() const {
        std::vector<double> widths;
        std::vector<double> needed;
        for (std::size_t i = 0; i < m_content.columns.size(); ++i) {
            needed.push_back(contentWidth(i));
            widths.push_back(std::max(needed[i], m_theme.px(m_content.columns[i].width)));
        }
        const auto sum = [](const std::vector<double>& list) {
            return std::accumulate(list.begin(), list.end(), 0.0);
        };
        if (sum(widths) > m_rect.width())
            widths = needed;
        // Bars only repeat what the numbers say.
        for (std::size_t i = 0; i < widths.size() && sum(widths) > m_rect.width(); ++i) {
            if (m_content.columns[i].kind == ColumnKind::SignedBar)
                widths[i] = 0;
        }
        const double rest = m_rect.width() - sum(widths);
        const auto elastic = std::count_if(m_content.columns.begin(), m_content.columns.end(),
                                           [](const TableColumn& column) { return column.isElastic; });
        for (std::size_t i = 0; i < widths.size() && elastic > 0; ++i) {
            if (m_content.columns[i].isElastic)
                widths[i] = std::max(std::min(widths[i], m_theme.px(leastElastic)),
                                     widths[i] + rest / double(elastic));
        }
        double used = 0;
        for (double& width : widths) {
            used += width;
            if (used > m_rect.width() + 0.5)
                width = 0;
        }
        return widths;
    }

    void paintHeader() {
        const QRectF header(m_rect.left(), m_rect.top(), m_rect.width(), m_theme.px(headerHeight));
        m_painter.fillRect(QRectF(header.left(), header.bottom() - 1, header.width(), 1),
                           m_theme.color(Role::Border));
        double x = m_rect.left();
        for (std::size_t i = 0; i < m_widths.size(); x += m_widths[i], ++i) {
            const TableColumn& column = m_content.columns[i];
            const QRectF cell = inner(QRectF(x, header.top(), m_widths[i], header.height()));
            text(cell, alignmentOf(column) | Qt::AlignVCenter, titleOf(column), m_theme.font(11),
                 m_theme.color(Role::Text2));
        }
    }

    [[nodiscard]] QRectF inner(const QRectF& cell) const {
        return cell.adjusted(m_theme.px(padding), 0, -m_theme.px(padding), 0);
    }

    static Qt::Alignment alignmentOf(const TableColumn& column) {
        return column.kind == ColumnKind::Number ? Qt::AlignRight : Qt::AlignLeft;
    }

    void paintRow(const QRectF& row, const std::vector<TableCell>& cells, int weight) {
        double x = m_rect.left();
        for (std::size_t i = 0; i < m_widths.size() && i < cells.size(); x += m_widths[i], ++i) {
            if (m_widths[i] > 0)
                paintCell(QRectF(x, row.top(), m_widths[i], row.height()), m_content.columns[i], cells[i],
                          weight);
        }
    }

    void paintCell(const QRectF& cell, const TableColumn& column, const TableCell& value, int weight) {
        QRectF rect = inner(cell);
        if (column.kind == ColumnKind::SignedBar) {
            if (value.signedShare)
                paintSignedBar(
                    m_painter,
                    QRectF(rect.left(), rect.center().y() - m_theme.px(4), rect.width(), m_theme.px(8)),
                    *value.signedShare, value.isBetter.value_or(true), m_theme);
            return;
        }
        if (column.kind == ColumnKind::Waterfall) {
            if (value.way)
                paintWaterfallRow(m_painter, QRectF(rect.left(), cell.top(), rect.width(), cell.height()),
                                  value.way->first, value.way->second, value.isBetter.value_or(true),
                                  weight == QFont::Normal, m_theme);
            return;
        }
        if (column.kind == ColumnKind::StackedBar) {
            paintGauge(m_painter,
                       QRectF(rect.left(), rect.center().y() - m_theme.px(5), rect.width(), m_theme.px(10)),
                       {value.bar ? value.bar(m_theme) : std::vector<GaugeSegment>(), {}, {}, {}}, m_theme);
            return;
        }
        if (column.kind == ColumnKind::Chip && value.tone && *value.tone != ChipTone::Neutral) {
            const double width = std::min(chipWidth(value.text, m_theme), cell.width() - m_theme.px(4));
            const double height = m_theme.px(18);
            paintChip(m_painter,
                      QRectF(rect.left() - m_theme.px(6), rect.center().y() - height / 2, width, height),
                      value.text, *value.tone, m_theme);
            return;
        }
        if (value.stage) {
            const double side = stageChipSide(m_theme);
            paintStageChip(m_painter, QRectF(rect.left(), rect.center().y() - side / 2, side, side),
                           *value.stage, m_theme);
            rect.setLeft(rect.left() + side + m_theme.px(6));
        }
        text(rect, alignmentOf(column) | Qt::AlignVCenter, value.text, fontOf(column, weight),
             colourOf(value));
    }

    [[nodiscard]] QColor colourOf(const TableCell& value) const {
        if (value.isBetter)
            return m_theme.color(*value.isBetter ? Role::Success : Role::Error);
        return m_theme.color(value.isMuted ? Role::Text3 : Role::Text);
    }

    QPainter& m_painter;
    QRectF m_rect;
    const TableContent& m_content;
    const Theme& m_theme;
    std::vector<double> m_widths;
};

} // namespace

void paintTable(QPainter& painter, const QRectF& rect, const TableContent& content, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    TablePass(painter, rect, content, theme).run();
    painter.restore();
}

double tableHeight(std::size_t rows, const Theme& theme) {
    return theme.px(headerHeight) + double(rows) * theme.px(rowHeight);
}

} // namespace views
