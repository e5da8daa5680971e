#pragma once

#include "core/profile/records/run_records.h"
#include "views/profile/profile_view.h"

#include <QStringList>
#include <string>

class QLineEdit;
class QTextBrowser;
class QToolButton;

namespace views {

class TablePanel;

/// Every figure of a run with its meaning, formula, inputs and bound. An input that is a figure itself is a
/// link; Alt+Left, or the button, goes back.
class ExplainView final : public ProfileViewOf<core::RunSummary> {
    Q_OBJECT

public:
    ExplainView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                QWidget* parent = nullptr);

    /// As `core::explainedMetrics` names it; the first one where the run has no such figure.
    void showFigure(const std::string& metric);

    [[nodiscard]] const QString& figure() const { return m_figure; }
    [[nodiscard]] TablePanel& figures() const { return *m_figures; }
    [[nodiscard]] QTextBrowser& page() const { return *m_page; }
    [[nodiscard]] QLineEdit& filter() const { return *m_filter; }
    [[nodiscard]] QToolButton& backButton() const { return *m_back; }

protected:
    [[nodiscard]] Query query() const override;
    void showData() override;
    void clearData() override;
    void restyle() override;

private:
    /// `isStep`: back leads here from the next one.
    void choose(const QString& figure, bool isStep);
    void goBack();
    void write();

    QString m_figure;
    /// Where one came from, the last one last.
    QStringList m_way;
    QLineEdit* m_filter;
    QToolButton* m_back;
    TablePanel* m_figures;
    QTextBrowser* m_page;
};

} // namespace views
