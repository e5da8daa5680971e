#pragma once

#include "core/base/diagnostic.h"
#include "views/common/widgets/chip.h"
#include "views/diagnostics/quick_fix.h"
#include "views/document/document.h"
#include "views/document/selection.h"

#include <QAbstractTableModel>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QStackedWidget;
class QTabBar;
class QTableView;

namespace views {

class EmptyView;
class ViewIntents;

/// One line of problems, advice or messages: a sentence, where it points, and at most one action.
struct NoteRow {
    ChipTone tone = ChipTone::Info;
    QString icon;
    QString text;
    /// What `jump` leads to, shown as a link.
    QString place;
    QString action;
    QString tip;
    std::function<void()> jump;
    std::function<void()> act;
};

class NoteModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { TextColumn, PlaceColumn, ActionColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    /// False where all of them look as those before.
    bool setRows(std::vector<NoteRow> rows);
    void append(NoteRow row);
    void clear() { setRows({}); }
    [[nodiscard]] const NoteRow& row(int index) const { return m_rows[std::size_t(index)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<NoteRow> m_rows;
};

/// The panel below the canvas: problems of the project, advice, messages of the session. Its tabs are a child
/// called "dockHeader", so that a dock may show them in the place of its title.
class DiagnosticsView final : public QWidget {
    Q_OBJECT

public:
    enum Page : int { Problems, Advice, Messages, PageCount };

    DiagnosticsView(Document& document, Selection& selection, ViewIntents& intents,
                    QWidget* parent = nullptr);

    /// A further tab after its own.
    void addPage(const QString& title, QWidget* page);
    /// One that was added, with the focus.
    void showPage(QWidget& page);
    /// Advice is found elsewhere, and is looked for.
    void awaitAdvice();
    /// `whyNone` stands in the place of rows where there are none.
    void setAdvice(std::vector<NoteRow> rows, const QString& whyNone);
    /// What makes the plan fit, offered where it is said that it does not; nothing: not known.
    void setRepair(std::optional<NoteRow> repair);
    void addMessage(ChipTone tone, const QString& text);
    void showPage(Page page);
    [[nodiscard]] NoteModel& model(Page page) const { return *m_models[std::size_t(page)]; }
    [[nodiscard]] QTableView& table(Page page) const { return *m_tables[std::size_t(page)]; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshProblems();
    [[nodiscard]] QString sentence(const QString& message) const;
    void addEstimateRows(std::vector<NoteRow>& rows, int& errors) const;
    void activate(Page page, const QModelIndex& index);
    /// Its count, what it shows while it is empty, and the width of its columns.
    [[nodiscard]] static QString nameOf(Page page);
    void updateTab(Page page);
    [[nodiscard]] NoteRow rowOf(const core::Diagnostic& finding);
    [[nodiscard]] const std::optional<QuickFix>& fixOf(const core::Diagnostic& finding);

    Document& m_document;
    Selection& m_selection;
    ViewIntents& m_intents;
    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    std::array<NoteModel*, PageCount> m_models{};
    std::array<QTableView*, PageCount> m_tables{};
    std::array<EmptyView*, PageCount> m_empties{};
    std::optional<NoteRow> m_repair;
    /// What mends findings, by code: found by trying it, once for a project and a selection.
    std::map<std::string, std::optional<QuickFix>, std::less<>> m_fixes;
    ProjectSnapshot m_fixesOf;
    std::set<InvocationKey> m_fixesFor;
    std::array<QStackedWidget*, PageCount> m_pages{};
};

} // namespace views
