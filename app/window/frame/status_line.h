#pragma once

#include "app/window/frame/forecast.h"
#include "views/common/widgets/chip.h"
#include "views/document/document.h"
#include "views/document/view_intents.h"

#include <QElapsedTimer>
#include <QStatusBar>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace views {
class ElidedLabel;
class SegmentedControl;
} // namespace views

namespace app {

/// The line at the foot: what just happened or how far the run is, at the right what numbers mean.
class StatusLine final : public QStatusBar {
    Q_OBJECT

public:
    StatusLine(views::Document& document, QWidget* parent);

    /// Until the project changes: news of what it was then is old.
    void tell(views::ChipTone tone, const QString& text);
    void showProgress(double fraction, const QString& activity, double seconds);
    void endProgress();
    /// "Estimate up to date", "Estimating …", "No estimate of this plan".
    void setEstimating(bool isBusy);
    [[nodiscard]] QString message() const;

signals:
    void cancelRequested();
    void unitsChosen(const views::Units& units);
    /// The options of the system or of training.
    void panelRequested(views::PanelId panel);

private:
    void refresh();
    void forget();
    void showEstimate();

    views::Document& m_document;
    QLabel* m_icon;
    views::ElidedLabel* m_message;
    QProgressBar* m_progress;
    QLabel* m_activity;
    Forecast m_forecast;
    QPushButton* m_cancel;
    QLabel* m_estimate;
    bool m_isEstimating = false;
    views::SegmentedControl* m_units;
    QToolButton* m_bytes;
    QToolButton* m_target;
    QToolButton* m_seed;
};

} // namespace app
