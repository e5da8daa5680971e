#include "views/training/training_view.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/document/view_intents.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_tabs.h"
#include "views/profile/view_bar.h"
#include "views/training/recorded_panel.h"
#include "views/training/training_feed.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>

namespace views {

/// The progress of the run, painted.
class TrainingView::Head final : public QWidget {
public:
    Head(const TrainingScene& scene, QWidget* parent)
        : QWidget(parent)
        , m_scene(scene) {
        setAccessibleName(TrainingView::tr("Progress"));
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {600, static_cast<int>(trainingHeadHeight(themeOf(this)))};
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        if (m_scene.data)
            paintTrainingHead(painter, rect(), m_scene, themeOf(this));
    }

private:
    const TrainingScene& m_scene;
};

/// One update of the program that computed the metrics, in small.
class TrainingView::Profile final : public QWidget {
public:
    Profile(const TrainingScene& scene, QWidget* parent)
        : QWidget(parent)
        , m_scene(scene) {
        setAccessibleName(TrainingView::tr("Profile of this program"));
    }
    [[nodiscard]] QSize sizeHint() const override { return {300, 92}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 40}; }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        const Theme& theme = themeOf(this);
        QPainter painter(this);
        if (!m_scene.profile || m_scene.profile->lanes.empty()) {
            painter.setPen(theme.color(Role::Text3));
            painter.drawText(rect(), Qt::AlignCenter, TrainingView::tr("recorded without a timeline"));
            return;
        }
        const double mostHeight = theme.px(24) * static_cast<double>(m_scene.profile->lanes.size());
        const double chips = theme.px(34);
        const QRectF lanes(chips, theme.px(6), width() - chips - theme.px(12),
                           std::min(mostHeight, height() - theme.px(12)));
        paintMiniChips(painter, QRectF(0, lanes.top(), chips - theme.px(8), lanes.height()), *m_scene.profile,
                       theme);
        paintMiniTimeline(painter, lanes, *m_scene.profile,
                          {core::Cycles(), m_scene.profile->step, lanes.left(), lanes.width()}, theme);
    }

private:
    const TrainingScene& m_scene;
};

TrainingView::TrainingView(Document& document, Selection& selection, ProfileSource& source,
                           ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(QStringLiteral("train"),
               tr("Loss, metrics and throughput appear while a project with a dataset runs."));
    buildBar();
    QSplitter* content = makeSplitter(Qt::Horizontal, this);
    m_stack = new QStackedWidget(content);
    m_stack->addWidget(buildPlots());
    m_recorded = new RecordedPanel(m_stack);
    m_stack->addWidget(m_recorded);
    content->addWidget(m_stack);
    content->addWidget(buildSide());
    content->setStretchFactor(0, 1);
    content->setSizes({900, 360});
    setContent(content);
    connect(&source, &ProfileSource::changed, this, &TrainingView::loadOverlays);
    reload();
}

TrainingView::~TrainingView() = default;

void TrainingView::buildBar() {
    m_runChooser = &addRunChooser();
    ViewBar* bar = &this->bar();
    auto* overlayButton = bar->addButton(QStringLiteral("plus"), tr("Lay other runs over this one"));
    overlayButton->setPopupMode(QToolButton::InstantPopup);
    m_overlayMenu = new QMenu(overlayButton);
    overlayButton->setMenu(m_overlayMenu);
    connect(m_overlayMenu, &QMenu::aboutToShow, this, &TrainingView::fillOverlayMenu);
    m_chips = new FilterChips(bar);
    bar->add(m_chips);
    connect(m_chips, &FilterChips::removed, this, [this](int index) {
        std::vector<core::RunId> runs = m_overlays;
        runs.erase(runs.begin() + index);
        overlay(std::move(runs));
    });
    m_pages = new SegmentedControl(tr("What is shown"), bar);
    m_pages->addSegment(tr("Metrics"), tr("Loss, metrics and throughput over weight updates"));
    m_pages->addSegment(tr("Confusion"), tr("Which class was predicted as which, at the end of an epoch"));
    m_pages->addSegment(tr("Tensors"), tr("How the values of weights and gradients spread"));
    m_pages->addSegment(tr("Samples"), tr("What the model says of single samples, at the end of an epoch"));
    bar->add(m_pages);
    connect(m_pages, &SegmentedControl::chosen, this, &TrainingView::showPage);
    bar->addLabel(tr("Loss axis"));
    m_lossAxis = new SegmentedControl(tr("Loss axis"), bar);
    m_lossAxis->addSegment(tr("Linear"), tr("Equal steps for equal differences"));
    m_lossAxis->addSegment(tr("Log"), tr("Equal steps for equal factors"));
    bar->add(m_lossAxis);
    bar->addLabel(tr("Smooth"));
    m_smoothing = new QSlider(Qt::Horizontal, bar);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Weight of the moving average"));
    m_smoothing->setRange(0, 99);
    m_smoothing->setValue(80);
    m_smoothing->setFixedWidth(themeOf(this).ipx(120));
    bar->add(m_smoothing);
    bar->addStretch();
    auto* key = new QLabel(tr("thick: smoothed    thin: each update    ◇ validation"), bar);
    key->setProperty("role", "text3");
    bar->add(key);
    addPictureExport(tr("Save the plots"), [this]() -> std::optional<Picture> {
        if (!m_scene.data)
            return std::nullopt;
        if (m_stack->currentWidget() == m_recorded)
            return m_recorded->picture();
        return pictureOf(m_scene, QSizeF(m_plot->width(), m_plot->height() + m_head->height()),
                         themeOf(this));
    });
    connect(m_lossAxis, &SegmentedControl::chosen, this, [this](int index) {
        m_scene.state.isLogarithmic = index == 1;
        replot();
    });
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        m_scene.state.smoothing = value / 100.0;
        replot();
    });
}

