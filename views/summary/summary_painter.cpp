#include "views/summary/summary_painter.h"

#include "core/profile/records/span_label.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"
#include "views/profile/legend_bar.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

constexpr double pictureWidth = 1000;

constexpr std::array answerIcons{"time", "hand", "memory", "compare"};

class SummaryPainting {
public:
    SummaryPainting(QPainter& painter, const SummaryScene& scene, const SummaryPage& page, const Theme& theme,
                    const QRectF& clip)
        : m_painter(painter)
        , m_scene(scene)
        , m_data(*scene.data)
        , m_page(page)
        , m_theme(theme)
        , m_clip(clip) {}

    void paint() {
        m_painter.save();
        m_painter.fillRect(QRectF(0, 0, m_page.width(), std::max(m_page.height(), m_clip.bottom())),
                           m_theme.color(Role::Canvas));
        text(m_page.title(), summaryTitle(m_data), m_theme.font(18, QFont::DemiBold), Role::Text);
        wrapped(m_page.origin(), summaryOrigin(m_data), m_theme.font(12), Role::Text2);
        const std::vector<SummaryFigure> figures = summaryFigures(m_scene);
        for (std::size_t i = 0; i < figures.size(); ++i)
            paintFigure(m_page.figures()[i], figures[i], m_scene.hoveredFigure == i,
                        m_scene.focusedFigure == i);
        for (std::size_t answer = 0; answer < m_page.answers().size(); ++answer)
            if (m_page.answers()[answer].intersects(m_clip))
                paintAnswer(answer);
        if (m_page.idle().intersects(m_clip))
            paintIdle();
        if (m_page.peak().intersects(m_clip))
            paintPeak();
        if (m_page.timeline().intersects(m_clip))
            paintStep();
        m_painter.restore();
    }

private:
    void text(const QRectF& rect, const QString& text, const QFont& font, Role role,
              Qt::Alignment alignment = Qt::AlignLeft) {
        m_painter.setPen(m_theme.color(role));
        paintElided(m_painter, rect, alignment | Qt::AlignVCenter, text, font);
    }
    void wrapped(const QRectF& rect, const QString& text, const QFont& font, Role role) {
        m_painter.setPen(m_theme.color(role));
        m_painter.setFont(font);
        m_painter.drawText(rect, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, text);
    }

