#include "views/diagnostics/diagnostics_view.h"

#include "core/plan/assignment_entries.h"
#include "views/common/tabs/fitting_tabs.h"
#include "views/common/text/elided_text.h"
#include "views/common/text/finding_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/gauge.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/table_style.h"
#include "views/document/view_intents.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTime>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace views {

namespace {

Role roleOf(ChipTone tone) {
    switch (tone) {
    case ChipTone::Error:
        return Role::Error;
    case ChipTone::Warning:
        return Role::Warning;
    case ChipTone::Success:
        return Role::Success;
    case ChipTone::Accent:
        return Role::Accent;
    default:
        return Role::Info;
    }
}

/// A button inside a cell.
class ActionDelegate final : public TextDelegate {
public:
    using TextDelegate::TextDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        const Theme& theme = themeOf(option.widget);
        const QString text = index.data().toString();
        const double width = text.isEmpty() ? 0 : textWidth(text, theme.font(11)) + theme.px(30);
        return {static_cast<int>(std::ceil(width)), TextDelegate::sizeHint(option, index).height()};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem blank(option);
        TextDelegate::paint(painter, blank, index.siblingAtColumn(NoteModel::ColumnCount));
        const QString text = index.data().toString();
        if (text.isEmpty())
            return;
        const Theme& theme = themeOf(option.widget);
        ControlState state;
        state.hovered = option.state.testFlag(QStyle::State_MouseOver);
        const QFont font = theme.font(11);
        const double width =
            std::min<double>(option.rect.width() - theme.px(8), textWidth(text, font) + theme.px(16));
        const QRectF button(option.rect.right() - width - theme.px(4), option.rect.center().y() - theme.px(9),
                            width, theme.px(19));
        painter->save();
        paintButtonPanel(*painter, button, ButtonKind::Default, state, theme);
        painter->setPen(theme.color(Role::Text));
        paintElided(*painter, button.adjusted(4, 0, -4, 0), Qt::AlignCenter, text, font);
        painter->restore();
    }
};

/// A place that has no room keeps where it begins and where it ends.
class PlaceDelegate final : public TextDelegate {
public:
    using TextDelegate::TextDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem shown(option);
        shown.textElideMode = Qt::ElideMiddle;
        TextDelegate::paint(painter, shown, index);
    }
};

/// "/pipeline/schedule" → "pipeline.schedule"; a layer stays what it is.
QString placeText(const core::Location& location) {
    QString place = toQString(location.place);
    if (place.startsWith(u'/'))
        place = place.mid(1).replace(u'/', u'.');
    return place;
}

/// What has a field in one of the forms; the model and its declarations are on the canvas.
bool isSetting(const std::string& place) {
    return place.starts_with('/') && place != "/model" && place != "/opaque_layers";
}

/// Calls on the stages of an IPU.
std::set<InvocationKey> callsOn(const core::Project& project, core::IpuId ipu) {
    std::set<InvocationKey> calls;
    if (!project.assignment.isPipelined())
        return calls;
    for (const core::AssignmentEntry& entry : core::flattened(core::assignmentEntries(project.model))) {
        if (entry.index < project.assignment.stages.size() &&
            project.deviceMapping.ipuOf(project.assignment.stages[entry.index]) == ipu)
            calls.insert({entry.path, entry.call});
    }
    return calls;
}

} // namespace

