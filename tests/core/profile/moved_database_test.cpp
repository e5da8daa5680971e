#include "core/profile/writer/moved_database.h"

#include "core/profile/queries/sweep_queries.h"
#include "core/profile/writer/sweep_store.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <filesystem>

using namespace core;

namespace fs = std::filesystem;

/// What is stored in a database that is deleted or renamed meanwhile is kept beside it.
class MovedDatabaseTest : public QObject {
    Q_OBJECT

private slots:
    void pointsOfAFileThatWentAwayAreKeptBesideIt_data() {
        QTest::addColumn<bool>("isRenamed");
        QTest::newRow("deleted") << false;
        QTest::newRow("renamed") << true;
    }

    void pointsOfAFileThatWentAwayAreKeptBesideIt() {
        QFETCH(bool, isRenamed);
        const QTemporaryDir folder;
        const fs::path path = fs::path(folder.path().toStdString()) / "d.sqlite";
        const auto database = ProfileDatabase::open(path);
        QVERIFY(database.has_value());
        SweepRecord sweep;
        sweep.hash = "h";
        const auto stored = openSweep(*database, sweep);
        QVERIFY(stored.has_value());
        std::vector<SweepPointRecord> points(2);
        points[1].point = 1;
        QVERIFY(storePoints(*database, stored->id, std::span(points).first(1)).has_value());
        for (const char* part : {"", "-wal", "-shm"})
            if (isRenamed && fs::exists(path.string() + part))
                fs::rename(path.string() + part, path.string() + ".old" + part);
            else
                fs::remove(path.string() + part);
        const auto refused = storePoints(*database, stored->id, std::span(points).last(1));
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().front().code, std::string("database/moved"));
        const auto kept = keepBeside(*database);
        QVERIFY(kept.has_value());
        QCOMPARE(kept->filename().string(), std::string("d.recovered-1.sqlite"));
        QCOMPARE(donePoints(*ProfileDatabase::open(*kept), stored->id)->size(), std::size_t{2});
    }
};

REGISTER_TEST("moved_database", MovedDatabaseTest)

#include "moved_database_test.moc"
