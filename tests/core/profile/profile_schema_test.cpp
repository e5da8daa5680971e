#include "core/profile/exports/csv.h"
#include "core/profile/queries/damage_report.h"
#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/sql_query.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/queries/training_queries.h"
#include "core/profile/schema/profile_schema.h"
#include "core/profile/schema/profile_tables.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/support/shared_data.h"
#include "tests/support/small_run.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;
using core::DatabaseAccess;
using core::ProfileDatabase;
using core::ProfileWriter;
using core::RunId;
using core::RunState;

namespace {

std::string textOfFile(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Columns of every table as "table column type notnull default key", in their order.
std::vector<std::string> columnsOf(SQLite::Database& database) {
    std::vector<std::string> columns;
    SQLite::Statement rows(
        database, "SELECT m.name, c.name, c.type, c.\"notnull\", c.dflt_value, c.pk FROM sqlite_schema AS m "
                  "JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.name NOT LIKE "
                  "'sqlite_%' ORDER BY m.name, c.cid");
    while (rows.executeStep()) {
        std::string line;
        for (int i = 0; i < rows.getColumnCount(); ++i)
            line += rows.getColumn(i).getString() + " ";
        columns.push_back(line);
    }
    return columns;
}

std::vector<std::string> linesOf(SQLite::Database& database, const std::string& sql) {
    std::vector<std::string> lines;
    SQLite::Statement rows(database, sql);
    while (rows.executeStep()) {
        std::string line;
        for (int i = 0; i < rows.getColumnCount(); ++i)
            line += rows.getColumn(i).getString() + "|";
        lines.push_back(line);
    }
    return lines;
}

template <class Record>
bool isSame(const core::Result<std::vector<Record>>& loaded, const std::vector<Record>& recorded) {
    return loaded.has_value() && *loaded == recorded;
}

/// Equal but for NaN, which equals nothing.
std::string lineOf(const core::TensorStatisticsRecord& r) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", r.tensor, r.layer, toString(r.kind), r.update,
                       r.epoch, r.elements, r.notFinite, r.norm, r.minimum, r.maximum, r.mean,
                       r.histogram.size());
}

} // namespace

class ProfileSchemaTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    /// A file as the program of that version wrote it.
    [[nodiscard]] fs::path storedFile(int version, const std::string& name) const {
        const fs::path file = path(name);
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        database.exec(textOfFile(tests::projectRoot() /
                                 fmt::format("tests/core/profile/versions/version_{}.sql", version)));
        return file;
    }
    static void addVersions() {
        QTest::addColumn<int>("version");
        for (int version = 1; version <= 3; ++version)
            QTest::addRow("version %d", version) << version;
    }

