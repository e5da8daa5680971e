#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/widgets/search_popup.h"
#include "views/profile/tables/table_panel.h"
#include "views/timeline/details_panel.h"
#include "views/timeline/timeline_view.h"

#include <QRegularExpression>
#include <QToolButton>
#include <set>
#include <tuple>

using tests::RanWindow;

namespace {

views::TimelineView& shown(const RanWindow& ran) {
    ran.bench.window->workspaces().show(views::WorkspaceId::Timeline);
    auto& view = ran.bench.window->workspaces().view<views::TimelineView>();
    const bool isThere = QTest::qWaitFor([&] { return view.canvas().scene().window != nullptr; });
    Q_ASSERT(isThere);
    Q_UNUSED(isThere)
    return view;
}

core::Json batch(const RanWindow& ran, QStringList arguments) {
    const tests::Workbench workbench;
    arguments << "--json"
              << "--database" << QString::fromStdString(ran.bench.window->source().path().string());
    return workbench.run(arguments).json();
}

void clickSpan(views::TimelineView& view, const core::SpanRecord& span) {
    const views::TimelineScene& scene = view.canvas().scene();
    const auto lane = scene.computeLane(*scene.frame->ipuOfLane(span.lane));
    const views::TimeToPixel axis = scene.axis();
    QTest::mouseClick(
        &view.canvas(), Qt::LeftButton, {},
        QPointF((axis.x(span.start) + axis.x(span.start + span.duration)) / 2, lane->center().y()).toPoint());
}

/// The forward work of a micro-batch on IPU 0.
core::SpanRecord forwardOf(const views::TimelineView& view, std::int64_t microBatch) {
    for (const core::LaneWindow& lane : view.canvas().scene().window->lanes)
        for (const core::SpanRecord& span : lane.spans)
            if (lane.lane.ipu == core::IpuId(0) && span.kind == core::SpanKind::Forward &&
                span.microBatch == microBatch)
                return span;
    return {};
}

/// The numbers of a sentence, and its words without them.
std::pair<std::vector<double>, QString> numbersAndWords(QString sentence) {
    std::vector<double> numbers;
    static const QRegularExpression number(QStringLiteral(R"(\d[\d.]*)"));
    sentence.remove(views::thinSpace).remove(u' ').remove(u',');
    for (const auto& match : number.globalMatch(sentence))
        numbers.push_back(QString(match.captured()).toDouble());
    return {numbers, sentence.remove(number)};
}

} // namespace

