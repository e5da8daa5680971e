#include "app/window/frame/plan_figures.h"

#include "tests/support/test_registry.h"
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
};

REGISTER_WIDGET_TEST("plan_figures", PlanFiguresTest)
#include "plan_figures_test.moc"
