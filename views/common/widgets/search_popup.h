#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace views {

/// One line of a search: a command, a layer class, a run, …
struct SearchEntry {
    QString id;
    QString title;
    /// Muted after the title.
    QString category;
    QString icon;
    /// Keys, shown as a cap at the right.
    QString shortcut;
    bool isEnabled = true;
};

/// Entries that fit what was typed, best first; the matched letters are known for the highlight.
class SearchModel final : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<SearchEntry> entries);
    void setPattern(const QString& pattern);
    [[nodiscard]] const SearchEntry& entry(int row) const {
        return m_entries[m_rows[std::size_t(row)].entry];
    }
    [[nodiscard]] const std::vector<int>& highlights(int row) const {
        return m_rows[std::size_t(row)].positions;
    }
    [[nodiscard]] int total() const { return int(m_entries.size()); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        std::size_t entry = 0;
        int score = 0;
        std::vector<int> positions;
    };

    std::vector<SearchEntry> m_entries;
    std::vector<Row> m_rows;
};

/// Type to filter, Up and Down to choose, Enter to take, Escape to leave. Closes when it loses the keyboard.
class SearchPopup final : public QFrame {
    Q_OBJECT

public:
    /// `hint` is shown in the empty field, `footer` below the list.
    SearchPopup(const QString& hint, const QString& footer, QWidget* parent);

    void setEntries(std::vector<SearchEntry> entries);
    /// What the entries are may depend on the first letter typed (">" commands, "#" layers).
    using EntrySource = std::function<std::vector<SearchEntry>(QString& pattern)>;
    void setEntrySource(EntrySource source) { m_source = std::move(source); }
    /// Shows it with its top middle (or top left) at a point of the screen, inside of the parent's window.
    void openAt(const QPoint& global, bool centred);
    /// The source has other entries for what was typed.
    void refresh();
    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] SearchModel* model() const { return m_model; }

signals:
    void chosen(const QString& id);
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refilter();
    void accept();
    void moveBy(int rows);

    QLineEdit* m_field;
    QListView* m_list;
    QLabel* m_count;
    SearchModel* m_model;
    EntrySource m_source;
};

} // namespace views
