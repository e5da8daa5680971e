#pragma once

#include "app/window/dialogs/changed_file_dialog.h"
#include "core/base/diagnostic.h"

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>

class QWidget;

namespace app {

/// What the window asks a person and has to wait for. Tests answer by themselves.
class Dialogs {
public:
    virtual ~Dialogs() = default;

    enum class Unsaved : std::uint8_t { Save, Discard, Cancel };
    /// A project with unsaved changes is about to be left.
    [[nodiscard]] virtual Unsaved askUnsaved(const QString& title) = 0;
    enum class LeftBehind : std::uint8_t { Restore, Discard, Later };
    /// A project is opened of which a program that died left unsaved work. `saved`: of the project's file;
    /// invalid when there is none.
    [[nodiscard]] virtual LeftBehind askLeftBehind(const QString& name, const QDateTime& kept,
                                                   const QDateTime& saved) = 0;
    /// The project's file is not what this window knows of it.
    [[nodiscard]] virtual ChangedFileDialog::Choice askChanged(const ChangedFile& file) = 0;
    /// Something that undo cannot bring back; `verb` is the button that does it.
    [[nodiscard]] virtual bool confirm(const QString& question, const QString& detail,
                                       const QString& verb) = 0;
    /// An existing file; empty when the person left. `filter` as of QFileDialog.
    [[nodiscard]] virtual QString chooseFile(const QString& title, const QString& folder,
                                             const QString& filter) = 0;
    /// A file to be written; replacing one was confirmed. A name without an ending gets `suffix`.
    [[nodiscard]] QString chooseFileToWrite(const QString& title, const QString& proposal,
                                            const QString& filter, const QString& suffix);

protected:
    /// The same as the person typed it.
    [[nodiscard]] virtual QString chooseTarget(const QString& title, const QString& proposal,
                                               const QString& filter) = 0;
};

/// The real ones, above a window.
class WindowDialogs final : public Dialogs {
public:
    explicit WindowDialogs(QWidget* window)
        : m_window(window) {}

    Unsaved askUnsaved(const QString& title) override;
    LeftBehind askLeftBehind(const QString& name, const QDateTime& kept, const QDateTime& saved) override;
    ChangedFileDialog::Choice askChanged(const ChangedFile& file) override;
    bool confirm(const QString& question, const QString& detail, const QString& verb) override;
    QString chooseFile(const QString& title, const QString& folder, const QString& filter) override;
    QString chooseTarget(const QString& title, const QString& proposal, const QString& filter) override;

private:
    QWidget* m_window;
};

} // namespace app
