#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/widgets/segmented_control.h"
#include "views/flame/flame_canvas.h"
#include "views/flame/flame_view.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"

#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

namespace {

/// Runs a bundled example into "runs.sqlite".
bool runIntoDatabase(const Workbench& workbench, const char* example) {
    const auto path = tests::projectRoot() / "projects" / example;
    return workbench
               .run({"run", QString::fromStdString(path.string()), "--no-numerics", "--database",
                     "runs.sqlite"})
               .code == 0;
}

} // namespace

class FlameVerbTest : public QObject {
    Q_OBJECT

private slots:
    void theWindowSaysTheSameFigures() {
        const Workbench workbench;
        QVERIFY(runIntoDatabase(workbench, "resnet50/resnet50.ipuproj"));
        views::Document document;
        document.open(core::Project(), "p.ipuproj");
        views::Selection selection;
        views::ProfileSource source;
        tests::RecordedIntents intents;
        source.setPath(workbench.path("runs.sqlite"));
        selection.selectRun(core::RunId(1));
        views::FlameView view(document, selection, source, intents);
        view.show();
        QTRY_VERIFY(view.canvas().scene().data != nullptr);
        const QStringList groupings{"stage", "phase", "layer", "kind", "ipu"};
        for (int i = 0; i < groupings.size(); ++i) {
            QTest::mouseClick(view.groupings().button(i), Qt::LeftButton);
            const core::Json json = workbench
                                        .run({"flame", "last", "--by", groupings[i], "--depth", "1",
                                              "--database", "runs.sqlite", "--json"})
                                        .json();
            const core::Json& nodes = json["nodes"];
            QCOMPARE(nodes[0]["cycles"].get<std::int64_t>(),
                     json["step_cycles"].get<std::int64_t>() * json["ipus"].get<std::int64_t>());
            const views::TableContent& table = view.table().content();
            QCOMPARE(table.rows.size(), nodes.size() - 1);
            std::int64_t sum = 0;
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                const core::Json& node = nodes[row + 1];
                QCOMPARE(table.rows[row][0].text.toStdString(), node["name"].get<std::string>());
                QCOMPARE(table.rows[row][3].sort.toLongLong(), node["cycles"].get<std::int64_t>());
                QCOMPARE(table.rows[row][4].sort.toDouble(), node["share"].get<double>());
                sum += node["cycles"].get<std::int64_t>();
            }
            QCOMPARE(sum, nodes[0]["cycles"].get<std::int64_t>());
        }
    }

    /// An independent way to the same time: what SQL adds up of the spans.
    void idleTimeByCauseIsThatOfTheSpans() {
        const Workbench workbench;
        QVERIFY(runIntoDatabase(workbench, "encoder/encoder.ipuproj"));
        const core::Json rows =
            workbench
                .run({"sql", "SELECT cause, sum(cycles) FROM v_idle WHERE run = 1 GROUP BY cause",
                      "--database", "runs.sqlite", "--json"})
                .json()["rows"];
        const core::Json nodes =
            workbench.run({"flame", "1", "--depth", "2", "--database", "runs.sqlite", "--json"})
                .json()["nodes"];
        std::size_t causes = 0;
        for (const core::Json& node : nodes) {
            if (node["level"] != "cause")
                continue;
            ++causes;
            QVERIFY(
                std::ranges::any_of(rows, [&](const core::Json& row) { return row[1] == node["cycles"]; }));
        }
        QCOMPARE(causes, rows.size());
    }

    void itIsDrawnByEveryGroupingAndWhatItCannotFollowIsRefused() {
        const Workbench workbench;
        QVERIFY(runIntoDatabase(workbench, "tutorial/4-pipelined-sequential.ipuproj"));
        for (const char* what : {"stage", "phase", "layer", "kind", "ipu"}) {
            const Answer svg = workbench.run(
                {"render", "last", "--view", "flame", "--by", what, "--database", "runs.sqlite"});
            QVERIFY2(svg.code == 0, svg.err);
            QVERIFY(svg.out.contains("<svg") && svg.out.contains("Idle"));
        }
        QVERIFY(workbench.run({"flame", "last", "--by", "layer", "--database", "runs.sqlite", "--csv"})
                    .out.startsWith("depth,level,name"));
        for (const QStringList& wrong : {QStringList{"flame", "last", "--by", "tile"},
                                         {"render", "last", "--view", "roofline", "--by", "kind"},
                                         {"render", "last", "--view", "timeline", "--by", "stage"}}) {
            const Answer answer = workbench.run(wrong + QStringList{"--database", "runs.sqlite"});
            QCOMPARE(answer.code, 2);
            QVERIFY2(answer.err.contains("--by"), answer.err);
        }
    }

    /// An empty picture or trace would say that nothing happens in the step.
    void aRunWithoutATimelineIsSaidToHaveNone() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        for (const char* level : {"none", "device"}) {
            const QStringList file{"--database", QString::fromLatin1(level) + ".sqlite"};
            QCOMPARE(
                workbench.run(QStringList{"run", "p.ipuproj", "--no-numerics", "--profile", level} + file)
                    .code,
                0);
            for (const QStringList& asked :
                 {QStringList{"flame", "last"},
                  {"timeline", "last"},
                  {"render", "last", "--view", "flame", "-o", "flame.svg"},
                  {"render", "last", "--view", "timeline", "-o", "timeline.svg"},
                  {"export", "last", "--format", "chrome-trace", "-o", "trace.json"},
                  {"export", "last", "--format", "perfetto", "-o", "trace.pftrace"},
                  {"export", "last", "--format", "csv", "--table", "spans", "-o", "spans.csv"},
                  {"export", "last", "--format", "csv", "--table", "idle", "-o", "idle.csv"}}) {
                const Answer answer = workbench.run(asked + file);
                QVERIFY2(answer.code == 3, qPrintable(asked.join(' ')));
                QVERIFY2(answer.err.contains("run/no-timeline") && answer.err.contains("--profile ipu"),
                         answer.err.constData());
            }
            // What makes up a figure was not recorded, and is said so.
            const Answer idle = workbench.run(QStringList{"explain", "last", "busy_cycles"} + file);
            QVERIFY2(idle.out.contains("not recorded") && idle.out.contains("--profile tile"),
                     idle.out.constData());
        }
        const Answer roofline = workbench.run({"roofline", "last", "--database", "none.sqlite"});
        QCOMPARE(roofline.code, 3);
        QVERIFY2(roofline.err.contains("run/no-program"), roofline.err.constData());
    }
};

REGISTER_WIDGET_TEST("flame_verb", FlameVerbTest)
#include "flame_verb_test.moc"
