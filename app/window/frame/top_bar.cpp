#include "app/window/frame/top_bar.h"

#include "app/window/frame/action_set.h"
#include "app/window/frame/plan_figures.h"
#include "app/window/frame/workspaces.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/common/widgets/tooltip_card.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <array>

namespace app {

using views::toQString;

namespace {

QToolButton* actionButton(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setProperty("kind", "quiet");
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// A positive whole number as people may type it.
std::optional<std::int64_t> numberOf(const QString& text) {
    bool isNumber = false;
    const qlonglong value = text.trimmed().toLongLong(&isNumber);
    return isNumber && value > 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

QString systemText(const simulator::SystemChoice& choice) {
    return QStringLiteral("%1 × %2").arg(choice.ipus).arg(toQString(choice.target));
}

} // namespace

TopBar::TopBar(views::Document& document, ActionSet& actions, QWidget* parent)
    : QToolBar(parent)
    , m_document(document)
    , m_actions(actions)
    , m_workspaces(new views::SegmentedControl(tr("Workspace"), this))
    , m_figures(new PlanFigures(document, this))
    , m_run(new QToolButton(this)) {
    const views::Theme& theme = views::themeOf(this);
    setObjectName(QStringLiteral("toolbar"));
    setWindowTitle(tr("Toolbar"));
    setMovable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(theme.ipx(10), 0, theme.ipx(10), 0);
    layout->setSpacing(theme.ipx(6));
    bar->setFixedHeight(theme.ipx(46));
    // Gives way before the window does: labels go first (`adapt`).
    bar->setMinimumWidth(theme.ipx(760));
    bar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addWidget(bar);
    for (const WorkspaceRow& row : workspaceRows()) {
        m_workspaces->addSegment(
            Workspaces::tr(row.title),
            Workspaces::tr(row.tip) +
                QStringLiteral(" (%1)").arg(
                    actions.action(QStringLiteral("workspace.") + QLatin1String(row.key))
                        ->shortcut()
                        .toString(QKeySequence::NativeText)),
            QString::fromLatin1(row.icon));
    }
    connect(m_workspaces, &views::SegmentedControl::chosen, this,
            [this](int index) { emit workspaceChosen(workspaceRows()[std::size_t(index)].id); });
    layout->addWidget(m_workspaces);
    layout->addSpacing(theme.ipx(6));
    layout->addWidget(actionButton(actions.action(QStringLiteral("edit.undo")), bar));
    layout->addWidget(actionButton(actions.action(QStringLiteral("edit.redo")), bar));
    layout->addSpacing(theme.ipx(6));
    m_schedule = addChoice(tr("Schedule"), tr("How micro-batches go through the stages"));
    m_microBatches = addChoice(tr("Micro-batches"), tr("Micro-batches per weight update and replica"));
    m_replicas = addChoice(tr("Replicas"), tr("Copies of the pipeline that share the batch"));
    for (QComboBox* box : {m_microBatches, m_replicas}) {
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        // The box has the keyboard and hands keys on to its edit, past filters of that.
        box->installEventFilter(this);
        // Room for four digits; the box itself would ask for more.
        box->setMaximumWidth(theme.ipx(62));
    }
    m_system = addChoice(tr("System"), tr("IPUs of all replicas, and which kind"));
    layout->addStretch(1);
    layout->addWidget(m_figures);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_run->setFocusPolicy(Qt::TabFocus);
    m_run->setPopupMode(QToolButton::MenuButtonPopup);
    auto* menu = new QMenu(m_run);
    for (const char* id : {"run.train", "run.profile", "run.evaluate", "run.predict"})
        menu->addAction(actions.action(QString::fromLatin1(id)));
    m_run->setMenu(menu);
    layout->addWidget(m_run);
    connectChoices();
    setRunning(false);
    connect(&document, &views::Document::projectChanged, this, &TopBar::followProject);
    connect(&document, &views::Document::opened, this, &TopBar::refreshChoices);
    // The figures take as much room as their digits need.
    connect(&document, &views::Document::estimateChanged, this, &TopBar::followFigures);
    connect(&document, &views::Document::previewChanged, this, &TopBar::followFigures);
    connect(&document, &views::Document::unitsChanged, this, &TopBar::followFigures);
    refreshChoices();
}

QComboBox* TopBar::addChoice(const QString& label, const QString& tip) {
    auto* layout = static_cast<QHBoxLayout*>(m_workspaces->parentWidget()->layout());
    auto* text = new QLabel(label, layout->parentWidget());
    text->setProperty("role", "text2");
    m_labels.push_back(text);
    layout->addWidget(text);
    auto* box = new QComboBox(layout->parentWidget());
    box->setToolTip(label + u'\n' + tip);
    box->setAccessibleName(label);
    // Heard also where it has no room.
    text->setBuddy(box);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setFocusPolicy(Qt::StrongFocus);
    layout->addWidget(box);
    return box;
}

void TopBar::connectChoices() {
    connect(m_schedule, &QComboBox::activated, this, [this](int index) {
        const std::string name = m_schedule->itemData(index).toString().toStdString();
        if (name == m_document.project().pipeline.schedule)
            return;
        refuse(m_schedule,
               m_document.apply(tr("Use the schedule %1").arg(m_schedule->currentText()),
                                [name](const core::Project& project) -> core::Result<core::Project> {
                                    return core::withSchedule(project, name);
                                }));
    });
    using NumberEdit = core::Result<core::Project> (*)(const core::Project&, std::int64_t);
    const auto connectNumber = [this](QComboBox* box, const char* text, NumberEdit edit,
                                      std::int64_t (*present)(const core::Project&)) {
        const auto commit = [this, box, text, edit, present] {
            if (m_isRefreshing || !m_document.isOpen())
                return;
            const std::optional<std::int64_t> value = numberOf(box->currentText());
            if (!value) {
                const QString typed = box->currentText().trimmed().left(30);
                complain(box, typed.isEmpty() ? tr("A whole number from 1 is needed")
                                              : tr("\"%1\" is no whole number from 1").arg(typed));
                return;
            }
            if (*value == present(m_document.project())) {
                refreshChoices();
                return;
            }
            refuse(box, m_document.apply(tr(text).arg(*value), [edit, value](const core::Project& project) {
                return edit(project, *value);
            }));
        };
        connect(box, &QComboBox::activated, this, commit);
        connect(box->lineEdit(), &QLineEdit::editingFinished, this, commit);
    };
    connectNumber(m_microBatches, QT_TR_NOOP("Use %1 micro-batches"), core::withMicroBatchChoice,
                  simulator::microBatchesOf);
    connectNumber(m_replicas, QT_TR_NOOP("Use %1 replicas"), core::withReplicaChoice, simulator::replicasOf);
    connect(m_system, &QComboBox::activated, this, [this](int index) {
        const simulator::SystemChoice choice{
            m_system->itemData(index, Qt::UserRole).toLongLong(),
            m_system->itemData(index, Qt::UserRole + 1).toString().toStdString()};
        refuse(m_system,
               m_document.apply(tr("Use %1").arg(systemText(choice)), [choice](const core::Project& project) {
                   return simulator::withSystemChoice(project, choice);
               }));
    });
}

void TopBar::ask(Choice choice) {
    QComboBox* boxes[]{m_schedule, m_microBatches, m_replicas, m_system};
    QComboBox* box = boxes[std::size_t(choice)];
    if (!box->isEnabled())
        return;
    box->setFocus(Qt::ShortcutFocusReason);
    if (box->isEditable())
        box->lineEdit()->selectAll();
    else
        box->showPopup();
}

/// A number that is confirmed is done with, as is one that is left as it was.
bool TopBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape)
            refreshChoices();
        if (key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter)
            QMetaObject::invokeMethod(this, &TopBar::left, Qt::QueuedConnection);
    }
    return QToolBar::eventFilter(watched, event);
}

