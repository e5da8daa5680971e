#include "core/base/write_door.h"
#include "core/interchange/archive/zip_archive.h"
#include "simulator/data/files/npz_archive.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QElapsedTimer>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using tests::Answer;
using tests::Workbench;

namespace fs = std::filesystem;

namespace {

QStringList with(QStringList arguments) {
    return arguments << "--database"
                     << "d.sqlite";
}

/// A folder with p.ipuproj and its runs in d.sqlite.
void makeRuns(const Workbench& workbench, int count) {
    workbench.writeProject("p.ipuproj");
    for (int i = 0; i < count; ++i)
        QCOMPARE(workbench.run(with({"run", "p.ipuproj", "--no-numerics", "--profile", "tile"})).code, 0);
}

void change(const Workbench& workbench, const char* sql) {
    SQLite::Database database(workbench.path("d.sqlite").string(), SQLite::OPEN_READWRITE);
    database.exec(sql);
}

std::int64_t numberOf(const Workbench& workbench, const char* sql) {
    SQLite::Database database(workbench.path("d.sqlite").string(), SQLite::OPEN_READWRITE);
    return database.execAndGet(sql).getInt64();
}

/// As toText of Answer for a failed comparison.
std::string answered(const Answer& answer) {
    return std::to_string(answer.code) + "\n" + answer.out.toStdString() + "\n" + answer.err.toStdString();
}

/// A rollback journal of the database that would be rolled back, and names a file that SQLite then deletes
/// (https://www.sqlite.org/fileformat.html#the_rollback_journal).
void writeJournalThatNames(const std::string& file, const fs::path& database) {
    const auto bigEndian = [](std::uint32_t value) {
        std::string bytes;
        for (const int shift : {24, 16, 8, 0})
            bytes += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xffU);
        return bytes;
    };
    const std::string magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    const auto pages = static_cast<std::uint32_t>(fs::file_size(database) / 4096);
    std::string header =
        magic + bigEndian(0) + bigEndian(1) + bigEndian(pages) + bigEndian(512) + bigEndian(4096);
    header.resize(512);
    std::uint32_t sum = 0;
    for (const char letter : file)
        sum += static_cast<unsigned char>(letter);
    std::ofstream(database.string() + "-journal", std::ios::binary)
        << header << bigEndian(0x40000000U / 4096 + 1) << file
        << bigEndian(static_cast<std::uint32_t>(file.size())) << bigEndian(sum) << magic;
}

/// The write-ahead log of a database of another program, whose writer died.
void writeLogOfAnother(const Workbench& workbench, const fs::path& log) {
    SQLite::Database other(workbench.path("other.sqlite").string(),
                           SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("PRAGMA journal_mode = WAL; PRAGMA application_id = 7; CREATE TABLE other (x)");
    fs::copy_file(workbench.path("other.sqlite-wal"), log);
}

std::string contentOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

} // namespace

/// Databases that others damaged, locked, moved or made: a clear refusal, or what is left of them.
class DamagedDatabaseTest : public QObject {
    Q_OBJECT

private slots:
    void aRunWithoutItsProjectIsTold() {
        const Workbench workbench;
        makeRuns(workbench, 2);
        change(workbench, "PRAGMA foreign_keys = OFF; DELETE FROM project_snapshot");
        for (const QStringList& verb :
             {QStringList{"show", "1"}, QStringList{"compare", "1", "2"},
              QStringList{"render", "1", "--view", "tiles", "-o", "t.svg"}, QStringList{"show", "last"}}) {
            const Answer answer = workbench.run(with(verb));
            QVERIFY2(answer.code == 4, answered(answer).c_str());
            QVERIFY2(answer.err.contains("[database/damaged]") && answer.err.contains("hint:"),
                     answered(answer).c_str());
        }
        const Answer runs = workbench.run(with({"runs", "--json"}));
        QVERIFY2(runs.code == 0, answered(runs).c_str());
        QCOMPARE(runs.json()["runs"].size(), std::size_t{2});
        QVERIFY2(runs.err.contains("project_snapshot that are missing"), answered(runs).c_str());
    }

