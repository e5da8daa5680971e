#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/profile/profile_query.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace app {

/// Sees when another program adds runs or sweeps to the database of the open project, ends a sweep, deletes
/// some, or replaces the file. What this window itself writes is announced once more than needed.
class RunsWatch final : public QObject {
    Q_OBJECT

public:
    explicit RunsWatch(QObject* parent = nullptr);

    /// An empty path: nothing. The file need not exist.
    void watch(const std::filesystem::path& database);

signals:
    /// The list of runs or that of sweeps is another one.
    void changed();

private:
    struct Lists {
        std::vector<core::RunRow> runs;
        /// Their numbers, and whether all their points are there: a view that shows one looks itself until
        /// then.
        std::vector<std::pair<std::int64_t, bool>> sweeps;
        bool operator==(const Lists&) const = default;
    };
    [[nodiscard]] static core::Result<Lists> readLists(const core::ProfileDatabase& database);
    void keepPaths();
    void look();

    std::filesystem::path m_path;
    QFileSystemWatcher m_watcher;
    /// A write touches file and log many times.
    QTimer m_settle;
    std::optional<Lists> m_lists;
    views::ProfileQuery m_query;
};

} // namespace app
