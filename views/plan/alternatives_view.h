#pragma once

#include "core/base/diagnostic.h"
#include "core/plan/program_alternatives.h"
#include "views/document/document.h"

#include <QWidget>
#include <memory>
#include <optional>
#include <set>

class QCustomPlot;
class QStackedWidget;
class QSplitter;

namespace views {

class EmptyView;
class IpuChooser;
class LegendBar;
class TablePanel;
class ViewBar;
class ViewIntents;

/// What other orders of its operations would give the open model: the liveness of every scheduling algorithm
/// as curves over one another, their figures, and graph against eager execution. Someone else works the
/// values out when asked.
class AlternativesView final : public QWidget {
    Q_OBJECT

public:
    AlternativesView(Document& document, ViewIntents& intents, QWidget* parent = nullptr);

    /// Of the present project.
    void setAlternatives(core::ProgramAlternatives alternatives, double clockHz);
    /// Why there are none.
    void setTrouble(const core::Diagnostics& trouble);
    /// They are being worked out.
    void setBusy();
    [[nodiscard]] const std::optional<core::ProgramAlternatives>& alternatives() const {
        return m_alternatives;
    }

signals:
    /// The view is seen and has nothing for the present project.
    void alternativesWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    ViewBar* buildBar();
    void forget();
    void showAlternatives();
    void replot();

    Document& m_document;
    ViewIntents& m_intents;
    std::optional<core::ProgramAlternatives> m_alternatives;
    double m_clockHz = 0;
    core::IpuId m_ipu{0};
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    IpuChooser* m_ipus = nullptr;
    LegendBar* m_legend = nullptr;
    QCustomPlot* m_plot = nullptr;
    TablePanel* m_schedulers = nullptr;
    TablePanel* m_executions = nullptr;
};

} // namespace views