/// The timeline of a run in its window, by mouse and keys, beside what the batch says.
class TimelineWindowTest : public QObject {
    Q_OBJECT

private slots:
    void thePaletteFindsRunsAndWhatIsInThem() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        ran.bench.window->workspaces().show(views::WorkspaceId::Model);
        const auto typed = [&](const QString& text) {
            ran.bench.window->actions().action("edit.find")->trigger();
            views::SearchPopup* shown = nullptr;
            for (auto* popup : ran.bench.window->findChildren<views::SearchPopup*>())
                if (popup->isVisible())
                    shown = popup;
            if (shown != nullptr)
                QTest::keyClicks(shown->field(), text);
            return shown;
        };
        views::SearchPopup* popup = typed("Run #1");
        QVERIFY(popup != nullptr);
        QTest::keyClick(popup->field(), Qt::Key_Return);
        QTRY_VERIFY(view.isVisible());
        QCOMPARE(ran.bench.window->selection().state().run, std::optional(core::RunId(1)));
        ran.bench.window->workspaces().show(views::WorkspaceId::Model);
        popup = typed("B0");
        QVERIFY(popup != nullptr);
        QString id;
        for (int row = 0; row < popup->model()->rowCount(); ++row)
            if (popup->model()->entry(row).title.startsWith("Find in the run"))
                id = popup->model()->entry(row).id;
        QVERIFY(!id.isEmpty());
        popup->hide();
        emit popup->chosen(id);
        QTRY_VERIFY(view.isVisible());
        const auto isFound = [&] {
            for (const auto* table : view.findChildren<views::TablePanel*>())
                if (!table->content().columns.empty() && table->content().columns.front().title == "What" &&
                    !table->content().rows.empty())
                    return true;
            return false;
        };
        QTRY_VERIFY(isFound());
    }

    void thePaletteFindsEventsAndTensorsOfTheRun() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        app::MainWindow& window = *ran.bench.window;
        const auto choose = [&](const QString& text, const QString& category) {
            window.workspaces().show(views::WorkspaceId::Model);
            window.actions().action("edit.find")->trigger();
            views::SearchPopup* popup = nullptr;
            for (auto* one : window.findChildren<views::SearchPopup*>())
                if (one->isVisible())
                    popup = one;
            QTest::keyClicks(popup->field(), text);
            const auto idOf = [&] {
                for (int row = 0; row < popup->model()->rowCount(); ++row)
                    if (popup->model()->entry(row).category == category)
                        return popup->model()->entry(row).id;
                return QString();
            };
            // They come when they are found.
            [&] { QTRY_VERIFY2(!idOf().isEmpty(), qPrintable(text)); }();
            // An event or operation names the IPU only where it is known.
            for (int row = 0; row < popup->model()->rowCount(); ++row)
                [&] { QVERIFY(!popup->model()->entry(row).title.contains(QStringLiteral("4294967295"))); }();
            const QString id = idOf();
            popup->hide();
            emit popup->chosen(id);
        };
        choose("B0", "event");
        QTRY_VERIFY(view.isVisible());
        QTRY_VERIFY(view.canvas().state().selected);
        QCOMPARE(view.canvas().state().selected->span.microBatch, std::int64_t(0));
        QVERIFY(view.canvas().state().selected->span.kind == core::SpanKind::Backward);
        choose("weights", "tensor");
        QCOMPARE(window.workspaces().current(), views::WorkspaceId::Memory);
        QVERIFY(QString::fromStdString(window.selection().state().tensor.value_or("")).contains("weights"));
    }

    void anIdleGapSaysWhyAsTheBatchDoes() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        const core::Json gaps = batch(ran, {"timeline", "last", "--gaps", "0"})["idle_gaps"];
        QVERIFY(gaps.size() > 2);
        const auto* details = view.findChild<views::DetailsPanel*>();
        QVERIFY(details != nullptr);
        int clicked = 0;
        for (const core::LaneWindow& lane : view.canvas().scene().window->lanes)
            for (const core::SpanRecord& span : lane.spans) {
                if (lane.lane.kind != core::LaneKind::Compute || span.kind != core::SpanKind::Idle)
                    continue;
                const auto gap = std::ranges::find_if(gaps, [&](const core::Json& one) {
                    return one["ipu"] == lane.lane.ipu.value() && one["start_cycles"] == span.start.value();
                });
                QVERIFY(gap != gaps.end());
                const views::TimeToPixel axis = view.canvas().scene().axis();
                if (axis.x(span.start + span.duration) - axis.x(span.start) < 6)
                    continue; // too narrow to point at in this view
                clickSpan(view, span);
                QVERIFY(details->details().has_value());
                QCOMPARE(details->details()->span.start.value(), span.start.value());
                // The same sentence, with figures that are rounded for the reader.
                const auto [numbers, words] = numbersAndWords(details->details()->reason);
                const auto [expected, expectedWords] =
                    numbersAndWords(QString::fromStdString((*gap)["reason"].get<std::string>()));
                QCOMPARE(words, expectedWords);
                QCOMPARE(numbers.size(), expected.size());
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    QVERIFY2(std::abs(numbers[i] - expected[i]) <= std::max(0.06, 0.01 * expected[i]),
                             qPrintable(details->details()->reason +
                                        QString::fromStdString((*gap)["reason"].get<std::string>())));
                ++clicked;
            }
        QVERIFY(clicked > 2);
    }

    void rampsAndSteadyStateAreMarkedAboveTheLanes() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        QTRY_VERIFY(view.canvas().scene().updateSlots);
        const std::vector<core::BandTime>& bands = view.canvas().scene().updateSlots->bands;
        QVERIFY(bands.size() >= 3);
        core::Cycles end;
        for (const core::BandTime& band : bands) {
            QCOMPARE(band.from.value(), end.value());
            end = band.to;
        }
        QCOMPARE(end.value(), view.canvas().scene().frame->step.value());
        // Each has its colour in the strip of the ruler.
        const QImage picture = view.canvas().grab().toImage();
        const views::TimeToPixel axis = view.canvas().scene().axis();
        for (const core::BandTime& band : bands) {
            const double x = (axis.x(band.from) + axis.x(band.to)) / 2;
            if (axis.x(band.to) - axis.x(band.from) < 8)
                continue;
            bool isDrawn = false;
            const QRgb ground = picture.pixel(int(axis.left) - 2, 2);
            for (int y = 0; y < 60; ++y)
                isDrawn = isDrawn || picture.pixel(int(x), y) != ground;
            QVERIFY(isDrawn);
        }
    }

    void theUnitOfTimeIsChosenBelow() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        clickSpan(view, forwardOf(view, 0));
        const auto* details = view.findChild<views::DetailsPanel*>();
        QVERIFY(details->details().has_value());
        const core::Cycles duration = details->details()->span.duration;
        QStringList shown;
        for (const char* unit : {"cycles", "time", "%"}) {
            for (QToolButton* button : ran.bench.window->findChildren<QToolButton*>())
                if (button->isVisible() && button->text() == QString(unit))
                    QTest::mouseClick(button, Qt::LeftButton);
            const auto& figures = details->details()->figures;
            const auto figure = std::ranges::find_if(
                figures, [](const views::SpanDetails::Figure& one) { return one.name == "Duration"; });
            QVERIFY(figure != figures.end());
            shown << figure->value.unit;
            if (QString(unit) == "cycles")
                QCOMPARE(QString(figure->value.value).remove(views::thinSpace).toLongLong(),
                         duration.value());
        }
        QCOMPARE(shown.first(), QString("cycles"));
        QCOMPARE(shown.last(), QString("%"));
        QVERIFY2(shown[1].endsWith("s") && shown[1] != "cycles", qPrintable(shown[1]));
    }

    void aMicroBatchIsFollowedThroughAllIpusAsAQueryHasIt() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        views::TimelineView& view = shown(ran);
        clickSpan(view, forwardOf(view, 2));
        QTRY_VERIFY(view.canvas().scene().flows && view.canvas().scene().flows->size() == 1);
        std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> followed;
        for (const core::SpanRecord& span : view.canvas().scene().flows->front())
            followed.insert({span.stage.value(), span.start.value(), span.duration.value()});
        const core::Json answer = batch(
            ran, {"sql", "SELECT stage, start_cycles, duration_cycles FROM v_span WHERE micro_batch = 2 "
                         "AND kind IN ('forward', 'recompute', 'backward')"});
        std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> asked;
        for (const core::Json& row : answer["rows"])
            asked.insert(
                {row[0].get<std::int64_t>(), row[1].get<std::int64_t>(), row[2].get<std::int64_t>()});
        QVERIFY(asked.size() >= 4);
        QVERIFY(followed == asked);
    }
};

REGISTER_WIDGET_TEST("timeline_window", TimelineWindowTest)
#include "timeline_window_test.moc"
