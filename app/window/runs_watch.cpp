#include "app/window/runs_watch.h"

#include "views/common/text/number_text.h"

#include <QStringList>

namespace app {

namespace {

/// How long a file has to be quiet before its runs are listed.
constexpr int settleMilliseconds = 300;

} // namespace

RunsWatch::RunsWatch(QObject* parent)
    : QObject(parent) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMilliseconds);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_settle, &QTimer::timeout, this, &RunsWatch::look);
}

void RunsWatch::watch(const std::filesystem::path& database) {
    if (database == m_path)
        return;
    m_path = database;
    m_rows.reset();
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

void RunsWatch::look() {
    keepPaths();
    std::error_code ignored;
    if (!std::filesystem::exists(m_path, ignored)) {
        if (m_rows && !m_rows->empty())
            emit changed();
        m_rows.emplace();
        return;
    }
    m_query.request<std::vector<core::RunRow>>(
        m_path, [](const core::ProfileDatabase& database) { return core::listRuns(database); },
        [this](core::Result<std::vector<core::RunRow>> answer) {
            keepPaths();
            // What cannot be read is no list: the views say why when they are told.
            std::vector<core::RunRow> rows;
            if (answer)
                rows = *std::move(answer);
            const bool isOther = m_rows && *m_rows != rows;
            m_rows = std::move(rows);
            if (isOther)
                emit changed();
        });
}

} // namespace app
