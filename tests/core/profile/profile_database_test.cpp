#include "core/profile/queries/run_queries.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/schema/profile_schema.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/support/synthetic_run.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using core::DatabaseAccess;
using core::ProfileDatabase;
using core::ProfileWriter;
using core::RunId;
using core::RunState;

namespace {

/// Stops in the middle: forwards what comes before `finish`.
class UnfinishedSink final : public core::ProfileSink {
public:
    explicit UnfinishedSink(core::ProfileSink& inner)
        : m_inner(inner) {}
    void begin(const core::RunProvenance& p) override { m_inner.begin(p); }
    void operations(std::span<const core::OperationRecord> r) override { m_inner.operations(r); }
    void lanes(std::span<const core::LaneRecord> r) override { m_inner.lanes(r); }
    void programSteps(std::span<const core::ProgramStepRecord> r) override { m_inner.programSteps(r); }
    void transfers(std::span<const core::TransferRecord> r) override { m_inner.transfers(r); }
    void spans(std::span<const core::SpanRecord> r) override { m_inner.spans(r); }
    void livenessSteps(std::span<const core::LivenessStepRecord> r) override { m_inner.livenessSteps(r); }
    void liveRanges(std::vector<core::LiveRangeRecord> r) override { m_inner.liveRanges(r); }
    void tileMemory(const core::TileMemoryRecord& r) override { m_inner.tileMemory(r); }
    void executions(std::span<const core::ExecutionRecord> r) override { m_inner.executions(r); }
    void metrics(std::span<const core::MetricRecord> r) override { m_inner.metrics(r); }
    void finish(const core::RunSummary&) override {}

private:
    core::ProfileSink& m_inner;
};

std::string codeOf(const core::Result<ProfileDatabase>& result) {
    return result ? "opened" : result.error().front().code;
}

/// Rows of every table that belongs to a run, but for the run itself and its diagnostics.
std::int64_t rowsBesideRuns(const ProfileDatabase& database) {
    std::int64_t rows = 0;
    SQLite::Statement tables(
        database.connection(),
        "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'run_id' "
        "WHERE m.type = 'table' AND m.name <> 'diagnostic'");
    while (tables.executeStep())
        rows += database.connection()
                    .execAndGet("SELECT count(*) FROM " + tables.getColumn(0).getString())
                    .getInt64();
    return rows;
}

} // namespace

class ProfileDatabaseTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] fs::path path(const char* name) const {
        return fs::path(m_folder.path().toStdString()) / name;
    }
    [[nodiscard]] fs::path stored(const char* name) const {
        auto database = ProfileDatabase::open(path(name));
        ProfileWriter writer(*database);
        tests::record({}, writer);
        return path(name);
    }