void TopBar::refuse(QComboBox* box, const core::Result<void>& applied) {
    if (applied)
        return;
    const core::Diagnostic& why = applied.error().front();
    QString text = toQString(why.message);
    if (!why.hints.empty())
        text += QStringLiteral(" — ") + toQString(why.hints.front());
    complain(box, text);
}

void TopBar::complain(QComboBox* box, const QString& why) {
    refreshChoices();
    if (m_complaint == nullptr)
        m_complaint = new views::ToolTipCard(window());
    box->setProperty("invalid", true);
    box->update();
    m_complaint->showAt(box->mapTo(window(), QPoint(0, box->height() - views::themeOf(this).ipx(8))),
                        {why, {}, tr("%1 stays").arg(box->currentText())});
    constexpr int readingTime = 6000;
    QTimer::singleShot(readingTime, m_complaint, [card = m_complaint] { card->showAt({}, {}); });
    QTimer::singleShot(readingTime, box, [box] {
        box->setProperty("invalid", false);
        box->update();
    });
}

std::optional<TopBar::Choices> TopBar::choicesNow() const {
    if (!m_document.isOpen())
        return std::nullopt;
    const core::Project& project = m_document.project();
    return Choices{.schedule = project.pipeline.schedule,
                   .isPipelined = project.assignment.isPipelined(),
                   .microBatches = simulator::microBatchChoices(project),
                   .microBatch = simulator::microBatchesOf(project),
                   .replicas = simulator::replicasOf(project),
                   .systems = simulator::systemChoices(project),
                   .system = {project.system.ipus, project.system.target}};
}

/// Most edits leave the choices as they are.
void TopBar::followProject() {
    if (choicesNow() != m_shown)
        refreshChoices();
}

void TopBar::followFigures() {
    if (m_figures->fullWidth() != m_figuresWidth)
        adapt();
}

