#include "app/services/sweep/point_projects.h"
#include "core/interchange/project/project_file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest>

namespace {

/// The points of a sweep over one of the shipped projects, or over a template that they name.
app::SweepSubject subjectOf(const std::string& points) {
    const std::filesystem::path file = tests::projectRoot() / "projects/encoder/s.json";
    const std::string project =
        points.find("\"template\"") == std::string::npos ? R"("project": "encoder.ipuproj", )" : "";
    const std::string text = R"({"format": "ipu-workbench-sweep", "version": 1, )" + project + points + "}";
    return app::sweepSubject(text, file).value();
}

} // namespace

/// Projects of points whose sections are read apart.
class ProjectPartsTest : public QObject {
    Q_OBJECT

private slots:
    void aPointIsTheProjectThatTheWholeDocumentGives_data() {
        QTest::addColumn<QString>("points");
        QTest::newRow("several sections")
            << R"("random": {"samples": 60, "seed": 2, "ranges": {"replicas": [1, 3], "training.batch_size": [1, 9],
 "training.infeed.prefetch_depth": [1, 4], "pipeline.schedule": {"choices": ["Grouped", "1F1B", null]},
 "pipeline.gradient_accumulation_steps_per_replica": [4, 20], "system.ipus": {"choices": [2, 4]},
 "ipu_config.allow_recompute": {"choices": [true, false, null]}, "name": {"choices": ["a", "b", null]}}})";
        QTest::newRow("sections come and go")
            << R"("list": [{"replicas": 2}, {"training.batch_size": 3}, {}, {"pipeline.schedule": "1F1B"}, {"replicas": 2},
 {"training.optimizer": "sgd"}, {"training.optimizer": "adam"}, {"pipeline": {"gradient_accumulation_steps_per_replica": 8}}, {}])";
        QTest::newRow("the model too")
            << R"("random": {"samples": 20, "seed": 2, "ranges": {"model.name": {"choices": ["a", "b"]}, "training.batch_size": [1, 9]}})";
        QTest::newRow("what all templates take")
            << R"("template": {"name": "bert", "layers": 4, "hidden": 64, "heads": 2, "sequence": 16, "vocabulary": 100},
 "random": {"samples": 60, "seed": 3, "ranges": {"template.stages": {"choices": [1, 2, 4, null]}, "template.accumulation": [1, 40],
 "template.replicas": [1, 3], "template.micro_batch": [1, 8], "template.recompute": {"choices": ["on", "off"]},
 "template.optimizer_state_offchip": {"choices": [true, false]}, "pipeline.schedule": {"choices": ["GPipe", "1F1B", null]}}})";
        QTest::newRow("a template's own parameters too") << R"("template": {"name": "mlp"},
 "random": {"samples": 60, "seed": 4, "ranges": {"template.inputs": {"choices": [16, 32]}, "template.classes": {"choices": [4, 10]},
 "template.stages": {"choices": [1, 2]}, "template.grad_accum": [4, 9], "training.batch_size": {"choices": [2, null]}}})";
        QTest::newRow("more settings than are kept")
            << R"("template": {"name": "mlp"}, "grid": {"template.accumulation": [)" +
                   [] {
                       QStringList counts;
                       for (int i = 0; i < 300; ++i)
                           counts << QString::number(1 + i * 7 % 280);
                       return counts.join(",");
                   }() +
                   "]}";
        QTest::newRow("a template with its model set") << R"("template": {"name": "mlp"},
 "random": {"samples": 20, "seed": 4, "ranges": {"model.config.name": {"choices": ["a", "b"]}, "template.accumulation": [4, 9]}})";
        QTest::newRow("more values than are kept") << R"("grid": {"training.steps_per_epoch": [)" + [] {
            QStringList counts;
            for (int i = 0; i < 1100; ++i)
                counts << QString::number(1 + i * 7 % 1100);
            return counts.join(",");
        }() + "]}";
    }

    void aPointIsTheProjectThatTheWholeDocumentGives() {
        QFETCH(const QString, points);
        const app::SweepSubject subject = subjectOf(points.toStdString());
        app::PointProjects projects(subject);
        std::size_t apart = 0;
        for (std::int64_t point = 0; point < subject.sweep.pointCount(); ++point) {
            const auto settings = subject.sweep.point(point);
            auto made = projects.project(point, projects.numbersOf(point));
            auto whole = projects.wholeProject(settings);
            QVERIFY(made && whole);
            // Nothing that is simulated is on the canvas.
            whole->canvas = {};
            made->project.canvas = {};
            QVERIFY2(core::writeProject(made->project) == core::writeProject(*whole),
                     std::to_string(point).c_str());
            QVERIFY(made->project == *whole);
            if (made->examiner == nullptr)
                continue;
            ++apart;
            // A simulation completes the training options; every third point is never given back.
            made->project.training.losses.clear();
            if (point % 3 != 0)
                projects.giveBack(*made->examiner, std::move(made->project));
        }
        QCOMPARE(apart, static_cast<std::size_t>(subject.sweep.pointCount()));
    }

    void aWrongValueIsSaidAsTheWholeDocumentSaysIt() {
        const app::SweepSubject subject =
            subjectOf(R"("list": [{"pipeline.schedule": "Grouped"}, {"pipeline.schedule": "no"},
 {"piepline.schedule": "Grouped"}, {"training.batch_size": 0}, {"pipeline.schedule": "Grouped"}])");
        app::PointProjects projects(subject);
        for (std::int64_t point = 0; point < subject.sweep.pointCount(); ++point) {
            const auto settings = subject.sweep.point(point);
            auto made = projects.project(point, projects.numbersOf(point));
            const bool isWrong = point >= 1 && point <= 3;
            QCOMPARE(made.has_value(), !isWrong);
            if (isWrong) {
                QCOMPARE(made.error().front().message,
                         projects.wholeProject(settings).error().front().message);
                continue;
            }
            QVERIFY(made->examiner != nullptr);
            projects.giveBack(*made->examiner, std::move(made->project));
        }
    }
};

REGISTER_TEST("project_parts", ProjectPartsTest)
#include "project_parts_test.moc"