QWidget* TrainingView::buildPlots() {
    auto* plots = new QWidget(this);
    auto* column = new QVBoxLayout(plots);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_head = new Head(m_scene, plots);
    auto* cancel = new QPushButton(tr("Cancel"), m_head);
    cancel->setProperty("small", true);
    m_cancel = cancel;
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(0, 0, 12, 4);
    row->addStretch(1);
    row->addWidget(cancel, 0, Qt::AlignBottom);
    m_cancel->hide();
    m_plot = new QCustomPlot(plots);
    m_plot->setAccessibleName(tr("Metrics over weight updates"));
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_toolTip = new ToolTipCard(m_plot);
    connect(m_plot, &QCustomPlot::mouseMove, this, &TrainingView::hover);
    column->addWidget(m_head);
    column->addWidget(m_plot, 1);
    connect(cancel, &QPushButton::clicked, this, [this] { intents().cancelRun(); });
    return plots;
}

/// The title of a part at the side, with a button that saves the table where there is one.
QWidget* TrainingView::sectionTitle(const QString& text, const QString& fileName, const TablePanel* table) {
    auto* frame = new QFrame;
    frame->setProperty("surface", "panel2");
    frame->setProperty("line", "bottom");
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(12, 4, 6, 4);
    auto* label = new QLabel(text, frame);
    label->setFont(themeOf(this).font(12, QFont::DemiBold));
    row->addWidget(label, 1);
    if (table != nullptr) {
        QToolButton* button = saveTableButton(this);
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this,
                [this, fileName, table] { intents().saveTable(fileName, table->toCsv()); });
    }
    return frame;
}

/// To what else is known about the run.
QHBoxLayout* TrainingView::makeLinks() {
    auto* links = new QHBoxLayout;
    links->setContentsMargins(12, 2, 12, 8);
    for (const auto& [iconName, text, workspace] :
         {std::tuple("time", tr("Timeline"), WorkspaceId::Timeline),
          std::tuple("memory", tr("Memory"), WorkspaceId::Memory),
          std::tuple("compare", tr("Compare"), WorkspaceId::Compare)}) {
        auto* button = new QPushButton(icon(this, QString::fromLatin1(iconName)), text, this);
        button->setProperty("small", true);
        links->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, id = workspace] { intents().showWorkspace(id); });
    }
    links->addStretch(1);
    return links;
}

QWidget* TrainingView::buildSide() {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_profile = new Profile(m_scene, side);
    m_figures = new QLabel(side);
    m_figures->setContentsMargins(12, 2, 12, 4);
    m_figures->setTextFormat(Qt::RichText);
    m_epochs = new TablePanel(tr("Epochs"), side);
    m_callbacks = new TablePanel(tr("Callbacks"), side);
    m_timingNote = new QLabel(side);
    m_timingNote->setWordWrap(true);
    m_timingNote->setProperty("role", "text3");
    m_timingNote->setContentsMargins(12, 6, 12, 8);
    column->addWidget(sectionTitle(tr("Profile of this program")));
    column->addWidget(m_profile);
    column->addWidget(m_figures);
    column->addLayout(makeLinks());
    column->addWidget(sectionTitle(tr("Epochs"), QStringLiteral("epochs"), m_epochs));
    column->addWidget(m_epochs, 2);
    column->addWidget(sectionTitle(tr("Callbacks"), QStringLiteral("callbacks"), m_callbacks));
    column->addWidget(m_callbacks, 3);
    column->addWidget(m_timingNote);
    return side;
}

