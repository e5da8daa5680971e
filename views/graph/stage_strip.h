#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"

#include <QWidget>

namespace views {

class CanvasView;

/// The heads of the columns above the canvas: chip, name, IPU, number of layers, and the line in the stage's
/// colour.
class StageHeaderStrip final : public QWidget {
    Q_OBJECT

public:
    StageHeaderStrip(Document& document, Selection& selection, CanvasView& canvas, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

signals:
    void ipuMenuRequested(std::size_t stage, const QPoint& global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int stageAt(double x) const;
    [[nodiscard]] bool isLocked(core::StageId stage) const;
    [[nodiscard]] QString choicesText(core::StageId stage) const;
    void paintChoices(QPainter& painter, QRectF& line, core::StageId stage, const Theme& theme) const;

    Document& m_document;
    Selection& m_selection;
    CanvasView& m_canvas;
};

/// The gauges below the columns: time, memory, cut and idle of every stage, live while a cut is dragged.
class GaugeStrip final : public QWidget {
    Q_OBJECT

public:
    GaugeStrip(Document& document, CanvasView& canvas, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    Document& m_document;
    CanvasView& m_canvas;
};

} // namespace views
