#include "tests/app/profile/figure_twins.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/liveness/remedy_list.h"
#include "views/profile/tables/table_tabs.h"

#include <QLabel>
#include <QRegularExpression>
#include <QToolButton>

using tests::RanWindow;

/// Why the memory peaks where it does, and what would lower it, in the window.
class PeakWindowTest : public QObject {
    Q_OBJECT

    static views::LivenessView& memory(const RanWindow& ran) {
        ran.bench.window->workspaces().show(views::WorkspaceId::Memory);
        auto& view = ran.bench.window->workspaces().view<views::LivenessView>();
        if (!QTest::qWaitFor([&] { return view.chart().scene().data != nullptr; }, 10000))
            qFatal("no memory");
        auto* tabs = view.findChild<views::TableTabs*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == "Why this peak")
                QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(i).center());
        return view;
    }
    static QList<QToolButton*> remedies(const views::LivenessView& view) {
        QList<QToolButton*> found;
        for (QToolButton* button : view.findChild<views::RemedyList*>()->findChildren<QToolButton*>())
            if (button->isVisibleTo(&view) && button->text() == "Try")
                found.append(button);
        return found;
    }

private slots:
    /// The count that the text gives is that of the spans, and count × entry is the stash to the byte.
    void theStashIsCountedFromTheSchedule() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        ran.bench.window->document().setUnits({views::TimeUnit::Time, views::ByteUnit::Byte});
        const views::LivenessView& view = memory(ran);
        const views::TablePanel& why = tests::tablePanel(view, "Why this peak");
        QTRY_VERIFY(why.isVisible() && !why.content().rows.empty());
        const auto& data = *view.chart().scene().data;
        double sum = 0;
        bool isCounted = false;
        for (const auto& row : why.content().rows) {
            sum += row[2].sort.toDouble();
            if (!row[0].text.startsWith("Stash"))
                continue;
            QString because = row[1].text;
            because.remove(views::thinSpace);
            static const QRegularExpression form(
                QStringLiteral("^(\\d+) × (\\d+)B: (\\d+)(?: and (\\d+)| to (\\d+))? goe?s? forward before "
                               "micro-batch (\\d+) is back$"));
            const auto match = form.match(because);
            QVERIFY2(match.hasMatch(), qPrintable(because));
            isCounted = true;
            const std::int64_t depth = match.captured(1).toLongLong();
            QCOMPARE(depth, data.stages.front().fifoDepth);
            QCOMPARE(double(depth * match.captured(2).toLongLong()), row[2].sort.toDouble());
            const QString last = match.captured(5).isEmpty() ? match.captured(4) : match.captured(5);
            const std::int64_t upTo = (last.isEmpty() ? match.captured(3) : last).toLongLong();
            QCOMPARE(upTo - match.captured(6).toLongLong(), depth);
        }
        QVERIFY(isCounted);
        QCOMPARE(sum, double(data.summary()->peak.value()));
    }

    /// What lies free between the blocks is what the addresses span without what lives there.
    void theGapsBetweenTheBlocksAreAFigure() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        ran.bench.window->document().setUnits({views::TimeUnit::Time, views::ByteUnit::Byte});
        const views::LivenessView& view = memory(ran);
        const auto& scene = view.chart().scene();
        QVERIFY(scene.placement && scene.placement->hasAddresses);
        const QToolButton* gaps = nullptr;
        for (const QToolButton* button : view.findChildren<QToolButton*>())
            if (button->text() == "Gaps")
                gaps = button;
        QVERIFY(gaps != nullptr);
        const std::int64_t step = scene.state.columns.front();
        core::Bytes live;
        core::Bytes top;
        for (const core::LiveRangeRecord& range : scene.data->ranges)
            if (range.alwaysLive || (range.firstStep <= step && step <= range.lastStep)) {
                live += range.bytes;
                top = std::max(top, range.address + range.bytes);
            }
        const auto bytes = [](core::Bytes of) {
            return views::bytesText(of, views::ByteUnit::Byte).joined();
        };
        const QString said = top == live ? QString("no gaps at A")
                                         : "gaps at A " + bytes(top - live) + " of " + bytes(top) + ", " +
                                               views::percentText(ratio(top - live, top), 1);
        QVERIFY2(gaps->accessibleDescription().startsWith(said), qPrintable(gaps->accessibleDescription()));
    }

    /// What a button promises is what the run that it starts has.
    void theCheapestRemediesAreTried() {
        const RanWindow ran("resnet50/resnet50.ipuproj");
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        const views::LivenessView& view = memory(ran);
        QTRY_VERIFY_WITH_TIMEOUT(!remedies(view).isEmpty(), 60000);
        QVERIFY(remedies(view).size() <= 3);
        ran.takePictures("memory-why");
        const QString promised = remedies(view).front()->accessibleDescription();
        const QString change = remedies(view).front()->accessibleName().mid(5);
        const int steps = window.document().undoStack().count();
        QTest::mouseClick(remedies(view).front(), Qt::LeftButton);
        QCOMPARE(window.document().undoStack().count(), steps + 1);
        QCOMPARE(window.document().undoStack().undoText(), change);
        QTRY_VERIFY_WITH_TIMEOUT(!window.runs().isRunning(), 60000);
        QTRY_COMPARE(window.selection().state().run, std::optional(core::RunId(2)));
        QTRY_VERIFY(view.chart().scene().data != nullptr && view.chart().scene().data->run == core::RunId(2));
        core::Bytes most;
        for (const core::IpuMemorySummary& ipu : view.chart().scene().data->memory)
            most = std::max(most, ipu.peak);
        const QString told = "peak " + views::bytesText(most, window.document().units().bytes).joined();
        QVERIFY2(promised.startsWith(told), qPrintable(promised + " / " + told));
    }
};

REGISTER_WIDGET_TEST("peak_window", PeakWindowTest)
#include "peak_window_test.moc"
