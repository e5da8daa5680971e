#include "app/window/frame/plan_figures.h"

#include "core/interchange/project/project_file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QtTest/QTest>

class PlanFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void everyDigitHasItsPlace() {
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        views::Document document;
        app::PlanFigures figures(document);
        document.open(core::Project{}, {});
        const int before = figures.sizeHint().width();
        core::PlanEstimate estimate;
        estimate.stages.resize(1);
        estimate.clockHz = 1.33e9;
        estimate.step = core::Cycles(36'013'370'123);
        estimate.samplesPerSecond = 123'456'789;
        document.setUnits({views::TimeUnit::Cycles, document.units().bytes});
        document.setEstimate(document.snapshot(), estimate);
        QVERIFY2(figures.accessibleName().contains(views::groupedText(36'013'370'123)),
                 qPrintable(figures.accessibleName()));
        const views::Theme& theme = views::themeOf(&figures);
        const QFontMetricsF metrics(theme.mono(14, QFont::DemiBold));
        const double least = metrics.horizontalAdvance(views::groupedText(36'013'370'123)) +
                             metrics.horizontalAdvance(views::groupedText(123'456'789));
        QVERIFY(figures.sizeHint().width() > before);
        QVERIFY(figures.sizeHint().width() > least);
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        figures.resize(figures.sizeHint());
        if (!folder.isEmpty())
            figures.grab().save(folder + "/plan-figures.png");
    }

    void theIntervalIsThatOfTheEstimate() {
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        views::Document document;
        app::PlanFigures figures(document);
        document.open(core::Project{}, {});
        core::PlanEstimate estimate;
        estimate.stages.resize(1);
        estimate.clockHz = 1e9;
        estimate.step = core::Cycles(1'000'000);
        estimate.samplesPerSecond = 1000;
        estimate.intervals = {{0.5, 2, 7}, {0.75, 1.5, 8}};
        document.setEstimate(document.snapshot(), estimate);
        const QString tip = figures.toolTip();
        QVERIFY2(tip.contains("500.0 to 2") &&
                     tip.contains("By 7 measurements of such programs; of memory, by 8 measurements"),
                 qPrintable(tip));
    }

    void figuresOfAPreviewedPlanSayThatTheyAreThose() {
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        views::Document document;
        app::PlanFigures figures(document);
        document.open(core::Project{}, {});
        core::PlanEstimate estimate;
        estimate.stages.resize(1);
        estimate.clockHz = 1.33e9;
        estimate.step = core::Cycles(1'000'000);
        estimate.samplesPerSecond = 100;
        document.setEstimate(document.snapshot(), estimate);
        QVERIFY(!figures.accessibleName().contains("Preview"));
        const int before = figures.sizeHint().width();
        core::Project other;
        other.replicas = 2;
        const auto preview = std::make_shared<const core::Project>(other);
        document.setPlanPreview(preview);
        document.setEstimate(preview, estimate);
        QVERIFY(figures.accessibleName().startsWith("Preview"));
        QVERIFY(figures.sizeHint().width() > before);
        document.setPreview(nullptr);
        QVERIFY(!figures.accessibleName().contains("Preview"));
    }

    void figuresOfAPlanThatCannotBeEstimatedAreOld() {
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        views::Document document;
        app::PlanFigures figures(document);
        core::Project project;
        project.model.layers.push_back({});
        document.open(project, {});
        core::PlanEstimate estimate;
        estimate.stages.resize(1);
        estimate.clockHz = 1.33e9;
        estimate.step = core::Cycles(1'000'000);
        estimate.samplesPerSecond = 100;
        document.setEstimate(document.snapshot(), estimate);
        QVERIFY(!figures.accessibleName().contains("Old"));
        const int before = figures.sizeHint().width();
        core::PlanEstimate refused;
        refused.refusal = "there are too few IPUs";
        document.setEstimate(document.snapshot(), refused);
        QVERIFY2(figures.accessibleName().startsWith("Old"), qPrintable(figures.accessibleName()));
        QVERIFY(figures.toolTip().contains("there are too few IPUs"));
        QVERIFY(figures.sizeHint().width() > before);
        // Of an empty page there is nothing old either.
        QVERIFY(document.apply("Delete everything", [](const core::Project&) -> core::Result<core::Project> {
            return core::Project{};
        }));
        document.setEstimate(document.snapshot(), refused);
        QVERIFY(document.estimate()->stages.empty());
        QVERIFY(!figures.accessibleName().contains("Old"));
    }

    void everyFigureSaysHowSureItIsAsShowDoes() {
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light));
        const tests::Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const core::Json run = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"}).json();
        views::Document document;
        app::PlanFigures figures(document);
        document.open(core::loadProject(workbench.path("p.ipuproj")).value().project, {});
        QVERIFY(!figures.toolTip().contains("samples/s ("));
        core::PlanEstimate estimate;
        estimate.clockHz = run["target"]["clock_hz"].get<double>();
        estimate.step = core::Cycles(run["step_cycles"].get<std::int64_t>());
        estimate.samplesPerSecond = run["samples_per_second"].get<double>();
        for (const core::Json& memory : run["memory"])
            estimate.ipus.emplace_back().peak = core::Bytes(memory["peak_bytes"].get<std::int64_t>());
        estimate.intervals = core::publishedIntervals().ofProgram(core::ProgramFamily::Other);
        document.setUnits({views::TimeUnit::Cycles, views::ByteUnit::Byte});
        document.setEstimate(document.snapshot(), estimate);
        const core::Json& intervals = run["intervals"];
        const QString tip = figures.toolTip();
        for (const core::Json& bound : intervals["samples_per_second"])
            QVERIFY2(tip.contains(views::fixedText(bound.get<double>(), 1)), qPrintable(tip));
        for (const char* figure : {"step_cycles", "peak_bytes"})
            for (const core::Json& bound : intervals[figure])
                QVERIFY2(tip.contains(views::groupedText(bound.get<std::int64_t>())), qPrintable(tip));
        const double low = intervals["samples_per_second"][0].get<double>() / estimate.samplesPerSecond - 1;
        QVERIFY2(tip.contains(views::signedText(100 * low, 0) + QStringLiteral("…")), qPrintable(tip));
    }
};

REGISTER_WIDGET_TEST("plan_figures", PlanFiguresTest)
#include "plan_figures_test.moc"
