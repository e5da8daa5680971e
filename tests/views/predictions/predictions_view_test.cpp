#include "views/predictions/predictions_view.h"

#include "tests/support/recorded_intents.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QTableView>
#include <QtTest/QTest>

using namespace views;

namespace {

/// Two samples of three classes, and two pictures of 2 × 3 pixels.
core::ModelOutputRecords predictions() {
    core::ModelOutputRecords records;
    records.outputs = {{"classes", {5, 3}, "float32", 2}, {"picture", {2, 2, 3, 1}, "float32", 2}};
    const std::vector<double> classes{0.125, 0.75, 0.1, 0.5, 0.25, 0.375};
    for (std::size_t i = 0; i < classes.size(); ++i)
        records.values.push_back({"classes", std::int64_t(i / 3), std::int64_t(i % 3), classes[i]});
    for (std::size_t i = 0; i < 12; ++i)
        records.values.push_back({"picture", std::int64_t(i / 6), std::int64_t(i % 6), double(i % 6)});
    return records;
}

} // namespace

class PredictionsViewTest : public QObject {
    Q_OBJECT

private slots:
    void vectorsShowTheirTwoLargestClasses() {
        PredictedOutput output;
        output.record = {"classes", {2, 3}, "float32", 2};
        output.perSample = 3;
        output.values = {0.125, 0.75, 0.1, 0.5, 0.25, 0.375};
        const TableContent table = predictionTable(output);
        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.rows[0][1].text, QString("1"));
        QCOMPARE(table.rows[0][2].text, QString("0.75"));
        QCOMPARE(table.rows[0][3].text, QString("0"));
        QCOMPARE(table.rows[1][1].text, QString("0"));
        QCOMPARE(table.rows[1][3].text, QString("2"));
        QCOMPARE(table.rows[1][5].text, QString("0.5, 0.25, 0.375"));
    }

    void valuesThatAreNoNumbersAreNamed() {
        PredictedOutput output;
        output.record = {"y", {1, 2}, "float32", 1};
        output.perSample = 2;
        output.values = {std::numeric_limits<double>::quiet_NaN(), -1};
        QCOMPARE(predictionTable(output).rows[0][1].text, QString("1"));
        QCOMPARE(predictionTable(output).rows[0][5].text, QString("nan, -1"));
    }

    void aPictureGoesFromItsSmallestToItsLargestValue() {
        PredictedOutput output;
        output.record = {"picture", {1, 2, 2, 1}, "float32", 1};
        output.perSample = 4;
        output.values = {-1, 1, 1, -1};
        QVERIFY(output.isImage());
        QImage image(64, 88, QImage::Format_ARGB32);
        image.fill(Qt::blue);
        QPainter painter(&image);
        paintPrediction(painter, image.rect(), output, 0, Theme(ThemeKind::Light));
        painter.end();
        QCOMPARE(image.pixelColor(16, 40), QColor(Qt::black));
        QCOMPARE(image.pixelColor(48, 40), QColor(Qt::white));
        QCOMPARE(image.pixelColor(16, 72), QColor(Qt::white));
    }

    void theOutputsOfAStoredRunAreChosenByName() {
        tests::StoredRuns stored;
        tests::SyntheticRun run;
        run.predictions = predictions();
        const core::RunId predicting = stored.add(run);
        run.predictions = {};
        const core::RunId training = stored.add(run);
        Document document;
        Selection selection;
        ProfileSource source;
        tests::RecordedIntents intents;
        source.setPath(stored.path());
        PredictionsView view(document, selection, source, intents);
        view.resize(900, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        selection.selectRun(predicting);
        QTRY_COMPARE(view.outputs().count(), 2);
        QVERIFY(view.outputs().itemText(0).contains("the first 2 samples are stored"));
        QVERIFY(!view.outputs().itemText(1).contains("stored"));
        QCOMPARE(view.table().content().rows.size(), std::size_t(2));
        QCOMPARE(view.table().content().rows[0][1].text, QString("1"));
        view.outputs().setFocus();
        QTest::keyClick(&view.outputs(), Qt::Key_Down);
        QCOMPARE(view.table().content().rows[1][2].text, QString("5"));
        selection.selectRun(training);
        QTRY_COMPARE(view.outputs().count(), 0);
        QVERIFY(!view.table().isVisible());
    }

    void picturesToLookAt() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("set IPU_WORKBENCH_PICTURES to a folder to see the pictures");
        tests::StoredRuns stored;
        tests::SyntheticRun run;
        run.predictions = predictions();
        const core::RunId predicting = stored.add(run);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*qApp, Theme(kind));
            Document document;
            Selection selection;
            ProfileSource source;
            tests::RecordedIntents intents;
            source.setPath(stored.path());
            PredictionsView view(document, selection, source, intents);
            view.resize(1000, 260);
            view.show();
            selection.selectRun(predicting);
            QTRY_COMPARE(view.outputs().count(), 2);
            for (const int output : {0, 1}) {
                view.outputs().setCurrentIndex(output);
                QTest::qWait(50);
                view.grab().save(
                    QStringLiteral("%1/predictions-%2-%3.png").arg(folder, themeName(kind)).arg(output));
            }
        }
    }
};

REGISTER_WIDGET_TEST("predictions_view", PredictionsViewTest)
#include "predictions_view_test.moc"
