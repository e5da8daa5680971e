#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QRegularExpression>
#include <QtTest/QTest>
#include <algorithm>
#include <map>
#include <vector>

using tests::Workbench;

namespace {

/// A span as the query has it.
struct Told {
    std::string lane;
    std::string kind;
    std::string cause;
    std::int64_t ipu = 0;
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::int64_t stage = -1;
    std::int64_t slot = -1;
    std::int64_t bytes = 0;
    std::int64_t blame = -1;

    [[nodiscard]] std::int64_t end() const { return start + duration; }
    [[nodiscard]] bool isWork() const { return lane == "compute" && kind != "idle"; }
    /// Work, or a program's own wait for what it streams.
    [[nodiscard]] bool isOfProgram() const { return isWork() || (lane == "compute" && stage >= 0); }
};

std::int64_t numberOr(const core::Json& value, std::int64_t otherwise) {
    return value.is_number() ? value.get<std::int64_t>() : otherwise;
}

/// What takes part of the reason's words has to be so in the spans, which are read by SQL: nothing here asks
/// what the reasons were made from.
class SpanWitness {
public:
    SpanWitness(const Workbench& workbench, const QStringList& database) {
        const auto ask = [&](const char* query) {
            return workbench.run(QStringList{"sql", query, "--json"} + database).json()["rows"];
        };
        for (const core::Json& row :
             ask("SELECT l.kind, s.kind, s.cause, s.ipu, start_cycles, duration_cycles, stage, slot, bytes, "
                 "blame_stage FROM v_span s JOIN v_lane l USING(run, lane) ORDER BY start_cycles"))
            m_spans.push_back({row[0].get<std::string>(), row[1].get<std::string>(),
                               row[2].is_string() ? row[2].get<std::string>() : std::string(),
                               numberOr(row[3], 0), numberOr(row[4], 0), numberOr(row[5], 0),
                               numberOr(row[6], -1), numberOr(row[7], -1), numberOr(row[8], 0),
                               numberOr(row[9], -1)});
        for (const core::Json& row : ask("SELECT stage, ipu FROM v_stage_summary"))
            m_ipus[row[0].get<std::int64_t>()] = row[1].get<std::int64_t>();
        const core::Json run = ask("SELECT replicas FROM v_run");
        m_replicas = run[0][0].get<std::int64_t>();
    }

    [[nodiscard]] const std::vector<Told>& spans() const { return m_spans; }

    /// What of the reason is not so; empty: all of it is.
    [[nodiscard]] QString objection(const Told& gap, const QString& reason) const {
        const auto stageNamed = [&] { return reason.contains(QStringLiteral("stage %1").arg(gap.blame)); };
        if (gap.cause == "warm_up" || gap.cause == "drain") {
            const bool fills = gap.cause == "warm_up";
            if (!stageNamed() || reason.contains("fills") != fills)
                return "names neither what it waits for nor the ramp";
            return hasProgramOnlyOnOneSide(gap, fills) ? QString() : "every program runs on both sides";
        }
        if (gap.cause == "imbalance" && reason.contains("nothing to do"))
            return sumOf(gap.ipu, gap.slot) == 0 ? QString() : "it works there";
        if (gap.cause == "imbalance")
            return imbalance(gap, reason);
        if (gap.cause == "serial")
            return stageNamed() && isBusyAllThrough(gap) ? QString() : "that stage does not work";
        if (gap.cause == "all_reduce")
            return m_replicas > 1 && reason.contains(QString::number(m_replicas)) ? QString()
                                                                                  : "no replicas to sum over";
        if (gap.cause == "transfer")
            return transfer(gap, reason);
        if (gap.cause == "offload")
            return offload(gap, reason);
        if (gap.cause == "host")
            return overlaps(gap, "host", ipuOf(gap.stage >= 0 ? gap.stage : gap.blame)) || gap.slot < 0
                       ? QString()
                       : "the host moves nothing";
        return "an unknown cause";
    }

private:
    [[nodiscard]] std::int64_t ipuOf(std::int64_t stage) const {
        const auto found = m_ipus.find(stage);
        return found == m_ipus.end() ? -1 : found->second;
    }
    /// "9.21 ms" of the text as cycles: the `index`-th time of it.
    static double cyclesIn(const QString& text, int index) {
        static const QRegularExpression pattern(QStringLiteral("([0-9.]+) (ns|µs|ms|s)\\b"),
                                                QRegularExpression::UseUnicodePropertiesOption);
        QRegularExpressionMatchIterator each = pattern.globalMatch(text);
        for (; each.hasNext(); --index) {
            const QRegularExpressionMatch match = each.next();
            if (index > 0)
                continue;
            const QString unit = match.captured(2);
            const double seconds = unit == "ns" ? 1e-9 : unit == "µs" ? 1e-6 : unit == "ms" ? 1e-3 : 1;
            return match.captured(1).toDouble() * seconds * clock;
        }
        return -1;
    }
    static bool isAbout(double told, std::int64_t cycles) {
        return std::abs(told - double(cycles)) <= 0.006 * double(cycles) + 1;
    }
    /// Programs of an IPU in a slot, −1 being the weight update.
    [[nodiscard]] std::int64_t sumOf(std::int64_t ipu, std::int64_t slot) const {
        std::int64_t sum = 0;
        for (const Told& span : m_spans)
            if (span.ipu == ipu && span.slot == slot && span.isOfProgram() &&
                (span.isWork() || span.cause == "offload"))
                sum += span.duration;
        return sum;
    }
    [[nodiscard]] std::int64_t fullestSlotOf(std::int64_t ipu) const {
        std::map<std::int64_t, std::int64_t> sums;
        for (const Told& span : m_spans)
            if (span.ipu == ipu && span.slot >= 0 && span.isWork())
                sums[span.slot] += span.duration;
        std::int64_t most = 0;
        for (const auto& [slot, sum] : sums)
            most = std::max(most, sum);
        return most;
    }
    [[nodiscard]] bool overlaps(const Told& gap, std::string_view lane, std::int64_t ipu) const {
        return std::ranges::any_of(m_spans, [&](const Told& span) {
            return span.lane == lane && span.kind != "idle" && span.ipu == ipu && span.start < gap.end() &&
                   span.end() > gap.start;
        });
    }
    [[nodiscard]] bool isBusyAllThrough(const Told& gap) const {
        std::int64_t busy = 0;
        for (const Told& span : m_spans)
            if (span.ipu == ipuOf(gap.blame) && span.isOfProgram())
                busy += std::max<std::int64_t>(0, std::min(span.end(), gap.end()) -
                                                      std::max(span.start, gap.start));
        return busy == gap.duration;
    }
    /// Some program of the IPU runs only after the gap, or only before it.
    [[nodiscard]] bool hasProgramOnlyOnOneSide(const Told& gap, bool after) const {
        std::map<std::pair<std::int64_t, std::string>, bool> isOnOtherSide;
        for (const Told& span : m_spans)
            if (span.ipu == gap.ipu && span.isWork() && span.slot >= 0) {
                const bool isOther = after ? span.start < gap.start : span.start > gap.start;
                bool& known = isOnOtherSide[{span.stage, span.kind}];
                known = known || isOther;
            }
        return std::ranges::any_of(isOnOtherSide, [](const auto& one) { return !one.second; });
    }

