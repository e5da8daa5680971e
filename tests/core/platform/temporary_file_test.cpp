#include "core/platform/temporary_file.h"

#include "core/base/file.h"
#include "core/platform/process_identity.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

/// Another process, which tells its tag and lives until it is ended.
class OtherProcess {
public:
    OtherProcess() {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0)
            return;
        m_id = ::fork();
        if (m_id == 0) {
            const std::string tag = core::processTag();
            const bool isTold = ::write(pipe[1], tag.data(), tag.size()) == ssize_t(tag.size());
            ::close(pipe[1]);
            while (isTold)
                ::pause();
            ::_exit(0);
        }
        ::close(pipe[1]);
        std::array<char, 100> buffer{};
        for (ssize_t count = 0; (count = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
            m_tag.append(buffer.data(), std::size_t(count));
        ::close(pipe[0]);
    }
    ~OtherProcess() { end(); }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    [[nodiscard]] const std::string& tag() const { return m_tag; }
    void end() {
        if (m_id <= 0)
            return;
        ::kill(m_id, SIGKILL);
        ::waitpid(m_id, nullptr, 0);
        m_id = -1;
    }

private:
    pid_t m_id = -1;
    std::string m_tag;
};

} // namespace

class TemporaryFileTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    void put(const std::string& name) const { std::ofstream(path(name)) << "x"; }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void knowsTheOwnerOfATag() {
        OtherProcess other;
        QVERIFY(core::ownerOfTag(core::processTag()) == core::TagOwner::Living);
        QVERIFY2(core::ownerOfTag(other.tag()) == core::TagOwner::Living, other.tag().c_str());
        other.end();
        QVERIFY(core::ownerOfTag(other.tag()) == core::TagOwner::Dead);
        QVERIFY(core::ownerOfTag("1-1-00000000") == core::TagOwner::Elsewhere);
        for (const char* none : {"", "1", "1-1", "1-1-xyz", "a-1-00000000", "1-1-000000000", "--00000000"})
            QVERIFY2(core::ownerOfTag(none) == core::TagOwner::Nobody, none);
    }

    void theFirstWriteTakesAwayWhatTheDeadLeft() {
        OtherProcess living;
        OtherProcess dead;
        dead.end();
        const std::string left = ".p.ipuproj." + dead.tag() + ".AbC123";
        const std::string used = ".p.ipuproj." + living.tag() + ".AbC123";
        put(left);
        put(used);
        put(".p.ipuproj.BvKlEE");
        put("p." + dead.tag() + ".AbC123");
        put(".p.ipuproj." + dead.tag() + ".autosave");
        fs::create_directory(path("ipu-workbench-" + dead.tag() + "-AbC123"));
        put("ipu-workbench-" + dead.tag() + "-AbC123/unsaved-1.profiles.sqlite");
        fs::create_directory(path("ipu-workbench-" + living.tag() + "-AbC123"));
        QVERIFY(core::writeFileAtomically(path("p.ipuproj"), "new", core::Overwrite::Replace).has_value());
        QVERIFY(!fs::exists(path(left)));
        QVERIFY(!fs::exists(path("ipu-workbench-" + dead.tag() + "-AbC123")));
        QVERIFY(fs::exists(path(used)));
        QVERIFY(fs::exists(path("ipu-workbench-" + living.tag() + "-AbC123")));
        // Nothing but what the program itself names so.
        QVERIFY(fs::exists(path(".p.ipuproj.BvKlEE")));
        QVERIFY(fs::exists(path("p." + dead.tag() + ".AbC123")));
        QVERIFY(fs::exists(path(".p.ipuproj." + dead.tag() + ".autosave")));
    }

    void whatCameFromElsewhereStaysForADay() {
        const std::string name = ".w.h5.77-123-00000000.AbC123";
        put(name);
        core::removeTemporariesOfTheDead(path(""));
        QVERIFY(fs::exists(path(name)));
        const timespec longAgo{.tv_sec = 1'000'000'000, .tv_nsec = 0};
        const std::array<timespec, 2> times{longAgo, longAgo};
        QCOMPARE(::utimensat(AT_FDCWD, path(name).c_str(), times.data(), 0), 0);
        core::removeTemporariesOfTheDead(path(""));
        QVERIFY(!fs::exists(path(name)));
    }

    void aLinkIsNotFollowed() {
        OtherProcess dead;
        dead.end();
        fs::create_directory(path("precious"));
        put("precious/work");
        fs::create_symlink(path("precious"), path("ipu-workbench-" + dead.tag() + "-AbC123"));
        core::removeTemporariesOfTheDead(path(""));
        QVERIFY(fs::exists(path("precious/work")));
    }

    void aTemporaryFileHasNoNameThatCouldBeLeft() {
        const std::string before = qgetenv("TMPDIR").toStdString();
        qputenv("TMPDIR", QByteArray::fromStdString(path("")));
        const core::TemporaryFile file("spill");
        qputenv("TMPDIR", QByteArray::fromStdString(before));
        QVERIFY(file.append("some bytes"));
        QVERIFY(fs::is_empty(path("")));
        QCOMPARE(core::readFile(file.path()).value(), std::string("some bytes"));
    }

    void writesWithTheModeThatIsAskedFor() {
        QCOMPARE(core::replaceFile(path("secret"), "x", 0600), 0);
        QVERIFY(fs::status(path("secret")).permissions() == fs::perms(0600));
        QCOMPARE(core::replaceFile(path("no/folder"), "x", 0600), ENOENT);
    }

    void aNameOf255BytesIsWritten() {
        const std::string name(255, 'n');
        QVERIFY(core::writeFileAtomically(path(name), "long", core::Overwrite::Refuse).has_value());
        QCOMPARE(core::readFile(path(name)).value(), std::string("long"));
    }
};

REGISTER_TEST("temporary_file", TemporaryFileTest)
#include "temporary_file_test.moc"
