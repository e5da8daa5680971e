#pragma once

#include "views/common/theme/theme.h"
#include "views/summary/summary_data.h"

#include <QRectF>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace views {

/// What would help, in words; nothing while it is looked for.
struct SummaryAdvice {
    QString headline;
    QString detail;
    /// There is something to try.
    bool isChange = false;
};

/// Everything that the page is painted from.
struct SummaryScene {
    std::shared_ptr<const SummaryData> data;
    std::optional<SummaryAdvice> advice;
    Units units;
    /// The answer that the mouse is on, and the one with the keyboard's focus.
    std::optional<std::size_t> hovered;
    std::optional<std::size_t> focused;
    /// The same of the figures of the head.
    std::optional<std::size_t> hoveredFigure;
    std::optional<std::size_t> focusedFigure;

    /// The answers of the verdict, then what would help.
    [[nodiscard]] std::size_t answers() const { return data ? data->verdict.clauses.size() + 1 : 0; }
};

/// "What sets the step", …: the question that an answer is to; the last is what would help.
[[nodiscard]] QString questionText(const SummaryScene& scene, std::size_t answer);
[[nodiscard]] QString headlineText(const SummaryScene& scene, std::size_t answer);
[[nodiscard]] QString detailText(const SummaryScene& scene, std::size_t answer);
/// "Run 3 · resnet50", "Grouped · 2 stages · …".
[[nodiscard]] QString summaryTitle(const SummaryData& data);
[[nodiscard]] QString summaryOrigin(const SummaryData& data);

/// A figure of the head: its name and its value.
struct SummaryFigure {
    QString name;
    QString value;
    bool isTrouble = false;
    /// Where 4 of 5 lie once they are measured; empty where nothing says.
    QString range;
    /// As `ViewIntents::explainFigure` takes it.
    std::string metric;
};
[[nodiscard]] std::vector<SummaryFigure> summaryFigures(const SummaryScene& scene);

/// A row of the idle time: a cause, its share of all time of the IPUs.
struct IdleShare {
    core::IdleCause cause = core::IdleCause::Imbalance;
    core::Cycles cycles;
};
/// Largest first, without those that have none.
[[nodiscard]] std::vector<IdleShare> idleShares(const SummaryData& data);

/// Places of everything on a page of some width. Pure arithmetic, but for the heights of texts.
class SummaryPage {
public:
    /// `reserved`: width at the right of the last answer in which something else stands.
    SummaryPage(const SummaryScene& scene, double width, const Theme& theme, double reserved = 0);

    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] double height() const { return m_height; }
    [[nodiscard]] QRectF title() const { return m_title; }
    [[nodiscard]] QRectF origin() const { return m_origin; }
    [[nodiscard]] const std::vector<QRectF>& figures() const { return m_figures; }
    [[nodiscard]] const std::vector<QRectF>& answers() const { return m_answers; }
    /// Inside an answer.
    [[nodiscard]] QRectF headline(std::size_t answer) const { return m_headlines[answer]; }
    [[nodiscard]] QRectF detail(std::size_t answer) const { return m_details[answer]; }
    [[nodiscard]] QRectF idle() const { return m_idle; }
    [[nodiscard]] QRectF peak() const { return m_peak; }
    [[nodiscard]] QRectF timeline() const { return m_timeline; }
    [[nodiscard]] std::optional<std::size_t> answerAt(const QPointF& point) const;
    [[nodiscard]] std::optional<std::size_t> figureAt(const QPointF& point) const;

private:
    void placeFigures(const SummaryScene& scene, const Theme& theme, double& y);
    void placeAnswers(const SummaryScene& scene, const Theme& theme, double reserved, double& y);
    void placeBlocks(const SummaryScene& scene, const Theme& theme, double& y);

    double m_width = 0;
    double m_height = 0;
    double m_margin = 0;
    QRectF m_title;
    QRectF m_origin;
    std::vector<QRectF> m_figures;
    std::vector<QRectF> m_answers;
    std::vector<QRectF> m_headlines;
    std::vector<QRectF> m_details;
    QRectF m_idle;
    QRectF m_peak;
    QRectF m_timeline;
};

/// Heights inside the blocks, which painter and page agree on, in px of a theme of scale 1.
inline constexpr double summaryRow = 20;
inline constexpr double summaryBlockHead = 44;
/// Bars of IPUs: few are high, many are low.
[[nodiscard]] double summaryLaneHeight(std::size_t lanes);

} // namespace views