void TopBar::refreshChoices() {
    m_isRefreshing = true;
    m_shown = choicesNow();
    for (QComboBox* box : {m_schedule, m_microBatches, m_replicas, m_system}) {
        const QSignalBlocker blocker(box);
        box->clear();
        box->setEnabled(m_shown.has_value());
    }
    if (m_shown) {
        for (const core::ScheduleDefinition& schedule : core::scheduleCatalogue())
            if (!schedule.takesTable || schedule.name == m_shown->schedule)
                m_schedule->addItem(schedule.isWhatIf ? tr("%1 (what-if)").arg(toQString(schedule.name))
                                                      : toQString(schedule.name),
                                    toQString(schedule.name));
        // The list is as wide as its longest name, the closed box is not.
        m_schedule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_schedule->view()->setMinimumWidth(m_schedule->view()->sizeHintForColumn(0) +
                                            views::themeOf(this).ipx(24));
        m_schedule->setCurrentIndex(m_schedule->findData(toQString(m_shown->schedule)));
        m_schedule->setEnabled(m_shown->isPipelined);
        for (const std::int64_t count : m_shown->microBatches)
            m_microBatches->addItem(QString::number(count));
        m_microBatches->setCurrentText(QString::number(m_shown->microBatch));
        for (std::int64_t count = 1; count <= 16; count *= 2)
            m_replicas->addItem(QString::number(count));
        m_replicas->setCurrentText(QString::number(m_shown->replicas));
        for (const simulator::SystemChoice& choice : m_shown->systems) {
            m_system->addItem(systemText(choice), qlonglong(choice.ipus));
            m_system->setItemData(m_system->count() - 1, toQString(choice.target), Qt::UserRole + 1);
        }
        m_system->setCurrentText(systemText(m_shown->system));
    }
    m_isRefreshing = false;
    adapt();
    adapt();
}

TopBar::~TopBar() {
    for (QObject* part : findChildren<QObject*>())
        part->disconnect(this);
}

void TopBar::showWorkspace(views::WorkspaceId workspace) {
    const auto rows = workspaceRows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].id == workspace)
            m_workspaces->setCurrent(int(i));
    }
}

void TopBar::setRunning(bool isRunning) {
    QAction* action = m_actions.action(isRunning ? QStringLiteral("run.stop") : QStringLiteral("run.train"));
    m_run->setText(action->text());
    m_run->setIcon(isRunning ? views::icon(this, QStringLiteral("stop"), views::Role::Error)
                             : views::icon(this, QStringLiteral("play"), views::Role::OnAccent));
    m_run->setProperty("kind", isRunning ? "" : "primary");
    m_run->setToolTip(action->text() +
                      QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText)));
    m_run->setAccessibleName(action->text());
    m_run->setEnabled(isRunning || m_document.isOpen());
    for (const QMetaObject::Connection& connection : m_runConnections)
        disconnect(connection);
    m_runConnections = {
        connect(m_run, &QToolButton::clicked, action, &QAction::trigger),
        connect(action, &QAction::changed, this, [this, action] { m_run->setEnabled(action->isEnabled()); })};
    m_run->update();
}

void TopBar::setMeasured(bool isMeasured) {
    m_figures->setMeasured(isMeasured);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    adapt();
}

void TopBar::adapt() {
    using Content = views::SegmentedControl::Content;
    QLayout* bar = m_workspaces->parentWidget()->layout();
    m_figuresWidth = m_figures->fullWidth();
    for (QLabel* label : m_labels)
        label->setVisible(true);
    m_figures->setCount(PlanFigures::mostFigures);
    m_figures->setCompact(false);
    m_workspaces->setContent(Content::IconAndText);
    constexpr int nameLength = 11;
    m_schedule->setMinimumContentsLength(nameLength);
    const views::Theme& theme = views::themeOf(this);
    bar->setSpacing(theme.ipx(6));
    const auto isTooWide = [&] {
        // The layout keeps the hint of each widget until that widget itself says that it has changed.
        m_workspaces->updateGeometry();
        m_figures->updateGeometry();
        bar->invalidate();
        return bar->sizeHint().width() > width();
    };
    // What is missed least gives way first: the chip and the interval of the figures, names of choices, icons
    // of workspaces, names of workspaces. The figures go last, in a window that is no window any more.
    if (isTooWide())
        m_figures->setCompact(true);
    if (isTooWide()) {
        for (QLabel* label : m_labels)
            label->setVisible(false);
    }
    if (isTooWide())
        m_workspaces->setContent(Content::Text);
    if (isTooWide())
        m_workspaces->setContent(Content::Icon);
    for (int figures = PlanFigures::mostFigures - 1; figures > 0 && isTooWide(); --figures)
        m_figures->setCount(figures);
    // Without names of workspaces there may be room for names of choices: first of those that are bare
    // numbers.
    if (m_labels.front()->isVisibleTo(this))
        return;
    m_schedule->setMinimumContentsLength(std::min(nameLength, int(m_schedule->currentText().size())));
    bar->setSpacing(theme.ipx(4));
    constexpr std::array<std::size_t, 4> choices{1, 2, 0, 3};
    for (const std::size_t choice : choices) {
        m_labels[choice]->setVisible(true);
        if (isTooWide())
            return m_labels[choice]->setVisible(false);
    }
}

} // namespace app
