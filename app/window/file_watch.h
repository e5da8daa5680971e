#pragma once

#include "core/platform/file_descriptor.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace app {

/// Fingerprint of a file's content; nothing when there is none that can be read.
[[nodiscard]] std::optional<std::string> contentOf(const std::filesystem::path& path);

/// Notices what other programs do to the file of the open project: writing in place, replacing it by another
/// file (as this program and most editors do), removing it.
class FileWatch final : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    enum class State : std::uint8_t { Same, Changed, Missing };

    /// Follows `path` (none when it is empty), whose content this window knows as `known`.
    void follow(const std::filesystem::path& path, std::optional<std::string> known);
    /// Reads the file, whatever its size and time say.
    [[nodiscard]] State look() const;
    /// What is there now is known: a person has decided about it.
    void accept() { m_told = m_known = contentOf(m_path); }

    /// Writers that need several steps are waited for.
    static constexpr int delayMilliseconds = 250;

signals:
    /// It holds something else, or is gone; once for every content.
    void changed();

private:
    void watch();
    void compare();

    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    std::filesystem::path m_path;
    std::optional<std::string> m_known;
    /// The last that was reported, so that one change is reported once.
    std::optional<std::string> m_told;
    std::optional<core::FileStamp> m_stamp;
};

} // namespace app
