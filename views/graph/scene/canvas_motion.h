#pragma once

#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace views {

/// What stays in place when a drawing becomes another one, and how its boxes get from where they were to
/// where they are. Positions are in canvas coordinates.
class CanvasMotion final : public QObject {
    Q_OBJECT

public:
    /// `milliseconds`: how long boxes slide; 0: they jump.
    explicit CanvasMotion(int milliseconds, QObject* parent = nullptr);

    void setDuration(int milliseconds) { m_duration = milliseconds; }
    /// Remembers a drawing. `chosen`: the calls that should stay where they are, if they are in view; else
    /// what is nearest to its middle.
    void remember(const CanvasModel& model, const CanvasGeometry& geometry, const QRectF& visible,
                  const std::set<InvocationKey>& chosen);
    /// How far what was to stay has moved in the drawing; nothing where it is gone, or nothing was
    /// remembered. A drawing whose beginning was in view stays with it, and a layer that went into another
    /// stage is not followed sideways.
    [[nodiscard]] std::optional<QPointF> drift(const CanvasModel& model,
                                               const CanvasGeometry& geometry) const;
    /// Lets the boxes slide, with the camera moved by `kept` already; forgets what was remembered.
    void start(const CanvasModel& model, const CanvasGeometry& geometry, const QPointF& kept);
    void stop();

    [[nodiscard]] bool isMoving() const { return m_timer.isActive(); }
    /// How far each box is from its place; empty at rest.
    [[nodiscard]] std::vector<QPointF> shifts() const;
    /// 0 … 1, slower towards the end.
    [[nodiscard]] double progress() const;

signals:
    void advanced();

private:
    struct Remembered {
        std::map<std::string, QPointF> boxes;
        std::optional<InvocationKey> anchor;
        QPointF anchorAt;
        core::StageId anchorStage;
        bool isTopSeen = false;
        bool isLeftSeen = false;
    };

    int m_duration;
    std::optional<Remembered> m_before;
    std::vector<QPointF> m_from;
    QElapsedTimer m_clock;
    QTimer m_timer;
};

} // namespace views