    [[nodiscard]] QString imbalance(const Told& gap, const QString& reason) const {
        if (!reason.contains(QStringLiteral("tage %1").arg(gap.blame)))
            return "names no stage";
        const bool isNeeded = reason.contains("what this IPU needs next");
        if (isNeeded ? !overlaps(gap, "compute", ipuOf(gap.blame)) : !isBusyAllThrough(gap))
            return "that stage does not work then";
        if (isNeeded || reason.contains("longer at this time"))
            return isAbout(cyclesIn(reason, 0), gap.duration) ? QString() : "another duration";
        const bool isUpdate = gap.slot < 0;
        const std::int64_t theirs = isUpdate ? sumOf(ipuOf(gap.blame), -1) : fullestSlotOf(ipuOf(gap.blame));
        const std::int64_t ours = isUpdate ? sumOf(gap.ipu, -1) : fullestSlotOf(gap.ipu);
        return isAbout(cyclesIn(reason, 0), theirs) && isAbout(cyclesIn(reason, 1), ours)
                   ? QString()
                   : QStringLiteral("theirs are %1, ours %2 cycles").arg(theirs).arg(ours);
    }

    [[nodiscard]] QString transfer(const Told& gap, const QString& reason) const {
        const bool isBesideCompute = reason.contains("beside compute");
        const auto copiesAt = [&](std::int64_t ipu) {
            return overlaps(gap, "sync", ipu) || overlaps(gap, "exchange", ipu);
        };
        if (!copiesAt(gap.ipu) && !(isBesideCompute && copiesAt(ipuOf(gap.blame))))
            return "neither a sync nor a copy is there";
        if (gap.slot < 0)
            return {};
        if (!reason.contains(QStringLiteral("stage %1").arg(gap.blame)))
            return "names no stage";
        if (isBesideCompute)
            return {};
        std::map<std::int64_t, std::int64_t> copies;
        for (const Told& span : m_spans)
            if (span.kind == "inter_ipu_copy" && span.slot == gap.slot)
                copies[span.ipu] += span.duration;
        for (const auto& [ipu, cycles] : copies)
            if (cycles > copies[ipuOf(gap.blame)])
                return QStringLiteral("IPU %1 copies longer").arg(ipu);
        return {};
    }