bool NoteModel::setRows(std::vector<NoteRow> rows) {
    const auto look = [](const NoteRow& row) {
        return std::tie(row.tone, row.icon, row.text, row.place, row.action, row.tip);
    };
    // What they do may be another; where they look the same nothing of the table is done anew.
    if (std::ranges::equal(rows, m_rows, std::ranges::equal_to(), look, look)) {
        m_rows = std::move(rows);
        return false;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    return true;
}

void NoteModel::append(NoteRow row) {
    beginInsertRows({}, int(m_rows.size()), int(m_rows.size()));
    m_rows.push_back(std::move(row));
    endInsertRows();
}

int NoteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int NoteModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant NoteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const NoteRow& note = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == TextColumn    ? note.text
               : index.column() == PlaceColumn ? note.place
                                               : note.action;
    case Qt::ToolTipRole: {
        const QString tip = note.tip.isEmpty() ? note.text : note.tip;
        return index.column() == PlaceColumn && !note.place.isEmpty() ? note.place + u'\n' + tip : tip;
    }
    case IconNameRole:
        return index.column() == TextColumn ? QVariant(note.icon) : QVariant();
    case IconColorRole:
        return int(roleOf(note.tone));
    case TextColorRole:
        if (index.column() == PlaceColumn)
            return int(note.jump ? Role::AccentText : Role::Text3);
        return {};
    case Qt::TextAlignmentRole:
        if (index.column() == PlaceColumn)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    default:
        return {};
    }
}

QVariant NoteModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == TextColumn ? tr("Message") : section == PlaceColumn ? tr("Place") : tr("Action");
}

namespace {

/// A message that is too long for its cell has a second line, or a third.
void fitRows(QTableView& table, const NoteModel& model) {
    const Theme& theme = themeOf(&table);
    const QFontMetricsF metrics(table.font());
    const int plain = theme.ipx(24);
    for (int row = 0; row < model.rowCount(); ++row) {
        double width = -theme.px(36); // icon and margins
        for (int column = 0; column < table.columnSpan(row, NoteModel::TextColumn); ++column)
            width += table.columnWidth(NoteModel::TextColumn + column);
        const QString& text = model.row(row).text;
        int height = plain;
        if (width > 0 && textWidth(text, table.font()) > width) {
            const double whole =
                metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, text).height();
            height =
                std::max(plain, int(std::ceil(std::min(whole, 3 * metrics.lineSpacing()) + theme.px(8))));
        }
        if (table.rowHeight(row) != height)
            table.setRowHeight(row, height);
    }
}

/// Messages take all the room that places and actions leave; a column that says nothing takes none.
void fitColumns(QTableView& table, const NoteModel& model) {
    const Theme& theme = themeOf(&table);
    const auto fit = [&](int column, double most) {
        bool isUsed = false;
        for (int row = 0; row < model.rowCount() && !isUsed; ++row)
            isUsed = !model.index(row, column).data().toString().isEmpty();
        table.setColumnHidden(column, !isUsed);
        if (isUsed)
            table.setColumnWidth(
                column,
                std::min(static_cast<QAbstractItemView&>(table).sizeHintForColumn(column), theme.ipx(most)));
    };
    fit(NoteModel::PlaceColumn, 300);
    fit(NoteModel::ActionColumn, 220);
    // A message also takes the cells beside it that say nothing.
    table.clearSpans();
    for (int row = 0; row < model.rowCount(); ++row) {
        int end = NoteModel::TextColumn + 1;
        while (end < NoteModel::ColumnCount && model.index(row, end).data().toString().isEmpty())
            ++end;
        if (end > NoteModel::TextColumn + 1)
            table.setSpan(row, NoteModel::TextColumn, 1, end - NoteModel::TextColumn);
    }
    fitRows(table, model);
}

} // namespace

