#pragma once

#include <QFileDialog>

namespace app {

/// Asks for a file and looks into none. The dialogs of the toolkit and of the desktops open every file of a
/// folder to tell its kind, in this process; and when a process closes a file it loses all the locks that it
/// has on it (fcntl(2), "advisory record locking"), those of SQLite on the profile database among them.
/// Another process would then take itself for its only user, and damage it.
class FileDialog final : public QFileDialog {
public:
    /// `proposal`: a folder, or a file that need not be there; empty: where the program was started.
    FileDialog(QWidget* window, const QString& title, const QString& proposal, const QString& filter);

    /// Lets the person choose; empty when they left.
    [[nodiscard]] QString choice();
};

} // namespace app
