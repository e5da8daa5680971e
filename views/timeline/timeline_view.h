#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_source.h"
#include "views/timeline/timeline_canvas.h"

#include <QWidget>

class QLineEdit;
class QSplitter;
class QStackedWidget;

namespace views {

class EmptyView;
class FilterChips;
class LegendBar;
class RunChooser;
class SegmentedControl;
class TimelineCanvas;
class TimelineDrawer;
class TimelineLoader;
class ViewIntents;

/// The timeline of a run: canvas, tables of the area, the gaps, the layers and the events, details of what is
/// selected.
class TimelineView final : public QWidget {
    Q_OBJECT

public:
    TimelineView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);
    ~TimelineView() override;

    [[nodiscard]] TimelineCanvas& canvas() const { return *m_canvas; }

private:
    void buildBar();
    void connectCanvas();
    void showFrame();
    void showEmpty();
    void followSelection(const SelectionState& before);
    void updateChips();
    void chooseLayer(const QString& layer);
    void showLanes();
    void savePicture();

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    TimelineLoader* m_loader;
    RunChooser* m_runChooser = nullptr;
    SegmentedControl* m_colours = nullptr;
    SegmentedControl* m_flows = nullptr;
    FilterChips* m_chips = nullptr;
    LegendBar* m_legend = nullptr;
    QLineEdit* m_search = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    TimelineCanvas* m_canvas = nullptr;
    TimelineDrawer* m_drawer = nullptr;
};

} // namespace views
