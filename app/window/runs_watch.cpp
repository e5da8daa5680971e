#include "app/window/runs_watch.h"

#include "core/profile/queries/sweep_queries.h"
#include "views/common/text/number_text.h"

#include <QStringList>

namespace app {

namespace {

/// How long after it was written a file is read; a sweep writes without end.
constexpr int settleMilliseconds = 300;

} // namespace

RunsWatch::RunsWatch(QObject* parent)
    : QObject(parent) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMilliseconds);
    const auto lookSoon = [this] {
        if (!m_settle.isActive())
            m_settle.start();
    };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, lookSoon);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, lookSoon);
    connect(&m_settle, &QTimer::timeout, this, &RunsWatch::look);
}

void RunsWatch::watch(const std::filesystem::path& database) {
    if (database == m_path)
        return;
    m_path = database;
    m_lists.reset();
    m_settle.stop();
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty())
        m_watcher.removePaths(old);
    if (m_path.empty())
        return m_query.cancel();
    keepPaths();
    look();
}

/// A file that was replaced, or came into being, is watched again; so is its log, into which runs are
/// written.
void RunsWatch::keepPaths() {
    std::error_code ignored;
    std::filesystem::path log = m_path;
    log += "-wal";
    QStringList missing;
    for (const std::filesystem::path& path : {m_path, log, m_path.parent_path()}) {
        const QString name = views::toQString(path.string());
        if (std::filesystem::exists(path, ignored) && !m_watcher.files().contains(name) &&
            !m_watcher.directories().contains(name))
            missing.append(name);
    }
    if (!missing.isEmpty())
        m_watcher.addPaths(missing);
}

core::Result<RunsWatch::Lists> RunsWatch::readLists(const core::ProfileDatabase& database) {
    auto runs = core::listRuns(database);
    if (!runs)
        return core::failure(std::move(runs.error()));
    const auto sweeps = core::listSweeps(database);
    if (!sweeps)
        return core::failure(sweeps.error());
    Lists lists{*std::move(runs), {}};
    for (const core::SweepRow& sweep : *sweeps)
        lists.sweeps.emplace_back(sweep.id, sweep.done >= sweep.record.points);
    return lists;
}

void RunsWatch::look() {
    keepPaths();
    std::error_code ignored;
    if (!std::filesystem::exists(m_path, ignored)) {
        if (m_lists && *m_lists != Lists())
            emit changed();
        m_lists.emplace();
        return;
    }
    m_query.request<Lists>(m_path, readLists, [this](core::Result<Lists> answer) {
        keepPaths();
        // What cannot be read is no list: the views say why when they are told.
        Lists lists;
        if (answer)
            lists = *std::move(answer);
        const bool isOther = m_lists && *m_lists != lists;
        m_lists = std::move(lists);
        if (isOther)
            emit changed();
    });
}

} // namespace app
