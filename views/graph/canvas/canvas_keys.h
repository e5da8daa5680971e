#pragma once

#include "views/graph/scene/canvas_scene.h"

#include <QElapsedTimer>
#include <QObject>

class QKeyEvent;

namespace views {

/// What the keys do on the canvas: digits assign stages and IPUs, arrows move the focus, extend the
/// selection, nudge boxes or move a cut, L connects, Delete removes, Space adds a layer or, held, moves the
/// canvas with the mouse.
class CanvasKeys final : public QObject {
    Q_OBJECT

public:
    /// `surface`: the widget whose pointer changes.
    CanvasKeys(CanvasScene& scene, QWidget& surface);

    /// Whether the key was for the canvas.
    [[nodiscard]] bool press(const QKeyEvent& event);
    [[nodiscard]] bool release(const QKeyEvent& event);
    /// Space is held: a drag moves the canvas.
    [[nodiscard]] bool holdsSpace() const { return m_holdsSpace; }
    /// The canvas was moved while Space was held, so that letting go of it adds no layer.
    void notePan() { m_hasPanned = true; }
    /// A search for a layer to add, in the middle of the view.
    void requestQuickAdd();

signals:
    void inspectorRequested();

private:
    bool clear();
    bool assign(const QKeyEvent& event);
    bool remove(const QKeyEvent& event);
    bool moveOrNudge(const QKeyEvent& event);
    bool edit(const QKeyEvent& event);
    /// `extends`: what was selected stays, and the way back takes away.
    void moveFocus(const QPointF& direction, bool extends);
    /// The boundary after the stage of the current call, or before the last stage, by so many calls.
    void moveCut(int by);
    /// What was selected last reads what the others give; one that takes a single input reads the first.
    /// Alone it asks what it is to read.
    void connectSelected();
    /// Cuts the lines among the selected calls.
    void disconnectSelected();

    CanvasScene& m_scene;
    QWidget& m_surface;
    bool m_holdsSpace = false;
    bool m_hasPanned = false;
    /// Since Space was pressed, and since it was let go of.
    QElapsedTimer m_pressed;
    QElapsedTimer m_letGo;
};

} // namespace views
