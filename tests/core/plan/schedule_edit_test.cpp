#include "core/plan/schedule/schedule_edit.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace core;

namespace {

PipelineSchedule scheduleToEdit(std::string_view name, std::size_t stages, std::int64_t microBatches) {
    return buildSchedule(name, PipelineShape{.stages = stages, .microBatches = microBatches}).value();
}

PipelineSchedule readBack(const PipelineSchedule& schedule, const std::string& cells) {
    PipelineShape shape = schedule.shape;
    shape.table = {"t.csv", "t.csv", cells};
    return buildSchedule(tableSchedule(), shape).value();
}

using Work = std::tuple<Phase, std::size_t, std::int32_t>;

/// The slot of every piece of work.
std::map<Work, std::size_t> editedSlots(const PipelineSchedule& schedule) {
    std::map<Work, std::size_t> result;
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot)
        for (const WorkItem& item : schedule.work(schedule.timeSlots[slot]))
            result[{item.phase, item.stage.index(), item.microBatch}] = slot;
    return result;
}

} // namespace

class ScheduleEditTest : public QObject {
    Q_OBJECT

private slots:
    void workGoesToALaterSlot() {
        const PipelineSchedule schedule = scheduleToEdit("Grouped", 2, 4);
        // The last work of the first IPU.
        std::size_t last = schedule.timeSlots.size() - 1;
        while (schedule.work(schedule.timeSlots[last], IpuId(0)).empty())
            --last;
        const auto cells = movedCells(schedule, {last, IpuId(0), 0, last + 1});
        QVERIFY2(cells.has_value(), cells ? "" : cells.error().front().message.c_str());
        const PipelineSchedule next = readBack(schedule, *cells);
        QCOMPARE(editedSlots(next).at({Phase::Backward, 0, 3}), last + 1);
    }

    void aMoveThatBreaksARuleNamesBothSlots() {
        const PipelineSchedule schedule = scheduleToEdit("GPipe", 2, 4);
        // The first forward pass behind the one that reads it.
        const auto cells = movedCells(schedule, {0, IpuId(0), 0, 3});
        QVERIFY(!cells.has_value());
        const std::string& message = cells.error().front().message;
        QVERIFY2(std::ranges::count(message, ' ') > 4 && message.find("slot") != message.rfind("slot"),
                 message.c_str());
    }

    void thereMustBeSuchWork() {
        const PipelineSchedule schedule = scheduleToEdit("GPipe", 2, 4);
        for (const ScheduleMove& move :
             {ScheduleMove{99, IpuId(0), 0, 1}, ScheduleMove{0, IpuId(1), 0, 1},
              ScheduleMove{0, IpuId(0), 7, 1}, ScheduleMove{0, IpuId(0), 0, 999}}) {
            const auto cells = movedCells(schedule, move);
            QVERIFY(!cells.has_value());
            QCOMPARE(cells.error().front().code, std::string("schedule/move"));
        }
    }

    void everyMoveChangesThatWorkAloneOrNothing() {
        std::mt19937 random(7);
        int made = 0;
        int refused = 0;
        for (const char* name : {"Grouped", "Interleaved", "1F1B", "GPipe", "ZB-H1"}) {
            const PipelineSchedule schedule = scheduleToEdit(name, 3, 6);
            const auto before = editedSlots(schedule);
            for (int attempt = 0; attempt < 200; ++attempt) {
                const auto count = schedule.timeSlots.size();
                const ScheduleMove move{random() % count, IpuId(random() % 3), random() % 2,
                                        random() % (count + 1)};
                const auto cells = movedCells(schedule, move);
                if (!cells) {
                    ++refused;
                    continue;
                }
                ++made;
                auto after = editedSlots(readBack(schedule, *cells));
                QCOMPARE(after.size(), before.size());
                int changed = 0;
                for (const auto& [work, slot] : before)
                    changed += after.at(work) == slot ? 0 : 1;
                QCOMPARE(changed, move.slot == move.toSlot ? 0 : 1);
            }
        }
        QVERIFY2(made > 20, qPrintable(QString::number(made)));
        QVERIFY2(refused > 20, qPrintable(QString::number(refused)));
    }
};

REGISTER_TEST("schedule_edit", ScheduleEditTest)
#include "schedule_edit_test.moc"
