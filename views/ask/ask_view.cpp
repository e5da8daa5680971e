#include "views/ask/ask_view.h"

#include "core/profile/notes/preset_queries.h"
#include "core/profile/notes/store/note_store.h"
#include "core/profile/queries/run_queries.h"
#include "views/ask/answer_lanes.h"
#include "views/common/access/box_name.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/view_intents.h"
#include "views/profile/profile_source.h"
#include "views/profile/profile_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/tables/table_tabs.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

namespace views {

namespace {

constexpr std::int64_t mostRows = 100'000;
constexpr qint64 mostMilliseconds = 20'000;

TableCell cellOf(const core::SqlValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        TableCell cell = textCell(groupedText(*whole));
        cell.sort = qlonglong(*whole);
        return cell;
    }
    if (const auto* real = std::get_if<double>(&value))
        return numberCell(QString::number(*real, 'g', 10), *real);
    if (const auto* text = std::get_if<std::string>(&value))
        return textCell(toQString(*text));
    return dashCell();
}

} // namespace

TableContent answerTable(const core::SqlTable& answer) {
    TableContent table;
    for (std::size_t i = 0; i < answer.columns.size(); ++i) {
        const bool hasNumbers = std::ranges::any_of(answer.rows, [&](const auto& row) {
            return std::holds_alternative<std::int64_t>(row[i]) || std::holds_alternative<double>(row[i]);
        });
        TableColumn column;
        column.title = toQString(answer.columns[i]);
        column.kind = hasNumbers ? ColumnKind::Number : ColumnKind::Text;
        table.columns.push_back(std::move(column));
    }
    for (const std::vector<core::SqlValue>& row : answer.rows) {
        std::vector<TableCell>& cells = table.rows.emplace_back();
        for (const core::SqlValue& value : row)
            cells.push_back(cellOf(value));
    }
    return table;
}

