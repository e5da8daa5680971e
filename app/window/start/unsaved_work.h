#pragma once

#include "core/base/result.h"

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <string>

namespace app {

/// Unsaved work that is in an autosave file.
struct UnsavedWork {
    QString file;
    /// The project's own file; empty when it had none.
    std::filesystem::path project;
    QString name;
    QDateTime kept;
    /// Who wrote it (core/platform/process_identity.h).
    std::string process;
    /// The project itself.
    std::string text;
};

/// `.NAME.TAG.autosave` beside the project, in the program's own folder for one without a file. The tag is
/// that of this process: nobody writes over what another keeps.
[[nodiscard]] QString autosaveFile(const std::filesystem::path& project);
/// Where the work of a project goes whose own folder cannot be written: the program's own.
[[nodiscard]] QString autosaveFileElsewhere(const std::filesystem::path& project);
/// Every autosave file beside a project, whoever wrote it.
[[nodiscard]] QStringList autosaveFilesBeside(const std::filesystem::path& project);

/// Whether a file has the name of one and is a regular file, no link: settings may name any other.
[[nodiscard]] bool isAutosaveFile(const QString& file);
/// What an autosave file says. Errors: those of core::readFile and core::readKeptWork.
[[nodiscard]] core::Result<UnsavedWork> readUnsavedWork(const QString& file);

/// Renames a file that cannot be read to "FILE.damaged" (with a number where there is one already), so that
/// nothing stumbles over it again and nothing is lost. Answers the new name; empty when that was refused.
[[nodiscard]] QString setAside(const QString& file);

} // namespace app
