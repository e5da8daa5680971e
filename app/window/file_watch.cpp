#include "app/window/file_watch.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/base/fingerprint.h"
#include "views/common/text/number_text.h"

namespace app {

namespace fs = std::filesystem;
using views::toQString;

std::optional<std::string> contentOf(const fs::path& path) {
    if (!core::stampOf(path))
        return std::nullopt;
    const auto content = core::readFile(path, core::FileLimit::project);
    return content ? std::optional(core::fingerprint(*content)) : std::nullopt;
}

FileWatch::FileWatch(QObject* parent)
    : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &FileWatch::compare);
    const auto later = [this] { m_timer.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
}

void FileWatch::follow(const fs::path& path, std::optional<std::string> known) {
    m_timer.stop();
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    m_path = path;
    m_known = std::move(known);
    m_told = m_known;
    m_stamp.reset();
    watch();
    // What came between reading and watching.
    if (!m_path.empty())
        m_timer.start();
}

/// The folder tells of a file that replaces the old one; after that the file itself is another, which is
/// watched anew.
void FileWatch::watch() {
    if (m_path.empty())
        return;
    const QString file = toQString(m_path.string());
    const QString folder = toQString(m_path.parent_path().string());
    if (!m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
    if (!m_watcher.files().contains(file) && core::stampOf(m_path))
        m_watcher.addPath(file);
}

FileWatch::State FileWatch::look() const {
    const std::optional<std::string> content = contentOf(m_path);
    if (content == m_known)
        return State::Same;
    return content ? State::Changed : State::Missing;
}

void FileWatch::compare() {
    watch();
    const std::optional<core::FileStamp> stamp = core::stampOf(m_path);
    if (stamp && stamp == m_stamp)
        return;
    m_stamp = stamp;
    const std::optional<std::string> content = contentOf(m_path);
    const bool isNews = content != m_told;
    m_told = content;
    if (isNews && content != m_known)
        emit changed();
}

} // namespace app
