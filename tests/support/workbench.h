#pragma once

#include "core/base/json.h"

#include <QByteArray>
#include <QStringList>
#include <QTemporaryDir>
#include <filesystem>
#include <string>

class QProcess;

namespace tests {

/// What the program answered.
struct Answer {
    int code = -1;
    QByteArray out;
    QByteArray err;

    /// stdout as one JSON document; discarded when it is none.
    [[nodiscard]] core::Json json() const;
    /// Codes of the diagnostics in the JSON, apart by spaces.
    [[nodiscard]] QString codes() const;
};

/// A folder of its own in which the real program runs, without a display and without the caller's settings.
class Workbench {
public:
    [[nodiscard]] Answer run(const QStringList& arguments) const;
    /// The same with a line as one pastes it into a shell.
    [[nodiscard]] Answer runLine(const QString& arguments) const;
    /// What the program writes to a terminal as its stderr, with more of "NAME=value" in its environment.
    [[nodiscard]] QByteArray runOnTerminal(const QStringList& arguments,
                                           const QStringList& environment) const;
    /// Starts the program, sends it the signal soon after `file` has appeared, and answers its exit code; -1
    /// when it did not end by itself.
    [[nodiscard]] int stop(const QStringList& arguments, const char* file, int signal) const;
    /// A file of the folder.
    [[nodiscard]] std::filesystem::path path(const char* name) const;
    void write(const char* name, const std::string& text) const;
    /// Writes the pipelined example project as `name`, with parts replaced.
    void writeProject(const char* name,
                      std::initializer_list<std::pair<std::string, std::string>> changes = {}) const;

private:
    void prepare(QProcess& process) const;
    [[nodiscard]] Answer answerOf(const QString& program, const QStringList& arguments) const;

    QTemporaryDir m_folder;
};

} // namespace tests
