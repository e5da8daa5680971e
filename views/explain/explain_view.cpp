#include "views/explain/explain_view.h"

#include "core/profile/queries/run_queries.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/filter_edit.h"
#include "views/explain/figure_explanation.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

namespace views {

ExplainView::ExplainView(Document& document, Selection& selection, ProfileSource& source,
                         ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_filter(new QLineEdit)
    , m_back(nullptr)
    , m_figures(new TablePanel(tr("Figures of the run"), this))
    , m_page(new QTextBrowser) {
    setAccessibleName(tr("Figures"));
    addRunChooser();
    makeFilter(*m_filter, tr("Filter figures"));
    filterTables(*m_filter, [this] { return std::vector{m_figures}; });
    bar().add(m_filter);
    bar().addStretch();
    m_back = bar().addButton(QStringLiteral("undo"), tr("Back to the figure before (Alt+Left)"));
    addTableExport(tr("Save the figures as a table"), QStringLiteral("figures"), *m_figures);
    m_page->setAccessibleName(tr("What the figure is"));
    m_page->setOpenLinks(false);
    m_page->setFrameShape(QFrame::NoFrame);
    QSplitter* parts = makeSplitter(Qt::Horizontal, this);
    parts->addWidget(m_figures);
    parts->addWidget(m_page);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    setContent(parts);
    setPromise(
        QStringLiteral("explain"),
        tr("Every figure of a run with its meaning, its formula and inputs, and what it should approach."));
    connect(m_back, &QToolButton::clicked, this, &ExplainView::goBack);
    auto* back = new QShortcut(QKeySequence(QStringLiteral("Alt+Left")), this);
    back->setContext(Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, &ExplainView::goBack);
    connect(m_figures, &TablePanel::rowChosen, this, [this](int row) {
        choose(m_figures->content().rows[static_cast<std::size_t>(row)].front().text, true);
    });
    connect(m_page, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { choose(link.toString(), true); });
    reload();
}

void ExplainView::showFigure(const std::string& metric) {
    m_filter->clear();
    m_way.clear();
    choose(toQString(metric), false);
    m_figures->table().setFocus();
}

ExplainView::Query ExplainView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run = *run](const core::ProfileDatabase& database) { return core::loadRun(database, run); };
}

void ExplainView::showData() {
    m_figures->setContent(figureTable(*data(), document().units()));
    choose(m_figure, false);
}

void ExplainView::clearData() {
    m_figures->setContent({});
    m_page->clear();
}

void ExplainView::restyle() {
    if (hasData())
        write();
}

void ExplainView::choose(const QString& figure, bool isStep) {
    if (isStep && !m_figure.isEmpty() && figure != m_figure)
        m_way.append(m_figure);
    m_figure = figure;
    m_back->setEnabled(!m_way.isEmpty());
    if (hasData())
        write();
}

void ExplainView::goBack() {
    if (!m_way.isEmpty())
        choose(m_way.takeLast(), false);
}

void ExplainView::write() {
    const auto& rows = m_figures->content().rows;
    auto row = std::ranges::find_if(
        rows, [this](const std::vector<TableCell>& cells) { return cells.front().text == m_figure; });
    if (rows.empty())
        return;
    // A figure that this run does not have; one between those of the table has no row there.
    if (row == rows.end() && !core::MetricExplainer(*data()).has(m_figure.toStdString())) {
        row = rows.begin();
        m_figure = row->front().text;
    }
    if (row != rows.end())
        m_figures->setCurrentRow(static_cast<int>(row - rows.begin()));
    const auto explanation = core::explain(*data(), m_figure.toStdString());
    const Theme& theme = themeOf(this);
    m_page->setFont(theme.font(12));
    m_page->document()->setDocumentMargin(theme.px(10));
    if (explanation)
        m_page->setHtml(figurePage(*data(), *explanation, document().units(), theme));
}

} // namespace views
