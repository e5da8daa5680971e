#pragma once

#include "views/profile/profile_view.h"
#include "views/roofline/roofline_plane.h"

class QLabel;
class QLineEdit;

namespace views {

class RooflineCanvas;
class SegmentedControl;
class TablePanel;

/// Operations, layers or stages of a run below the roofs of its target, and their table. What is chosen here
/// is chosen in every view; a frame drawn in the plane restricts the table, as does a time that is selected.
class RooflineView final : public ProfileViewOf<core::Roofline> {
    Q_OBJECT

public:
    RooflineView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);

    [[nodiscard]] RooflineCanvas& canvas() const { return *m_canvas; }
    [[nodiscard]] TablePanel& table() const { return *m_table; }
    [[nodiscard]] SegmentedControl& groupings() const { return *m_groupings; }
    [[nodiscard]] QLineEdit& filter() const { return *m_filter; }
    [[nodiscard]] FilterChips& frameChip() const { return *m_chip; }
    /// "MFU 4.3 %", and how much the plane does not show.
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
    class Key;

    void buildBar();
    void choose(std::optional<std::size_t> point);
    void showTable();
    void filterByTime();
    /// Whether each point runs in the selected time.
    [[nodiscard]] std::vector<bool> pointsInTime() const;
    /// What is under the mouse, wherever it runs.
    void pointAt(std::optional<std::size_t> point);
    /// What runs at the place that is pointed at in some view.
    void followCursor();
    /// What is selected elsewhere, as points.
    void lightSelection();
    [[nodiscard]] bool isSelected(const core::RooflinePoint& point) const;

    RooflineCanvas* m_canvas;
    SegmentedControl* m_groupings = nullptr;
    TablePanel* m_table;
    QLabel* m_figures = nullptr;
    Key* m_key = nullptr;
    FilterChips* m_chip = nullptr;
    QLineEdit* m_filter = nullptr;
    Units m_units;
    std::optional<RooflineFrame> m_frame;
    /// Point of each row.
    std::vector<std::size_t> m_rows;
    bool m_isChoosing = false;
};

} // namespace views