    [[nodiscard]] QString offload(const Told& gap, const QString& reason) const {
        const bool isOwn = gap.stage >= 0;
        const auto streamedBy = [&](std::int64_t ipu) {
            std::int64_t cycles = 0;
            for (const Told& span : m_spans)
                if (span.lane == "remote_memory" && span.ipu == ipu && (span.slot < 0) == (gap.slot < 0))
                    cycles += span.duration;
            return cycles;
        };
        if (gap.slot >= 0)
            return overlaps(gap, "remote_memory", isOwn ? gap.ipu : ipuOf(gap.blame)) ? QString()
                                                                                      : "nothing is streamed";
        std::int64_t copies = 0;
        for (const Told& span : m_spans)
            copies += span.lane == "remote_memory" && span.ipu == gap.ipu && span.slot < 0 ? 1 : 0;
        if (isOwn)
            return isAbout(cyclesIn(reason, 0), streamedBy(gap.ipu)) &&
                           reason.contains(QStringLiteral(" %1 copies").arg(copies))
                       ? QString()
                       : QStringLiteral("%1 cycles in %2 copies").arg(streamedBy(gap.ipu)).arg(copies);
        const std::int64_t theirs = streamedBy(ipuOf(gap.blame));
        return isAbout(cyclesIn(reason, 0), theirs) && isAbout(cyclesIn(reason, 1), streamedBy(gap.ipu))
                   ? QString()
                   : QStringLiteral("theirs are %1, ours %2").arg(theirs).arg(streamedBy(gap.ipu));
    }

    static constexpr double clock = 1.33e9;
    std::vector<Told> m_spans;
    std::map<std::int64_t, std::int64_t> m_ipus;
    std::int64_t m_replicas = 1;
};

} // namespace

/// Why an IPU waits is told of every bundled example, and so by what is computed of its spans.
class IdleReasonsTest : public QObject {
    Q_OBJECT

private slots:
    void everyReasonIsConfirmedByTheSpans_data() {
        QTest::addColumn<QString>("example");
        QTest::addColumn<QString>("schedule");
        for (const char* example :
             {"resnet50/resnet50", "encoder/encoder", "too-large/too-large", "replicas/replicas",
              "sharding/sharding", "accumulation/accumulation", "tutorial/1-single-functional",
              "tutorial/3-pipelined-functional", "tutorial/4-pipelined-sequential", "tutorial/5-interleaved"})
            QTest::newRow(example) << example << QString();
        for (const char* schedule : {"Interleaved", "Sequential", "1F1B", "GPipe", "ZB-H1", "ZB-H2"})
            QTest::newRow(schedule) << "encoder/encoder" << schedule;
    }
    void everyReasonIsConfirmedByTheSpans() {
        QFETCH(const QString, example);
        QFETCH(const QString, schedule);
        const Workbench workbench;
        const QStringList database{"--database", "runs.sqlite"};
        QStringList run{"run",
                        QString::fromStdString((tests::projectRoot() / "projects").string()) + "/" + example +
                            ".ipuproj",
                        "--no-numerics"};
        if (!schedule.isEmpty())
            run += {"--set", "pipeline.schedule=" + schedule};
        const tests::Answer ran = workbench.run(run + database);
        QVERIFY2(ran.out.contains("step:"),
                 ran.err); // one of them does not fit, and is profiled all the same

        const SpanWitness witness(workbench, database);
        const core::Json timeline =
            workbench.run(QStringList{"timeline", "last", "--gaps", "0", "--json"} + database).json();
        const core::Json& gaps = timeline["idle_gaps"];
        std::map<std::int64_t, std::int64_t> covered;
        std::size_t idle = 0;
        QStringList objections;
        for (const Told& span : witness.spans()) {
            if (span.lane != "compute")
                continue;
            covered[span.ipu] += span.duration;
            if (span.kind != "idle")
                continue;
            ++idle;
            QVERIFY(!span.cause.empty() && (span.blame >= 0 || span.stage >= 0));
            const auto found = std::ranges::find_if(gaps, [&](const core::Json& gap) {
                return gap["ipu"] == span.ipu && gap["start_cycles"] == span.start;
            });
            QVERIFY(found != gaps.end());
            QCOMPARE((*found)["duration_cycles"].get<std::int64_t>(), span.duration);
            const QString reason = QString::fromStdString((*found)["reason"].get<std::string>());
            const QString objection = witness.objection(span, reason);
            if (!objection.isEmpty() && objections.size() < 8)
                objections << QStringLiteral("IPU %1, slot %2, %3 cycles at %4, %5: %6 But: %7")
                                  .arg(span.ipu)
                                  .arg(span.slot)
                                  .arg(span.duration)
                                  .arg(span.start)
                                  .arg(QString::fromStdString(span.cause), reason, objection);
        }
        QCOMPARE(idle, gaps.size());
        // Busy and idle together are the step on every IPU, to the cycle.
        for (const auto& [ipu, cycles] : covered)
            QCOMPARE(cycles, timeline["step_cycles"].get<std::int64_t>());
        QVERIFY2(objections.isEmpty(), qPrintable(objections.join("\n")));
    }
};

REGISTER_TEST("idle_reasons", IdleReasonsTest)
#include "idle_reasons_test.moc"
