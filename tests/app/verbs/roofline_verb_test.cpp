#include "core/base/file.h"
#include "core/profile/analysis/roofline.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/widgets/segmented_control.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"
#include "views/roofline/roofline_canvas.h"
#include "views/roofline/roofline_view.h"

#include <QFile>
#include <QtTest/QTest>
#include <cmath>
#include <regex>

using tests::Answer;
using tests::Workbench;

namespace {

/// Runs a bundled example into "runs.sqlite".
bool runExample(const Workbench& workbench, const char* example, const QStringList& more = {}) {
    const auto path = tests::projectRoot() / "projects" / example;
    const Answer answer = workbench.run(QStringList{"run", QString::fromStdString(path.string()),
                                                    "--no-numerics", "--database", "runs.sqlite"} +
                                        more);
    if (answer.code != 0)
        qWarning("%s", answer.err.constData());
    return answer.code == 0;
}

core::Json pointsBy(const Workbench& workbench, const QString& what) {
    return workbench.run({"roofline", "last", "--by", what, "--database", "runs.sqlite", "--json"})
        .json()["points"];
}

} // namespace

class RooflineVerbTest : public QObject {
    Q_OBJECT

private slots:
    void theWindowSaysTheSameFigures() {
        const Workbench workbench;
        QVERIFY(runExample(workbench, "encoder/encoder.ipuproj"));
        core::Project project;
        views::Document document;
        document.open(project, "p.ipuproj");
        views::Selection selection;
        views::ProfileSource source;
        tests::RecordedIntents intents;
        source.setPath(workbench.path("runs.sqlite"));
        selection.selectRun(core::RunId(1));
        views::RooflineView view(document, selection, source, intents);
        view.show();
        QTRY_VERIFY(view.canvas().scene().data != nullptr);
        const core::Json whole =
            workbench.run({"roofline", "last", "--database", "runs.sqlite", "--json"}).json();
        QVERIFY(view.figures().startsWith(QStringLiteral("MFU ") +
                                          views::percentText(whole["mfu"].get<double>(), 2)));
        for (int i = 0; i < 3; ++i) {
            QTest::mouseClick(view.groupings().button(i), Qt::LeftButton);
            const core::Json points = pointsBy(workbench, QStringList{"operation", "layer", "stage"}[i]);
            const views::TableContent& table = view.table().content();
            QCOMPARE(table.rows.size(), points.size());
            const std::size_t shift = i == 0 ? 1 : 0;
            for (std::size_t row = 0; row < points.size(); ++row) {
                const core::Json& point = points[row];
                const auto& cells = table.rows[row];
                QCOMPARE(cells[0].text.toStdString(), point["name"].get<std::string>());
                if (point["flops"].get<std::int64_t>() == 0)
                    continue;
                if (!point["flops_per_byte"].is_null())
                    QCOMPARE(cells[4 + shift].sort.toDouble(), point["flops_per_byte"].get<double>());
                QCOMPARE(cells[5 + shift].sort.toDouble(), point["flops_per_second"].get<double>());
                QCOMPARE(cells[6 + shift].sort.toDouble(), point["share_of_roof"].get<double>());
                QCOMPARE(cells[7 + shift].sort.toDouble(), point["share_of_peak"].get<double>());
                QCOMPARE(cells[8 + shift].text.toStdString(), point["bound"].get<std::string>());
                QCOMPARE(cells[9 + shift].sort.toLongLong(), point["cycles"].get<std::int64_t>());
            }
        }
    }

    void nothingIsAboveItsRoof() {
        const Workbench workbench;
        QVERIFY(runExample(workbench, "resnet50/resnet50.ipuproj"));
        // The same transformer in half precision, which has another roof.
        auto text = *core::readFile(tests::projectRoot() / "projects/encoder/encoder.ipuproj");
        const std::regex type(R"("dtype": *"float32")");
        workbench.write("half.ipuproj", std::regex_replace(text, type, R"("dtype": "float16")"));
        const Answer half =
            workbench.run({"run", "half.ipuproj", "--no-numerics", "--database", "runs.sqlite"});
        QVERIFY2(half.code == 0, half.err);
        for (const char* run : {"1", "2"}) {
            const core::Json json =
                workbench.run({"roofline", run, "--database", "runs.sqlite", "--json"}).json();
            QVERIFY(json["mfu"].get<double>() > 0 && json["mfu"].get<double>() < 1);
            QCOMPARE(json["roofs"][0]["precision"].get<std::string>(), run[0] == '1' ? "float32" : "float16");
            const double slope = json["exchange_bytes_per_second"].get<double>();
            double best = 0;
            for (const core::Json& point : json["points"]) {
                const double rate = point["flops_per_second"].get<double>();
                best = std::max(best, point["share_of_roof"].get<double>());
                QVERIFY2(point["share_of_roof"].get<double>() <= 1, point["name"].get<std::string>().c_str());
                if (!point["flops_per_byte"].is_null())
                    QVERIFY(rate <= point["flops_per_byte"].get<double>() * slope * (1 + 1e-6));
            }
            QVERIFY(best > 0.1);
        }
    }

    /// An independent way to the same time: what the stages' programs take.
    void theTimeOfAStageIsThatOfItsPrograms() {
        const Workbench workbench;
        QVERIFY(runExample(workbench, "resnet50/resnet50.ipuproj"));
        const core::Json stages = pointsBy(workbench, "stage");
        const Answer answer = workbench.run(
            {"sql",
             "SELECT stage, sum(duration_cycles * CASE phase WHEN 'weight_update' THEN 1 ELSE micro_batches "
             "END) "
             "FROM v_program_step JOIN v_run USING (run) WHERE operation IS NOT NULL GROUP BY stage "
             "ORDER BY stage",
             "--database", "runs.sqlite", "--json"});
        const core::Json rows = answer.json()["rows"];
        QCOMPARE(rows.size(), std::size_t(2));
        for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(stages[i]["cycles"].get<std::int64_t>(), rows[i][1].get<std::int64_t>());
    }

    void itIsDrawnByEveryGroupingAndAsCsv() {
        const Workbench workbench;
        QVERIFY(runExample(workbench, "tutorial/4-pipelined-sequential.ipuproj"));
        for (const char* what : {"operation", "layer", "stage"}) {
            const Answer svg = workbench.run(
                {"render", "last", "--view", "roofline", "--by", what, "--database", "runs.sqlite"});
            QVERIFY2(svg.code == 0, svg.err);
            QVERIFY(svg.out.contains("<svg"));
            QVERIFY(svg.out.contains("float32"));
        }
        const Answer csv =
            workbench.run({"roofline", "last", "--by", "stage", "--database", "runs.sqlite", "--csv"});
        QCOMPARE(csv.out.count("\r\n"), 3);
        const Answer wrong = workbench.run({"roofline", "last", "--by", "tile", "--database", "runs.sqlite"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.err.contains("stage"));
    }
};

REGISTER_WIDGET_TEST("roofline_verb", RooflineVerbTest)
#include "roofline_verb_test.moc"
