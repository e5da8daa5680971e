#pragma once

#include "views/document/document.h"
#include "views/plan/system_board.h"
#include "views/plan/target/target_knob.h"

#include <QScrollArea>

namespace views {

class Selection;
class TargetStrip;
class ViewIntents;

/// The board on the screen. A stage is dragged to another IPU; arrows choose a stage, Ctrl with an arrow or a
/// digit moves it, L locks it. While a stage is over an IPU the figures everywhere are those it would have
/// there.
class BoardCanvas final : public QWidget {
    Q_OBJECT

public:
    BoardCanvas(Document& document, Selection& selection, QWidget* parent = nullptr);

    [[nodiscard]] const SystemBoard& board() const { return m_board; }
    [[nodiscard]] const BoardLayout& placement() const { return m_layout; }
    [[nodiscard]] const BoardState& state() const { return m_state; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void refresh();
    void layOut();
    void choose(std::optional<std::size_t> stage);
    void moveTo(std::size_t stage, std::size_t ipu);
    void toggleLock(std::size_t stage);
    /// So many replicas, as one step; while the grip is drawn as a preview.
    void setReplicas(std::int64_t replicas);
    void drawGrip(const QPointF& at);
    [[nodiscard]] bool isOnGrip(const QPointF& at) const;
    void endDrag();
    [[nodiscard]] std::optional<std::size_t> stageAt(const QPointF& at) const;
    [[nodiscard]] std::optional<std::size_t> ipuAt(const QPointF& at) const;
    [[nodiscard]] std::size_t ipuOfStage(std::size_t stage) const;

    Document& m_document;
    Selection& m_selection;
    SystemBoard m_board;
    BoardLayout m_layout;
    BoardState m_state;
    /// Pressed on a stage, and not yet moved far enough to drag it.
    std::optional<std::size_t> m_pressed;
    QPointF m_pressedAt;
    /// The replicas when the grip was taken hold of, how far apart they were, and how many it means now.
    struct Grip {
        std::int64_t before = 1;
        double step = 1;
        std::int64_t now = 1;
    };
    std::optional<Grip> m_grip;
};

/// The simulated system: sliders for figures of its target above its picture, scrolled where both are larger
/// than their place.
class SystemView final : public QScrollArea {
    Q_OBJECT

public:
    SystemView(Document& document, Selection& selection, ViewIntents& intents, TargetFigureSource figures,
               QWidget* parent = nullptr);

    [[nodiscard]] BoardCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] TargetStrip& target() { return *m_target; }

private:
    TargetStrip* m_target;
    BoardCanvas* m_canvas;
};

} // namespace views