private slots:
    void storesTheSummaryExactly() {
        auto database = ProfileDatabase::open(path("exact"));
        ProfileWriter writer(*database);
        const core::RunSummary recorded = tests::record({}, writer);
        QCOMPARE(writer.outcome().value(), RunId(1));
        const auto loaded = core::loadRun(*database, RunId(1));
        QVERIFY(loaded.has_value());
        QVERIFY(*loaded == recorded);
    }

    void numbersRunsFromOneAndNeverAgain() {
        auto database = ProfileDatabase::open(path("numbers"));
        for (std::uint32_t number = 1; number <= 2; ++number) {
            ProfileWriter writer(*database);
            tests::record({}, writer);
            QCOMPARE(writer.run().value(), number);
        }
        const RunId second(2);
        QVERIFY(core::deleteRuns(*database, {&second, 1}).has_value());
        ProfileWriter writer(*database);
        tests::record({}, writer);
        QCOMPARE(writer.run().value(), 3U);
        QCOMPARE(core::findRun(*database, "last").value(), RunId(3));
        QCOMPARE(core::findRun(*database, "1").value(), RunId(1));
        QCOMPARE(core::findRun(*database, "2").error().front().code, std::string("run/unknown"));
        QVERIFY(core::findRun(*database, "two").error().front().trouble == core::Trouble::Usage);
    }

    void deletingLeavesNoRowAndGivesSpaceBack() {
        auto database = ProfileDatabase::open(path("delete"));
        const auto pages = [&] { return database->connection().execAndGet("PRAGMA page_count").getInt(); };
        const int empty = pages();
        {
            ProfileWriter writer(*database);
            tests::record({}, writer);
        }
        QVERIFY(rowsBesideRuns(*database) > 1000);
        const RunId run(1);
        QVERIFY(core::deleteRuns(*database, {&run, 1}).has_value());
        QCOMPARE(rowsBesideRuns(*database), 0);
        QCOMPARE(database->connection().execAndGet("SELECT count(*) FROM text").getInt(), 0);
        QCOMPARE(database->connection().execAndGet("SELECT count(*) FROM project_snapshot").getInt(), 0);
        QVERIFY(pages() <= empty + 2);
    }

    void anUnfinishedRunHasFailedAndLeavesNoRows() {
        auto database = ProfileDatabase::open(path("failed"));
        {
            ProfileWriter writer(*database);
            UnfinishedSink sink(writer);
            tests::record({}, sink);
            QVERIFY(core::listRuns(*database)->front().state == RunState::Recording);
            QCOMPARE(core::loadRun(*database, writer.run()).error().front().code,
                     std::string("run/incomplete"));
        }
        QVERIFY(core::listRuns(*database)->front().state == RunState::Failed);
        QCOMPARE(rowsBesideRuns(*database), 0);
    }

    void aCancelledRunKeepsItsReasonAndNothingElse() {
        auto database = ProfileDatabase::open(path("cancelled"));
        ProfileWriter writer(*database);
        UnfinishedSink sink(writer);
        tests::record({}, sink);
        core::Diagnostic why;
        why.code = "run/cancelled";
        why.hints = {"one", "\"two\""};
        writer.abandon(RunState::Cancelled, {why});
        QVERIFY(!writer.outcome().has_value());
        QVERIFY(core::listRuns(*database)->front().state == RunState::Cancelled);
        QVERIFY(core::loadDiagnostics(*database, RunId(1)).value() == core::Diagnostics{why});
        QCOMPARE(rowsBesideRuns(*database), 0);
        QCOMPARE(core::findRun(*database, "last").error().front().code, std::string("run/none"));
    }

    /// A child process records again and again until it is killed at some moment.
    void aKilledProcessLeavesCompleteRunsAndAnInterruptedOne() {
        const fs::path file = path("killed");
        for (const int milliseconds : {15, 40, 90, 140, 230}) {
            const pid_t child = ::fork();
            if (child == 0) {
                auto database = ProfileDatabase::open(file);
                for (;;) {
                    ProfileWriter writer(*database);
                    tests::record({}, writer);
                }
            }
            ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);

            const auto reader = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
            if (reader.has_value()) {
                const auto rows = core::listRuns(*reader);
                for (const core::RunRow& row : *rows)
                    QVERIFY(row.state == RunState::Complete || row.state == RunState::Interrupted);
            }
            const auto database = ProfileDatabase::open(file);
            QVERIFY2(database.has_value(), codeOf(database).c_str());
            QCOMPARE(database->connection().execAndGet("PRAGMA integrity_check").getString(),
                     std::string("ok"));
            std::size_t complete = 0;
            const auto rows = core::listRuns(*database);
            for (const core::RunRow& row : *rows) {
                if (row.state != RunState::Complete)
                    continue;
                ++complete;
                QVERIFY(core::loadRun(*database, row.run).has_value());
            }
            QCOMPARE(
                database->connection().execAndGet("SELECT count(DISTINCT run_id) FROM span_block").getInt(),
                static_cast<int>(complete));
            QCOMPARE(database->connection()
                         .execAndGet("SELECT count(*) FROM run WHERE state = " +
                                     std::to_string(static_cast<int>(RunState::Recording)))
                         .getInt(),
                     0);
        }
    }

    void readersSeeNothingOfARunBeforeItIsComplete() {
        auto database = ProfileDatabase::open(path("readers"));
        ProfileWriter writer(*database);
        UnfinishedSink sink(writer);
        const core::RunSummary summary = tests::record({}, sink);
        const auto reader = ProfileDatabase::open(path("readers"), {DatabaseAccess::ReadOnly});
        QCOMPARE(rowsBesideRuns(*reader), 0);
        writer.finish(summary);
        QVERIFY(core::loadRun(*reader, RunId(1)).has_value());
    }

    void refusesFilesThatAreNotItsOwn() {
        std::ofstream(path("text")) << "This is no database, and it is long enough to have a header of 100 "
                                       "bytes, which SQLite looks at.\n";
        QCOMPARE(codeOf(ProfileDatabase::open(path("text"))), std::string("database/foreign"));
        SQLite::Database other(path("other").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE notes (text)");
        QCOMPARE(codeOf(ProfileDatabase::open(path("other"))), std::string("database/foreign"));
        QCOMPARE(other.execAndGet("SELECT count(*) FROM sqlite_schema").getInt(), 1);
        QCOMPARE(other.execAndGet("PRAGMA journal_mode").getString(), std::string("delete"));
        QCOMPARE(codeOf(ProfileDatabase::open(path("missing"), {DatabaseAccess::ReadOnly})),
                 std::string("database/missing"));
        QCOMPARE(codeOf(ProfileDatabase::open(m_folder.path().toStdString())),
                 std::string("database/is-a-folder"));
        QCOMPARE(codeOf(ProfileDatabase::open(path("no/such/folder"))), std::string("database/cannot-open"));
    }

    void saysThatADatabaseIsDamaged() {
        const fs::path file = stored("damaged");
        {
            std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
            const std::string garbage(static_cast<std::size_t>(fs::file_size(file)) - 4096, 'x');
            stream.seekp(4096);
            stream.write(garbage.data(), static_cast<std::streamsize>(garbage.size()));
        }
        const auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        const core::Diagnostics trouble =
            database ? core::loadRun(*database, RunId(1)).error() : database.error();
        QCOMPARE(trouble.front().code, std::string("database/damaged"));
        QVERIFY(trouble.front().trouble == core::Trouble::World);

        const fs::path cut = stored("cut");
        fs::resize_file(cut, 2000);
        QVERIFY(!ProfileDatabase::open(cut).has_value());
    }

    void saysThatADatabaseIsLocked() {
        const fs::path file = stored("locked");
        SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
        other.exec("BEGIN IMMEDIATE");
        auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadWrite, 50});
        QVERIFY(database.has_value());
        QVERIFY(core::loadRun(*database, RunId(1)).has_value());
        ProfileWriter writer(*database);
        tests::record({}, writer);
        QCOMPARE(writer.outcome().error().front().code, std::string("database/locked"));
        QVERIFY(writer.outcome().error().front().trouble == core::Trouble::World);
        other.exec("ROLLBACK");
    }

    void readsButNeverWritesAReadOnlyFile() {
        const fs::path file = stored("read-only");
        if (::geteuid() == 0) {
            // Root may write everything; the read-only connection is still what refuses.
            auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
            ProfileWriter writer(*database);
            tests::record({}, writer);
            QCOMPARE(writer.outcome().error().front().code, std::string("database/read-only"));
            return;
        }
        fs::permissions(file, fs::perms::owner_read);
        QCOMPARE(codeOf(ProfileDatabase::open(file)), std::string("database/read-only"));
        auto database = ProfileDatabase::open(file, {DatabaseAccess::ReadOnly});
        QVERIFY(core::loadRun(*database, RunId(1)).has_value());
    }

    void theTileTableHasOneColumnPerCategory() {
        const auto database = ProfileDatabase::open(path("columns"));
        SQLite::Statement columns(
            database->connection(),
            "SELECT name FROM pragma_table_info('tile_memory') WHERE cid > 2 ORDER BY cid");
        for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
            QVERIFY(columns.executeStep());
            QCOMPARE(columns.getColumn(0).getString(),
                     std::string(core::toString(static_cast<core::MemoryCategory>(i))));
        }
        QVERIFY(!columns.executeStep());
    }

    void standsBesideTheProject() {
        QCOMPARE(core::defaultDatabasePath("a/resnet50.ipuproj"), fs::path("a/resnet50.profiles.sqlite"));
    }

    void writingARun() {
        auto database = ProfileDatabase::open(path("benchmark"));
        core::MemoryProfile profile;
        tests::record({"Grouped", 4, 64}, profile);
        qInfo("%zu spans, %zu operations, %zu steps, %zu ranges", profile.spans().size(),
              profile.operations().size(), profile.programSteps().size(), profile.liveRanges().size());
        QBENCHMARK {
            ProfileWriter writer(*database);
            writer.begin(profile.provenance());
            writer.operations(profile.operations());
            writer.lanes(profile.lanes());
            writer.programSteps(profile.programSteps());
            writer.transfers(profile.transfers());
            writer.spans(profile.spans());
            writer.livenessSteps(profile.livenessSteps());
            writer.liveRanges(profile.liveRanges());
            for (const core::TileMemoryRecord& record : profile.tileMemory())
                writer.tileMemory(record);
            writer.executions(profile.executions());
            writer.metrics(profile.metrics());
            writer.finish(profile.summary());
            QVERIFY(writer.outcome().has_value());
        }
    }
};

REGISTER_TEST("profile_database", ProfileDatabaseTest)
#include "profile_database_test.moc"
