#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/layers/traffic_matrix.h"

#include <QWidget>

class QStackedWidget;

namespace views {

class EmptyView;
class HeatScale;
class SegmentedControl;
class ToolTipCard;
class ViewIntents;

/// The cells of a matrix: a row gives, a column takes. The keyboard has a cell, too.
class MatrixCanvas final : public QWidget {
    Q_OBJECT

public:
    MatrixCanvas(Document& document, Selection& selection, QWidget* parent = nullptr);

    void setMatrix(TrafficMatrix matrix, bool showsAffinity);
    [[nodiscard]] const TrafficMatrix& matrix() const { return m_matrix; }
    /// Rectangle of a cell, in the widget's coordinates.
    [[nodiscard]] QRectF cellRect(std::size_t row, std::size_t column) const;
    /// What a cell says: "hidden1 gives 64.00 KiB to hidden2 with each micro-batch, affinity 0.50".
    [[nodiscard]] QString cellText(std::size_t row, std::size_t column) const;
    /// Figure of a cell as it is written in it.
    [[nodiscard]] QString cellFigure(std::size_t row, std::size_t column) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Cell {
        int row = -1;
        int column = -1;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] double side() const;
    [[nodiscard]] QPointF origin() const;
    [[nodiscard]] Cell cellAt(const QPointF& at) const;
    [[nodiscard]] bool isSelected(std::size_t group) const;
    void choose(const Cell& cell);
    void paintNames(QPainter& painter, const Theme& theme) const;

    Document& m_document;
    Selection& m_selection;
    TrafficMatrix m_matrix;
    bool m_showsAffinity = false;
    Cell m_current{0, 0};
    ToolTipCard* m_card;
};

/// Traffic and affinity between layers, stages or IPUs.
class TrafficView final : public QWidget {
    Q_OBJECT

public:
    TrafficView(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent = nullptr);

    [[nodiscard]] MatrixCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] SegmentedControl& levels() { return *m_levels; }
    [[nodiscard]] SegmentedControl& figures() { return *m_figures; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// Now, or when it is seen next.
    void rebuild();

    Document& m_document;
    QStackedWidget* m_stack;
    EmptyView* m_empty;
    MatrixCanvas* m_canvas;
    SegmentedControl* m_levels;
    SegmentedControl* m_figures;
    HeatScale* m_scale;
    bool m_isStale = true;
};

} // namespace views
