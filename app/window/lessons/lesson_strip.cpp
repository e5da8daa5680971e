#include "app/window/lessons/lesson_strip.h"

#include "app/window/frame/window_settings.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace app {

using views::Role;
using views::toQString;

namespace {

QString nameOf(LessonFigure figure) {
    switch (figure) {
    case LessonFigure::StageRatio:
        return LessonStrip::tr("slowest stage ÷ fastest");
    case LessonFigure::BubbleShare:
        return LessonStrip::tr("filling and draining");
    case LessonFigure::HostShare:
        return LessonStrip::tr("waiting for the host");
    case LessonFigure::FullestIpu:
        return LessonStrip::tr("fullest IPU");
    case LessonFigure::Throughput:
        return LessonStrip::tr("samples/s");
    case LessonFigure::Stash:
        return LessonStrip::tr("stash");
    case LessonFigure::Ipus:
        return LessonStrip::tr("IPUs");
    case LessonFigure::EffectiveBatch:
        break;
    }
    return LessonStrip::tr("batch of an update");
}

QString valueOf(LessonFigure figure, double value, const views::Units& units) {
    switch (figure) {
    case LessonFigure::StageRatio:
        return views::fixedText(value, 2);
    case LessonFigure::BubbleShare:
    case LessonFigure::HostShare:
    case LessonFigure::FullestIpu:
        return views::percentText(value);
    case LessonFigure::Stash:
        return views::bytesText(core::Bytes(static_cast<std::int64_t>(value)), units.bytes).joined();
    case LessonFigure::Throughput:
    case LessonFigure::Ipus:
    case LessonFigure::EffectiveBatch:
        break;
    }
    return views::fixedText(value, 0);
}

QString boundOf(const LessonGoal& goal, const views::Units& units) {
    const QString value = valueOf(goal.figure, goal.value, units);
    return goal.bound == LessonGoal::Bound::AtMost ? LessonStrip::tr("at most %1").arg(value)
                                                   : LessonStrip::tr("at least %1").arg(value);
}

} // namespace

QString lessonGoalText(const LessonResult::Goal& goal, const views::Units& units) {
    return QStringLiteral("%1 %2, %3")
        .arg(nameOf(goal.goal.figure), valueOf(goal.goal.figure, goal.value, units),
             boundOf(goal.goal, units));
}

