#include "app/window/dialogs/dialogs.h"

#include "app/window/dialogs/file_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace app {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("Dialogs", source);
}

} // namespace

QString Dialogs::chooseFileToWrite(const QString& title, const QString& proposal, const QString& filter,
                                   const QString& suffix) {
    const QString chosen = chooseTarget(title, proposal, filter);
    if (chosen.isEmpty() || !QFileInfo(chosen).suffix().isEmpty())
        return chosen;
    const QString path = chosen + u'.' + suffix;
    // The person agreed to replace what was typed, not this.
    if (QFileInfo::exists(path) && !confirm(text("Replace %1?").arg(QFileInfo(path).fileName()),
                                            text("There is a file of this name."), text("Replace")))
        return {};
    return path;
}

Dialogs::Unsaved WindowDialogs::askUnsaved(const QString& title) {
    QMessageBox box(m_window);
    box.setWindowTitle(QStringLiteral("IPU Workbench"));
    box.setText(text("Save the changes to %1?").arg(title));
    box.setInformativeText(text("Changes that are not saved are lost."));
    QPushButton* save = box.addButton(text("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(text("Discard"), QMessageBox::DestructiveRole);
    QPushButton* cancel = box.addButton(text("Cancel"), QMessageBox::RejectRole);
    save->setProperty("kind", "primary");
    discard->setProperty("kind", "danger");
    box.setDefaultButton(save);
    box.setEscapeButton(cancel);
    box.exec();
    if (box.clickedButton() == save)
        return Unsaved::Save;
    return box.clickedButton() == discard ? Unsaved::Discard : Unsaved::Cancel;
}

Dialogs::LeftBehind WindowDialogs::askLeftBehind(const QString& name, const QDateTime& kept,
                                                 const QDateTime& saved) {
    QMessageBox box(m_window);
    box.setWindowTitle(QStringLiteral("IPU Workbench"));
    box.setTextFormat(Qt::PlainText);
    box.setText(text("%1 was not closed properly").arg(name));
    const auto time = [](const QDateTime& at) { return QLocale().toString(at, QLocale::ShortFormat); };
    const QString times =
        saved.isValid()
            ? text("Unsaved work of %1 is kept; the saved file is of %2.").arg(time(kept), time(saved))
            : text("Unsaved work of %1 is kept; the saved file is not there.").arg(time(kept));
    box.setInformativeText(
        times + u'\n' +
        text("Opening the saved file deletes the unsaved work; “Keep for later” opens the saved "
             "file and asks again next time."));
    QPushButton* restore = box.addButton(text("Open unsaved work"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(text("Open saved file"), QMessageBox::DestructiveRole);
    QPushButton* later = box.addButton(text("Keep for later"), QMessageBox::RejectRole);
    restore->setProperty("kind", "primary");
    discard->setProperty("kind", "danger");
    box.setDefaultButton(restore);
    box.setEscapeButton(later);
    box.exec();
    if (box.clickedButton() == restore)
        return LeftBehind::Restore;
    return box.clickedButton() == discard ? LeftBehind::Discard : LeftBehind::Later;
}

ChangedFileDialog::Choice WindowDialogs::askChanged(const ChangedFile& file) {
    ChangedFileDialog dialog(file, m_window);
    dialog.exec();
    return dialog.choice();
}

bool WindowDialogs::confirm(const QString& question, const QString& detail, const QString& verb) {
    QMessageBox box(m_window);
    box.setWindowTitle(QStringLiteral("IPU Workbench"));
    box.setText(question);
    box.setInformativeText(detail);
    QPushButton* go = box.addButton(verb, QMessageBox::DestructiveRole);
    QPushButton* cancel = box.addButton(text("Cancel"), QMessageBox::RejectRole);
    go->setProperty("kind", "danger");
    box.setDefaultButton(cancel);
    box.setEscapeButton(cancel);
    box.exec();
    return box.clickedButton() == go;
}

QString WindowDialogs::chooseFile(const QString& title, const QString& folder, const QString& filter) {
    FileDialog dialog(m_window, title, folder, filter);
    dialog.setFileMode(QFileDialog::ExistingFile);
    return dialog.choice();
}

QString WindowDialogs::chooseTarget(const QString& title, const QString& proposal, const QString& filter) {
    FileDialog dialog(m_window, title, proposal, filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    return dialog.choice();
}

} // namespace app
