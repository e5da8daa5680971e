#pragma once

#include <QAction>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace app {

/// Everything the window can do, in the order of its menus: what menus, toolbar, command palette and the page
/// of shortcuts show.
class ActionSet final : public QObject {
    Q_OBJECT

public:
    struct Entry {
        /// Null: a line between groups.
        QAction* action = nullptr;
        QString id;
        /// "File", "View/Theme"; empty: in no menu of its own.
        QString menu;
        /// Whether it makes sense now; none: always, or whoever made the action says so.
        std::function<bool()> isEnabled = {};
        std::function<bool()> isChecked = {};
    };

    using QObject::QObject;

    void add(Entry entry) { m_entries.push_back(std::move(entry)); }
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    /// Null for an unknown one.
    [[nodiscard]] QAction* action(const QString& id) const;
    /// Enables and checks according to the present state.
    void update();

private:
    std::vector<Entry> m_entries;
};

} // namespace app