DiagnosticsView::DiagnosticsView(Document& document, Selection& selection, ViewIntents& intents,
                                 QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_intents(intents)
    , m_tabs(new FittingTabs(this))
    , m_stack(new QStackedWidget(this)) {
    const Theme& theme = themeOf(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QFrame(this);
    head->setObjectName(QStringLiteral("dockHeader"));
    auto* headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(theme.ipx(6), 0, theme.ipx(6), 0);
    m_tabs->setAccessibleName(tr("Problems, advice, messages"));
    headLayout->addWidget(m_tabs, 1);
    layout->addWidget(head);
    layout->addWidget(m_stack, 1);
    for (int page = 0; page < PageCount; ++page) {
        const auto which = std::size_t(page);
        m_tabs->addTab({});
        m_models[which] = new NoteModel(this);
        auto* table = new QTableView(this);
        table->setAccessibleName(nameOf(Page(page)));
        styleTable(*table);
        table->setSortingEnabled(false);
        table->setAlternatingRowColors(false);
        table->setTextElideMode(Qt::ElideRight);
        table->setWordWrap(true);
        table->horizontalHeader()->hide();
        table->setModel(m_models[which]);
        table->setItemDelegateForColumn(NoteModel::PlaceColumn, new PlaceDelegate(table));
        table->setItemDelegateForColumn(NoteModel::ActionColumn, new ActionDelegate(table));
        table->horizontalHeader()->setStretchLastSection(false);
        table->horizontalHeader()->setSectionResizeMode(NoteModel::TextColumn, QHeaderView::Stretch);
        table->setFrameShape(QFrame::NoFrame);
        // Once all sections have their widths.
        connect(
            table->horizontalHeader(), &QHeaderView::sectionResized, table,
            [table, model = m_models[which]] { fitRows(*table, *model); }, Qt::QueuedConnection);
        m_tables[which] = table;
        m_empties[which] = new EmptyView(this);
        m_pages[which] = new QStackedWidget(this);
        m_pages[which]->addWidget(m_empties[which]);
        m_pages[which]->addWidget(table);
        m_stack->addWidget(m_pages[which]);
        connect(table, &QTableView::clicked, this, [this, page](const QModelIndex& index) {
            if (index.column() != NoteModel::TextColumn)
                activate(Page(page), index);
        });
        connect(table, &QTableView::activated, this, [this, page](const QModelIndex& index) {
            activate(Page(page), index.siblingAtColumn(NoteModel::PlaceColumn));
        });
    }
    m_empties[Problems]->setContent(QStringLiteral("ok"), tr("No problems"),
                                    tr("Everything that can be checked before a run is in order."));
    m_empties[Advice]->setContent(
        QStringLiteral("bulb"), tr("No advice yet"),
        tr("Advice is simulated before it is shown; it needs a project that can run."));
    m_empties[Messages]->setContent(QStringLiteral("info"), tr("Nothing happened yet"),
                                    tr("What runs, imports and exports report is kept here."));
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(&document, &Document::analysisChanged, this, &DiagnosticsView::refreshProblems);
    connect(&document, &Document::estimateChanged, this, &DiagnosticsView::refreshProblems);
    connect(&document, &Document::opened, this, &DiagnosticsView::refreshProblems);
    connect(&document, &Document::unitsChanged, this, &DiagnosticsView::refreshProblems);
    connect(&document, &Document::refused, this, [this](const core::Diagnostics& why) {
        for (const core::Diagnostic& finding : why)
            addMessage(severityTone(finding.severity), toQString(finding.message));
    });
    for (const Page page : {Problems, Advice, Messages})
        updateTab(page);
}

void DiagnosticsView::addPage(const QString& title, QWidget* page) {
    m_tabs->addTab(title);
    m_stack->addWidget(page);
}

NoteRow DiagnosticsView::rowOf(const core::Diagnostic& finding) {
    NoteRow row;
    row.tone = severityTone(finding.severity);
    row.icon = severityIcon(finding.severity);
    row.text = sentence(toQString(finding.message));
    row.place = placeText(finding.location);
    row.tip = row.text;
    for (const std::string& hint : finding.hints)
        row.tip += QStringLiteral("\n→ ") + toQString(hint);
    row.tip += QStringLiteral("\n[") + toQString(finding.code) + u']';
    if (!finding.hints.empty())
        row.text += QStringLiteral(" — ") + toQString(finding.hints.front());
    const std::string place = finding.location.place;
    if (m_document.project().model.findLayer(place.substr(0, place.find('/')))) {
        row.jump = [this, place] {
            m_selection.selectLayer(place);
            m_intents.showSelectedLayers();
        };
    } else if (isSetting(place)) {
        row.jump = [this, place] { m_intents.showSetting(toQString(place)); };
    } else {
        row.jump = [this] { m_intents.showWorkspace(WorkspaceId::Model); };
    }
    if (const std::optional<QuickFix>& fix = fixOf(finding)) {
        row.action = fix->text;
        row.act = [this, fix = *fix, of = m_document.snapshot()] {
            if (m_document.snapshot() == of)
                m_document.apply(fix.text, [&](const core::Project&) -> core::Result<core::Project> {
                    return fix.project;
                });
        };
    }
    return row;
}

const std::optional<QuickFix>& DiagnosticsView::fixOf(const core::Diagnostic& finding) {
    const std::set<InvocationKey>& selected = m_selection.state().invocations;
    if (m_fixesOf != m_document.snapshot() || m_fixesFor != selected) {
        m_fixes.clear();
        m_fixesOf = m_document.snapshot();
        m_fixesFor = selected;
    }
    const auto [known, isNew] = m_fixes.try_emplace(finding.code);
    if (isNew)
        known->second = quickFix(m_document.project(), finding, selected);
    return known->second;
}

QString DiagnosticsView::sentence(const QString& message) const {
    return findingText(message, m_document.isOpen() ? &m_document.project().model : nullptr,
                       m_document.units().bytes);
}

/// What only compiling shows: a plan that is refused, an IPU that is too small.
void DiagnosticsView::addEstimateRows(std::vector<NoteRow>& rows, int& errors) const {
    if (!m_document.isOpen() || !m_document.estimate() || !m_document.isEstimateCurrent())
        return;
    const core::PlanEstimate& estimate = *m_document.estimate();
    const auto add = [&](ChipTone tone, const QString& text, const QString& place,
                         std::function<void()> jump) {
        NoteRow row;
        row.tone = tone;
        row.icon = tone == ChipTone::Error ? QStringLiteral("error") : QStringLiteral("warn");
        row.text = text;
        row.tip = text;
        row.place = place;
        row.jump = std::move(jump);
        if (tone == ChipTone::Error && estimate.refusal.empty() && m_repair) {
            row.action = m_repair->action;
            row.act = m_repair->act;
            row.tip += QStringLiteral("\n→ ") + m_repair->text;
        }
        rows.push_back(std::move(row));
        errors += tone == ChipTone::Error ? 1 : 0;
    };
    if (!estimate.refusal.empty() && errors == 0)
        add(ChipTone::Error, sentence(toQString(estimate.refusal)), tr("compilation"),
            [this] { m_intents.showPanel(PanelId::Pipeline); });
    if (!estimate.refusal.empty())
        return;
    for (const core::IpuEstimate& ipu : estimate.ipus) {
        const double limit = double(ipu.limit.value());
        const double peak = double(ipu.peak.value());
        const GaugeLevel level = gaugeLevel(peak, limit);
        if (level == GaugeLevel::Fits || limit <= 0)
            continue;
        // One unit for both, so that they can be compared.
        const UnitChoice unit = byteUnitFor(ipu.limit, m_document.units().bytes);
        const QString needed = inUnit(ipu.peak.value(), unit).joined();
        const QString there = inUnit(ipu.limit.value(), unit).joined();
        add(level == GaugeLevel::Over ? ChipTone::Error : ChipTone::Warning,
            level == GaugeLevel::Over ? tr("IPU %1 has too little memory: it needs %2 of %3 — use more "
                                           "stages, a smaller batch, "
                                           "recomputation or offloading")
                                            .arg(ipu.ipu.index())
                                            .arg(needed, there)
                                      : tr("IPU %1 is almost full: it needs %2 of %3 (%4)")
                                            .arg(ipu.ipu.index())
                                            .arg(needed, there, percentText(peak / limit)),
            tr("IPU %1 · memory").arg(ipu.ipu.index()), [this, which = ipu.ipu] {
                m_selection.selectInvocations(callsOn(m_document.project(), which));
                m_selection.selectIpu(which);
                m_intents.showSelectedLayers();
            });
    }
}

void DiagnosticsView::refreshProblems() {
    std::vector<NoteRow> rows;
    int errors = 0;
    constexpr std::size_t most = 500;
    if (m_document.isOpen()) {
        core::Diagnostics findings = m_document.analysis().diagnostics;
        std::stable_sort(findings.begin(), findings.end(),
                         [](const auto& a, const auto& b) { return a.severity > b.severity; });
        for (const core::Diagnostic& finding : findings) {
            errors += finding.severity == core::Severity::Error ? 1 : 0;
            if (rows.size() < most)
                rows.push_back(rowOf(finding));
        }
    }
    addEstimateRows(rows, errors);
    // Where nothing mends it with a click, a click leads to it.
    for (NoteRow& row : rows) {
        if (row.act)
            continue;
        row.action = tr("Show");
        row.act = row.jump;
    }
    // What no run gets past comes before what is only to be thought of.
    std::ranges::stable_partition(rows, [](const NoteRow& row) { return row.tone == ChipTone::Error; });
    if (m_models[Problems]->setRows(std::move(rows)))
        updateTab(Problems);
}

void DiagnosticsView::awaitAdvice() {
    setAdvice({}, {});
    m_empties[Advice]->setContent(
        QStringLiteral("bulb"), tr("No advice yet"),
        tr("Advice is simulated before it is shown; it appears after an edit, the later the larger the "
           "model."));
}

void DiagnosticsView::setAdvice(std::vector<NoteRow> rows, const QString& whyNone) {
    m_empties[Advice]->setContent(QStringLiteral("bulb"), tr("No advice"), whyNone);
    m_models[Advice]->setRows(std::move(rows));
    updateTab(Advice);
}

void DiagnosticsView::setRepair(std::optional<NoteRow> repair) {
    if (!repair && !m_repair)
        return;
    m_repair = std::move(repair);
    refreshProblems();
}

void DiagnosticsView::addMessage(ChipTone tone, const QString& text) {
    NoteRow row;
    row.tone = tone;
    row.icon = tone == ChipTone::Error     ? QStringLiteral("error")
               : tone == ChipTone::Warning ? QStringLiteral("warn")
               : tone == ChipTone::Success ? QStringLiteral("ok")
                                           : QStringLiteral("info");
    row.text = sentence(text);
    row.place = QTime::currentTime().toString(QStringLiteral("HH:mm:ss"));
    m_models[Messages]->append(std::move(row));
    m_tables[Messages]->scrollToBottom();
    updateTab(Messages);
}

void DiagnosticsView::showPage(Page page) {
    m_tabs->setCurrentIndex(page);
}

void DiagnosticsView::showPage(QWidget& page) {
    if (const int index = m_stack->indexOf(&page); index >= 0)
        m_tabs->setCurrentIndex(index);
    page.setFocus();
}

QString DiagnosticsView::nameOf(Page page) {
    return page == Problems ? tr("Problems") : page == Advice ? tr("Advice") : tr("Messages");
}

void DiagnosticsView::updateTab(Page page) {
    const QString name = nameOf(page);
    const auto which = std::size_t(page);
    const int count = m_models[which]->rowCount();
    m_tabs->setTabText(page,
                       count == 0 || page == Messages ? name : name + QStringLiteral("  %1").arg(count));
    m_pages[which]->setCurrentIndex(count == 0 ? 0 : 1);
    fitColumns(*m_tables[which], *m_models[which]);
}

void DiagnosticsView::activate(Page page, const QModelIndex& index) {
    // A copy: what it does may replace the rows.
    const NoteRow row = m_models[std::size_t(page)]->row(index.row());
    if (index.column() == NoteModel::ActionColumn) {
        if (row.act)
            row.act();
    } else if (row.jump) {
        row.jump();
    }
}

void DiagnosticsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (const Page page : {Problems, Advice, Messages})
            updateTab(page);
}

} // namespace views
