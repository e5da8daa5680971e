#include "core/profile/analysis/step_division.h"

#include "core/profile/queries/comparison.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

using namespace core;

class StepDivisionTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    [[nodiscard]] ProfileDatabase database() const {
        return *ProfileDatabase::open(m_runs.path(), {.access = DatabaseAccess::ReadOnly});
    }

private slots:
    void partsAddUpToTheTotalWhateverItIs() {
        const std::vector<std::int64_t> parts{3, 0, 1, 7, 0};
        for (const std::int64_t total : {0, 1, 10, 11, 12, 1'000'003}) {
            const auto result = apportioned(parts, total);
            QCOMPARE(std::accumulate(result.begin(), result.end(), std::int64_t{0}), total);
            QCOMPARE(result[1] + result[4], 0);
        }
        QCOMPARE(apportioned(parts, 11), parts);
        QCOMPARE(apportioned(std::vector<std::int64_t>{0, 0}, 5), (std::vector<std::int64_t>{0, 0}));
        // Beyond what the product of two such numbers holds.
        const std::vector<std::int64_t> large{4'000'000'000'000, 1, 8'000'000'000'000};
        QCOMPARE(apportioned(large, 12'000'000'000'001), large);
    }

    void theStepOfARunIsDividedWithoutRest() {
        const RunId run = m_runs.add();
        const ProfileDatabase opened = database();
        const auto division = loadStepDivision(opened, run);
        QVERIFY(division.has_value());
        QCOMPARE(division->size(), stepPartCount);
        QCOMPARE(std::accumulate(division->begin(), division->end(), Cycles()), loadRun(opened, run)->step);
        // Causes are the mean of what the run says of its IPUs.
        const RunSummary summary = *loadRun(opened, run);
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
            const double mean = ratio(summary.idleByCause[cause], idleTotal(summary)) * summary.idleFraction *
                                real(summary.step.value());
            QVERIFY(std::abs(real((*division)[std::size_t(StepPart::FirstIdle) + cause].value()) - mean) <=
                    1);
        }
        QCOMPARE(loadStepDivision(opened, RunId(99)).error().front().code, std::string("run/unknown"));
    }

    void differencesOfPartsAddUpToThatOfTheSteps() {
        tests::SyntheticRun slower;
        slower.firstStageScale = 2;
        const RunId a = m_runs.add();
        const RunId b = m_runs.add(slower);
        const RunId same = m_runs.add();
        const auto comparison = compareRuns(database(), std::vector{a, b, same}, a);
        QVERIFY(comparison.has_value());
        const auto parts = compareSteps(database(), *comparison);
        QVERIFY(parts.has_value() && !parts->empty());
        Cycles sum;
        for (const ComparedStepPart& part : *parts) {
            sum += part.cycles[1] - part.cycles[0];
            QCOMPARE(part.cycles[2], part.cycles[0]);
        }
        QCOMPARE(sum, comparison->summaries[1].step - comparison->summaries[0].step);
        QVERIFY(sum > Cycles());
    }
};

REGISTER_TEST("step_division", StepDivisionTest)
#include "step_division_test.moc"
