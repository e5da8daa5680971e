#pragma once

#include "views/graph/canvas/canvas_view.h"
#include "views/graph/scene/canvas_commands.h"

#include <QStringList>
#include <QWidget>
#include <utility>

class QAction;
class QLabel;
class QMenu;
class QToolButton;

namespace views {

class CanvasFooter;
class GaugeStrip;
class Minimap;
class RepeatOffer;
class SearchPopup;
class SegmentedControl;
class StageHeaderStrip;
class ViewIntents;

/// The Model workspace: view bar, heads of the stages, canvas with minimap and zoom, gauges.
class GraphView final : public QWidget {
    Q_OBJECT

public:
    GraphView(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent = nullptr);

    [[nodiscard]] CanvasView& canvas() { return *m_canvas; }
    [[nodiscard]] CanvasScene& scene() { return m_canvas->scene(); }
    [[nodiscard]] CanvasCommands& commands() { return m_commands; }
    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Selection& selection() { return m_selection; }
    /// Its actions in their sections; without those that need a selection where there is none.
    void fillMenu(QMenu& menu, bool withSelection = true) const;
    /// What the canvas can do, with names, keys and state: for menus and the command palette.
    [[nodiscard]] const std::vector<QAction*>& canvasActions() const { return m_actions; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Actions between two lines of a menu, or in a menu of their own.
    struct ActionSection {
        QString title;
        std::vector<QAction*> actions;
    };

    void makeBar();
    void makeActions();
    QAction* addAction(const QString& text, const QList<QKeySequence>& keys, std::function<void()> run,
                       bool needsSelection = false);
    void placeOverlays();
    void fitHeight();
    void updateBar();
    void fitFacts();
    void openQuickAdd(const QPointF& canvas, const std::optional<TensorSource>& from);
    void openSources(const InvocationKey& reader);
    void openRename(const InvocationKey& key);
    void openContextMenu(const QPoint& global);
    void openIpuMenu(std::size_t stage, const QPoint& global);
    void addStageOptions(QMenu& menu, core::StageId stage);
    void addStageMenu(QMenu& menu);
    void groupSelection();
    void toggleCollapse();
    void selectConnected(bool upstream);

    Document& m_document;
    Selection& m_selection;
    ViewIntents& m_intents;
    CanvasCommands m_commands;
    CanvasView* m_canvas;
    StageHeaderStrip* m_header;
    GaugeStrip* m_gauges;
    Minimap* m_minimap;
    QWidget* m_bar;
    CanvasFooter* m_footer;
    bool m_areGaugesFolded = false;
    SegmentedControl* m_layoutSwitch = nullptr;
    SegmentedControl* m_overlaySwitch = nullptr;
    QToolButton* m_heat = nullptr;
    QToolButton* m_solve = nullptr;
    QToolButton* m_arrange = nullptr;
    RepeatOffer* m_repeats = nullptr;
    QLabel* m_overlayLabel = nullptr;
    QLabel* m_facts = nullptr;
    QStringList m_factTexts;
    /// What the facts were fitted from: texts and width.
    std::pair<QStringList, int> m_fitted;
    QLabel* m_unit = nullptr;
    SearchPopup* m_quickAdd = nullptr;
    SearchPopup* m_sources = nullptr;
    InvocationKey m_reader;
    std::optional<TensorSource> m_quickAddFrom;
    QPointF m_quickAddAt;
    /// That is where the pointer was.
    bool m_isQuickAddPointed = false;
    std::vector<QAction*> m_actions;
    std::vector<ActionSection> m_sections;
    std::vector<QAction*> m_selectionActions;
};

} // namespace views
