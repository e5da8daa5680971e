#include "views/profile/verdict_strip.h"

#include "core/profile/queries/run_queries.h"
#include "views/common/text/unit_words.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/view_intents.h"
#include "views/profile/verdict_button.h"

#include <QEvent>
#include <QMenu>
#include <QStringList>
#include <QToolButton>
#include <algorithm>
#include <numeric>

namespace views {

namespace {

/// As the docks below take it.
constexpr double lowWindow = 900;

QString iconOf(core::VerdictQuestion question) {
    switch (question) {
    case core::VerdictQuestion::Bottleneck:
        return QStringLiteral("time");
    case core::VerdictQuestion::Idle:
        return QStringLiteral("hand");
    case core::VerdictQuestion::Peak:
        return QStringLiteral("memory");
    case core::VerdictQuestion::Difference:
        return QStringLiteral("compare");
    }
    return {};
}

/// Buttons per row so that no headline is cut; as few rows as that takes.
std::size_t buttonsPerRow(const std::vector<int>& widths, int available) {
    for (std::size_t perRow = widths.size(); perRow > 1; --perRow) {
        bool fits = true;
        for (std::size_t from = 0; from < widths.size(); from += perRow) {
            const auto to =
                widths.begin() + static_cast<std::ptrdiff_t>(std::min(from + perRow, widths.size()));
            fits = fits &&
                   std::accumulate(widths.begin() + static_cast<std::ptrdiff_t>(from), to, 0) <= available;
        }
        if (fits)
            return perRow;
    }
    return 1;
}

} // namespace

VerdictStrip::VerdictStrip(Document& document, Selection& selection, ProfileSource& source,
                           ViewIntents& intents, QWidget* parent)
    : QFrame(parent)
    , m_document(document)
    , m_selection(selection)
    , m_source(source)
    , m_intents(intents) {
    setAccessibleName(tr("Verdict of the run"));
    setProperty("surface", "panel");
    setProperty("line", "bottom");
    m_try = new QToolButton(this);
    m_try->setText(tr("Try"));
    m_try->setProperty("kind", "primary");
    m_try->setProperty("small", true);
    m_try->setAccessibleName(tr("Try the change"));
    m_try->setToolTip(tr("Makes the change, which can be undone, and runs the project again"));
    m_try->hide();
    connect(m_try, &QToolButton::clicked, this, &VerdictStrip::tryAdvice);
    m_more = new QToolButton(this);
    m_more->setProperty("kind", "quiet");
    m_more->setProperty("small", true);
    m_more->setAccessibleName(tr("More of the verdict"));
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, &VerdictStrip::openMore);
    connect(&source, &ProfileSource::changed, this, &VerdictStrip::reload);
    connect(&document, &Document::unitsChanged, this, &VerdictStrip::reload);
    connect(&selection, &Selection::changed, this, [this](const SelectionState& before) {
        if (before.run != m_selection.state().run)
            reload();
    });
    reload();
}

void VerdictStrip::reload() {
    const std::optional<core::RunId> run = m_selection.state().run;
    if (!run || m_source.path().empty()) {
        m_query.cancel();
        return show(std::nullopt);
    }
    const Units units = m_document.units();
    m_query.request<core::RunVerdict>(
        m_source.path(),
        [run = *run, units](const core::ProfileDatabase& database) -> core::Result<core::RunVerdict> {
            const auto clock = core::loadProvenance(database, run);
            if (!clock)
                return core::failure(clock.error());
            return core::loadRunVerdict(database, run, unitWords(units, clock->clockHz));
        },
        [this](core::Result<core::RunVerdict> answer) {
            // Why a run cannot be read is said by its views.
            show(answer ? std::optional(*std::move(answer)) : std::nullopt);
        });
}

void VerdictStrip::show(std::optional<core::RunVerdict> verdict) {
    m_verdict = std::move(verdict);
    rebuild();
    emit verdictChanged();
}

void VerdictStrip::setAdvice(std::optional<VerdictAdvice> advice) {
    m_advice = std::move(advice);
    rebuild();
}

void VerdictStrip::rebuild() {
    for (VerdictButton* button : m_buttons)
        button->deleteLater();
    m_buttons.clear();
    m_try->hide();
    m_more->hide();
    if (!m_verdict)
        return;
    for (const core::VerdictClause& clause : m_verdict->clauses) {
        auto* button = new VerdictButton(iconOf(clause.question), toQString(clause.headline),
                                         toQString(clause.detail), clause.isTrouble, false, this);
        connect(button, &QAbstractButton::clicked, this,
                [this, clause, run = m_verdict->run] { followClause(clause, run, m_selection, m_intents); });
        m_buttons.push_back(button);
    }
    const VerdictAdvice advice = m_advice.value_or(VerdictAdvice{
        tr("Looking for a better plan …"), tr("changes are simulated before they are shown"), {}});
    auto* button =
        new VerdictButton(QStringLiteral("bulb"), advice.headline, advice.detail, false, true, this);
    connect(button, &QAbstractButton::clicked, this, &VerdictStrip::adviceRequested);
    m_buttons.push_back(button);
    m_try->setVisible(advice.apply != nullptr);
    m_try->raise();
    layOut();
}

void VerdictStrip::setOneRow(bool isOneRow) {
    if (m_isOneRow == isOneRow)
        return;
    m_isOneRow = isOneRow;
    layOut();
}

std::size_t VerdictStrip::clausesThatFit(const std::vector<int>& widths, int space) const {
    int left = space - widths.back();
    std::size_t count = 0;
    while (count + 1 < widths.size() && widths[count] <= left)
        left -= widths[count++];
    return count;
}

