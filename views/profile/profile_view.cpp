#include "views/profile/profile_view.h"

#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/document/view_intents.h"
#include "views/profile/empty_reason.h"
#include "views/profile/reading_veil.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/time/time_filter.h"
#include "views/profile/view_bar.h"

#include <QEvent>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace views {

ProfileView::ProfileView(Document& document, Selection& selection, ProfileSource& source,
                         ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_source(source)
    , m_intents(intents)
    , m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    connect(&document, &Document::unitsChanged, this, [this] {
        setUnits(m_document.units());
        showAll();
    });
    connect(&selection, &Selection::changed, this,
            [this](const SelectionState& before) { followSelection(before); });
    connect(&source, &ProfileSource::changed, this, [this] {
        m_placesOf.reset();
        reload();
    });
}

ProfileView::~ProfileView() = default;

ViewBar& ProfileView::bar() {
    if (m_bar == nullptr) {
        m_bar = new ViewBar(this);
        m_layout->insertWidget(0, m_bar);
    }
    return *m_bar;
}

RunChooser& ProfileView::addRunChooser() {
    auto* chooser = new RunChooser(m_source, m_selection, &bar());
    m_chooser = chooser;
    bar().add(chooser);
    // Whether there are runs at all is a part of why nothing is shown.
    connect(chooser, &RunChooser::listed, this, [this] {
        if (!hasData())
            showAll();
    });
    return *chooser;
}

void ProfileView::addTimeChip() {
    m_timeChip = new FilterChips(&bar());
    bar().add(m_timeChip);
    connect(m_timeChip, &FilterChips::removed, this, [this] { m_selection.selectTime(std::nullopt); });
}

void ProfileView::showTimeChip(const std::optional<TimeRange>& time, const TimeScale& scale) {
    std::vector<FilterChips::Chip> chips;
    if (time)
        chips.push_back({0, timeChipText(*time, m_document.units(), scale), QStringLiteral("time")});
    m_timeChip->setChips(std::move(chips));
}

void ProfileView::followTime(core::RunId run, core::Cycles step, std::function<void()> changed) {
    const std::optional<TimeRange> time = m_selection.state().time;
    if (!time) {
        if (m_timeQuery)
            m_timeQuery->cancel();
        if (std::exchange(m_programsInTime, std::nullopt))
            changed();
        return;
    }
    if (!m_timeQuery)
        m_timeQuery = std::make_unique<ProfileQuery>();
    m_timeQuery->request<std::set<StageProgram>>(
        m_source.path(),
        [run, step, time](const core::ProfileDatabase& database) {
            return programsWithin(database, run, step, *time);
        },
        [this, changed = std::move(changed)](core::Result<std::set<StageProgram>> answer) {
            if (!hasData())
                return;
            m_programsInTime = answer ? std::optional(*std::move(answer)) : std::nullopt;
            changed();
        });
}

void ProfileView::forgetTime() {
    if (m_timeQuery)
        m_timeQuery->cancel();
    m_programsInTime.reset();
}

const ProgramPlaces* ProfileView::placesOf(core::RunId run, std::function<void()> loaded) {
    if (m_placesOf == run)
        return m_places ? &*m_places : nullptr;
    m_placesOf = run;
    m_places.reset();
    if (!m_placeQuery)
        m_placeQuery = std::make_unique<ProfileQuery>();
    m_placeQuery->request<ProgramPlaces>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return loadProgramPlaces(database, run); },
        [this, loaded = std::move(loaded)](core::Result<ProgramPlaces> answer) {
            if (!answer)
                return;
            m_places.emplace(*std::move(answer));
            loaded();
        });
    return nullptr;
}

void ProfileView::addPictureExport(const QString& toolTip, std::function<std::optional<Picture>()> picture) {
    connect(bar().addButton(QStringLiteral("export"), toolTip), &QToolButton::clicked, this,
            [this, picture = std::move(picture)] {
                if (const std::optional<Picture> present = picture())
                    m_intents.savePicture(*present);
            });
}

void ProfileView::addTableExport(const QString& toolTip, const QString& name, const TablePanel& table) {
    connect(bar().addButton(QStringLiteral("table"), toolTip), &QToolButton::clicked, this,
            [this, name, &table] { m_intents.saveTable(name, table.toCsv()); });
}

void ProfileView::setContent(QWidget* content) {
    m_content = content;
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyView(m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(content);
    m_layout->addWidget(m_stack, 1);
    m_veil = new ReadingVeil(m_stack);
    connect(m_empty, &EmptyView::actionRequested, this, [this] { m_intents.run(); });
    for (const TablePanel* table : content->findChildren<TablePanel*>())
        connect(table, &TablePanel::figureRequested, this,
                [this](const QString& figure) { m_intents.explainFigure(figure.toStdString()); });
}

QToolButton* ProfileView::addFold(QWidget* part, const QString& name, const QString& toolTip) {
    auto* button = new QToolButton(&bar());
    button->setText(name);
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setProperty("small", true);
    part->hide();
    connect(button, &QToolButton::toggled, part, &QWidget::setVisible);
    bar().add(button);
    return button;
}

void ProfileView::addAbove(QWidget* widget) {
    m_layout->addWidget(widget);
}

void ProfileView::setPromise(const QString& iconName, const QString& promise) {
    m_iconName = iconName;
    m_promise = promise;
}

void ProfileView::followSelection(const SelectionState& before) {
    if (m_selection.state().run != before.run)
        reload();
}

void ProfileView::explainNoData(EmptyView& view) const {
    if (m_losses != nullptr && !m_losses->isHidden())
        return view.setContent(m_iconName, tr("What is shown here is on a damaged page"),
                               tr("Restore a copy of the file, or run the project again."));
    const bool cannotList = trouble().empty() && m_chooser != nullptr;
    explainEmpty(view, m_iconName, m_promise, m_source, isReading(),
                 cannotList ? m_chooser->trouble() : trouble());
}

void ProfileView::showAll() {
    if (!hasData()) {
        m_stack->setCurrentWidget(m_empty);
        clearData();
        return explainNoData(*m_empty);
    }
    m_stack->setCurrentWidget(m_content);
    showData();
}

void ProfileView::showLosses(const std::vector<std::string>& losses) {
    if (losses.empty()) {
        if (m_losses != nullptr)
            m_losses->hide();
        return;
    }
    if (m_losses == nullptr) {
        m_losses = new QLabel(this);
        m_losses->setObjectName(QStringLiteral("losses"));
        m_losses->setWordWrap(true);
        m_losses->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_losses->setProperty("role", "warning");
        const Theme& theme = themeOf(this);
        m_losses->setContentsMargins(theme.ipx(12), theme.ipx(4), theme.ipx(12), theme.ipx(4));
        m_layout->insertWidget(m_layout->indexOf(m_stack), m_losses);
    }
    QStringList parts;
    for (const std::string& part : losses)
        parts.append(toQString(part));
    m_losses->setText(
        tr("The file of the runs is damaged. Lost here, in whole or in part: %1. The rest is shown.")
            .arg(parts.join(QStringLiteral(", "))));
    m_losses->setAccessibleName(m_losses->text());
    m_losses->show();
}

void ProfileView::setReading(bool isReading) {
    if (m_veil != nullptr)
        m_veil->setReading(isReading);
}

void ProfileView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_content != nullptr && hasData())
        restyle();
}

QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace views
