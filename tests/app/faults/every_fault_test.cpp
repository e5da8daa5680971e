#include "tests/app/faults/faulty_run.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <vector>

using tests::areManyFaultsTried;
using tests::FaultyRun;
using tests::namesIn;
using tests::Workbench;

namespace fs = std::filesystem;

namespace {

FaultyRun runWithFault(const fs::path& folder, const QStringList& arguments, const tests::Fault& fault) {
    return tests::runWithFault(qEnvironmentVariable("IPU_WORKBENCH"), folder, arguments, fault);
}

/// What a person has in a file: its bytes, of a database its complete runs; or what is wrong with it.
std::string stateOf(const fs::path& path) {
    if (!fs::exists(path))
        return "none";
    if (path.extension() != ".sqlite")
        return tests::bytesOf(path);
    try {
        SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
        const std::string check = database.execAndGet("PRAGMA integrity_check").getString();
        if (check != "ok")
            return "damaged: " + check;
        if (!database.tableExists("run") || database.execAndGet("SELECT count(*) FROM run").getInt() == 0)
            return "none";
        const auto count = [&](const char* sql) { return database.execAndGet(sql).getInt(); };
        if (count("SELECT count(*) FROM pragma_foreign_key_check") != 0)
            return "rows that lead nowhere";
        return fmt::format("{} runs", count("SELECT count(*) FROM run WHERE state = "
                                            "(SELECT id FROM run_state WHERE name = 'complete')"));
    } catch (const SQLite::Exception& exception) {
        return std::string("damaged: ") + exception.what();
    }
}

/// Results that could not be stored are in a file beside, which the error names.
bool isKeptWith(const FaultyRun& run, const std::string& name) {
    return name.find(".recovered-") != std::string::npos && run.errors.find(name) != std::string::npos;
}

/// A verb, and the file that it writes over or makes.
struct Work {
    const char* name;
    QStringList arguments;
    /// Empty for a verb that only reads.
    const char* result;
    bool isInSuite = false;
};

const std::vector<Work>& works() {
    static const std::vector<Work> all{
        {"save", {"plan", "p.ipuproj", "--stages", "2", "-o", "p.ipuproj", "--force"}, "p.ipuproj", true},
        {"export", {"export", "p.ipuproj", "--format", "keras-json", "-o", "m.json", "--force"}, "m.json"},
        {"export-trace",
         {"export", "1", "--database", "d.sqlite", "--format", "perfetto", "-o", "t.perfetto", "--force"},
         "t.perfetto"},
        {"render", {"render", "1", "--database", "d.sqlite", "--view", "timeline", "-o", "t.svg"}, "t.svg"},
        {"import", {"import", "m.json", "-o", "i.ipuproj", "--force"}, "i.ipuproj"},
        {"compile", {"compile", "p.ipuproj", "-o", "p.ipuexe", "--force"}, "p.ipuexe"},
        {"validate", {"validate", "p.ipuproj"}, ""},
        {"run", {"run", "p.ipuproj", "--no-numerics", "--database", "d.sqlite"}, "d.sqlite", true},
        {"first-run", {"run", "p.ipuproj", "--no-numerics", "--database", "new.sqlite"}, "new.sqlite"},
        {"delete", {"delete", "1", "--database", "d.sqlite"}, "d.sqlite"},
        {"merge", {"merge", "d.sqlite", "-o", "all.sqlite"}, "all.sqlite"}};
    return all;
}

const Work* workNamed(const QByteArray& name) {
    const auto found =
        std::find_if(works().begin(), works().end(), [&](const Work& one) { return one.name == name; });
    return found == works().end() ? nullptr : &*found;
}

} // namespace

/// Every write, sync, rename, open, read and allocation fails in turn: what a person has is the old or the
/// new, one line says what happened, nothing stays behind, and the next start works.
class EveryFaultTest : public QObject {
    Q_OBJECT

private slots:
    /// A project, its model in Keras' format and a run.
    void initTestCase() {
        if (tests::isSanitized())
            QSKIP("a sanitizer answers the calls itself");
        QVERIFY(m_home.isValid());
        fs::create_directories(sound());
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        fs::copy(workbench.path("p.ipuproj"), sound() / "p.ipuproj");
        for (const QStringList& arguments :
             {QStringList{"export", "p.ipuproj", "--format", "keras-json", "-o", "m.json"},
              QStringList{"run", "p.ipuproj", "--no-numerics", "--database", "d.sqlite"}}) {
            const FaultyRun run = runWithFault(sound(), arguments, {});
            QVERIFY2(run.code == 0, run.errors.c_str());
        }
    }