void VerdictStrip::openMore() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (VerdictButton* button : m_buttons) {
        if (button->isHidden())
            connect(menu->addAction(button->text()), &QAction::triggered, button, &QAbstractButton::click);
    }
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void VerdictStrip::layOut() {
    if (m_buttons.empty())
        return;
    const Theme& theme = themeOf(this);
    // Before it is shown it has no width of its own, and would ask for rows that it does not need.
    const int whole = isVisible() || parentWidget() == nullptr ? width() : parentWidget()->width();
    const int tryWidth = m_try->isHidden() ? 0 : m_try->sizeHint().width() + theme.ipx(8);
    m_buttons.back()->setReserved(tryWidth);
    const bool isLow = window()->height() < theme.ipx(lowWindow);
    std::vector<int> widths;
    for (VerdictButton* button : m_buttons) {
        button->setCompact(isLow);
        widths.push_back(button->headlineWidth());
    }
    const int rowHeight = m_buttons.front()->sizeHint().height();
    std::vector<VerdictButton*> shown = m_buttons;
    int space = whole;
    if (m_isOneRow && isLow && std::accumulate(widths.begin(), widths.end(), 0) > whole) {
        m_more->setText(QStringLiteral("+%1").arg(m_buttons.size() - 1));
        const QSize more = m_more->sizeHint();
        space -= more.width() + theme.ipx(4);
        const auto kept = static_cast<std::ptrdiff_t>(clausesThatFit(widths, space));
        m_more->setText(QStringLiteral("+%1").arg(std::ssize(m_buttons) - 1 - kept));
        m_more->setGeometry(space + theme.ipx(2), (rowHeight - more.height()) / 2, more.width(),
                            more.height());
        shown.erase(shown.begin() + kept, shown.end() - 1);
        widths.erase(widths.begin() + kept, widths.end() - 1);
    }
    m_more->setVisible(shown.size() < m_buttons.size());
    for (VerdictButton* button : m_buttons)
        button->setVisible(std::ranges::find(shown, button) != shown.end());
    const std::size_t perRow = buttonsPerRow(widths, space);
    const std::size_t rows = (shown.size() + perRow - 1) / perRow;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t from = row * perRow;
        const std::size_t to = std::min(from + perRow, shown.size());
        int needed = 0;
        int wanted = 0;
        for (std::size_t i = from; i < to; ++i) {
            needed += widths[i];
            wanted += std::max(0, shown[i]->wholeWidth() - widths[i]);
        }
        // What headlines leave goes to the figures that need it.
        const int spare = std::max(0, space - needed);
        int x = 0;
        for (std::size_t i = from; i < to; ++i) {
            const int want = std::max(0, shown[i]->wholeWidth() - widths[i]);
            const int more = wanted > 0 ? static_cast<int>(std::int64_t(spare) * want / wanted)
                                        : spare / static_cast<int>(to - from);
            const int buttonWidth = i + 1 == to ? space - x : widths[i] + more;
            shown[i]->setGeometry(x, static_cast<int>(row) * rowHeight, buttonWidth, rowHeight);
            x += buttonWidth;
        }
    }
    setFixedHeight(static_cast<int>(rows) * rowHeight);
    const QSize size = m_try->sizeHint();
    m_try->setGeometry(space - size.width() - theme.ipx(8),
                       (static_cast<int>(rows) - 1) * rowHeight + (rowHeight - size.height()) / 2,
                       size.width(), size.height());
}

void followClause(const core::VerdictClause& clause, core::RunId run, Selection& selection,
                  ViewIntents& intents) {
    // What is selected may replace the verdict that the clause is of.
    const auto other = clause.other;
    const core::VerdictQuestion question = clause.question;
    SelectionState state = selection.state();
    if (clause.stage.isValid())
        state.stage = clause.stage;
    if (clause.ipu.isValid())
        state.ipu = clause.ipu;
    if (clause.span) {
        const SpanKey key{clause.span->lane, clause.span->start};
        // Asked for once more it is shown once more, wherever the timeline has gone meanwhile.
        if (state.span == key) {
            state.span.reset();
            selection.set(state);
        }
        state.span = key;
    }
    selection.set(state);
    switch (question) {
    case core::VerdictQuestion::Bottleneck:
    case core::VerdictQuestion::Idle:
        return intents.showWorkspace(WorkspaceId::Timeline);
    case core::VerdictQuestion::Peak:
        return intents.showWorkspace(WorkspaceId::Memory);
    case core::VerdictQuestion::Difference:
        if (other)
            intents.compareRuns({*other, run});
        return;
    }
}

void VerdictStrip::tryAdvice() {
    if (!m_advice || !m_advice->apply)
        return;
    const std::function<void()> apply = m_advice->apply;
    apply();
    m_intents.run();
}

QString VerdictStrip::text() const {
    QStringList lines;
    for (const VerdictButton* button : m_buttons)
        lines.append(button->text() + (button->detail().isEmpty() ? QString() : QStringLiteral(": ")) +
                     button->detail());
    return lines.join(u'\n');
}

void VerdictStrip::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    layOut();
}

void VerdictStrip::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    window()->removeEventFilter(this);
    window()->installEventFilter(this);
    layOut();
}

/// A window may get lower and stay as wide.
bool VerdictStrip::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == window() && watched != this)
        layOut();
    return QFrame::eventFilter(watched, event);
}

void VerdictStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

} // namespace views