private slots:
    void aStoredFileBecomesWhatANewOneIs_data() { addVersions(); }
    void aStoredFileBecomesWhatANewOneIs() {
        QFETCH(int, version);
        const fs::path file = storedFile(version, fmt::format("schema-{}", version));
        const auto fresh = ProfileDatabase::open(path(fmt::format("fresh-{}", version)));
        const auto old = ProfileDatabase::open(file);
        QVERIFY2(old.has_value(), old ? "" : old.error().front().message.c_str());
        QCOMPARE(columnsOf(old->connection()), columnsOf(fresh->connection()));
        for (const char* sql : {"SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name",
                                "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY name",
                                "PRAGMA user_version", "PRAGMA application_id", "PRAGMA auto_vacuum",
                                "PRAGMA journal_mode", "PRAGMA foreign_key_check", "PRAGMA integrity_check"})
            QVERIFY2(linesOf(old->connection(), sql) == linesOf(fresh->connection(), sql), sql);
        for (const std::string& table :
             linesOf(fresh->connection(),
                     "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
                     "ON c.name = 'name' WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'")) {
            const std::string rows = "SELECT * FROM " + table.substr(0, table.size() - 1) + " ORDER BY id";
            QCOMPARE(linesOf(old->connection(), rows), linesOf(fresh->connection(), rows));
        }
    }

    void aStoredRunIsReadAsItWasRecorded_data() { addVersions(); }
    void aStoredRunIsReadAsItWasRecorded() {
        QFETCH(int, version);
        core::MemoryProfile recorded;
        tests::recordSmallRun(recorded);
        const fs::path file = storedFile(version, fmt::format("read-{}", version));
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        QVERIFY2(database.has_value(), database ? "" : database.error().front().message.c_str());
        const RunId run(1);
        QVERIFY(core::loadRun(*database, run).value() == recorded.summary());
        QVERIFY(core::loadProvenance(*database, run).value() == recorded.provenance());
        QCOMPARE(core::provenanceJson(recorded.provenance())["kernels"], core::Json("")); // nobody said
        QVERIFY(isSame(core::loadOperations(*database, run), recorded.operations()));
        QVERIFY(isSame(core::loadProgram(*database, run), recorded.programSteps()));
        QVERIFY(isSame(core::loadLanes(*database, run), recorded.lanes()));
        QVERIFY(isSame(core::loadSpans(*database, run), recorded.spans()));
        QVERIFY(isSame(core::loadExecutions(*database, run), recorded.executions()));
        std::size_t ranges = 0;
        for (const core::TileMemoryRecord& tiles : recorded.tileMemory()) {
            QVERIFY(core::loadTileMemory(*database, run, tiles.ipu).value() == tiles);
            ranges += core::liveRanges(*database, run, tiles.ipu)->size();
            QCOMPARE(core::livenessCurve(*database, run, tiles.ipu)->points.size(), 4U);
        }
        QCOMPARE(ranges, recorded.liveRanges().size());
        QCOMPARE(core::loadMetrics(*database, run)->size(), 6U);
        if (version < 3)
            QVERIFY(core::loadCallbacks(*database, run)->empty());
        else
            QVERIFY(isSame(core::loadCallbacks(*database, run), recorded.callbacks()));
        const core::TrainingRecords& training = recorded.trainingRecords();
        if (version < 2) {
            QVERIFY(core::loadTensorStatistics(*database, run)->empty());
        } else {
            const auto tensors = core::loadTensorStatistics(*database, run).value();
            QCOMPARE(tensors.size(), training.tensors.size());
            for (std::size_t i = 0; i < tensors.size(); ++i)
                QCOMPARE(lineOf(tensors[i]), lineOf(training.tensors[i]));
            QVERIFY(tensors.front() == training.tensors.front());
            QVERIFY(isSame(core::loadConfusion(*database, run), training.confusion));
            QVERIFY(core::loadSamplePredictions(*database, run)->front() == training.predictions.front());
            QVERIFY(isSame(core::loadSampleImages(*database, run), training.images));
        }
        const auto runs = core::listRuns(*database).value();
        QCOMPARE(runs.size(), 3U);
        QVERIFY(runs[1].state == RunState::Failed && runs[2].state == RunState::Interrupted);
        QCOMPARE(core::loadDiagnostics(*database, RunId(2))->front().code, std::string("model/wrong"));
    }

    /// What a new run stores and the views say of it is what they say of the stored one.
    void aNewRunJoinsTheStoredOne_data() { addVersions(); }
    void aNewRunJoinsTheStoredOne() {
        QFETCH(int, version);
        const fs::path file = storedFile(version, fmt::format("join-{}", version));
        const auto database = ProfileDatabase::open(file);
        {
            ProfileWriter writer(const_cast<ProfileDatabase&>(*database));
            tests::recordSmallRun(writer);
            QCOMPARE(writer.outcome().value(), RunId(4));
        }
        QVERIFY(core::loadRun(*database, RunId(4)).value() == core::loadRun(*database, RunId(1)).value());
        std::size_t rows = 0;
        for (const core::ViewText& view : core::profileViews()) {
            const std::string name(view.name);
            if (name.starts_with("v_sweep") || name == "v_note") // of no run, of no recording
                continue;
            const bool isOutput = name == "v_output" || name == "v_prediction";
            const bool isLater = isOutput               ? version < 4
                                 : name == "v_callback" ? version < 3
                                                        : version < 2 && (name == "v_tensor_statistics" ||
                                                                          name == "v_confusion" ||
                                                                          name.starts_with("v_sample_"));
            const auto of = [&](int run) {
                auto table =
                    core::querySql(*database, fmt::format("SELECT * FROM {} WHERE run = {}", name, run))
                        .value();
                for (std::vector<core::SqlValue>& row : table.rows)
                    row.erase(row.begin() + (std::find(table.columns.begin(), table.columns.end(), "run") -
                                             table.columns.begin()));
                return table.rows;
            };
            QVERIFY2(!of(4).empty(), name.c_str());
            QVERIFY2(isLater || of(1) == of(4), name.c_str());
            rows += of(4).size();
        }
        QVERIFY(rows > 150);
        const std::array runs{RunId(1), RunId(2), RunId(3), RunId(4)};
        QVERIFY(core::deleteRuns(*database, runs).has_value());
        QCOMPARE(linesOf(database->connection(), "SELECT count(*) FROM text"),
                 std::vector<std::string>{"0|"});
    }

    /// The oracle is the SQL that is in the stored file.
    void publishedColumnsStay() {
        SQLite::Database old(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        old.exec(textOfFile(tests::projectRoot() / "tests/core/profile/versions/version_3.sql"));
        const auto fresh = ProfileDatabase::open(path("columns"));
        const std::vector<std::string> today = columnsOf(fresh->connection());
        for (const std::string& column : columnsOf(old))
            QVERIFY2(std::find(today.begin(), today.end(), column) != today.end(), column.c_str());
    }

    void columnsSayTheVersionInWhichTheyCame() {
        std::map<std::string, std::string> published;
        std::ifstream file(tests::projectRoot() / "tests/core/profile/golden/later_columns.txt");
        std::set<std::string> golden;
        for (std::string line; std::getline(file, line);) {
            if (!line.empty() && line[0] != '#')
                golden.insert(line);
        }
        std::set<std::string> current;
        for (const core::TableText& table : core::recordTables()) {
            for (const core::ColumnText& column : table.columns) {
                if (column.since > 3)
                    current.insert(
                        fmt::format("{} {}.{} {}", column.since, table.name, column.name, column.type));
            }
        }
        QCOMPARE(current, golden);
    }

    void migrationsRunFromTheFilesVersionOn() {
        SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        const std::array<core::SchemaMigration, 3> steps{{{1, "CREATE TABLE one (a)"},
                                                          {2, "ALTER TABLE one ADD COLUMN b"},
                                                          {3, "CREATE TABLE three (a)"}}};
        database.exec("CREATE TABLE one (a)");
        core::migrateSchema(database, 2, steps);
        QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), 4);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM pragma_table_info('one')").getInt(), 2);
        QCOMPARE(core::schemaMigrations().size(), static_cast<std::size_t>(core::profileSchemaVersion() - 1));
    }

    void whoGroupsOccurrencesByNameReadsSpansOnce() {
        const fs::path file = path("plan");
        QVERIFY(ProfileDatabase::open(file).has_value());
        SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
        SQLite::Statement plan(database,
                               "EXPLAIN QUERY PLAN SELECT name, sum(duration_cycles) FROM v_operation_span "
                               "WHERE run = 1 GROUP BY name");
        QStringList loops;
        while (plan.executeStep())
            loops << QString::fromStdString(plan.getColumn(3).getString());
        // The names are looked up where the steps are, instead of the steps where the names are.
        const qsizetype steps = loops.indexOf(QRegularExpression("^(SEARCH|SCAN) program_step.*"));
        const qsizetype names = loops.indexOf(QRegularExpression("^(SEARCH|SCAN) name.*"));
        QVERIFY2(steps >= 0 && names > steps, qPrintable(loops.join('\n')));
    }

    void viewsOfAnotherProgramAreReplacedOnOpening() {
        const fs::path file = path("views");
        QVERIFY(ProfileDatabase::open(file).has_value());
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
            .exec("DROP VIEW v_run; DROP VIEW v_idle; CREATE VIEW v_run AS SELECT 1 AS one; CREATE VIEW mine "
                  "AS SELECT 2 "
                  "AS two");
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        QVERIFY(core::querySql(*database, "SELECT run FROM v_run").has_value());
        QVERIFY(core::querySql(*database, "SELECT cause FROM v_idle").has_value());
        QVERIFY2(core::querySql(*database, "SELECT two FROM mine").has_value(),
                 "a view of the user's own stays");
    }

    void anOldFileThatCannotBeWrittenIsShownThroughACopy() {
        const fs::path folder = path("unwritable");
        fs::create_directory(folder);
        const fs::path file = storedFile(1, "unwritable/file");
        const std::string before = textOfFile(file);
        fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
        fs::permissions(folder, fs::perms(0555));
        // Root may write everything, so it steps back.
        fs::permissions(m_folder.path().toStdString(), fs::perms(0755));
        constexpr uid_t nobody = 65534;
        const bool isRoot = ::geteuid() == 0;
        if (isRoot)
            QCOMPARE(::seteuid(nobody), 0);
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        const bool isRead = database.has_value() && core::loadRun(*database, RunId(1)).has_value() &&
                            core::loadCallbacks(*database, RunId(1)).has_value() &&
                            core::querySql(*database, "SELECT * FROM v_callback").has_value();
        if (isRoot)
            QCOMPARE(::seteuid(0), 0);
        fs::permissions(folder, fs::perms(0755));
        QVERIFY2(isRead, database ? "" : database.error().front().message.c_str());
        QCOMPARE(textOfFile(file), before);
    }

    void aNewerVersionIsOnlyRead() {
        const fs::path file = storedFile(3, "newer");
        QVERIFY(ProfileDatabase::open(file).has_value()); // it has all that this program knows
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
        const auto refused = ProfileDatabase::open(file, {DatabaseAccess::ReadWrite});
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().size(), 1U);
        const core::Diagnostic& line = refused.error().front();
        QCOMPARE(line.code, std::string("database/newer-version"));
        QVERIFY(line.trouble == core::Trouble::World);
        QCOMPARE(line.message,
                 fmt::format("the profile database has version 99; this program knows versions up to {}",
                             core::profileSchemaVersion()));
        QCOMPARE(line.location.file, file.string());
        QCOMPARE(line.hints.size(), 1U);
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        QVERIFY2(database.has_value(), database ? "" : database.error().front().message.c_str());
        QVERIFY(core::loadRun(*database, RunId(1)).has_value());
        QVERIFY(core::querySql(*database, "SELECT * FROM v_run").has_value());
        const core::Diagnostics damage = core::damageOf(*database);
        QVERIFY(damage.size() == 1 && damage.front().code == "database/newer-version" &&
                damage.front().severity == core::Severity::Warning);
        QCOMPARE(SQLite::Database(file.string()).execAndGet("PRAGMA user_version").getInt(), 99);
    }

    void anOlderFileIsKeptBesideBeforeItChanges() {
        const fs::path file = storedFile(1, "older.sqlite");
        QVERIFY(ProfileDatabase::open(file).has_value());
        const fs::path copy = path("older.version-1.sqlite");
        QVERIFY(fs::exists(copy));
        QCOMPARE(SQLite::Database(copy.string()).execAndGet("PRAGMA user_version").getInt(), 1);
        QCOMPARE(SQLite::Database(copy.string()).execAndGet("SELECT count(*) FROM run").getInt(), 3);
        QCOMPARE(SQLite::Database(file.string()).execAndGet("PRAGMA user_version").getInt(),
                 core::profileSchemaVersion());
    }

    void aFileThatCannotBeBroughtUpToDateStaysAsItWas() {
        const fs::path file = storedFile(1, "stuck.sqlite");
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE).exec("CREATE TABLE callback (x)");
        const auto refused = ProfileDatabase::open(file);
        QCOMPARE(refused.error().front().code, std::string("database/damaged"));
        QCOMPARE(SQLite::Database(file.string()).execAndGet("PRAGMA user_version").getInt(), 1);
        QVERIFY(!fs::exists(path("stuck.version-1.sqlite")));
    }

    void aValueOfANewerProgramIsRefused() {
        const fs::path file = storedFile(3, "value");
        SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE span SET kind = 77 WHERE kind = 3");
        const auto database = ProfileDatabase::open(file);
        QCOMPARE(core::loadSpans(*database, RunId(1)).error().front().code,
                 std::string("database/newer-version"));
    }
};

REGISTER_TEST("profile_schema", ProfileSchemaTest)
#include "profile_schema_test.moc"
