#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/profile/tables/table_panel.h"
#include "views/training/recorded_panel.h"
#include "views/training/training_feed.h"
#include "views/training/training_view.h"

#include <QApplication>
#include <QComboBox>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest/QTest>
#include <thread>

using namespace views;

namespace {

TrainingData smallTraining() {
    TrainingData data;
    data.provenance.batchSize = 4;
    data.provenance.microBatches = 2;
    data.provenance.clockHz = 1e9;
    data.plannedExecutions = 4;
    data.plannedEpochs = 2;
    for (std::int64_t i = 0; i < 4; ++i)
        data.executions.push_back({i, i / 2, core::Cycles(i * 1000), core::Cycles(1000), {}, {}, 2});
    for (std::int64_t u = 1; u <= 8; ++u) {
        data.metrics.push_back({"loss", u, (u - 1) / 4, 1.0 / double(u)});
        if (u % 4 == 0)
            data.metrics.push_back({"val_loss", u, (u - 1) / 4, 1.5 / double(u)});
    }
    return data;
}

} // namespace

class TrainingViewTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

private slots:
    void initTestCase() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        m_runs.add();
    }

    void whatWasRecordedBesideTheMetricsIsShown() {
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        source.setPath(m_runs.path());
        TrainingView view(document, selection, source, intents);
        view.resize(1280, 720);
        view.show();
        QTRY_VERIFY(view.recorded().has(RecordedPanel::Kind::Confusion));
        const QImage metrics = view.grab().toImage();
        QImage before = metrics;
        for (int page = 1; page < 4; ++page) {
            QVERIFY(view.pages().button(page)->isVisible());
            view.pages().button(page)->click();
            QTRY_VERIFY(view.recorded().isVisible());
            for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
                applyTheme(*qApp, Theme(kind));
                const QImage picture = view.grab().toImage();
                if (qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
                    picture.save(QStringLiteral("%1/recorded-%2-%3.png")
                                     .arg(qEnvironmentVariable("IPU_WORKBENCH_PICTURES"))
                                     .arg(page)
                                     .arg(themeName(kind)));
                QVERIFY(picture != before);
                before = picture;
            }
            applyTheme(*qApp, Theme(ThemeKind::Light));
        }
        // Another epoch is another matrix.
        view.pages().button(1)->click();
        QCOMPARE(view.recorded().subjects().currentText(), QStringLiteral("fc1000"));
        QVERIFY(view.recorded().epochs().count() > 1);
        QCOMPARE(view.recorded().picture().title, QStringLiteral("Confusion matrix"));
        QVERIFY(renderPicture(view.recorded().picture(), PictureFormat::Svg)->contains("<svg"));
        const QImage last = view.grab().toImage();
        view.recorded().epochs().setCurrentIndex(0);
        QVERIFY(view.grab().toImage() != last);
        view.pages().button(0)->click();
        QVERIFY(!view.recorded().isVisible());
    }

    void aConfusionMatrixCountsByTruthAndPrediction() {
        RecordedTraining recorded;
        recorded.confusion = {
            {"out", 0, 0, 0, 5}, {"out", 0, 0, 2, 2}, {"out", 1, 1, 1, 7}, {"other", 0, 5, 5, 1}};
        const ConfusionMatrix matrix = confusionOf(recorded, "out", 0);
        QCOMPARE(matrix.classes, std::size_t(3));
        QCOMPARE(matrix.at(0, 2), std::int64_t(2));
        QCOMPARE(matrix.at(1, 1), std::int64_t(0));
        QCOMPARE(matrix.ofTruth(0), std::int64_t(7));
        QCOMPARE(matrix.correct(), std::int64_t(5));
        QCOMPARE(matrix.total(), std::int64_t(7));
        QCOMPARE(confusedOutputs(recorded), (std::vector<std::string>{"out", "other"}));
        QCOMPARE(confusedEpochs(recorded, "out"), (std::vector<std::int64_t>{0, 1}));
    }

    void epochsShowTheirLastValues() {
        QCOMPARE(toPlainText(epochTable(smallTraining())),
                 QString("1 | 0.2500 | 0.3750\n2 | 0.1250 | 0.1875\n"));
    }

    void synchronousCallbacksComeOncePerExecution() {
        QCOMPARE(toPlainText(callbackTable(smallTraining())),
                 QString("8 | on_epoch_end | 2 | 0.1250\n"
                         "8 | on_train_batch_end | 2 | 0.1250\n"
                         "6 | on_train_batch_end | 2 | 0.1667\n"
                         "4 | on_epoch_end | 1 | 0.2500\n"
                         "4 | on_train_batch_end | 1 | 0.2500\n"
                         "2 | on_train_batch_end | 1 | 0.5000\n"));
        QCOMPARE(callbackTable(smallTraining(), 3).rows.size(), std::size_t{3});
        // Two updates of two micro-batches per execution; the first results wait from cycle 400 on.
        TrainingData data = smallTraining();
        data.callbacks = {{"on_train_batch_begin", 0, 0, core::Cycles(0), core::Cycles(100)},
                          {"on_train_batch_end", 3, 0, core::Cycles(1000), core::Cycles(400)}};
        QCOMPARE(toPlainText(callbackTable(data, 5)),
                 QString("8 | on_epoch_end | 2 | – | – | – | 0.1250\n"
                         "8 | on_train_batch_end | 2 | 7 | 0 | 0.6 µs | 0.1250\n"
                         "6 | on_train_batch_begin | 2 | 4 | 0 | -0.1 µs | 0.1667\n"
                         "6 | on_train_batch_end | 2 | 3 | 0 | 0.6 µs | 0.1667\n"
                         "4 | on_train_batch_begin | 2 | 0 | 0 | -0.1 µs | 0.2500\n"));
        QVERIFY(callbackNote(data).startsWith("Synchronous"));
    }

    void asynchronousCallbacksComeForEveryStepAndReplica() {
        TrainingData data = smallTraining();
        data.provenance.replicas = 2;
        for (std::int64_t step = 0; step < 4; ++step)
            for (std::int64_t replica = 0; replica < 2; ++replica)
                for (const char* name : {"on_train_batch_begin", "on_train_batch_end"})
                    data.callbacks.push_back({name, step, replica, core::Cycles(200 * (step + 1)),
                                              core::Cycles(200 * (step + 1) - 100)});
        const TableContent table = callbackTable(data);
        // Four executions of four steps on two replicas, and the ends of two epochs.
        QCOMPARE(table.rows.size(), std::size_t{4 * 4 * 2 * 2 + 2});
        QCOMPARE(toPlainText(callbackTable(data, 4)),
                 QString("8 | on_epoch_end | 2 | – | – | – | 0.1250\n"
                         "8 | on_train_batch_end | 2 | 7 | 1 | 0.1 µs | 0.1250\n"
                         "7 | on_train_batch_begin | 2 | 7 | 1 | 0.1 µs | 0.1429\n"
                         "8 | on_train_batch_end | 2 | 7 | 0 | 0.1 µs | 0.1250\n"));
        QVERIFY(callbackNote(data).startsWith("Asynchronous"));
    }

    void plotsPairValidationWithTraining() {
        const auto plots = metricPlots(smallTraining());
        QCOMPARE(plots.size(), std::size_t{1});
        QCOMPARE(plots[0].training.size(), std::size_t{8});
        QCOMPARE(plots[0].validation.size(), std::size_t{2});
        QCOMPARE(epochEnds(smallTraining()), (std::vector<double>{4, 8}));
        QCOMPARE(smallTraining().throughput(smallTraining().executions[0]), 8.0 * 2 * 1e9 / 1000);
    }

    void theLearningRateHasThePlotAfterAllMetrics() {
        TrainingData data = smallTraining();
        data.metrics.insert(data.metrics.begin(), {"learning_rate", 1, 0, 0.01});
        data.metrics.push_back({"accuracy", 8, 1, 0.5});
        const auto plots = metricPlots(data);
        QCOMPARE(plots.size(), std::size_t{3});
        QCOMPARE(plots[0].name, std::string("loss"));
        QCOMPARE(plots[2].name, std::string("learning_rate"));
    }

    void aReadingIsOfTheNearestUpdateOfEachRun() {
        auto other = std::make_shared<TrainingData>(smallTraining());
        std::erase_if(other->metrics, [](const auto& metric) { return metric.update % 2 == 1; });
        const TrainingScene scene{std::make_shared<TrainingData>(smallTraining()), {other}, nullptr, {}};
        const auto readings = readingsAt(scene, "loss", 2.7);
        QCOMPARE(readings.size(), std::size_t{2});
        QCOMPARE(readings[0].letter, QString("A"));
        QCOMPARE(readings[0].training->update, 3.0);
        QCOMPARE(readings[1].training->update, 2.0);
        QCOMPARE(readings[0].validation->value, 1.5 / 4);
        QVERIFY(!readingsAt(scene, "accuracy", 1)[1].training);
        QCOMPARE(readingsAt(scene, "loss", 1000)[0].training->update, 8.0);
    }

    void smoothingStartsAtTheFirstValueAndSkipsWhatIsNoNumber() {
        const std::vector<MetricPoint> points{{1, 0, 2.0}, {2, 0, std::nan("")}, {3, 0, 4.0}};
        const auto none = smoothed(points, 0);
        QCOMPARE(none[0].value, 2.0);
        QCOMPARE(none[2].value, 4.0);
        const auto half = smoothed(points, 0.5);
        QCOMPARE(half[0].value, 2.0);
        QVERIFY(std::isnan(half[1].value));
        QCOMPARE(half[2].value, (0.25 * 2.0 + 0.5 * 4.0) / 0.75);
        QCOMPARE(metricText(std::nan("")), QString("not a number"));
    }

    /// The engine calls from another thread; the view shows it as it comes.
    void aRunIsWatchedWhileItGoesOn() {
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        TrainingView view(document, selection, source, intents);
        view.resize(1200, 800);
        view.show();
        const TrainingData all = smallTraining();
        TrainingFeed feed(all.plannedExecutions, all.plannedEpochs);
        view.watch(&feed);
        std::thread engine([&] {
            feed.begin(all.provenance);
            for (std::size_t i = 0; i < 2; ++i) {
                feed.metrics({&all.metrics[i * 2], 2});
                feed.executions({&all.executions[i], 1});
            }
        });
        engine.join();
        QTRY_VERIFY(view.scene().data && view.scene().data->isRunning);
        feed.metrics({&all.metrics[4], 1});
        QTest::qWait(120);
        feed.executions({&all.executions[2], 1});
        QTRY_COMPARE(view.scene().data->executions.size(), std::size_t{3});
        QCOMPARE(view.scene().data->progress(), 0.75);
        feed.finish({});
        QTRY_VERIFY(!view.scene().data->isRunning);
        view.watch(nullptr);
    }

    void otherRunsAreLaidOverTheOneThatIsShown() {
        tests::StoredRuns runs;
        runs.add();
        runs.add();
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        TrainingView view(document, selection, source, intents);
        view.resize(1200, 800);
        view.show();
        source.setPath(runs.path());
        QTRY_VERIFY(view.scene().data != nullptr);
        const core::RunId shown = *view.scene().data->run;
        const core::RunId other(shown.value() == 1 ? 2 : 1);
        view.overlay({other, core::RunId(77)});
        QTRY_COMPARE(view.scene().others.size(), std::size_t{1});
        QCOMPARE(view.overlays(), std::vector<core::RunId>{other});
        const auto bytes =
            renderPicture(pictureOf(view.scene(), QSizeF(900, 700), themeOf(nullptr)), PictureFormat::Svg);
        QVERIFY(bytes.has_value());
        QVERIFY(QString::fromUtf8(*bytes).contains(QRegularExpression("A [0-9.]+ +B [0-9.]+")));
        // The run itself is not laid over itself.
        selection.selectRun(other);
        QTRY_VERIFY(view.scene().data->run == other && view.overlays().empty());
        QTRY_VERIFY(view.scene().others.empty());
    }

    void aRunWithoutNumericsSaysSo() {
        const TrainingData none;
        QCOMPARE(trainingObjection(none)->code, std::string("run/no-metrics"));
    }

    /// IPU_WORKBENCH_PICTURES=folder keeps what was drawn, to be looked at.
    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Document document;
            Selection selection;
            ProfileSource source;
            tests::RecordedIntents intents;
            TrainingView view(document, selection, source, intents);
            view.resize(1600, 870);
            view.show();
            source.setPath(m_runs.path());
            QTRY_VERIFY(view.scene().data != nullptr);
            QTest::qWait(100);
            view.grab().save(QStringLiteral("%1/training-view-%2.png").arg(folder, themeName(kind)));
            auto running = std::make_shared<TrainingData>(*view.scene().data);
            running->isRunning = true;
            running->plannedExecutions = 40;
            running->plannedEpochs = 5;
            running->elapsedSeconds = 48;
            const Picture picture =
                pictureOf({running, {}, nullptr, {true, 0.8, {}}}, QSizeF(1000, 800), Theme(kind));
            QVERIFY(savePicture(picture, QStringLiteral("%1/training-%2.png").arg(folder, themeName(kind)))
                        .has_value());
            QVERIFY(savePicture(picture, QStringLiteral("%1/training-%2.svg").arg(folder, themeName(kind)))
                        .has_value());
        }
    }
};

REGISTER_WIDGET_TEST("training_view", TrainingViewTest)
#include "training_view_test.moc"
