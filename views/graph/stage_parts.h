#pragma once

#include "views/common/access/painted_parts.h"
#include "views/graph/stage_strip.h"

namespace views {

/// The heads of the stages, for assistive tools: a press selects the stage, the menu has its options.
class StageHeadParts final : public PaintedParts {
    Q_OBJECT

public:
    StageHeadParts(StageHeaderStrip& strip, CanvasView& canvas, Document& document, Selection& selection);

    [[nodiscard]] std::vector<PartPlace> places() override;
    [[nodiscard]] PartFacts facts(int place) const override;
    void act(int place, const QString& action) override;

private:
    StageHeaderStrip& m_strip;
    CanvasView& m_canvas;
    Document& m_document;
    Selection& m_selection;
};

/// The gauges of every stage, for assistive tools.
class GaugeParts final : public PaintedParts {
    Q_OBJECT

public:
    GaugeParts(GaugeStrip& strip, CanvasView& canvas, Document& document);

    [[nodiscard]] std::vector<PartPlace> places() override;
    [[nodiscard]] PartFacts facts(int place) const override;
    void act(int, const QString&) override {}

private:
    GaugeStrip& m_strip;
    Document& m_document;
};

/// Tells Qt how to find what is painted here; once for the program.
void installCanvasAccessibility();

} // namespace views
