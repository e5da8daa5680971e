#include "core/profile/notes/store/note_store.h"

#include "core/base/file.h"
#include "core/profile/notes/preset_queries.h"
#include "core/profile/queries/run_queries.h"
#include "tests/support/shared_data.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <fmt/format.h>

using namespace core;

class NoteStoreTest : public QObject {
    Q_OBJECT

private slots:
    void notesStayWithTheirRunAndGoWithIt() {
        tests::StoredRuns runs;
        const RunId first = runs.add();
        const RunId second = runs.add();
        auto database = ProfileDatabase::open(runs.path());
        const std::vector<NoteRecord> notes{
            {Cycles(700), "later"}, {Cycles(30), "naïve “start”"}, {Cycles(50), ""}};
        QVERIFY(storeNotes(*database, first, notes).has_value());
        const auto stored = loadNotes(*ProfileDatabase::open(runs.path()), first);
        QCOMPARE(stored->size(), std::size_t(3));
        QCOMPARE((*stored)[0].text, std::string("naïve “start”"));
        QCOMPARE((*stored)[2].at, Cycles(700));
        QVERIFY(loadNotes(*database, second)->empty());
        // A second time they replace what was there.
        QVERIFY(storeNotes(*database, first, std::vector<NoteRecord>{{Cycles(1), "one"}}).has_value());
        QCOMPARE(loadNotes(*database, first)->size(), std::size_t(1));
        QVERIFY(deleteRuns(*database, std::vector{first}).has_value());
        QVERIFY(loadNotes(*database, first)->empty());
    }

    void whatCannotBeKeptIsRefusedAndChangesNothing() {
        tests::StoredRuns runs;
        const RunId run = runs.add();
        auto database = ProfileDatabase::open(runs.path());
        const std::vector<NoteRecord> good{{Cycles(1), "good"}};
        QVERIFY(storeNotes(*database, run, good).has_value());
        const std::vector<NoteRecord> longer{{Cycles(1), std::string(longestRunNote + 1, 'x')}};
        QCOMPARE(storeNotes(*database, run, longer).error().front().code, std::string("note/too-long"));
        QCOMPARE(*loadNotes(*database, run), good);
        QCOMPARE(storeNotes(*database, RunId(99), good).error().front().code, std::string("run/unknown"));
    }

    void thePresetsAreTheQuestionsOfTheReadme() {
        const std::string readme = readFile(tests::projectRoot() / "core/profile/README.md").value();
        std::string said;
        int number = 0;
        for (const PresetQuery& preset : presetQueries()) {
            said = fmt::format("```sql\n-- {}. {}\n{}\n```", ++number, preset.question, preset.sql);
            QVERIFY2(readme.find(said) != std::string::npos, said.c_str());
        }
        QCOMPARE(number, 10);
    }

    void queriesAreKeptInTheirOrderUnderNamesOfTheirOwn() {
        tests::StoredRuns runs;
        auto database = ProfileDatabase::open(runs.path());
        QVERIFY(loadQueries(*database)->empty());
        const std::vector<QueryRecord> queries{{"slow", "SELECT 1"}, {"idle", "SELECT 2"}};
        QVERIFY(storeQueries(*database, queries).has_value());
        QCOMPARE(*loadQueries(*ProfileDatabase::open(runs.path())), queries);
        const std::vector<QueryRecord> twice{{"slow", "SELECT 1"}, {"slow", "SELECT 2"}};
        QCOMPARE(storeQueries(*database, twice).error().front().code, std::string("query/name"));
        const std::vector<QueryRecord> nameless{{"", "SELECT 1"}};
        QCOMPARE(storeQueries(*database, nameless).error().front().code, std::string("query/name"));
        const std::vector<QueryRecord> endless{{"x", std::string(longestKeptQuery, 'x')}};
        QCOMPARE(storeQueries(*database, endless).error().front().code, std::string("query/too-long"));
        QCOMPARE(*loadQueries(*database), queries);
    }
};

REGISTER_TEST("note_store", NoteStoreTest)
#include "note_store_test.moc"
