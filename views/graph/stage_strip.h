#pragma once

#include "core/plan/plan_estimate.h"
#include "views/document/document.h"
#include "views/document/selection.h"

#include <QPixmap>
#include <QRectF>
#include <QTimer>
#include <QWidget>
#include <vector>

namespace views {

class CanvasView;
class Theme;

/// The heads of the columns above the canvas: chip, name, IPU, number of layers, and the line in the stage's
/// colour.
class StageHeaderStrip final : public QWidget {
    Q_OBJECT

public:
    StageHeaderStrip(Document& document, Selection& selection, CanvasView& canvas, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Of a stage: where its head is, and what was chosen for it in words.
    [[nodiscard]] QRectF headRect(std::size_t stage) const;
    [[nodiscard]] QString choicesText(core::StageId stage) const;

signals:
    void ipuMenuRequested(std::size_t stage, const QPoint& global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int stageAt(double x) const;
    [[nodiscard]] bool isLocked(core::StageId stage) const;
    [[nodiscard]] QStringList chosenFor(core::StageId stage) const;
    void paintChoices(QPainter& painter, QRectF& line, core::StageId stage, const Theme& theme) const;

    Document& m_document;
    Selection& m_selection;
    CanvasView& m_canvas;
};

/// The gauges below the columns: time, memory, cut and idle of every stage, live while a cut is dragged.
/// Where the columns are too narrow for the names of the rows they do not follow them: all stages share the
/// width, behind the names.
class GaugeStrip final : public QWidget {
    Q_OBJECT

public:
    GaugeStrip(Document& document, CanvasView& canvas, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

    /// The estimate whose figures are shown, and the one that they are held against; null where there is
    /// none.
    struct Shown {
        const core::PlanEstimate* now = nullptr;
        const core::PlanEstimate* before = nullptr;
    };
    [[nodiscard]] Shown shown() const;
    /// Why there is none; empty while there is no project.
    [[nodiscard]] QString refusal() const;
    /// Place of a row of the gauges of a stage; `row` −1: of all of them.
    [[nodiscard]] QRectF rowRect(std::size_t stage, int row) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Placing : std::uint8_t {
        BelowColumns, ///< each below the column of its stage
        Shares,       ///< each has the same share of the width
        Narrow,       ///< the same behind the names of the rows
    };
    [[nodiscard]] Placing placing() const;
    [[nodiscard]] QRectF cell(std::size_t stage) const;
    [[nodiscard]] QString textAt(const QPoint& at) const;
    void paintNarrow(QPainter& painter) const;
    void paintStage(QPainter& painter, std::size_t stage) const;
    /// What is shown changed, and not only where.
    void redraw();
    /// The drawing changed: its columns may lie elsewhere.
    void followColumns();

    Document& m_document;
    CanvasView& m_canvas;
    /// Of the columns, when it was drawn last.
    std::vector<QRectF> m_cells;
    /// Of the stages, for edits that move columns only; null where not drawn yet.
    std::vector<QPixmap> m_pictures;
    /// Until figures that are late are grey: most come before one would see them change their colour twice.
    QTimer m_late;
};

} // namespace views
