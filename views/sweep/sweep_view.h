#pragma once

#include "views/profile/profile_view.h"
#include "views/sweep/sweep_data.h"

#include <QTimer>

class QComboBox;
class QCustomPlot;
class QLabel;
class QMouseEvent;
class QToolButton;

namespace views {

class ParetoZoom;
class TablePanel;

/// The points of a stored sweep in the plane of throughput and memory, and its front as a table. A sweep that
/// runs elsewhere fills in while it is seen. A point opens as the project, which undo takes back, or is
/// compared with the selected run.
class SweepView final : public ProfileViewOf<SweepData> {
    Q_OBJECT

public:
    SweepView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
              SweepReader read, QWidget* parent = nullptr);

    [[nodiscard]] QCustomPlot& plot() { return *m_plot; }
    [[nodiscard]] TablePanel& front() { return *m_front; }
    [[nodiscard]] QComboBox& sweeps() { return *m_sweeps; }
    [[nodiscard]] QToolButton& openButton() { return *m_open; }
    [[nodiscard]] QToolButton& runButton() { return *m_run; }
    [[nodiscard]] QToolButton& compareButton() { return *m_compare; }
    [[nodiscard]] QString counts() const;
    /// What is said of the chosen point.
    [[nodiscard]] QString chosenText() const;
    [[nodiscard]] const ParetoScene& scene() const { return m_scene; }

protected:
    [[nodiscard]] Query query() const override;
    [[nodiscard]] bool hasData() const override { return data() != nullptr && !data()->sweeps.empty(); }
    void dataChanged() override;
    void showData() override;
    void clearData() override;
    void setUnits(const Units& units) override;
    void restyle() override;
    void explainNoData(EmptyView& view) const override;
    void showEvent(QShowEvent* event) override;

private:
    void buildBar();
    void choose(std::optional<std::int64_t> point);
    /// Whether there is a point.
    bool clickPlot(QMouseEvent* event);
    /// What can be done with a point that is chosen.
    void offer(bool isChosen);
    void openChosen(bool runs);
    void replot();

    SweepReader m_read;
    Units m_units;
    std::optional<std::int64_t> m_wanted;
    std::optional<std::int64_t> m_chosen;
    ParetoScene m_scene;
    ParetoZoom* m_zoom = nullptr;
    QComboBox* m_sweeps;
    QLabel* m_counts;
    QToolButton* m_open = nullptr;
    QToolButton* m_run = nullptr;
    QToolButton* m_compare = nullptr;
    QCustomPlot* m_plot;
    QLabel* m_text;
    TablePanel* m_front;
    /// A sweep that is not at its end is read again after a while.
    QTimer m_again;
};

} // namespace views