    void card(const QRectF& rect, Role fill, Role frame, double width) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(m_theme.color(frame), width));
        m_painter.setBrush(m_theme.color(fill));
        m_painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), m_theme.px(6), m_theme.px(6));
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void focusRing(const QRectF& rect) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(m_theme.color(Role::Accent), 2));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), m_theme.px(5), m_theme.px(5));
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }

    void paintFigure(const QRectF& rect, const SummaryFigure& figure, bool isHovered, bool isFocused) {
        card(rect, isHovered ? Role::Hover : Role::Panel, isHovered ? Role::BorderStrong : Role::Border,
             m_theme.frameWidth());
        if (isFocused)
            focusRing(rect);
        const QRectF inside = rect.adjusted(m_theme.px(10), m_theme.px(7), -m_theme.px(10), -m_theme.px(7));
        text(QRectF(inside.left(), inside.top(), inside.width(), m_theme.px(15)), figure.name,
             m_theme.font(11), Role::Text2);
        text(QRectF(inside.left(), inside.top() + m_theme.px(17), inside.width(), m_theme.px(20)),
             figure.value, m_theme.mono(14, QFont::DemiBold), figure.isTrouble ? Role::Error : Role::Text);
        text(QRectF(inside.left(), inside.bottom() - m_theme.px(15), inside.width(), m_theme.px(15)),
             figure.range, m_theme.font(11), Role::Text2);
    }

    void paintAnswer(std::size_t answer) {
        const auto& clauses = m_data.verdict.clauses;
        const bool isAdvice = answer >= clauses.size();
        const bool isTrouble = !isAdvice && clauses[answer].isTrouble;
        const bool isHovered = m_scene.hovered == answer;
        const QRectF rect = m_page.answers()[answer];
        card(rect,
             isAdvice    ? Role::AccentSoft
             : isHovered ? Role::Hover
                         : Role::Panel,
             isTrouble   ? Role::Error
             : isHovered ? Role::BorderStrong
                         : Role::Border,
             m_theme.frameWidth());
        if (m_scene.focused == answer)
            focusRing(rect);
        const QRectF headline = m_page.headline(answer);
        const QRectF head(headline.left(), headline.top() - m_theme.px(20), headline.width(), m_theme.px(16));
        const QString iconName =
            isAdvice ? QStringLiteral("bulb")
                     : QString::fromLatin1(answerIcons[static_cast<std::size_t>(clauses[answer].question)]);
        const double side = m_theme.px(14);
        paintIcon(m_painter, QRectF(head.left(), head.center().y() - side / 2, side, side), iconName,
                  m_theme.color(isTrouble ? Role::Error : Role::Text2));
        text(head.adjusted(side + m_theme.px(6), 0, 0, 0), questionText(m_scene, answer),
             m_theme.font(11, QFont::DemiBold), Role::Text2);
        wrapped(headline, headlineText(m_scene, answer), m_theme.font(14, QFont::DemiBold),
                isTrouble ? Role::Error : Role::Text);
        wrapped(m_page.detail(answer), detailText(m_scene, answer), m_theme.font(12), Role::Text2);
    }

    /// Title and what it says below; answers where the content begins.
    double blockHead(const QRectF& rect, const QString& title, const QString& note) {
        text(QRectF(rect.left(), rect.top(), rect.width(), m_theme.px(20)), title,
             m_theme.font(13, QFont::DemiBold), Role::Text);
        text(QRectF(rect.left(), rect.top() + m_theme.px(20), rect.width(), m_theme.px(18)), note,
             m_theme.font(11), Role::Text2);
        return rect.top() + m_theme.px(summaryBlockHead);
    }

    void swatch(const QRectF& row, const QColor& colour, HatchPattern pattern) {
        const double side = m_theme.px(12);
        paintSwatch(m_painter, QRectF(row.left(), row.center().y() - side / 2, side, side), colour, pattern,
                    m_theme);
    }

    /// Name with its swatch, then figures in columns from the right.
    void figureRow(const QRectF& row, const QString& name, const std::vector<QString>& values, bool hasSwatch,
                   const QFont& font) {
        const double column = m_theme.px(84);
        const double left = row.left() + (hasSwatch ? m_theme.px(20) : 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double right = row.right() - column * static_cast<double>(values.size() - 1 - i);
            text(QRectF(right - column, row.top(), column, row.height()), values[i], m_theme.mono(11),
                 Role::Text, Qt::AlignRight);
        }
        const double end = row.right() - column * static_cast<double>(values.size()) - m_theme.px(8);
        text(QRectF(left, row.top(), std::max(0.0, end - left), row.height()), name, font, Role::Text);
    }

    static QString timeIn(const UnitChoice& unit, core::Cycles cycles) {
        return inUnit(cycles.value(), unit).joined();
    }

    void paintIdle() {
        const QRectF block = m_page.idle();
        const core::Cycles whole = m_data.allTime();
        const std::vector<IdleShare> shares = idleShares(m_data);
        const auto ipus = m_data.summary.provenance.ipusPerReplica;
        double y = blockHead(
            block, QStringLiteral("Idle by cause"),
            QStringLiteral("of %1 × %2, the time of a step on every IPU of a replica")
                .arg(ipus)
                .arg(timeText(m_data.summary.step, m_scene.units.time, m_data.timeScale()).joined()));
        const double height = m_theme.px(summaryRow);
        const UnitChoice unit = timeUnitFor(whole, m_scene.units.time, m_data.timeScale());
        core::Cycles idle;
        for (const IdleShare& share : shares) {
            idle += share.cycles;
            const QRectF row(block.left(), y, block.width(), height);
            swatch(row, m_theme.idleFill(share.cause), Theme::idlePattern(share.cause));
            QString name = toQString(core::idleCauseLabel(share.cause));
            if (!name.isEmpty())
                name[0] = name[0].toUpper();
            figureRow(row, name, {timeIn(unit, share.cycles), percentText(ratio(share.cycles, whole))}, true,
                      m_theme.font(12));
            y += height;
        }
        figureRow(QRectF(block.left(), y, block.width(), height), QStringLiteral("Busy"),
                  {timeIn(unit, whole - idle), percentText(ratio(whole - idle, whole))}, true,
                  m_theme.font(12));
        y += height + m_theme.px(8);
        paintLanes(block, y);
    }

    /// What every IPU does, in one bar each.
    void paintLanes(const QRectF& block, double y) {
        const double height = m_theme.px(summaryLaneHeight(m_data.lanes.size()));
        const bool isNamed = height >= m_theme.px(12);
        const double left = block.left() + m_theme.px(isNamed ? 46 : 0);
        for (const core::LaneStatistics& lane : m_data.lanes) {
            if (isNamed)
                text(QRectF(block.left(), y, m_theme.px(42), height),
                     QStringLiteral("IPU %1").arg(lane.ipu.value()), m_theme.font(11), Role::Text2);
            Gauge gauge;
            for (std::size_t i = 0; i < core::spanKindCount; ++i)
                if (const auto activity = activityOf(static_cast<core::SpanKind>(i));
                    activity && lane.byKind[i].value() > 0)
                    gauge.segments.push_back({ratio(lane.byKind[i], m_data.summary.step),
                                              m_theme.activity(*activity),
                                              m_theme.activityHatch(*activity),
                                              {}});
            for (std::size_t i = 0; i < core::idleCauseCount; ++i)
                if (lane.idleByCause[i].value() > 0) {
                    const auto cause = static_cast<core::IdleCause>(i);
                    gauge.segments.push_back({ratio(lane.idleByCause[i], m_data.summary.step),
                                              m_theme.idleFill(cause), Theme::idlePattern(cause),
                                              m_theme.idleHatch(cause)});
                }
            paintGauge(m_painter, QRectF(left, y, block.right() - left, height), gauge, m_theme);
            y += height + m_theme.px(2);
        }
    }

    void paintPeak() {
        const QRectF block = m_page.peak();
        const core::IpuMemorySummary* fullest = m_data.fullest();
        if (fullest == nullptr) {
            blockHead(block, QStringLiteral("Peak"), QStringLiteral("recorded without memory"));
            return;
        }
        const ByteUnit unit = m_scene.units.bytes;
        double y = blockHead(block, QStringLiteral("Peak of IPU %1").arg(fullest->ipu.value()),
                             QStringLiteral("%1 of %2, %3; what holds it")
                                 .arg(bytesText(fullest->peak, unit).joined(),
                                      bytesText(fullest->limit, unit).joined(),
                                      percentText(ratio(fullest->peak, fullest->limit))));
        const core::Bytes scale = std::max(fullest->peak, fullest->limit);
        Gauge gauge;
        for (std::size_t i = 0; i < fullest->byCategory.size(); ++i)
            if (fullest->byCategory[i].value() > 0)
                gauge.segments.push_back({ratio(fullest->byCategory[i], scale),
                                          m_theme.category(static_cast<core::MemoryCategory>(i)),
                                          HatchPattern::None,
                                          {}});
        gauge.limit = ratio(fullest->limit, scale);
        paintGauge(m_painter, QRectF(block.left(), y, block.width(), m_theme.px(14)), gauge, m_theme);
        y += m_theme.px(24);
        const double height = m_theme.px(summaryRow);
        const UnitChoice choice = byteUnitFor(fullest->peak, unit);
        const auto row = [&](const QString& name, core::Bytes bytes, bool hasSwatch, const QFont& font) {
            figureRow(QRectF(block.left(), y, block.width(), height), name,
                      {inUnit(bytes.value(), choice).joined(), percentText(ratio(bytes, fullest->peak))},
                      hasSwatch, font);
            y += height;
        };
        for (const PeakHolder& holder : m_data.holders) {
            swatch(QRectF(block.left(), y, block.width(), height), m_theme.category(holder.category),
                   HatchPattern::None);
            row(toQString(holder.name), holder.bytes, true, m_theme.font(12));
        }
        if (m_data.otherBlocks > 0)
            row(countedText(m_data.otherBlocks, QStringLiteral("other block"),
                            QStringLiteral("other blocks")),
                m_data.otherBytes, true, m_theme.font(12));
        core::Bytes sum = m_data.otherBytes;
        for (const PeakHolder& holder : m_data.holders)
            sum += holder.bytes;
        row(QStringLiteral("Sum"), sum, true, m_theme.font(12, QFont::DemiBold));
    }

    void paintStep() {
        const QRectF block = m_page.timeline();
        const double top = blockHead(
            block, QStringLiteral("A step"),
            QStringLiteral("%1 from the first micro-batch to the end of the weight update")
                .arg(timeText(m_data.summary.step, m_scene.units.time, m_data.timeScale()).joined()));
        const QRectF whole(block.left(), top, block.width(), block.bottom() - top);
        const double chips = m_theme.px(34);
        const QRectF lanes = whole.adjusted(chips, 0, 0, 0);
        paintMiniChips(m_painter, QRectF(whole.left(), top, chips - m_theme.px(8), lanes.height()),
                       m_data.timeline, m_theme);
        paintMiniTimeline(m_painter, lanes, m_data.timeline,
                          {core::Cycles(), m_data.timeline.step, lanes.left(), lanes.width()}, m_theme);
        const std::vector<LegendEntry> entries = smallActivityLegend(m_theme);
        const double legend = std::min(legendWidth(entries, m_theme), block.width() / 2);
        paintLegend(m_painter, QRectF(block.right() - legend, block.top(), legend, m_theme.px(20)), entries,
                    {}, m_theme);
    }

    QPainter& m_painter;
    const SummaryScene& m_scene;
    const SummaryData& m_data;
    const SummaryPage& m_page;
    const Theme& m_theme;
    QRectF m_clip;
};

} // namespace

