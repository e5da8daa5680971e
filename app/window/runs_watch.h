#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/profile/profile_query.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>

namespace app {

/// Sees when another program adds runs to the database of the open project, deletes some, or replaces the
/// file. What this window itself writes is announced once more than needed.
class RunsWatch final : public QObject {
    Q_OBJECT

public:
    explicit RunsWatch(QObject* parent = nullptr);

    /// An empty path: nothing. The file need not exist.
    void watch(const std::filesystem::path& database);

signals:
    /// The list of runs is another one.
    void changed();

private:
    void keepPaths();
    void look();

    std::filesystem::path m_path;
    QFileSystemWatcher m_watcher;
    /// A write touches file and log many times.
    QTimer m_settle;
    std::optional<std::vector<core::RunRow>> m_rows;
    views::ProfileQuery m_query;
};

} // namespace app