AskView::AskView(Selection& selection, ProfileSource& source, ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_source(source)
    , m_intents(intents)
    , m_questions(new QComboBox)
    , m_query(new QPlainTextEdit)
    , m_name(new QLineEdit)
    , m_ask(new QPushButton(tr("Ask")))
    , m_show(new QPushButton(tr("Show in timeline")))
    , m_keep(new QPushButton(tr("Keep")))
    , m_forget(new QPushButton(tr("Forget")))
    , m_said(new QLabel)
    , m_answer(new TablePanel(tr("Answer"))) {
    setAccessibleName(tr("Ask"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QSplitter* parts = makeSplitter(Qt::Horizontal, this);
    parts->addWidget(buildQuestion());
    parts->addWidget(m_answer);
    parts->setStretchFactor(0, 2);
    parts->setStretchFactor(1, 3);
    parts->setSizes({480, 720});
    layout->addWidget(parts);
    m_answer->setEmptyText(tr("The answer stands here. Choose a question, or write one."));
    connect(m_questions, &QComboBox::activated, this, &AskView::chooseQuestion);
    connect(m_ask, &QPushButton::clicked, this, &AskView::ask);
    connect(m_show, &QPushButton::clicked, this, &AskView::showLanes);
    connect(m_keep, &QPushButton::clicked, this, &AskView::keep);
    connect(m_forget, &QPushButton::clicked, this, &AskView::forget);
    connect(m_name, &QLineEdit::textChanged, this, &AskView::offerKeeping);
    connect(m_name, &QLineEdit::returnPressed, this, &AskView::keep);
    connect(m_query, &QPlainTextEdit::textChanged, this, &AskView::offerKeeping);
    connect(&source, &ProfileSource::changed, this, [this] {
        loadKept();
        // The answer is of the runs there are.
        if (!m_asked.empty())
            ask();
    });
    connect(&selection, &Selection::changed, this, &AskView::followRun);
    listQuestions();
    offerKeeping();
    loadKept();
}

AskView::~AskView() {
    if (m_isLate)
        *m_isLate = true;
}

QWidget* AskView::buildQuestion() {
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    const Theme& theme = themeOf(this);
    column->setContentsMargins(theme.ipx(8), theme.ipx(6), theme.ipx(8), theme.ipx(6));
    column->setSpacing(theme.ipx(4));
    nameBox(*m_questions, tr("Questions"));
    m_questions->setToolTip(tr("Ten questions that everybody asks, and those that were kept"));
    m_questions->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_questions->setMinimumContentsLength(24);
    m_query->setAccessibleName(tr("Query in SQL"));
    m_query->setPlaceholderText(tr("SELECT … FROM v_run (Ctrl+Enter asks)"));
    m_query->setFont(theme.mono(11));
    m_query->setTabChangesFocus(true);
    m_query->setMinimumHeight(theme.ipx(40));
    m_query->installEventFilter(this);
    m_name->setAccessibleName(tr("Name to keep it under"));
    m_name->setPlaceholderText(tr("Name to keep it under"));
    m_name->setMaxLength(100);
    m_ask->setToolTip(tr("Answers the query; it cannot change anything (Ctrl+Enter)"));
    m_show->setEnabled(false);
    m_show->setToolTip(
        tr("Below the lanes: columns start_ns and duration_ns are slices, start_ns and value a "
           "counter; lane or ipu divide them, name, layer or kind name them"));
    m_keep->setToolTip(tr("Keeps the query beside the runs, under this name"));
    m_forget->setToolTip(tr("Takes away the kept query of this name"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(theme.ipx(4));
    buttons->addWidget(m_ask);
    buttons->addWidget(m_show);
    buttons->addWidget(m_name, 1);
    buttons->addWidget(m_keep);
    buttons->addWidget(m_forget);
    QToolButton* save = saveTableButton(side);
    buttons->addWidget(save);
    connect(save, &QToolButton::clicked, this,
            [this] { m_intents.saveTable(QStringLiteral("answer"), m_answer->toCsv()); });
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_questions);
    column->addWidget(m_query, 1);
    column->addLayout(buttons);
    column->addWidget(m_said);
    return side;
}

QString AskView::said() const {
    return m_said->text();
}

bool AskView::eventFilter(QObject* watched, QEvent* event) {
    const bool isOverride = event->type() == QEvent::ShortcutOverride;
    if (watched == m_query && (isOverride || event->type() == QEvent::KeyPress)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
            key->modifiers().testFlag(Qt::ControlModifier)) {
            // The window has another meaning for it where nothing is written.
            event->accept();
            if (!isOverride)
                ask();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void AskView::loadKept() {
    if (m_source.path().empty()) {
        m_kept.clear();
        return listQuestions();
    }
    m_keptQuery.request<std::vector<core::QueryRecord>>(
        m_source.path(), [](const core::ProfileDatabase& database) { return core::loadQueries(database); },
        [this](core::Result<std::vector<core::QueryRecord>> answer) {
            // A file that is not there yet keeps nothing; what else is wrong with it is said on asking.
            m_kept = answer ? *std::move(answer) : std::vector<core::QueryRecord>();
            listQuestions();
            offerKeeping();
        });
}

void AskView::listQuestions() {
    const QString present = m_questions->currentText();
    m_questions->clear();
    m_questions->addItem(tr("Choose a question…"));
    for (const core::QueryRecord& kept : m_kept)
        m_questions->addItem(toQString(kept.name), toQString(kept.sql));
    if (!m_kept.empty())
        m_questions->insertSeparator(m_questions->count());
    for (const core::PresetQuery& preset : core::presetQueries())
        m_questions->addItem(toQString(preset.question), toQString(preset.sql));
    m_questions->setCurrentIndex(std::max(0, m_questions->findText(present)));
}

void AskView::chooseQuestion(int index) {
    const QString sql = sqlOf(index);
    if (sql.isEmpty())
        return;
    m_chosen = sql;
    m_query->setPlainText(sql);
    const bool isKept = std::ranges::any_of(m_kept, [&](const core::QueryRecord& kept) {
        return toQString(kept.name) == m_questions->itemText(index);
    });
    m_name->setText(isKept ? m_questions->itemText(index) : QString());
    ask();
}

QString AskView::sqlOf(int index) const {
    QString sql = m_questions->itemData(index).toString();
    const bool isPreset = std::ranges::any_of(
        core::presetQueries(), [&](const core::PresetQuery& preset) { return toQString(preset.sql) == sql; });
    if (const auto run = m_selection.state().run; run && isPreset)
        sql.replace(toQString(core::newestRun), QString::number(run->value()));
    return sql;
}

void AskView::followRun() {
    if (m_chosen.isEmpty() || m_query->toPlainText() != m_chosen)
        return;
    const QString sql = sqlOf(m_questions->currentIndex());
    if (sql.isEmpty() || sql == m_chosen)
        return;
    m_chosen = sql;
    m_query->setPlainText(sql);
    ask();
}

void AskView::ask() {
    m_asked = m_query->toPlainText().trimmed().toStdString();
    if (m_asked.empty())
        return say(tr("Write a query first."), false);
    if (m_source.path().empty())
        return say(tr("No project is open."), true);
    if (m_isLate)
        *m_isLate = true;
    m_isLate = std::make_shared<std::atomic<bool>>(false);
    say(tr("Asking…"), false);
    m_lanes.reset();
    m_show->setEnabled(false);
    m_sqlQuery.request<Answer>(
        m_source.path(),
        [sql = m_asked, isLate = m_isLate](const core::ProfileDatabase& database) {
            QElapsedTimer clock;
            clock.start();
            core::SqlLimits limits;
            limits.rows = mostRows;
            limits.isLate = [&] { return *isLate || clock.elapsed() > mostMilliseconds; };
            return read(database, sql, limits);
        },
        [this](const core::Result<Answer>& answer) { take(answer); });
}

static std::optional<core::RunId> runOf(const core::SqlTable& answer) {
    const auto column = std::ranges::find(answer.columns, "run");
    if (column == answer.columns.end() || answer.rows.empty())
        return std::nullopt;
    const auto* number =
        std::get_if<std::int64_t>(&answer.rows.front()[std::size_t(column - answer.columns.begin())]);
    return number != nullptr && *number > 0 ? std::optional(core::RunId(static_cast<std::size_t>(*number)))
                                            : std::nullopt;
}

core::Result<AskView::Answer> AskView::read(const core::ProfileDatabase& database, const std::string& sql,
                                            const core::SqlLimits& limits) {
    auto table = core::querySql(database, sql, limits);
    if (!table)
        return core::failure(std::move(table.error()));
    Answer answer{*std::move(table)};
    const auto named = runOf(answer.table);
    const core::Result<core::RunId> run =
        named ? core::Result<core::RunId>(*named) : core::findRun(database, "last");
    if (run)
        if (const auto provenance = core::loadProvenance(database, *run))
            answer.clockHz = provenance->clockHz;
    return answer;
}

void AskView::take(const core::Result<Answer>& answer) {
    if (!answer) {
        const core::Diagnostic& why = answer.error().front();
        QString text = toQString(why.message);
        if (!why.hints.empty())
            text += QStringLiteral(" — ") + toQString(why.hints.front());
        m_answer->setContent({});
        return say(text, true);
    }
    m_answer->setEmptyText(tr("No row answers this."));
    const core::SqlTable& table = answer->table;
    m_answer->setContent(answerTable(table));
    const QString name = m_name->text().trimmed();
    if (auto lanes = answerLanes(table, name.isEmpty() ? tr("Answer") : name, answer->clockHz))
        m_lanes = std::make_shared<const ReferenceTrace>(*std::move(lanes));
    m_show->setEnabled(m_lanes != nullptr);
    const QString rows =
        countedText(std::int64_t(table.rows.size()), QStringLiteral("row"), QStringLiteral("rows"));
    say(table.isCut || table.isCutByBytes ? tr("The first %1; LIMIT and OFFSET show others").arg(rows) : rows,
        false);
}

void AskView::showLanes() {
    m_source.setReference(m_lanes);
    m_intents.showWorkspace(WorkspaceId::Timeline);
}

void AskView::say(const QString& text, bool isTrouble) {
    m_said->setText(text);
    m_said->setProperty("role", isTrouble ? "error" : "text2");
    m_said->style()->polish(m_said);
}

void AskView::offerKeeping() {
    const QString name = m_name->text().trimmed();
    const bool isKept = std::ranges::any_of(
        m_kept, [&](const core::QueryRecord& kept) { return toQString(kept.name) == name; });
    m_keep->setEnabled(!name.isEmpty() && !m_query->toPlainText().trimmed().isEmpty());
    m_forget->setEnabled(isKept);
}

void AskView::keep() {
    if (!m_keep->isEnabled())
        return;
    const core::QueryRecord record{m_name->text().trimmed().toStdString(),
                                   m_query->toPlainText().trimmed().toStdString()};
    const auto same = std::ranges::find(m_kept, record.name, &core::QueryRecord::name);
    if (same == m_kept.end())
        m_kept.push_back(record);
    else
        *same = record;
    m_intents.storeQueries(m_kept);
    listQuestions();
    m_questions->setCurrentIndex(std::max(0, m_questions->findText(toQString(record.name))));
    offerKeeping();
}

void AskView::forget() {
    std::erase_if(m_kept, [name = m_name->text().trimmed().toStdString()](const core::QueryRecord& kept) {
        return kept.name == name;
    });
    m_intents.storeQueries(m_kept);
    listQuestions();
    offerKeeping();
}

} // namespace views