void TrainingView::watch(TrainingFeed* feed) {
    if (m_feed != nullptr)
        m_feed->disconnect(this);
    m_feed = feed;
    if (m_feed == nullptr)
        return reload();
    const auto take = [this] {
        if (m_feed == nullptr)
            return;
        m_scene.data = std::make_shared<const TrainingData>(m_feed->snapshot());
        m_scene.profile.reset();
        showAll();
    };
    connect(m_feed, &TrainingFeed::changed, this, take, Qt::QueuedConnection);
    take();
}

/// A run on its way is shown until it ends.
void TrainingView::reload() {
    if (m_feed == nullptr)
        ProfileViewOf::reload();
}

TrainingView::Query TrainingView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run](const core::ProfileDatabase& database) -> core::Result<TrainedRun> {
        auto training = loadTraining(database, *run);
        if (!training)
            return core::failure(training.error());
        if (std::optional<core::Diagnostic> objection = trainingObjection(*training))
            return core::failure(*std::move(objection));
        constexpr std::int64_t profileBins = 400;
        auto profile = loadMiniTimeline(database, *run, profileBins);
        if (!profile)
            return core::failure(profile.error());
        auto recorded = loadRecorded(database, *run);
        if (!recorded)
            return core::failure(recorded.error());
        return TrainedRun{*std::move(training), std::make_shared<const MiniTimeline>(*std::move(profile)),
                          std::make_shared<const RecordedTraining>(*std::move(recorded))};
    };
}

void TrainingView::dataChanged() {
    m_scene.data = data() ? std::shared_ptr<const TrainingData>(data(), &data()->training) : nullptr;
    m_scene.profile = data() ? data()->profile : nullptr;
}

void TrainingView::showData() {
    const TrainingData& training = *m_scene.data;
    m_cancel->setVisible(training.isRunning);
    m_head->update();
    m_profile->update();
    // A run is not laid over itself.
    if (training.run && std::erase(m_overlays, *training.run) > 0)
        loadOverlays();
    const Units units = document().units();
    m_scene.state.units = units;
    m_figures->setText(
        training.step.value() == 0
            ? QString()
            : tr("Step <b>%1</b>&nbsp;&nbsp; Idle <b>%2</b>&nbsp;&nbsp; Peak <b>%3</b>")
                  .arg(timeText(training.step, units.time, {training.provenance.clockHz, training.step})
                           .joined(),
                       percentText(training.idleFraction), bytesText(training.peak, units.bytes).joined()));
    m_epochs->setContent(epochTable(training));
    m_epochs->setCurrentRow(static_cast<int>(m_epochs->content().rows.size()) - 1);
    showCallbacks();
    showRecorded();
    replot();
}

/// Of a run on its way nothing is recorded yet.
void TrainingView::showRecorded() {
    m_recorded->setRecorded(m_feed == nullptr && data() ? data()->recorded : nullptr);
    bool any = false;
    for (int page = 1; page < m_pages->count(); ++page) {
        const bool has = m_recorded->has(static_cast<RecordedPanel::Kind>(page - 1));
        m_pages->button(page)->setVisible(has);
        any = any || has;
        if (!has && m_pages->current() == page)
            showPage(0);
    }
    m_pages->setVisible(any);
}

void TrainingView::showPage(int page) {
    m_pages->setCurrent(page);
    if (page > 0)
        m_recorded->setKind(static_cast<RecordedPanel::Kind>(page - 1));
    m_stack->setCurrentIndex(page > 0 ? 1 : 0);
    m_lossAxis->setEnabled(page == 0);
    m_smoothing->setEnabled(page == 0);
}

void TrainingView::showCallbacks() {
    if (!m_scene.data)
        return;
    m_callbacks->setContent(callbackTable(*m_scene.data));
    m_timingNote->setText(callbackNote(*m_scene.data));
}

