#include "app/window/dialogs/file_dialog.h"

#include "core/profile/schema/profile_database.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QFileSystemModel>
#include <QTemporaryDir>
#include <QtTest/QTest>

namespace {

/// The locks that this process has on files, as the system lists them.
QStringList ownLocks() {
    QFile list(QStringLiteral("/proc/locks"));
    QStringList locks;
    if (!list.open(QIODevice::ReadOnly))
        return locks;
    const QByteArray own = ' ' + QByteArray::number(QCoreApplication::applicationPid()) + ' ';
    for (const QByteArray& line : list.readAll().split('\n'))
        if (line.contains(own))
            locks << QString::fromLatin1(line.mid(line.indexOf(':')));
    locks.sort();
    return locks;
}

} // namespace

class FileDialogTest : public QObject {
    Q_OBJECT
private slots:
    void aDatabaseThatIsListedKeepsItsLocks() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.profiles.sqlite"));
        const auto database = core::ProfileDatabase::open(path.toStdString());
        QVERIFY(database.has_value());
        const QStringList before = ownLocks();
        if (before.isEmpty())
            QSKIP("the system does not list locks");
        app::FileDialog dialog(nullptr, QStringLiteral("Open"), folder.path(),
                               QStringLiteral("All files (*)"));
        dialog.show();
        const auto* files = dialog.findChild<QFileSystemModel*>();
        QVERIFY(files != nullptr);
        // What kind of file it is comes last.
        QTRY_VERIFY(!files->index(path, 2).data().toString().isEmpty());
        QTRY_VERIFY(!files->index(path).data(Qt::DecorationRole).isNull());
        QCOMPARE(ownLocks(), before);
    }

    void aProposalIsAFolderOrAFileThatIsNotThereYet() {
        const QTemporaryDir folder;
        const app::FileDialog open(nullptr, {}, folder.path(), QStringLiteral("All files (*)"));
        QCOMPARE(open.directory().absolutePath(), folder.path());
        const QString target = folder.filePath(QStringLiteral("new.svg"));
        app::FileDialog save(nullptr, {}, target, QStringLiteral("SVG (*.svg)"));
        save.setAcceptMode(QFileDialog::AcceptSave);
        QCOMPARE(save.selectedFiles(), QStringList(target));
    }
};

REGISTER_WIDGET_TEST("file_dialog", FileDialogTest)
#include "file_dialog_test.moc"
