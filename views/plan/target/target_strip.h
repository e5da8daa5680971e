#pragma once

#include "views/document/document.h"
#include "views/plan/target/target_knob.h"

#include <QWidget>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QSlider;

namespace views {

class ElidedLabel;
class ViewIntents;

/// Sliders for figures of the target. While one is moved, figures everywhere are those that the project would
/// have; let go, the project sets the figure as one step of its history. What it does to the step, the rate
/// and the fullest IPU is written beside them.
class TargetStrip final : public QWidget {
    Q_OBJECT

public:
    TargetStrip(Document& document, ViewIntents& intents, TargetFigureSource source,
                QWidget* parent = nullptr);

    /// Null where the target has no such figure.
    [[nodiscard]] QSlider* slider(std::string_view key) const;
    /// "Step 1.93 ms → 1.60 ms (−17.1 %), …".
    [[nodiscard]] QString effect() const { return m_effectText; }
    [[nodiscard]] QPushButton& reset() { return *m_reset; }
    [[nodiscard]] QPushButton& save() { return *m_save; }

protected:
    /// The wheel scrolls the page unless a slider has the focus.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        TargetKnob knob;
        QLabel* text = nullptr;
        QSlider* slider = nullptr;
    };

    void refresh();
    void makeRows(const std::vector<TargetKnob>& knobs);
    void showValue(const Row& row, double value);
    void preview(const Row& row, int position);
    void take(const Row& row, int position);
    void takeOwn();
    void apply(const QString& text, const ProjectEdit& edit, const QString& mergeKey);
    void rememberFigures();
    void showEffect();

    Document& m_document;
    TargetFigureSource m_source;
    std::vector<Row> m_rows;
    QWidget* m_sliders;
    ElidedLabel* m_effect;
    QString m_effectText;
    QPushButton* m_reset;
    QPushButton* m_save;
    /// Figures of the project before the first slider was moved.
    std::optional<core::PlanEstimate> m_before;
    /// The change of the project is this strip's.
    bool m_applies = false;
};

} // namespace views
