#include "app/window/window_tour.h"

#include "app/window/frame/top_bar.h"
#include "app/window/lessons/tour.h"
#include "app/window/main_window.h"
#include "app/window/start/example_list.h"
#include "views/common/widgets/segmented_control.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"

#include <QToolButton>
#include <algorithm>

namespace app {

namespace {

/// An example with stages: every part of the window has something to show.
bool openSomething(MainWindow& window) {
    if (window.document().isOpen())
        return true;
    const std::vector<Example> examples = examplesIn(exampleFolder());
    const auto pipelined = std::ranges::find_if(
        examples, [](const Example& example) { return example.name.contains(QStringLiteral("pipelined")); });
    return pipelined != examples.end() && window.files().openCopy(pipelined->path);
}

std::vector<TourStep> steps(MainWindow& window) {
    const auto onModel = [&window](QWidget* part) {
        window.workspaces().show(views::WorkspaceId::Model);
        return part;
    };
    return {
        {MainWindow::tr("Draw the model"),
         MainWindow::tr("Boxes are layers, lines are tensors with their shapes, columns are pipeline stages. "
                        "<b>Tab</b> adds a layer by its name; dragging from a port connects. Keras models, "
                        "ONNX files and Python programs are imported with <b>Ctrl+I</b>."),
         [&window, onModel] { return onModel(&window.graph().canvas()); }},
        {MainWindow::tr("Plan the stages"),
         MainWindow::tr("Drag a <b>dashed line</b> between two columns, or press <b>0 … 9</b> on selected "
                        "layers: time, memory, bytes sent on and waiting of each stage follow at once. "
                        "They are the figures that a run gives."),
         [&window, onModel] { return onModel(window.graph().findChild<views::GaugeStrip*>()); }},
        {MainWindow::tr("Mend and improve"),
         MainWindow::tr("What breaks a rule is listed here, with a button that mends it. The page "
                        "<b>Advice</b> holds changes that were simulated and are faster; <b>Pipeline &gt; "
                        "Plan for me</b> searches for a whole plan."),
         [&window, onModel]() -> QWidget* {
             onModel(nullptr);
             window.workspaces().showPanel(views::PanelId::Problems);
             return &window.problems();
         }},
        {MainWindow::tr("Run"),
         MainWindow::tr("<b>F5</b> compiles the model for the simulated IPUs, trains it and records what "
                        "every IPU did. <b>Ctrl+F5</b> leaves the arithmetic out, which is faster."),
         [&window] { return window.findChild<QToolButton*>(QStringLiteral("run")); }},
        {MainWindow::tr("Look at the run"),
         MainWindow::tr("<b>Timeline</b> shows who waits and why, <b>Memory</b> what is live when, "
                        "<b>Compare</b> what a change did. What you select in one is selected in all. Go on "
                        "with <b>Help &gt; Lessons</b>, or read the manual with <b>F1</b>."),
         [&window] { return window.findChild<TopBar*>()->findChild<views::SegmentedControl*>(); }},
    };
}

} // namespace

Tour* startTour(MainWindow& window) {
    if (!openSomething(window))
        return nullptr;
    if (auto* before = window.findChild<Tour*>())
        delete before;
    return new Tour(steps(window), window);
}

} // namespace app
