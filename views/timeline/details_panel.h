#pragma once

#include "views/timeline/painting/timeline_scene.h"

#include <QWidget>

namespace views {

class NumberCard;

/// What the details panel says about a span.
struct SpanDetails {
    struct Figure {
        QString name;
        NumberText value;
        /// How it comes about: the tooltip, and what a click shows.
        QString explanation;
        /// A click shows it.
        bool isLayer = false;
    };
    struct LayerBar {
        QString name;
        double share = 0; ///< of the longest
        QString value;
        /// What a click shows; empty where there is nothing.
        QString layer = {};
    };
    struct Step {
        QString text;
        PlacedSpan span;
    };
    QString label;
    QString title;
    QString place;
    std::optional<std::size_t> stage;
    core::SpanRecord span;
    std::vector<Figure> figures;
    /// What the bars are: "layer", and "layers" where there are many.
    QString partName = QStringLiteral("layer");
    QString layersUnit;
    /// In the order of execution.
    std::vector<LayerBar> layers;
    /// Why it is idle, or empty.
    QString reason;
    std::optional<Step> before;
    std::optional<Step> after;
};

/// Computes it from what a scene holds.
[[nodiscard]] SpanDetails detailsOf(const TimelineScene& scene, const PlacedSpan& span);
/// Why an idle gap is there, as a sentence with the run's own numbers.
[[nodiscard]] QString reasonOf(const TimelineFrame& frame, const StagePrograms& programs,
                               const core::SpanRecord& gap, const Units& units);

/// `barsInSight`: more bars than these are sorted.
void paintSpanDetails(QPainter& painter, const QRectF& rect, const SpanDetails& details, const Theme& theme,
                      std::size_t barsInSight);

/// The selected span: figures, layers in order of execution, the way of its micro-batch. Of a part that runs
/// inside it: what that is, and what it consists of. As high as all of it needs: it is scrolled.
class DetailsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit DetailsPanel(QWidget* parent = nullptr);

    void setDetails(std::optional<SpanDetails> details);
    [[nodiscard]] const std::optional<SpanDetails>& details() const { return m_details; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void spanRequested(const views::PlacedSpan& span);
    void layerRequested(const QString& layer);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Bars that can be seen without scrolling.
    [[nodiscard]] std::size_t barsInSight() const;

    std::optional<SpanDetails> m_details;
    /// How a figure comes about; null until one was asked for.
    NumberCard* m_card = nullptr;
};

} // namespace views