void paintSummary(QPainter& painter, const SummaryScene& scene, const SummaryPage& page, const Theme& theme,
                  const QRectF& clip) {
    if (scene.data)
        SummaryPainting(painter, scene, page, theme, clip).paint();
}

Picture summaryPicture(const SummaryScene& scene, const Theme& theme, const QSizeF& size) {
    SummaryScene shown = scene;
    shown.hovered.reset();
    shown.focused.reset();
    shown.hoveredFigure.reset();
    shown.focusedFigure.reset();
    const double width = size.width() > 0 ? size.width() : pictureWidth;
    const SummaryPage page(shown, width, theme);
    const QSizeF whole = sizeOr(size, QSizeF(width, page.height()));
    return {summaryTitle(*shown.data), whole, [shown, page, theme, whole](QPainter& painter) {
                const double scale = std::min(1.0, whole.height() / std::max(1.0, page.height()));
                painter.fillRect(QRectF(QPointF(0, 0), whole), theme.color(Role::Canvas));
                painter.save();
                painter.scale(scale, scale);
                paintSummary(painter, shown, page, theme, QRectF(0, 0, page.width(), page.height()));
                painter.restore();
            }};
}

core::Result<Picture> summaryPicture(const core::ProfileDatabase& database, core::RunId run,
                                     std::optional<SummaryAdvice> advice, const Theme& theme,
                                     const QSizeF& size) {
    SummaryScene scene;
    auto data = loadSummary(database, run, scene.units);
    if (!data)
        return core::failure(data.error());
    scene.data = std::make_shared<const SummaryData>(*std::move(data));
    scene.advice = std::move(advice);
    return summaryPicture(scene, theme, size);
}

} // namespace views
