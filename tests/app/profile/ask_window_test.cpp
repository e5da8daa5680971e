#include "core/profile/notes/store/note_store.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/ask/ask_view.h"
#include "views/profile/reference_lanes.h"
#include "views/profile/tables/table_panel.h"
#include "views/timeline/timeline_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>

using tests::RanWindow;

namespace {

views::AskView* openPage(app::MainWindow& window) {
    window.workspaces().show(views::WorkspaceId::Model);
    window.workspaces().showPanel(views::PanelId::Problems);
    for (auto* tabs : window.findChildren<QTabBar*>())
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == "Ask")
                tabs->setCurrentIndex(i);
    return window.findChild<views::AskView*>();
}

} // namespace

/// The page Ask of the window.
class AskWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aKeptQueryStandsInTheFileOfTheRuns() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        auto* view = openPage(*ran.bench.window);
        QVERIFY(view != nullptr);
        QTRY_VERIFY(view->isVisible());
        view->query().setFocus();
        QTest::keyClicks(&view->query(), "SELECT count(*) FROM v_run");
        QTest::keyClick(&view->query(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(view->said(), QString("1 row"));
        QVERIFY(!ran.bench.window->runs().isRunning());
        QTest::keyClicks(&view->name(), "runs so far");
        QTest::keyClick(&view->name(), Qt::Key_Return);
        const auto database = core::ProfileDatabase::open(ran.bench.window->files().database());
        const auto kept = core::loadQueries(*database);
        QCOMPARE(kept->size(), std::size_t(1));
        QCOMPARE(kept->front().name, std::string("runs so far"));
        // The answer follows the next run.
        QVERIFY(ran.bench.run());
        QTRY_COMPARE(view->answer().content().rows[0][0].text, QString("2"));
    }

    void anAnswerWithTimesIsDrawnBelowTheLanes() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        auto* view = openPage(window);
        view->query().setFocus();
        QTest::keyClicks(&view->query(), "SELECT stage, count(*) FROM v_stage_summary GROUP BY stage");
        QTest::keyClick(&view->query(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(view->said(), QString("2 rows"));
        QVERIFY(!view->showButton().isEnabled());
        view->query().selectAll();
        QTest::keyClicks(&view->query(), "SELECT ipu, kind, start_cycles, duration_cycles FROM v_span WHERE "
                                         "kind = 'forward' ORDER BY ipu, start_cycles");
        QTest::keyClick(&view->query(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(view->showButton().isEnabled());
        QTest::mouseClick(&view->showButton(), Qt::LeftButton);
        QCOMPARE(window.workspaces().current(), std::optional(views::WorkspaceId::Timeline));
        auto& timeline = window.workspaces().view<views::TimelineView>();
        const auto* lanes = timeline.findChild<views::ReferenceLanes*>();
        QTRY_VERIFY(lanes->isVisible() && timeline.canvas().scene().window != nullptr);
        const std::vector<core::EventLane>& drawn = window.source().reference()->trace.lanes;
        QCOMPARE(drawn.size(), std::size_t(2));
        QCOMPARE(drawn[0].name, std::string("IPU 0"));
        // Each stands below the span that it is.
        const auto isBelow = [&] {
            std::size_t found = 0;
            const views::TimelineScene& scene = timeline.canvas().scene();
            for (const core::LaneWindow& lane : scene.window->lanes)
                for (const core::SpanRecord& span : lane.spans)
                    if (lane.lane.kind == core::LaneKind::Compute && lane.lane.ipu == core::IpuId(1) &&
                        span.kind == core::SpanKind::Forward) {
                        const auto place = lanes->placeOf(1, found++);
                        if (!place || std::abs(place->left() - scene.axis().x(span.start)) > 1)
                            return false;
                    }
            return found == drawn[1].slices.size();
        };
        QTRY_VERIFY(isBelow());
        ran.takePictures("ask-lanes");
        // A counter holds until its next row.
        openPage(window);
        view->query().selectAll();
        QTest::keyClicks(&view->query(),
                         "SELECT start_cycles, micro_batch AS value FROM v_span WHERE ipu = 0 "
                         "AND kind = 'forward' ORDER BY start_cycles");
        QTest::keyClick(&view->query(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(view->showButton().isEnabled());
        QTest::mouseClick(&view->showButton(), Qt::LeftButton);
        const views::ReferenceLane& counter = window.source().reference()->lanes.front();
        QVERIFY(counter.isCounter());
        QCOMPARE(counter.share(0), 0.0);
        QCOMPARE(counter.share(counter.values.size() - 1), 1.0);
        const auto place = lanes->placeOf(0, counter.values.size() - 2);
        QVERIFY(place.has_value());
        QTRY_VERIFY(!lanes->toolTipAt(lanes->placeOf(0, counter.values.size() - 2)->center()).rows.empty());
        QCOMPARE(lanes->toolTipAt(lanes->placeOf(0, counter.values.size() - 2)->center()).rows.front().value,
                 QString::number(counter.values[counter.values.size() - 2]));
        ran.takePictures("ask-counter");
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const RanWindow ran(example);
            QVERIFY(ran.isReady);
            auto* view = openPage(*ran.bench.window);
            const int question =
                view->questions().findText("The costliest layers, all phases of one micro-batch together.");
            view->questions().setCurrentIndex(question);
            emit view->questions().activated(question);
            QTRY_VERIFY(!view->answer().content().rows.empty());
            ran.takePictures(QStringLiteral("ask-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("ask_window", AskWindowTest)
#include "ask_window_test.moc"
