#include "core/plan/schedule/schedule_cells.h"

#include "core/plan/schedule/schedule_check.h"
#include "core/plan/schedule/schedule_facts.h"
#include "core/plan/schedule/schedule_rules.h"
#include "tests/core/plan/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>
#include <set>

using tests::ipus;
using tests::shape;

namespace {

core::PipelineShape withTable(core::PipelineShape of, std::string table) {
    of.table = {"slots.csv", "folder/slots.csv", std::move(table)};
    return of;
}

core::Result<core::PipelineSchedule> built(const core::PipelineShape& of, const std::string& table) {
    return core::buildSchedule("Table", withTable(of, table));
}

constexpr const char* good = "ipu,slot 0,slot 1,slot 2,slot 3,slot 4,slot 5\n"
                             "0,F0,F1,,B0,W0 B1,W1\n"
                             "1,,F0,B0,F1 B1 W0,W1,\n";

/// Shapes of pipelines and of what follows from them: training and not, recomputed, with IPUs of one or
/// several stages.
std::vector<core::PipelineShape> manyShapes() {
    std::vector<core::PipelineShape> shapes;
    for (const std::size_t stages : {2, 3, 4, 6})
        for (const std::int64_t microBatches : {1, 4, 6, 12, 24})
            for (const bool training : {true, false})
                for (const std::size_t ipuCount : {stages, std::size_t(2), std::size_t(1)}) {
                    core::PipelineShape of = shape(stages, microBatches, training);
                    for (std::size_t stage = 0; stage < stages; ++stage)
                        of.deviceMapping.emplace_back(stage % ipuCount);
                    shapes.push_back(of);
                    of.recompute = training;
                    shapes.push_back(of);
                }
    return shapes;
}

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
        std::set<std::string_view> compared;
        for (const core::PipelineShape& of : manyShapes())
            for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
                if (definition.takesTable || core::brokenScheduleRule(definition, of) ||
                    (of.recompute && !definition.recomputesThenBackpropagates))
                    continue;
                const auto schedule = core::buildSchedule(definition, of).value();
                const std::string cells = core::scheduleCells(schedule);
                const auto again = core::readScheduleCells(withTable(of, cells));
                QVERIFY2(again.has_value(), again ? "" : again.error().front().message.c_str());
                QVERIFY(again->items == schedule.items);
                QCOMPARE(again->timeSlots.size(), schedule.timeSlots.size());
                QCOMPARE(core::scheduleCells(*again), cells);
                QCOMPARE(core::fifoDepths(*again), core::fifoDepths(schedule));
                QVERIFY(core::checkSchedule(*again).empty());
                compared.insert(definition.name);
            }
        // All but those of a table.
        QCOMPARE(compared.size() + 2, core::scheduleCatalogue().size());
    }

    /// The heading says that IPUs meet after every slot; cells do not show what their ramps copy.
    void aTableInStepIsTheScheduleOfItsCells() {
        int compared = 0;
        for (const core::PipelineShape& of : manyShapes())
            for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
                if (definition.takesTable || core::brokenScheduleRule(definition, of) ||
                    (of.recompute && !definition.recomputesThenBackpropagates))
                    continue;
                const auto schedule = core::buildSchedule(definition, of).value();
                const std::string cells = core::scheduleCells(schedule);
                const core::ScheduleDefinition& row = core::scheduleOfCells(cells);
                QCOMPARE(row.isAsynchronous, definition.isAsynchronous);
                const auto again = core::buildSchedule(row, withTable(of, cells));
                QVERIFY2(again.has_value(), again ? "" : again.error().front().message.c_str());
                QCOMPARE(again->isAsynchronous, schedule.isAsynchronous);
                // In inference two schedules have the same cells.
                if (definition.isAsynchronous || !of.training)
                    continue;
                QVERIFY(again->timeSlots == schedule.timeSlots);
                QCOMPARE(again->cycle, schedule.cycle);
                QCOMPARE(again->rampsCopyAll, schedule.rampsCopyAll);
                QCOMPARE(again->lastForwardMerged, schedule.lastForwardMerged);
                QCOMPARE(again->shortensPassThrough, schedule.shortensPassThrough);
                ++compared;
            }
        QVERIFY(compared > 20);
    }

    void aFileThatIsNoTableSaysWhatIsOne() {
        const auto messageOf = [](const std::string& table) {
            const auto refused = built(shape(2, 2), table);
            return refused ? std::string() : core::toText(refused.error().front());
        };
        QVERIFY(messageOf("").find("folder/slots.csv:1:1: error: the file is empty") != std::string::npos);
        // A row per piece of work is a table, too.
        QVERIFY(messageOf("slot,phase,ipu,kind,stage,micro_batch\n0,ramp_up,0,ford,0,0\n")
                    .find("slots.csv:2:13: error: \"ford\" is no work") != std::string::npos);
    }

    void rowsOfWorkAgreeOnTheirTable() {
        const std::string head = "slot,ipu,kind,stage,micro_batch,timing,slots\n";
        const auto messageOf = [](const std::string& table) {
            const auto refused = built(shape(2, 2), table);
            return refused ? std::string() : core::toText(refused.error().front());
        };
        const auto refuses = [&](const std::string& table, const char* message) {
            const std::string said = messageOf(table);
            QVERIFY2(said.find(message) != std::string::npos, said.c_str());
        };
        refuses(head + "0,0,fwd,0,0,later,6\n", "slots.csv:2:13: error: \"later\" is no timing");
        refuses(head + "0,0,fwd,0,0,in_step,6\n1,1,fwd,1,0,in_order,6\n",
                "slots.csv:3:13: error: timing is \"in_order\" here and \"in_step\" in the first row");
        refuses(head + "0,0,fwd,0,0,in_step,6\n1,1,fwd,1,0,in_step,7\n",
                "slots.csv:3:21: error: slots is \"7\" here and \"6\" in the first row");
        refuses("slot,ipu,kind,micro_batch\n0,0,fwd,0\n",
                "slots.csv:1:1: error: the table has no column stage");
        refuses("ipu,slot,stage,micro_batch\n0,0,0,0\n", "the table has no column kind");
    }

    void theMarkThatSpreadsheetsBeginWithIsNoPartOfTheTable() {
        const auto schedule = built(shape(2, 2), std::string("\xEF\xBB\xBF") + good);
        QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().front().message.c_str());
        QCOMPARE(core::scheduleCells(*schedule), std::string(good));
        const std::string inStep = "\xEF\xBB\xBFipu in step,slot 0\n0,F0\n";
        QVERIFY(!core::scheduleOfCells(inStep).isAsynchronous);
        QVERIFY(core::haveRecomputation("\xEF\xBB\xBFkind,slot,ipu,stage,micro_batch\nrecompute,0,0,0,0\n"));
    }

    void whatIsRecomputedIsSeenWhereverTheColumnStands() {
        for (const char* row : {"slot,ipu,kind,stage,micro_batch\n0,0,recompute,0,0\n",
                                "kind,slot,ipu,stage,micro_batch\nrecompute,0,0,0,0\n",
                                "slot,ipu,stage,micro_batch, kind\r\n0,0,0,0, recompute\r\n"})
            QVERIFY2(core::haveRecomputation(row), row);
        QVERIFY(!core::haveRecomputation("slot,ipu,kind,stage,micro_batch\n0,0,fwd,0,0\n"));
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
            "F0 of stage 1 in slot 0 depends on F0 of stage 0 in slot 0");
        row("a backward pass before its gradient", replaced("F0,F1,,B0", "F0,F1,B0,"),
            "B0 of stage 0 in slot 2 depends on B0 of stage 1 in slot 2");
        row("weight gradients before their backward pass", replaced("W0 B1,W1", "W0 W1,B1"),
            "W1 of stage 0 in slot 4 depends on B1 of stage 0 in slot 5");
        row("work twice", replaced("F0,F1,,B0", "F0,F1,F1,B0"),
            "F1 of stage 0 runs in slot 1 and again in slot 2");
        row("work missing", replaced("W0 B1,W1", "W0 B1,"), "W1 of stage 0 runs in no slot");
        row("against the order of micro-batches", replaced("B0,W0 B1,W1", "B0,B1 W1,W0"),
            "W1 of stage 0 in slot 4 comes before W0 of stage 0 in slot 5");
        row("recomputation that is off", replaced("F0,F1,,B0", "F0,F1,R0,B0"),
            "slot 2 runs R0 of stage 0, but nothing is recomputed");
        row("a micro-batch too many", replaced("W0 B1,W1", "W0 B1,W1,F2"),
            "slot 6 runs F2 of stage 0, which the pipeline does not have");
        row("no work", replaced("F0,F1,,B0", "F0,X1,,B0"), "slot 1 of IPU 0: \"X1\" is no work");
        row("an IPU that is not there", replaced("\n1,,F0", "\n3,,F0"),
            "the row is of IPU \"3\", which holds no stage");
        row("an IPU twice", replaced("\n1,,F0", "\n0,,F0"), "lines 2 and 3 of the table are both of IPU 0");
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

    void aBadCellIsPlacedInItsFile_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("finding");
        const auto row = [](const char* name, const std::string& table, const char* place,
                            const char* finding) {
            QTest::newRow(name) << QString::fromStdString(table) << place << finding;
        };
        const char* letters =
            "is no work: write F, B, W or R and a micro-batch, F2, and the stage where an IPU "
            "holds several, F2.1";
        row("a letter", replaced("F0,F1", "F0,G1"), "2:6",
            qPrintable(QString("slot 1 of IPU 0: \"G1\" ") + letters));
        row("the second of a cell", replaced("F1 B1 W0", "F1 B-1 W0"), "3:13",
            qPrintable(QString("slot 3 of IPU 1: \"B-1\" ") + letters));
        row("a number beyond counting", replaced("B0,W0", "B99999999999,W0"), "2:10",
            qPrintable(QString("slot 3 of IPU 0: \"B99999999999\" ") + letters));
        row("a stage that is no number", replaced("B0,W0", "B0.x,W0"), "2:10",
            qPrintable(QString("slot 3 of IPU 0: \"B0.x\" ") + letters));
        row("semicolons", "ipu;slot 0\n0;F0;B0\n", "2:1",
            "the row is of IPU \"0;F0;B0\", which holds no stage: separate the fields by commas");
        row("an unknown IPU", "ipu,slot 0\n7,F0\n", "2:1",
            "the row is of IPU \"7\", which holds no stage: begin every row but the first with the number of "
            "an "
            "IPU that holds a stage: 0, 1");
        row("very many columns", "ipu\n0," + std::string(100, ',') + "F0\n", "2:35",
            "the table has more than 32 slots, twice what there is work for: leave out the columns without "
            "work, or name the micro-batches that they are for");
    }
    void aBadCellIsPlacedInItsFile() {
        QFETCH(QString, table);
        QFETCH(QString, place);
        QFETCH(QString, finding);
        const auto refused = built(shape(2, 2), table.toStdString());
        QVERIFY(!refused.has_value());
        const core::Diagnostic& first = refused.error().front();
        QCOMPARE(first.location.file, std::string("folder/slots.csv"));
        QCOMPARE(QString::fromStdString(first.location.place), place);
        QCOMPARE(QString::fromStdString(first.message + ": " + first.hints.front()), finding);
    }

    void aDamagedTableIsReadOrRefusedWithACure() {
        std::mt19937 random(7);
        const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random()) % below; };
        constexpr std::string_view letters = "0123456789FBWR.,-; \"\r\n\0\xff";
        std::size_t refusals = 0;
        for (int round = 0; round < 5000; ++round) {
            std::string table = good;
            for (std::size_t change = 0; change <= pick(4); ++change) {
                const std::size_t at = pick(table.size());
                const char letter = letters[pick(letters.size())];
                if (pick(3) == 0)
                    table.erase(at, pick(6));
                else if (pick(2) == 0)
                    table.insert(at, 1, letter);
                else
                    table[at] = letter;
                if (table.empty())
                    table = good;
            }
            const auto schedule = built(shape(2, 2), table);
            if (schedule)
                continue;
            ++refusals;
            QVERIFY(!schedule.error().front().message.empty());
            QVERIFY(!schedule.error().front().hints.front().empty());
        }
        QVERIFY(refusals > 1000);
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