    void aFaultLeavesTheOldOrTheNew_data() {
        QTest::addColumn<QByteArray>("work");
        QTest::addColumn<QByteArray>("call");
        for (const Work& work : works())
            for (const char* call : tests::faultyCalls)
                if (work.isInSuite || areManyFaultsTried())
                    QTest::addRow("%s %s", work.name, call) << QByteArray(work.name) << QByteArray(call);
    }

    void aFaultLeavesTheOldOrTheNew() {
        QFETCH(QByteArray, work);
        QFETCH(QByteArray, call);
        const Work& wanted = *workNamed(work);
        reset();
        const FaultyRun whole = runWithFault(folder(), wanted.arguments, {call});
        QVERIFY2(whole.code == 0, whole.errors.c_str());
        const bool hasResult = *wanted.result != '\0';
        const std::string fresh = hasResult ? stateOf(folder() / wanted.result) : std::string();
        const std::string old = hasResult ? stateOf(sound() / wanted.result) : std::string();
        const std::set<std::string> names = namesIn(folder());
        long tried = 0;
        for (const tests::Fault& fault : tests::faultsOf(call, whole.calls)) {
            reset();
            const FaultyRun run = runWithFault(folder(), wanted.arguments, fault);
            if (!run.hasFailed)
                continue;
            ++tried;
            const std::string what =
                fmt::format("{} {} of {}{}: code {}, {}", call.toStdString(), fault.at, whole.calls,
                            fault.lasts ? " and all after it" : "", run.code, run.errors);
            QVERIFY2(run.code == 4 || run.code == 0, what.c_str());
            QVERIFY2(run.code == 0 || tests::errorLines(run.errors) == 1, what.c_str());
            for (const std::string& name : namesIn(folder()))
                QVERIFY2(names.contains(name) || isKeptWith(run, name) || name.ends_with("-wal") ||
                             name.ends_with("-shm") || name.ends_with("-journal"),
                         (what + "left: " + name).c_str());
            if (hasResult) {
                const std::string now = stateOf(folder() / wanted.result);
                QVERIFY2(now == fresh || (run.code != 0 && now == old),
                         (what + "now: " + now.substr(0, 200)).c_str());
            }
            const FaultyRun again = runWithFault(folder(), wanted.arguments, {});
            // What is deleted already cannot be deleted again.
            QVERIFY2(again.code == 0 || (work == "delete" && run.code == 0),
                     (what + "again: " + again.errors).c_str());
            for (const std::string& name : namesIn(folder()))
                QVERIFY2(names.contains(name) || isKeptWith(run, name),
                         (what + "left after the next start: " + name).c_str());
        }
        QVERIFY(tried > 0 || whole.calls == 0);
        if (areManyFaultsTried())
            qInfo("%ld faults in %ld calls", tried, whole.calls);
    }

    /// A report that lacks something must not pass for a whole one.
    void aReportOfWhatCouldNotBeReadFails_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("html") << QStringList{"export", "1", "--format", "html"};
        QTest::newRow("timeline") << QStringList{"render", "1", "--view", "timeline"};
        QTest::newRow("show") << QStringList{"show", "1", "--json"};
    }

    void aReportOfWhatCouldNotBeReadFails() {
        QFETCH(QStringList, arguments);
        arguments << "--database"
                  << "d.sqlite"
                  << "-o"
                  << "out.svg"
                  << "--force";
        reset();
        const FaultyRun whole = runWithFault(folder(), arguments, {"read"});
        QVERIFY2(whole.code == 0, whole.errors.c_str());
        const std::string expected = tests::bytesOf(folder() / "out.svg");
        const long step = areManyFaultsTried() ? 1 : std::max(1L, whole.calls / 8);
        for (long at = 1; at <= whole.calls; at += step) {
            reset();
            const FaultyRun run = runWithFault(folder(), arguments, {"read", at, false});
            const std::string what =
                fmt::format("read {} of {}: code {}, {}", at, whole.calls, run.code, run.errors);
            QVERIFY2(run.code == 4 || tests::bytesOf(folder() / "out.svg") == expected, what.c_str());
        }
    }

private:
    [[nodiscard]] fs::path sound() const { return fs::path(m_home.path().toStdString()) / "sound"; }
    [[nodiscard]] fs::path folder() const { return fs::path(m_home.path().toStdString()) / "work"; }
    void reset() const {
        fs::remove_all(folder());
        fs::copy(sound(), folder(), fs::copy_options::recursive);
    }

    QTemporaryDir m_home;
};

REGISTER_TEST("every_fault", EveryFaultTest)

#include "every_fault_test.moc"
