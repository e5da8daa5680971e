#pragma once

#include "views/common/access/painted_parts.h"
#include "views/graph/scene/canvas_scene.h"

namespace views {

class CanvasView;

/// What assistive tools find on the canvas: boxes with their rows and ports, frames of groups, cuts between
/// the stages, notes.
class CanvasParts final : public PaintedParts {
    Q_OBJECT

public:
    explicit CanvasParts(CanvasView& canvas);

    [[nodiscard]] std::vector<PartPlace> places() override;
    [[nodiscard]] PartFacts facts(int place) const override;
    [[nodiscard]] QRectF rect(int place) const override;
    void act(int place, const QString& action) override;
    void setNumber(int place, double number) override;
    [[nodiscard]] int focused() const override;

    // What can be done beside what Qt has names for, as people read it.
    [[nodiscard]] static QString outputAction() { return tr("Output of the model"); }
    [[nodiscard]] static QString disconnectAction() { return tr("Disconnect"); }
    [[nodiscard]] static QString extendAction() { return tr("Add to the selection"); }
    [[nodiscard]] static QString editAction() { return tr("Edit the text"); }

private:
    enum class Kind : std::uint8_t { Call, Group, Input, Output, Cut, Note };
    struct Part {
        Kind kind = Kind::Call;
        int box = -1;
        /// The call, the port of the box, the cut or the note.
        int index = -1;
    };

    void addBox(std::vector<PartPlace>& places, int box);
    void addPorts(std::vector<PartPlace>& places, int box, int holder, const QString& id);
    [[nodiscard]] PartFacts callFacts(const Part& part) const;
    [[nodiscard]] PartFacts groupFacts(const Part& part) const;
    [[nodiscard]] PartFacts inputFacts(const Part& part) const;
    [[nodiscard]] PartFacts outputFacts(const Part& part) const;
    [[nodiscard]] PartFacts cutFacts(const Part& part) const;
    [[nodiscard]] PartFacts noteFacts(const Part& part) const;
    [[nodiscard]] QRectF portRect(const QPointF& port) const;
    [[nodiscard]] QString stageText(core::StageId stage) const;
    /// The line into an input of a call, or into what a box holds; −1: there is none.
    [[nodiscard]] int edgeInto(const BoxShape& box, int port) const;
    [[nodiscard]] std::pair<int, int> tensorOf(const BoxShape& box, int port) const;
    [[nodiscard]] std::vector<int> nodesOf(const Part& part) const;
    void actOnNodes(const Part& part, const QString& action);
    void actOnPort(const Part& part, const QString& action);
    void focus();

    CanvasView& m_canvas;
    CanvasScene& m_scene;
    std::vector<Part> m_parts;
};

} // namespace views
