#pragma once

#include "views/flame/flame_layout.h"
#include "views/profile/profile_view.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace views {

class FlameCanvas;
class SegmentedControl;
class TablePanel;

/// Where the time of all IPUs goes: a tree by stage, phase, layer, kind of operation or IPU, drawn as boxes
/// as wide as their time, and the table of what the chosen box consists of. A time selected elsewhere
/// restricts it; what is chosen here is chosen in every view.
class FlameView final : public ProfileViewOf<core::TimePieces> {
    Q_OBJECT

public:
    FlameView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
              QWidget* parent = nullptr);

    [[nodiscard]] FlameCanvas& canvas() const { return *m_canvas; }
    [[nodiscard]] TablePanel& table() const { return *m_table; }
    [[nodiscard]] SegmentedControl& groupings() const { return *m_groupings; }
    [[nodiscard]] QLineEdit& filter() const { return *m_filter; }
    [[nodiscard]] QCheckBox& idle() const { return *m_idle; }
    [[nodiscard]] QString figures() const;
    [[nodiscard]] std::optional<Picture> picture() const;

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    void showData() override;
    void clearData() override;
    void setUnits(const Units& units) override;
    void followSelection(const SelectionState& before) override;
    /// What was pointed at while the view was not seen is framed.
    void showEvent(QShowEvent* event) override;

private:
    void buildBar();
    void rebuild();
    void choose(const std::optional<FlamePath>& path);
    void showTable();
    void showFigures();
    void search(const QString& text);
    /// The box of what is selected elsewhere.
    void followLayer();
    [[nodiscard]] FlamePath tablePath() const;
    /// What is under the mouse, wherever it runs.
    void pointAt(const std::optional<FlamePath>& path);
    /// What runs at the place that is pointed at in some view.
    void followCursor();

    FlameCanvas* m_canvas;
    TablePanel* m_table;
    SegmentedControl* m_groupings = nullptr;
    QCheckBox* m_idle = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_way = nullptr;
    QLineEdit* m_filter = nullptr;
    Units m_units;
    bool m_isChoosing = false;
};

} // namespace views
