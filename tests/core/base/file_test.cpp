#include "core/base/file.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <filesystem>

namespace fs = std::filesystem;

class FileTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] fs::path path(const char* name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }

private slots:
    void writesADeviceInPlace() {
        QVERIFY(core::writeFileAtomically("/dev/null", "gone", core::Overwrite::Refuse));
        QVERIFY(!std::filesystem::is_regular_file("/dev/null"));
    }

    void readsBackWhatItWrote() {
        QVERIFY(core::writeFileAtomically(path("a"), "one", core::Overwrite::Refuse).has_value());
        QCOMPARE(core::readFile(path("a")).value(), std::string("one"));
    }

    void refusesToReplaceUnlessAsked() {
        QVERIFY(core::writeFileAtomically(path("b"), "one", core::Overwrite::Refuse).has_value());
        const auto second = core::writeFileAtomically(path("b"), "two", core::Overwrite::Refuse);
        QCOMPARE(second.error().front().code, std::string("file/exists"));
        QCOMPARE(core::readFile(path("b")).value(), std::string("one"));
        QVERIFY(core::writeFileAtomically(path("b"), "two", core::Overwrite::Replace).has_value());
        QCOMPARE(core::readFile(path("b")).value(), std::string("two"));
    }

    void leavesNothingBehindWhenItFails() {
        fs::create_directory(path("folder"));
        const auto result = core::writeFileAtomically(path("folder"), "x", core::Overwrite::Replace);
        QCOMPARE(result.error().front().code, std::string("file/is-a-folder"));
        QVERIFY(fs::is_empty(path("folder")));
        QCOMPARE(core::writeFileAtomically(path("no/such/file"), "x", core::Overwrite::Replace)
                     .error()
                     .front()
                     .code,
                 std::string("file/missing-folder"));
    }

    void followsALinkAndKeepsPermissions() {
        QVERIFY(core::writeFileAtomically(path("real"), "old", core::Overwrite::Refuse).has_value());
        fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
        fs::create_symlink(path("real"), path("link"));
        QVERIFY(core::writeFileAtomically(path("link"), "new", core::Overwrite::Replace).has_value());
        QVERIFY(fs::is_symlink(path("link")));
        QCOMPARE(core::readFile(path("real")).value(), std::string("new"));
        QVERIFY(fs::status(path("real")).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    }

    void saysWhatIsWrongWithAFile() {
        QCOMPARE(core::readFile(path("missing")).error().front().code, std::string("file/missing"));
        QCOMPARE(core::readFile(m_folder.path().toStdString()).error().front().code,
                 std::string("file/is-a-folder"));
        QVERIFY(core::writeFileAtomically(path("long"), "12345", core::Overwrite::Refuse).has_value());
        QCOMPARE(core::readFile(path("long"), 4).error().front().code, std::string("file/too-large"));
    }
};

REGISTER_TEST("file", FileTest)
#include "file_test.moc"
