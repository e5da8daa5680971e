#include "views/sweep/sweep_view.h"

#include "views/common/access/box_name.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/document/view_intents.h"
#include "views/profile/pareto/pareto_hover.h"
#include "views/profile/pareto/pareto_zoom.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QMouseEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <qcustomplot.h>

namespace views {

namespace {

constexpr int milliseconds = 1000;

} // namespace

SweepView::SweepView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                     SweepReader read, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_read(read)
    , m_units(document.units())
    , m_sweeps(new QComboBox)
    , m_counts(new QLabel)
    , m_plot(new QCustomPlot)
    , m_text(new QLabel)
    , m_front(new TablePanel(tr("The front of the sweep"), this)) {
    setAccessibleName(tr("Sweeps"));
    buildBar();
    m_plot->setAccessibleName(tr("Throughput and memory of the points of the sweep"));
    m_plot->setToolTip(
        tr("Click chooses a point, double click opens it as the project; the wheel zooms, dragging "
           "moves, double click beside the points shows all"));
    m_plot->setMinimumWidth(themeOf(this).ipx(260));
    m_zoom = new ParetoZoom(*m_plot);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setMargin(themeOf(this).ipx(8));
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_plot, 1);
    column->addWidget(m_text);
    QSplitter* parts = makeSplitter(Qt::Horizontal, this);
    parts->addWidget(left);
    parts->addWidget(m_front);
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    parts->setSizes({500, 500});
    setContent(parts);
    setPromise(QStringLiteral("compare"),
               tr("The points of a sweep: ipu-workbench sweep FILE.sweep.json simulates "
                  "many variations of a project at once."));
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, [this] { reload(); });
    connect(m_plot, &QCustomPlot::mousePress, this, &SweepView::clickPlot);
    new ParetoHover(
        *m_plot, [this] { return m_scene; }, [](std::int64_t id) { return tr("Point %1").arg(id); });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        if (clickPlot(event))
            return openChosen(false);
        m_zoom->forget();
        replot();
    });
    const auto pointOf = [this](int row) {
        return data()->points[data()->front[static_cast<std::size_t>(row)]].point;
    };
    connect(m_front, &TablePanel::rowChosen, this, [this, pointOf](int row) { choose(pointOf(row)); });
    connect(m_front, &TablePanel::rowActivated, this, [this, pointOf](int row) {
        choose(pointOf(row));
        openChosen(false);
    });
    reload();
}

void SweepView::buildBar() {
    nameBox(*m_sweeps, tr("Sweep"));
    m_sweeps->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar().add(m_sweeps);
    m_counts->setProperty("role", "text3");
    bar().add(m_counts);
    bar().addStretch();
    m_open = bar().addButton(QStringLiteral("graph"), tr("Open the chosen point as the project"));
    m_run = bar().addButton(QStringLiteral("play"), tr("Open the chosen point and run it"));
    m_compare = bar().addButton(QStringLiteral("compare"),
                                tr("Compare the chosen point with the selected run; the project stays"));
    addTableExport(tr("Save the front as a table"), QStringLiteral("front"), *m_front);
    addPictureExport(tr("Save the points as a picture"), [this]() -> std::optional<Picture> {
        if (!hasData())
            return std::nullopt;
        return sweepPicture(*data(), themeOf(this));
    });
    m_open->setText(tr("Open as project"));
    m_run->setText(tr("Run"));
    m_compare->setText(tr("Compare"));
    for (QToolButton* button : {m_open, m_run, m_compare})
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_open, &QToolButton::clicked, this, [this] { openChosen(false); });
    connect(m_run, &QToolButton::clicked, this, [this] { openChosen(true); });
    connect(m_compare, &QToolButton::clicked, this, [this] {
        if (hasData() && m_chosen)
            intents().compareSweepPoint(data()->sweep().id, *m_chosen);
    });
    connect(m_sweeps, &QComboBox::activated, this, [this] {
        m_wanted = m_sweeps->currentData().toLongLong();
        m_chosen.reset();
        reload();
    });
}

QString SweepView::counts() const {
    return m_counts->text();
}

QString SweepView::chosenText() const {
    return m_text->text();
}

SweepView::Query SweepView::query() const {
    if (source().path().empty() || !document().isOpen())
        return {};
    return [read = m_read, wanted = m_wanted, swept = SweptProject{document().project(), document().path()}](
               const core::ProfileDatabase& database) { return read(database, wanted, swept); };
}

void SweepView::dataChanged() {
    const QSignalBlocker blocker(m_sweeps);
    m_sweeps->clear();
    m_scene = {};
    if (!hasData()) {
        m_wanted.reset();
        m_chosen.reset();
        return;
    }
    for (const core::SweepRow& row : data()->sweeps)
        m_sweeps->addItem(toQString(row.record.name), qlonglong(row.id));
    m_sweeps->setCurrentIndex(static_cast<int>(data()->shown));
    m_scene = data()->scene;
    if (m_chosen && !data()->indexOf(*m_chosen))
        m_chosen.reset();
    if (!m_chosen && !data()->front.empty())
        m_chosen = data()->points[data()->front.front()].point;
    if (std::int64_t(data()->points.size()) < data()->sweep().record.points && isVisible())
        m_again.start(milliseconds);
}

void SweepView::showData() {
    m_counts->setText(sweepCounts(*data()));
    m_front->setContent(frontTable(*data(), m_units));
    choose(m_chosen);
}

void SweepView::clearData() {
    m_counts->clear();
    m_front->setContent({});
    offer(false);
}

void SweepView::setUnits(const Units& units) {
    m_units = units;
}

void SweepView::restyle() {
    replot();
}

void SweepView::showEvent(QShowEvent* event) {
    ProfileViewOf::showEvent(event);
    if (hasData() && std::int64_t(data()->points.size()) < data()->sweep().record.points)
        m_again.start(0);
}

void SweepView::choose(std::optional<std::int64_t> point) {
    m_chosen = point;
    const auto index = point ? data()->indexOf(*point) : std::nullopt;
    m_text->setText(index ? pointText(*data(), *index, m_units) : QString());
    offer(index.has_value());
    int row = -1;
    for (std::size_t i = 0; i < data()->front.size(); ++i)
        if (index == data()->front[i])
            row = static_cast<int>(i);
    m_front->setCurrentRow(row);
    replot();
}

void SweepView::offer(bool isChosen) {
    for (QToolButton* button : {m_open, m_run, m_compare})
        button->setEnabled(isChosen);
}

bool SweepView::clickPlot(QMouseEvent* event) {
    if (!hasData() || event->button() != Qt::LeftButton)
        return false;
    const auto point = paretoPointAt(*m_plot, m_scene, event->position().x(), event->position().y());
    if (point)
        choose(point);
    return point.has_value();
}

void SweepView::openChosen(bool runs) {
    if (!hasData() || !m_chosen)
        return;
    intents().openSweepPoint(data()->sweep().id, *m_chosen);
    if (runs)
        intents().run();
}

void SweepView::replot() {
    if (!hasData())
        return;
    m_scene.chosen = m_chosen;
    m_scene.units = m_units;
    m_zoom->fill(m_scene, themeOf(this));
}

void SweepView::explainNoData(EmptyView& view) const {
    if (data() == nullptr)
        return ProfileView::explainNoData(view);
    view.setContent(QStringLiteral("compare"), tr("No sweep is stored beside this project"),
                    tr("ipu-workbench sweep FILE.sweep.json simulates many variations of it at once."));
}

} // namespace views
