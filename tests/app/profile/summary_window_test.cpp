#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/run_queries.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/common/text/interval_text.h"
#include "views/liveness/liveness_view.h"
#include "views/summary/summary_view.h"

#include <QToolButton>
#include <set>

using tests::RanWindow;
using views::SummaryView;

namespace {

SummaryView* shownSummary(const RanWindow& ran) {
    QTest::keyClick(ran.bench.window.get(), Qt::Key_1,
                    Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier);
    auto* view = ran.bench.window->findChild<SummaryView*>();
    const bool isThere =
        view != nullptr && QTest::qWaitFor([&] { return view->scene().data != nullptr; }, 20000);
    return isThere ? view : nullptr;
}

} // namespace

/// The page of a run in the window.
class SummaryWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aPageAnswersTheQuestionsAboutARun() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        const views::SummaryScene& scene = view->scene();
        QCOMPARE(scene.answers(), std::size_t(5));
        std::set<QString> questions;
        for (std::size_t answer = 0; answer < scene.answers(); ++answer) {
            questions.insert(questionText(scene, answer));
            QVERIFY(!headlineText(scene, answer).isEmpty());
        }
        QCOMPARE(questions.size(), scene.answers());
        // The figures are those of the run, and sums add up.
        const views::SummaryData& data = *scene.data;
        core::Cycles idle;
        for (const views::IdleShare& share : idleShares(data))
            idle += share.cycles;
        core::Cycles busy;
        for (const core::LaneStatistics& lane : data.lanes)
            busy += lane.busy();
        QCOMPARE((idle + busy).value(), data.allTime().value());
        core::Bytes held = data.otherBytes;
        for (const views::PeakHolder& holder : data.holders)
            held += holder.bytes;
        QCOMPARE(held.value(), data.fullest()->peak.value());
        QCOMPARE(summaryFigures(scene).front().value,
                 views::fixedText(data.summary.samplesPerSecond, 1) + " samples/s");
    }

    void aPredictedFigureSaysWhereItsMeasuredOneLies() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        const views::SummaryScene& scene = view->scene();
        const core::PredictedRanges ranges = core::rangesOf(scene.data->summary);
        QCOMPARE(summaryFigures(scene)[0].range, views::rateRangeText(ranges));
        int ranged = 0;
        for (const views::SummaryFigure& figure : summaryFigures(scene))
            ranged += figure.range.isEmpty() ? 0 : 1;
        QCOMPARE(ranged, 3);
        // It has room in its card, in whatever width.
        for (const int width : {420, 760, 2560}) {
            const views::Theme& theme = views::themeOf(view);
            const views::SummaryPage page(scene, width, theme);
            for (std::size_t i = 0; i < page.figures().size(); ++i)
                QVERIFY(QFontMetricsF(theme.font(11)).horizontalAdvance(summaryFigures(scene)[i].range) <=
                        page.figures()[i].width() - 2 * theme.px(10));
        }
    }

    /// Nothing is cut: every text has the height that it asked for, and nothing overlaps.
    void theAnswersFitTheirCards_data() {
        QTest::addColumn<int>("width");
        for (const int width : {420, 760, 1000, 1240, 2560})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void theAnswersFitTheirCards() {
        QFETCH(int, width);
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        const views::SummaryPage page(view->scene(), width, views::themeOf(view), 60);
        const auto& answers = page.answers();
        for (std::size_t i = 0; i < answers.size(); ++i) {
            QVERIFY(answers[i].right() <= width);
            QVERIFY(answers[i].contains(page.headline(i)));
            QVERIFY(answers[i].contains(page.detail(i)));
            QVERIFY(page.headline(i).bottom() <= page.detail(i).top());
            for (std::size_t j = i + 1; j < answers.size(); ++j)
                QVERIFY(!answers[i].intersects(answers[j]));
        }
        for (const QRectF& block : {page.idle(), page.peak(), page.timeline()})
            QVERIFY(block.top() >= answers.back().bottom() && block.bottom() <= page.height());
        QVERIFY(!page.idle().intersects(page.peak()));
    }

    void anAnswerLeadsToItsEvidenceByMouseAndKeys() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        app::MainWindow& window = *ran.bench.window;
        const auto& clauses = view->scene().data->verdict.clauses;
        const auto peak = static_cast<std::size_t>(core::VerdictQuestion::Peak);
        QTest::mouseClick(&view->canvas(), Qt::LeftButton, {},
                          view->page().answers()[peak].center().toPoint());
        QCOMPARE(window.workspaces().current(), std::optional(views::WorkspaceId::Memory));
        QVERIFY(window.selection().state().ipu == clauses[peak].ipu);
        QVERIFY(shownSummary(ran) == view);
        view->canvas().setFocus(Qt::TabFocusReason);
        QVERIFY(view->scene().focused == std::size_t(0));
        QTest::keyClick(&view->canvas(), Qt::Key_Right);
        QVERIFY(view->canvas().accessibleDescription().startsWith("Why IPUs wait"));
        QTest::keyClick(&view->canvas(), Qt::Key_Return);
        QCOMPARE(window.workspaces().current(), std::optional(views::WorkspaceId::Timeline));
    }

    void theBestChangeIsTriedFromThePage() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        app::MainWindow& window = *ran.bench.window;
        QTRY_VERIFY_WITH_TIMEOUT(view->scene().advice.has_value(), 60000);
        if (!view->scene().advice->isChange)
            QSKIP("no change is faster");
        QVERIFY(view->tryButton().isVisible());
        QVERIFY(view->page().answers().back().toAlignedRect().contains(view->tryButton().geometry()));
        const auto before = window.document().snapshot();
        QTest::mouseClick(&view->tryButton(), Qt::LeftButton);
        QVERIFY(window.document().snapshot() != before);
        QTRY_VERIFY_WITH_TIMEOUT(!window.runs().isRunning(), 60000);
        QTRY_COMPARE(window.selection().state().run, std::optional(core::RunId(2)));
        QTRY_COMPARE(view->scene().data->run, core::RunId(2));
        // What changed against the run before is one of the answers.
        const auto last = static_cast<std::size_t>(core::VerdictQuestion::Difference);
        QVERIFY(!headlineText(view->scene(), last).isEmpty());
        QVERIFY(view->scene().data->verdict.clauses[last].other == core::RunId(1));
    }

    void thePageIsPrintedAsItIs() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        SummaryView* view = shownSummary(ran);
        QVERIFY(view != nullptr);
        const auto picture = view->picture();
        QVERIFY(picture.has_value());
        QVERIFY(views::renderPicture(*picture, views::PictureFormat::Pdf)->startsWith("%PDF"));
        const QByteArray svg = *views::renderPicture(*picture, views::PictureFormat::Svg);
        QVERIFY(svg.contains("What sets the step"));
        QVERIFY(svg.size() < 2'000'000);
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const RanWindow ran(example);
            QVERIFY(ran.isReady);
            SummaryView* view = shownSummary(ran);
            QVERIFY(view != nullptr);
            QTRY_VERIFY_WITH_TIMEOUT(view->scene().advice.has_value(), 30000);
            ran.takePictures(QStringLiteral("summary-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("summary_window", SummaryWindowTest)
#include "summary_window_test.moc"