LessonStrip::LessonStrip(views::Document& document, Opener open, WindowSettings& settings, QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_open(std::move(open))
    , m_settings(settings) {
    setProperty("surface", "panel");
    setProperty("line", "bottom");
    const views::Theme& theme = views::themeOf(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme.ipx(14), theme.ipx(8), theme.ipx(8), theme.ipx(10));
    layout->setSpacing(theme.ipx(4));
    auto* head = new QHBoxLayout;
    head->setSpacing(theme.ipx(6));
    m_title = new QLabel(this);
    m_title->setFont(theme.font(13, QFont::DemiBold));
    head->addWidget(m_title, 1);
    layout->addLayout(head);
    const auto add = [&](const QString& text, const QString& tip, void (LessonStrip::*act)()) {
        auto* button = new QPushButton(text, this);
        button->setProperty("small", true);
        button->setToolTip(tip);
        connect(button, &QPushButton::clicked, this, act);
        head->addWidget(button);
        return button;
    };
    m_hint =
        add(tr("Hint"), tr("The next hint, from a first thought to what to press"), &LessonStrip::showHint);
    m_solution = add(tr("Show a solution"),
                     tr("Changes the project to one that reaches the goals; undo takes "
                        "it back"),
                     &LessonStrip::showSolution);
    add(tr("Start again"), tr("The project of the lesson as it began; undo takes it back"),
        &LessonStrip::startAgain);
    m_next = add(tr("Next lesson"), tr("Opens the project of the next lesson"), &LessonStrip::goOn);
    QPushButton* close = add({}, tr("Leave the lesson; its project stays open"), &LessonStrip::leave);
    close->setIcon(views::icon(this, QStringLiteral("close")));
    close->setProperty("kind", "quiet");
    close->setAccessibleName(tr("Leave the lesson"));
    for (QLabel** label : {&m_text, &m_goals}) {
        *label = new QLabel(this);
        (*label)->setWordWrap(true);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(*label);
    }
    m_goals->setTextFormat(Qt::RichText);
    m_goals->setAccessibleName(tr("Goals of the lesson"));
    connect(&document, &views::Document::opened, this, [this] {
        if (!m_isOpening)
            leave();
    });
    connect(&document, &views::Document::estimateChanged, this, &LessonStrip::check);
    connect(&document, &views::Document::projectChanged, this, &LessonStrip::check);
    connect(&document, &views::Document::unitsChanged, this, &LessonStrip::showState);
    hide();
}

bool LessonStrip::begin(std::size_t lesson) {
    const Lesson& row = lessons()[lesson];
    m_isOpening = true;
    const bool isOpened =
        m_open(tr("The lesson could not be opened"), [&row] { return lessonProject(row, row.start); });
    m_isOpening = false;
    if (!isOpened)
        return false;
    m_current = lesson;
    m_start = m_document.project();
    m_result.reset();
    m_hints = 0;
    check();
    show();
    return true;
}

bool LessonStrip::beginNext() {
    const QStringList done = m_settings.passedLessons();
    for (std::size_t i = 0; i < lessons().size(); ++i) {
        if (!done.contains(toQString(lessons()[i].id)))
            return begin(i);
    }
    return begin(0);
}

void LessonStrip::leave() {
    m_current.reset();
    m_result.reset();
    hide();
}

void LessonStrip::goOn() {
    if (m_current)
        begin((*m_current + 1) % lessons().size());
}

void LessonStrip::showHint() {
    if (!m_current)
        return;
    m_hints = m_hints % lessons()[*m_current].hints.size() + 1;
    showState();
}

void LessonStrip::showSolution() {
    if (!m_current)
        return;
    const Lesson& lesson = lessons()[*m_current];
    m_document.apply(tr("Solve the lesson"),
                     [&lesson](const core::Project&) { return lessonProject(lesson, lesson.reference); });
}

void LessonStrip::startAgain() {
    if (!m_current)
        return;
    m_document.apply(tr("Start the lesson again"),
                     [this](const core::Project&) -> core::Result<core::Project> { return m_start; });
}

void LessonStrip::check() {
    if (!m_current)
        return;
    m_result.reset();
    if (m_document.areFiguresCurrent())
        m_result = checkLesson(lessons()[*m_current], m_start, m_document.project(), *m_document.estimate());
    if (m_result && m_result->isPassed()) {
        m_settings.notePassedLesson(toQString(lessons()[*m_current].id));
        emit passed(*m_current);
    }
    showState();
}

void LessonStrip::showState() {
    if (!m_current)
        return;
    const Lesson& lesson = lessons()[*m_current];
    const bool isPassed = m_result && m_result->isPassed();
    const QString mark = isPassed ? QStringLiteral("✓ ") : QString();
    m_title->setText(
        mark +
        tr("Lesson %1 of %2: %3").arg(*m_current + 1).arg(lessons().size()).arg(toQString(lesson.title)));
    setAccessibleName(m_title->text());
    if (isPassed)
        m_text->setText(tr("Done. %1").arg(toQString(lesson.moral)));
    else if (m_hints > 0)
        m_text->setText(tr("Hint %1 of %2: %3")
                            .arg(m_hints)
                            .arg(lesson.hints.size())
                            .arg(toQString(lesson.hints[m_hints - 1])));
    else
        m_text->setText(toQString(lesson.task));
    m_goals->setText(goalRow());
    m_hint->setVisible(!isPassed);
    m_solution->setVisible(!isPassed);
    // Another look needs the style sheet to be asked again.
    m_next->setProperty("kind", isPassed ? "primary" : "");
    m_next->style()->unpolish(m_next);
    m_next->style()->polish(m_next);
}

QString LessonStrip::goalRow() const {
    if (!m_result) {
        const bool isRefused = m_document.isEstimateCurrent() && m_document.estimate() &&
                               !m_document.estimate()->refusal.empty();
        return isRefused ? tr("No figures: %1").arg(toQString(m_document.estimate()->refusal).toHtmlEscaped())
                         : tr("Simulating the plan …");
    }
    const views::Theme& theme = views::themeOf(this);
    QStringList parts;
    const auto add = [&](bool isMet, const QString& text) {
        QString unbroken = text.toHtmlEscaped();
        // Qt breaks lines at narrow spaces too.
        unbroken.replace(u' ', QStringLiteral("&nbsp;")).replace(views::thinSpace, QStringLiteral("&nbsp;"));
        parts.append(QStringLiteral("<span style='color:%1'><b>%2</b>&nbsp;%3</span>")
                         .arg(theme.color(isMet ? Role::Success : Role::Text).name(),
                              isMet ? QStringLiteral("✓") : QStringLiteral("○"), unbroken));
    };
    for (const LessonResult::Goal& goal : m_result->goals)
        add(goal.isMet, lessonGoalText(goal, m_document.units()));
    if (!m_result->isSameModel)
        add(false, tr("the model stays as it was"));
    return parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp; "));
}

QString LessonStrip::text() const {
    return m_text->text();
}

QString LessonStrip::goalText() const {
    QStringList parts;
    if (m_result) {
        for (const LessonResult::Goal& goal : m_result->goals)
            parts.append(lessonGoalText(goal, m_document.units()));
    }
    return parts.join(QStringLiteral("; "));
}

void LessonStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        showState();
}

} // namespace app
