#include "core/plan/schedule/schedule_cells.h"

#include "core/plan/schedule/schedule_facts.h"
#include "tests/core/plan/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using tests::ipus;
using tests::shape;

namespace {

core::PipelineShape withTable(core::PipelineShape of, std::string table) {
    of.table = std::move(table);
    return of;
}

core::Result<core::PipelineSchedule> built(const core::PipelineShape& of, const std::string& table) {
    return core::buildSchedule("Table", withTable(of, table));
}

constexpr const char* good = "ipu,slot 0,slot 1,slot 2,slot 3,slot 4,slot 5\n"
                             "0,F0,F1,,B0,W0 B1,W1\n"
                             "1,,F0,B0,F1 B1 W0,W1,\n";

std::string replaced(const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
}

} // namespace

class ScheduleCellsTest : public QObject {
    Q_OBJECT

private slots:
    void everyTableOfTheCatalogueComesBackFromItsCells() {
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            if (definition.takesTable)
                continue;
            auto of = shape(4, 8);
            if (definition.brokenRule != nullptr)
                of.deviceMapping = ipus({0, 1, 0, 1});
            of.recompute = definition.recomputesThenBackpropagates;
            const auto schedule = core::buildSchedule(definition, of).value();
            // The merged step of Sequential and slots at the end without work are the catalogue's own.
            const std::string cells = core::scheduleCells(schedule);
            const auto again = core::readScheduleCells(cells, of);
            QVERIFY2(again.has_value(), again ? "" : again.error().front().message.c_str());
            QVERIFY(again->items == schedule.items);
            QCOMPARE(core::fifoDepths(*again), schedule.fifoDepths);
        }
    }

    void aTableOfOnesOwnIsOneMoreSchedule() {
        const auto schedule = built(shape(2, 2), good);
        QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().front().message.c_str());
        QCOMPARE(schedule->timeSlots.size(), std::size_t(6));
        QVERIFY(schedule->splitsBackward());
        QCOMPARE(schedule->fifoDepths, (std::vector<std::int64_t>{1, 0}));
        QCOMPARE(core::weightGradientDepths(*schedule), (std::vector<std::int64_t>{0, 1}));
        QCOMPARE(core::scheduleCells(*schedule), std::string(good));
    }

    void illegalTablesAreRefusedNamingBothSlots_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& table, const char* message) {
            QTest::newRow(name) << QString::fromStdString(table) << message;
        };
        row("a forward pass before its input", replaced("1,,F0", "1,F0,"),
            "F1 of micro-batch 0 in slot 0 depends on F0 of micro-batch 0 in slot 0");
        row("a backward pass before its gradient", replaced("F0,F1,,B0", "F0,F1,B0,"),
            "B0 of micro-batch 0 in slot 2 depends on B1 of micro-batch 0 in slot 2");
        row("weight gradients before their backward pass", replaced("W0 B1,W1", "W0 W1,B1"),
            "W0 of micro-batch 1 in slot 4 depends on B0 of micro-batch 1 in slot 5");
        row("work twice", replaced("F0,F1,,B0", "F0,F1,F1,B0"),
            "F0 of micro-batch 1 runs in slot 1 and again in slot 2");
        row("work missing", replaced("W0 B1,W1", "W0 B1,"), "W0 of micro-batch 1 runs in no slot");
        row("against the order of micro-batches", replaced("B0,W0 B1,W1", "B0,B1 W1,W0"),
            "W0 of micro-batch 1 in slot 4 comes before W0 of micro-batch 0 in slot 5");
        row("recomputation that is off", replaced("F0,F1,,B0", "F0,F1,R0,B0"),
            "slot 2 runs R0 of micro-batch 0, but nothing is recomputed");
        row("a micro-batch too many", replaced("W0 B1,W1", "W0 B1,W1,F2"),
            "slot 6 runs F0 of micro-batch 2, which the pipeline does not have");
        row("no work", replaced("F0,F1,,B0", "F0,X1,,B0"), "row 2, slot 1: \"X1\" is no work");
        row("an IPU that is not there", replaced("\n1,,F0", "\n3,,F0"),
            "row 3 of the table is of IPU \"3\", which holds no stage");
        row("an IPU twice", replaced("\n1,,F0", "\n0,,F0"), "rows 2 and 3 of the table are both of IPU 0");
        row("nothing", "ipu,slot 0\n", "the table of the schedule has no work");
    }
    void illegalTablesAreRefusedNamingBothSlots() {
        QFETCH(QString, table);
        QFETCH(QString, message);
        const auto refused = built(shape(2, 2), table.toStdString());
        QVERIFY(!refused.has_value());
        QCOMPARE(QString::fromStdString(refused.error().front().message), message);
        QVERIFY(!refused.error().front().hints.empty());
    }

    void anIpuWithSeveralStagesNeedsTheirNumbers() {
        auto of = shape(2, 1);
        of.deviceMapping = ipus({0, 0});
        QVERIFY(built(of, "ipu,0,1,2,3\n0,F0.0,F0.1,B0.1,B0.0\n").has_value());
        QCOMPARE(built(of, "ipu,0,1,2,3\n0,F0,F0.1,B0.1,B0.0\n").error().front().hints.front(),
                 std::string("write for example F0.0"));
    }
};

REGISTER_TEST("schedule_cells", ScheduleCellsTest)
#include "schedule_cells_test.moc"