    void anotherSchemaIsRefusedWithItsPlace_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* sql, const char* says) {
            QTest::newRow(name) << QByteArray(sql) << QByteArray(says);
        };
        row("no table", "PRAGMA foreign_keys = OFF; DROP TABLE run", "table run");
        row("no enumeration", "PRAGMA foreign_keys = OFF; DROP TABLE run_state", "[database/damaged]");
        row("no column", "PRAGMA legacy_alter_table = ON; ALTER TABLE stage RENAME COLUMN ipu TO chip",
            "column stage.ipu");
        row("an older version than it is", "PRAGMA user_version = 1", "[database/damaged]");
        row("a version that never was", "PRAGMA user_version = -5", "version -5");
        row("a table in place of a view", "DROP VIEW v_run; CREATE TABLE v_run (x)", "v_run");
    }

    void anotherSchemaIsRefusedWithItsPlace() {
        QFETCH(const QByteArray, sql);
        QFETCH(const QByteArray, says);
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench, sql.constData());
        for (const QStringList& verb :
             {QStringList{"runs"}, QStringList{"show", "1"}, QStringList{"sql", "SELECT run FROM v_run"},
              QStringList{"run", "p.ipuproj", "--no-numerics"}, QStringList{"delete", "1"}}) {
            const Answer answer = workbench.run(with(verb));
            QVERIFY2(answer.code == 4, answered(answer).c_str());
            QVERIFY2(answer.err.contains(says) && answer.err.contains("hint:"), answered(answer).c_str());
        }
    }

    void blocksOfSpansThatMakeNoSenseAreNamed_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* sql, const char* says) {
            QTest::newRow(name) << QByteArray(sql) << QByteArray(says);
        };
        row("no numbers", "UPDATE span_block SET durations = CAST('x' AS BLOB)",
            "span_block of lane 0 at cycle 0: durations make no sense");
        row("another width", "UPDATE span_block SET starts = starts || '1' WHERE spans > 1",
            "starts make no sense");
        row("too many turns", "UPDATE span_block SET turns = 1000000", "its numbers make no sense");
        row("no shape", "PRAGMA foreign_keys = OFF; DELETE FROM span_shape",
            "a row of span_shape is missing");
        row("a bomb",
            "UPDATE span_block SET spans = 4096, turns = 4096, stride_cycles = 1, starts = x'', durations = "
            "x'', "
            "micro_batches = x'', slots = x'', shapes = x''",
            "at most 3000000 are read at once");
    }

    void blocksOfSpansThatMakeNoSenseAreNamed() {
        QFETCH(const QByteArray, sql);
        QFETCH(const QByteArray, says);
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench, sql.constData());
        const Answer answer = workbench.run(with({"timeline", "1"}));
        QVERIFY2(answer.code == 4 && answer.err.contains(says) && answer.err.contains("hint:"),
                 answered(answer).c_str());
        for (const QStringList& verb :
             {QStringList{"flame", "1"}, QStringList{"show", "1"},
              QStringList{"export", "1", "--format", "svg", "--view", "timeline"}}) {
            const Answer other = workbench.run(with(verb));
            QVERIFY2(other.code == 0 || other.code == 4, answered(other).c_str());
        }
        const Answer runs = workbench.run(with({"runs"}));
        QVERIFY2(runs.code == 0, answered(runs).c_str());
    }

    void anIndexThatSqliteCutIsItsOwn() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        std::ofstream(workbench.path("d.sqlite").string() + "-shm", std::ios::binary) << std::string(3, '\0');
        const Answer answer = workbench.run(with({"runs"}));
        QVERIFY2(answer.code == 0, answer.err.constData());
    }

    void whatStandsBesideADatabaseIsNotTakenForItsOwn_data() {
        QTest::addColumn<QByteArray>("ending");
        QTest::addColumn<QByteArray>("what");
        for (const char* ending : {"-journal", "-wal", "-shm"})
            for (const char* what : {"fifo", "hard link", "link", "folder", "text"})
                QTest::addRow("%s as %s", what, ending) << QByteArray(ending) << QByteArray(what);
        QTest::newRow("a log of another database") << QByteArray("-wal") << QByteArray("foreign log");
        QTest::newRow("a journal that names a file") << QByteArray("-journal") << QByteArray("super-journal");
    }

    void whatStandsBesideADatabaseIsNotTakenForItsOwn() {
        QFETCH(const QByteArray, ending);
        QFETCH(const QByteArray, what);
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench, "PRAGMA journal_mode = DELETE");
        workbench.write("mine.txt", "precious");
        const fs::path beside = workbench.path("d.sqlite").string() + ending.toStdString();
        fs::remove(beside);
        if (what == "fifo")
            QCOMPARE(::mkfifo(beside.c_str(), 0600), 0);
        else if (what == "hard link")
            fs::create_hard_link(workbench.path("mine.txt"), beside);
        else if (what == "link")
            fs::create_symlink("mine.txt", beside);
        else if (what == "folder")
            fs::create_directory(beside);
        else if (what == "text")
            std::ofstream(beside) << "notes of a person\n";
        else if (what == "foreign log")
            writeLogOfAnother(workbench, beside);
        else
            writeJournalThatNames("mine.txt", workbench.path("d.sqlite"));
        for (const QStringList& verb :
             {QStringList{"runs"}, QStringList{"run", "p.ipuproj", "--no-numerics"}}) {
            const Answer answer = workbench.run(with(verb));
            QVERIFY2(answer.code == 4 && answer.err.contains("[database/foreign-companion]"),
                     answered(answer).c_str());
        }
        QCOMPARE(contentOf(workbench.path("mine.txt")), std::string("precious"));
        QVERIFY(fs::exists(fs::symlink_status(beside)));
        fs::remove(beside);
        QCOMPARE(workbench.run(with({"runs", "--json"})).json()["runs"].size(), std::size_t{1});
    }

    void noRunGoesThroughALinkBesideTheProject() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        fs::create_directory(workbench.path("out"));
        fs::rename(workbench.path("d.sqlite"), workbench.path("out/other.sqlite"));
        const std::string before = contentOf(workbench.path("out/other.sqlite"));
        const fs::path own = workbench.path("p.profiles.sqlite");
        const QStringList run{"run", "p.ipuproj", "--no-numerics"};
        fs::create_symlink("out/other.sqlite", own);
        QVERIFY(workbench.run(run).err.contains("[database/outside]"));
        fs::remove(own);
        fs::create_symlink("out/new.sqlite", own);
        QVERIFY(workbench.run(run).err.contains("[database/dangling-link]"));
        fs::remove(own);
        fs::create_hard_link(workbench.path("out/other.sqlite"), own);
        QVERIFY(workbench.run(run).err.contains("[database/linked]"));
        QCOMPARE(contentOf(workbench.path("out/other.sqlite")), before);
        QVERIFY(!fs::exists(workbench.path("out/new.sqlite")));
        // To read it harms nobody.
        QCOMPARE(workbench.run({"runs", "--database", "p.profiles.sqlite"}).code, 0);
    }

    void aViewInThePlaceOfATableIsNotAsked() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench,
               "ALTER TABLE run_mode RENAME TO other; CREATE VIEW run_mode AS WITH RECURSIVE r(x) AS "
               "(SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT other.* FROM other, r");
        for (const QStringList& verb :
             {QStringList{"runs"}, QStringList{"show", "1"}, QStringList{"sql", "SELECT 1"},
              QStringList{"export", "1", "--format", "html", "-o", "r.html"},
              QStringList{"run", "p.ipuproj", "--no-numerics"}}) {
            const Answer answer = workbench.run(with(verb));
            QVERIFY2(answer.code == 4 && answer.err.contains("run_mode of the profile database is no plain"),
                     answered(answer).c_str());
        }
    }

    void triggersOfOthersDoNothing() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench,
               "CREATE TRIGGER thief AFTER INSERT ON run BEGIN DELETE FROM run WHERE id < new.id; END;"
               "CREATE TRIGGER wall BEFORE INSERT ON stage BEGIN SELECT RAISE(ABORT, 'no'); END");
        const Answer answer = workbench.run(with({"run", "p.ipuproj", "--no-numerics"}));
        QVERIFY2(answer.code == 0, answered(answer).c_str());
        QCOMPARE(numberOf(workbench, "SELECT count(*) FROM run"), 2);
        QCOMPARE(workbench.run(with({"delete", "1"})).code, 0);
        QCOMPARE(numberOf(workbench, "SELECT count(*) FROM stage WHERE run_id = 1"), 0);
    }

    void aViewOfAnotherIsReplaced() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench, "DROP VIEW v_run; CREATE VIEW v_run AS SELECT 'theirs' AS run");
        const core::Json rows =
            workbench.run(with({"sql", "SELECT run FROM v_run", "--json"})).json()["rows"];
        QCOMPARE(core::toText(rows, -1), std::string("[[1]]"));
    }

    void aQueryIsBounded() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        const QString many = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x";
        const Answer rows = workbench.run(with({"sql", many + " FROM t", "--max-rows", "7", "--json"}));
        QVERIFY2(rows.code == 0 && rows.json()["rows"].size() == 7, answered(rows).c_str());
        QVERIFY2(rows.err.contains("--max-rows"), answered(rows).c_str());
        const Answer bytes = workbench.run(
            with({"sql", many + ", hex(zeroblob(1000)) FROM t", "--max-bytes", "100000", "--json"}));
        QVERIFY2(bytes.code == 0, answered(bytes).c_str());
        const std::size_t count = bytes.json()["rows"].size();
        QVERIFY2(count > 30 && count < 50, answered(bytes).c_str());
        QVERIFY2(bytes.err.contains("--max-bytes"), answered(bytes).c_str());
        const Answer value = workbench.run(with({"sql", "SELECT zeroblob(1000000000)"}));
        QVERIFY2(value.code == 3 && value.err.contains("[sql/too-large]"), answered(value).c_str());
        QElapsedTimer clock;
        clock.start();
        const Answer endless =
            workbench.run(with({"sql", "SELECT count(*) FROM (" + many + " FROM t)", "--max-seconds", "1"}));
        QVERIFY2(endless.code == 3 && endless.err.contains("[sql/too-long]") &&
                     endless.err.contains("--max-seconds"),
                 answered(endless).c_str());
        QVERIFY(clock.elapsed() < 20'000);
    }

    void aDamagedPageIsToldAndTheRestIsShown() {
        const Workbench workbench;
        makeRuns(workbench, 2);
        const std::int64_t page =
            numberOf(workbench, "SELECT rootpage FROM sqlite_schema WHERE name = 'stage'");
        change(workbench, "PRAGMA wal_checkpoint(TRUNCATE)");
        {
            std::fstream file(workbench.path("d.sqlite"), std::ios::in | std::ios::out | std::ios::binary);
            file.seekp((page - 1) * 4096);
            file << std::string(4096, '\x7f');
        }
        const Answer runs = workbench.run(with({"runs", "--json"}));
        QVERIFY2(runs.code == 0 && runs.json()["runs"].size() == 2, answered(runs).c_str());
        QVERIFY2(runs.err.contains("[database/damaged]"), answered(runs).c_str());
        const Answer shown = workbench.run(with({"show", "1", "--json"}));
        QVERIFY2(shown.code == 0, answered(shown).c_str());
        QVERIFY(shown.json()["step_cycles"].get<std::int64_t>() > 0);
        QVERIFY(shown.json()["stages"].empty());
        QVERIFY2(shown.err.contains("[database/damaged]"), answered(shown).c_str());
        QVERIFY2(shown.out.contains("the stages of the run are on a damaged page"), answered(shown).c_str());
    }

    void aRunWhoseDatabaseGoesAwayKeepsItsResults_data() {
        QTest::addColumn<QString>("deed");
        QTest::newRow("deleted") << "rm -f d.sqlite*";
        QTest::newRow("renamed") << "mv d.sqlite other.sqlite";
        QTest::newRow("replaced") << "rm -f d.sqlite*; echo > d.sqlite";
    }

    void aRunWhoseDatabaseGoesAwayKeepsItsResults() {
        QFETCH(const QString, deed);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj",
                               {{"\"steps_per_epoch\": 8", "\"steps_per_epoch\": 8, \"epochs\": 60000"}});
        const Answer answer = workbench.runLine("run p.ipuproj --database d.sqlite & pid=$!; while [ ! -s "
                                                "d.sqlite ]; do sleep 0.01; done; sleep 0.3; " +
                                                deed + "; wait $pid");
        QVERIFY2(answer.code == 4, answered(answer).c_str());
        QVERIFY2(answer.err.contains("[database/moved]") && answer.err.contains("d.recovered-1.sqlite"),
                 answered(answer).c_str());
        const Answer kept = workbench.run({"show", "last", "--database", "d.recovered-1.sqlite", "--json"});
        QVERIFY2(kept.code == 0 && !kept.json()["metrics"].empty(), answered(kept).c_str());
        const bool isGone = !fs::exists(workbench.path("d.sqlite"));
        for (const char* ending : {"d.sqlite-wal", "d.sqlite-shm"})
            QVERIFY2(!isGone || !fs::exists(workbench.path(ending)), ending);
    }

    void aLockIsNoticedBeforeTheTraining() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        workbench.writeProject("long.ipuproj",
                               {{"\"steps_per_epoch\": 8", "\"steps_per_epoch\": 8, \"epochs\": 900000"}});
        SQLite::Database other(workbench.path("d.sqlite").string(), SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE");
        const Answer answer = workbench.run(with({"run", "long.ipuproj"}));
        other.exec("ROLLBACK");
        QVERIFY2(answer.code == 4 && answer.err.contains("[database/locked]"), answered(answer).c_str());
    }

    void memoryIsNoDatabase() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"run", "p.ipuproj", "--no-numerics", "--database", ":memory:"});
        QVERIFY2(answer.code == 4 && answer.err.contains("[database/not-a-file]"), answered(answer).c_str());
    }

    void anEmptyFileIsNobodyElses() {
        const Workbench workbench;
        workbench.write("d.sqlite", "");
        const Answer answer = workbench.run(with({"runs"}));
        QVERIFY2(answer.code == 4 && answer.err.contains("[database/empty]"), answered(answer).c_str());
        QVERIFY(!answer.err.contains("another program"));
    }

    void aNewerDatabaseIsReadButNotWritten() {
        const Workbench workbench;
        makeRuns(workbench, 1);
        change(workbench, "PRAGMA user_version = 99");
        const Answer shown = workbench.run(with({"show", "1"}));
        QVERIFY2(shown.code == 0 && shown.err.contains("[database/newer-version]"), answered(shown).c_str());
        for (const QStringList& reading :
             {QStringList{"sql", "SELECT run FROM v_run", "--json"}, QStringList{"runs"},
              QStringList{"compare", "1", "1"}, QStringList{"render", "1", "--view", "timeline"},
              QStringList{"export", "1", "--format", "csv", "--table", "operations"},
              QStringList{"export", "1", "--format", "python"},
              QStringList{"export", "1", "--format", "svg", "--view", "liveness"},
              QStringList{"check", "p.ipuproj", "--baseline", "1"}}) {
            const Answer read = workbench.run(with(reading));
            QVERIFY2(read.code == 0 && read.err.contains("[database/newer-version]"), answered(read).c_str());
        }
        const Answer written = workbench.run(with({"run", "p.ipuproj", "--no-numerics"}));
        QVERIFY2(written.code == 4 && written.err.contains("[database/newer-version]"),
                 answered(written).c_str());
        QCOMPARE(numberOf(workbench, "SELECT count(*) FROM run"), 1);
        QCOMPARE(numberOf(workbench, "PRAGMA user_version"), 99);
    }

    void calibrateNamesTheLineOfAWrongValue() {
        const Workbench workbench;
        const std::string start = R"({"id": "a", "kind": "app", "metric": "throughput", "value": 1, )";
        for (
            const char* wrong :
            {R"("template": "bert", "stage_split": {"attention_layers_per_ipu": [3, [7]], "embedding_ipu": 0}})",
             R"("template": "bert", "stage_split": {"attention_layers_per_ipu": [], "embedding_ipu": 0,
                 "head_ipu": 0, "ffn_layers_per_ipu": []}})",
             R"("template": "bert", "stage_split": {"encoder_block_boundaries": [2, "x"]}})",
             R"("template": "bert", "stage_split": {"head_ipu": [1], "attention_layers_per_ipu": [1]}})",
             R"("template": "bert", "stage_split": {"layers": [1, {}]}})",
             R"("template": "bert", "mode": 7})", R"("template": "bert", "figures": 7})",
             R"("template": "bert", "template_args": 7})", R"("template": 7})"}) {
            std::string line = start + wrong;
            std::erase(line, '\n');
            workbench.write("c.jsonl", line + "\n");
            const Answer answer = workbench.run({"calibrate", "c.jsonl"});
            QVERIFY2(answer.code == 3, (line + answered(answer)).c_str());
            QVERIFY2(answer.err.contains("c.jsonl:1") && answer.err.contains("[calibration/wrong-type]"),
                     answered(answer).c_str());
        }
    }

    void aBackupOfAnotherFormIsRefused_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        const auto row = [](const char* name, const char* key, const char* value) {
            QTest::newRow(name) << QByteArray(key) << QByteArray(value);
        };
        row("callbacks of null", "callbacks", "[null, null]");
        row("callbacks without best", "callbacks", "[{}, {}]");
        row("callbacks no list", "callbacks", "7");
        row("negative epochs", "epochs", "-1");
        row("epochs without end", "epochs", "4611686018427387904");
        row("fewer epochs than it tells of", "epochs", "1");
    }

    void aBackupOfAnotherFormIsRefused() {
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArray, value);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"\"steps_per_epoch\": 8",
                                              R"("steps_per_epoch": 8, "epochs": 2, "callbacks": [
                {"class_name": "EarlyStopping", "config": {"monitor": "loss", "patience": 5}},
                {"class_name": "BackupAndRestore", "config": {"backup_dir": "b", "delete_checkpoint": false}}])"}});
        const Answer first = workbench.run({"run", "p.ipuproj", "--json"});
        QVERIFY2(first.code == 0, answered(first).c_str());
        const fs::path file = workbench.path("b/backup.npz");
        const std::string bytes = contentOf(file);
        const auto archive = core::ZipArchive::open(bytes, "backup.npz");
        QVERIFY(archive.has_value());
        std::vector<std::pair<std::string, std::string>> members;
        for (const std::string& name : archive->names()) {
            members.emplace_back(name, archive->read(name, std::size_t{1} << 30U).value());
            if (name == "state.json") {
                core::Json state = core::Json::parse(members.back().second);
                state[key.toStdString()] = core::Json::parse(value.toStdString());
                members.back().second = state.dump();
            }
        }
        workbench.write("b/backup.npz", simulator::zipBytes(members, core::productMark));
        const Answer answer = workbench.run({"run", "p.ipuproj"});
        QVERIFY2(answer.code == 3 || answer.code == 4, answered(answer).c_str());
        QVERIFY2(answer.err.contains("[backup/damaged]") && answer.err.contains("hint:"),
                 answered(answer).c_str());
    }

    void sayPlainlyWhatANumberIsTooLargeFor() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer whole =
            workbench.run({"validate", "p.ipuproj", "--set", "training.batch_size=9223372036854775808"});
        QVERIFY2(whole.code == 3 && whole.err.contains("\"batch_size\" is 9223372036854775808, allowed are"),
                 answered(whole).c_str());
        workbench.writeProject("q.ipuproj", {{"0.1", "1e999"}});
        const Answer real = workbench.run({"validate", "q.ipuproj"});
        QVERIFY2(real.code == 3 && real.err.contains("number overflow") &&
                     !real.err.contains("json.exception"),
                 answered(real).c_str());
    }
};

REGISTER_TEST("damaged_database", DamagedDatabaseTest)
#include "damaged_database_test.moc"