void TrainingView::fillOverlayMenu() {
    m_overlayMenu->clear();
    constexpr qsizetype most = 40;
    const auto isShown = [this](core::RunId run) { return m_scene.data && m_scene.data->run == run; };
    for (const core::RunRow& row : m_runChooser->rows()) {
        if (isShown(row.run) || row.mode != core::RunMode::Train || m_overlayMenu->actions().size() >= most)
            continue;
        QAction* action =
            m_overlayMenu->addAction(runTitle(row) + QStringLiteral(" · ") + toQString(row.project));
        const auto found = std::find(m_overlays.begin(), m_overlays.end(), row.run);
        action->setCheckable(true);
        action->setChecked(found != m_overlays.end());
        action->setEnabled(found != m_overlays.end() || m_overlays.size() < mostOverlays);
        connect(action, &QAction::toggled, this, [this, run = row.run](bool isOn) {
            std::vector<core::RunId> runs = m_overlays;
            if (isOn)
                runs.push_back(run);
            else
                std::erase(runs, run);
            overlay(std::move(runs));
        });
    }
    if (m_overlayMenu->isEmpty())
        m_overlayMenu->addAction(tr("There is no other training run"))->setEnabled(false);
}

void TrainingView::overlay(std::vector<core::RunId> runs) {
    if (runs.size() > mostOverlays)
        runs.resize(mostOverlays);
    m_overlays = std::move(runs);
    loadOverlays();
}

void TrainingView::loadOverlays() {
    if (m_overlays.empty() || source().path().empty()) {
        m_overlayQuery.cancel();
        m_scene.others.clear();
        return showOverlays();
    }
    using Others = std::vector<std::shared_ptr<const TrainingData>>;
    m_overlayQuery.request<Others>(
        source().path(),
        [runs = m_overlays](const core::ProfileDatabase& database) -> core::Result<Others> {
            Others others;
            for (const core::RunId run : runs) {
                // A run that is gone, or learned nothing, has no line.
                if (auto training = loadTraining(database, run); training && !trainingObjection(*training))
                    others.push_back(std::make_shared<const TrainingData>(*std::move(training)));
            }
            return others;
        },
        [this](core::Result<Others> answer) {
            m_scene.others = answer ? *std::move(answer) : Others();
            m_overlays.clear();
            for (const auto& other : m_scene.others)
                m_overlays.push_back(*other->run);
            showOverlays();
        });
}

void TrainingView::showOverlays() {
    std::vector<FilterChips::Chip> chips;
    for (std::size_t i = 0; i < m_overlays.size(); ++i)
        chips.push_back(
            {int(i), overlayLetter(i + 1) + QStringLiteral("  #%1").arg(m_overlays[i].value()), {}});
    m_chips->setChips(std::move(chips));
    replot();
}

void TrainingView::hover(QMouseEvent* event) {
    const auto rects = m_plot->axisRects();
    const std::vector<MetricPlot> plots =
        m_scene.data ? metricPlots(*m_scene.data) : std::vector<MetricPlot>();
    for (std::size_t i = 0; i < std::min(plots.size(), std::size_t(rects.size())); ++i) {
        QCPAxisRect& rect = *rects[qsizetype(i)];
        if (!rect.rect().contains(event->pos()))
            continue;
        const double update = rect.axis(QCPAxis::atBottom)->pixelToCoord(event->position().x());
        ToolTipContent content;
        const auto readings = readingsAt(m_scene, plots[i].name, update);
        for (const MetricReading& reading : readings) {
            const QString name = readings.size() > 1 ? reading.letter + u' ' + metricTitle(plots[i].name)
                                                     : metricTitle(plots[i].name);
            if (reading.training) {
                if (content.title.isEmpty())
                    content.title = tr("Update %1 · epoch %2")
                                        .arg(groupedText(std::int64_t(reading.training->update)))
                                        .arg(reading.training->epoch + 1);
                content.rows.push_back({name, metricText(reading.training->value)});
            }
            if (reading.validation)
                content.rows.push_back(
                    {tr("%1, validation").arg(name), metricText(reading.validation->value)});
        }
        return m_toolTip->showAt(event->position(), content);
    }
    m_toolTip->showAt({}, {});
}

bool TrainingView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && event->type() == QEvent::Leave)
        m_toolTip->showAt({}, {});
    return QWidget::eventFilter(watched, event);
}

void TrainingView::replot() {
    if (!m_scene.data)
        return;
    fillTrainingPlot(*m_plot, m_scene, themeOf(this));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace views
