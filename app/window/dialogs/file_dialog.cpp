#include "app/window/dialogs/file_dialog.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileIconProvider>
#include <QMimeDatabase>

namespace app {

namespace {

/// Icons and kinds of files by their names alone.
class IconsByName final : public QFileIconProvider {
public:
    using QFileIconProvider::icon;
    [[nodiscard]] QIcon icon(const QFileInfo& file) const override {
        return icon(file.isDir() ? Folder : File);
    }
    [[nodiscard]] QString type(const QFileInfo& file) const override {
        if (file.isDir())
            return QCoreApplication::translate("FileDialog", "Folder");
        const QMimeType kind = QMimeDatabase().mimeTypeForFile(file, QMimeDatabase::MatchExtension);
        return kind.isDefault() ? QCoreApplication::translate("FileDialog", "File") : kind.comment();
    }
};

} // namespace

// It lists the first folder that it is given before it knows whose icons to use, so that is one without
// files.
FileDialog::FileDialog(QWidget* window, const QString& title, const QString& proposal, const QString& filter)
    : QFileDialog(window, title, QDir::rootPath(), filter) {
    // A thread of the dialog asks for icons until the dialog is gone.
    static IconsByName icons;
    setOption(DontUseNativeDialog);
    setIconProvider(&icons);
    const QFileInfo proposed(proposal);
    if (proposal.isEmpty()) {
        setDirectory(QDir::currentPath());
    } else if (proposed.isDir()) {
        setDirectory(proposal);
    } else {
        setDirectory(proposed.absolutePath());
        selectFile(proposed.fileName());
    }
}

QString FileDialog::choice() {
    return exec() == Accepted && !selectedFiles().isEmpty() ? selectedFiles().constFirst() : QString();
}

} // namespace app
