#include "tests/app/profile/figure_twins.h"
#include "tests/support/painted_texts.h"
#include "tests/support/test_registry.h"
#include "views/common/widgets/segmented_control.h"
#include "views/training/recorded_panel.h"
#include "views/training/training_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <algorithm>

using tests::BatchTwin;
using tests::number;
using tests::RanWindow;
using tests::ShownTable;
using tests::tablePanel;

namespace {

/// A small training that records all there is to record.
core::Project recordingAll(core::Project project, bool isAsynchronous) {
    project.training.epochs = 2;
    project.training.asynchronousCallbacks = isAsynchronous;
    project.training.callbacks = {{"RecordTraining",
                                   {{"tensor_statistics", 1},
                                    {"histogram_bins", 8},
                                    {"confusion_matrix", true},
                                    {"sample_predictions", 4}}}};
    return project;
}

/// What is written in the canvas of the panel, without the spaces within numbers, sorted.
QStringList written(views::RecordedPanel& panel) {
    QStringList texts;
    for (QWidget* canvas : panel.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (qobject_cast<QComboBox*>(canvas) == nullptr && !canvas->isHidden())
            for (const tests::PaintedText& one : tests::paintedTexts(*canvas))
                texts << QString(one.text).remove(views::thinSpace);
    texts.sort();
    return texts;
}

QString shortText(double value, int digits) {
    return QString::number(value, 'g', digits);
}

} // namespace

/// Every number of what a run learned is that of the batch.
class TrainingFiguresWindowTest : public QObject {
    Q_OBJECT

    const QString m_ofRun = "run = (SELECT max(run) FROM v_run)";

    static views::TrainingView& shown(const RanWindow& ran) {
        ran.bench.window->workspaces().show(views::WorkspaceId::Training);
        return ran.bench.window->workspaces().view<views::TrainingView>();
    }

private slots:
    void epochsAndCallbacksAreThoseOfTheBatch_data() {
        QTest::addColumn<bool>("isAsynchronous");
        QTest::newRow("synchronous") << false;
        QTest::newRow("asynchronous") << true;
    }
    void epochsAndCallbacksAreThoseOfTheBatch() {
        QFETCH(const bool, isAsynchronous);
        const RanWindow ran(
            nullptr, [&](const core::Project& project) { return recordingAll(project, isAsynchronous); });
        QVERIFY(ran.isReady);
        const BatchTwin twin(ran);
        const views::TrainingView& view = shown(ran);
        const views::TablePanel& epochs = tablePanel(view, "Epochs");
        QTRY_COMPARE(epochs.content().rows.size(), std::size_t(2));
        QStringList complaints;
        const double clockHz = number(twin.ask({"show", "last"})["target"]["clock_hz"]);

        const auto lastOfEpoch = twin.numbers("SELECT epoch, metric, value FROM v_metric WHERE " + m_ofRun +
                                              " ORDER BY weight_update");
        const ShownTable epochTable(epochs, clockHz, complaints);
        epochTable.hold({}, [&](std::size_t row, const QString& column) -> std::optional<double> {
            if (column == "Epoch")
                return double(row + 1);
            return tests::found(lastOfEpoch, QStringLiteral("%1/%2").arg(row).arg(tests::sqlName(column)));
        });

        const auto ofUpdate =
            twin.numbers("SELECT weight_update, metric, value FROM v_metric WHERE " + m_ofRun);
        const core::Json calls = twin.rows("SELECT epoch, callback, step, replica, late_ns FROM v_callback "
                                           "WHERE " +
                                           m_ofRun + " ORDER BY execution, position");
        const views::TablePanel& panel = tablePanel(view, "Callbacks");
        const ShownTable callbacks(panel, clockHz, complaints);
        QVERIFY(!calls.empty());
        std::size_t call = calls.size();
        std::size_t row = 0;
        for (; row < callbacks.rows(); ++row) {
            const std::vector<views::TableCell>& cells = panel.content().rows[row];
            const auto told = [&](const char* column) { return callbacks.text(row, column); };
            // Newest first; the ends of epochs are no calls of a step.
            if (told("Callback") != "on_epoch_end") {
                const core::Json& of = calls[--call];
                const bool isSame =
                    told("Callback") == BatchTwin::text(of[1]) &&
                    ShownTable::agrees(told("Epoch"), number(of[0]) + 1) &&
                    ShownTable::agrees(told("Step"), number(of[2])) &&
                    ShownTable::agrees(told("Replica"), number(of[3])) &&
                    ShownTable::agrees(told("Late").remove(QStringLiteral(" µs")), number(of[4]) / 1e3);
                if (!isSame)
                    callbacks.complain(told("Callback") + " is " + BatchTwin::text(of));
            }
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const QString title = panel.content().columns[i].title;
                const auto value = tests::found(ofUpdate, QString(told("Update")).remove(views::thinSpace) +
                                                              "/" + tests::sqlName(title));
                if (value && !ShownTable::agrees(cells[i].text, *value))
                    callbacks.complain(title + ": " + cells[i].text + " is " + QString::number(*value));
            }
        }
        QVERIFY(row > 2);
        for (const QString& complaint : complaints)
            qWarning("%s", qPrintable(complaint));
        QVERIFY(complaints.isEmpty());
    }

    void whatWasRecordedIsThatOfTheBatch() {
        const RanWindow ran(nullptr,
                            [](const core::Project& project) { return recordingAll(project, false); });
        QVERIFY(ran.isReady);
        const BatchTwin twin(ran);
        views::TrainingView& view = shown(ran);
        QTRY_VERIFY(view.recorded().has(views::RecordedPanel::Kind::Confusion));
        views::RecordedPanel& panel = view.recorded();
        const auto open = [&](const QString& page) {
            for (int i = 0; i < 4; ++i)
                if (view.pages().button(i)->text() == page)
                    QTest::mouseClick(view.pages().button(i), Qt::LeftButton);
        };

        open("Confusion");
        QTRY_VERIFY(panel.isVisible());
        const core::Json counts =
            twin.rows("SELECT truth, predicted, count FROM v_confusion WHERE epoch = 1 AND " + m_ofRun);
        int classes = 0;
        double total = 0;
        double right = 0;
        QStringList expected{"predicted", "truth"};
        for (const core::Json& cell : counts) {
            classes = std::max({classes, cell[0].get<int>() + 1, cell[1].get<int>() + 1});
            total += number(cell[2]);
            right += cell[0] == cell[1] ? number(cell[2]) : 0;
            expected << QString::number(number(cell[2]));
        }
        for (int i = 0; i < classes; ++i)
            expected << QString::number(i) << QString::number(i);
        expected << QStringLiteral("%1 of %2 samples in the class they belong to (%3)")
                        .arg(right)
                        .arg(total)
                        .arg(views::percentText(right / total).remove(views::thinSpace));
        expected.sort();
        QCOMPARE(written(panel), expected);

        open("Samples");
        const core::Json samples = twin.rows("SELECT sample, truth, predicted, probability FROM "
                                             "v_sample_prediction WHERE epoch = 1 AND " +
                                             m_ofRun);
        QCOMPARE(samples.size(), std::size_t(4));
        expected.clear();
        for (const core::Json& sample : samples)
            expected << QStringLiteral("sample %1").arg(number(sample[0]))
                     << "is " + shortText(number(sample[1]), 5)
                     << QStringLiteral("said %1, %2")
                            .arg(shortText(number(sample[2]), 5),
                                 views::percentText(number(sample[3])).remove(views::thinSpace));
        expected.sort();
        QCOMPARE(written(panel), expected);

        open("Tensors");
        auto* tensors = panel.findChild<QComboBox*>();
        QVERIFY(tensors->count() > 2);
        for (int i = 0; i < tensors->count(); ++i) {
            tensors->setCurrentIndex(i);
            const bool isGradient = tensors->currentText().startsWith("gradient of ");
            const QString name = tensors->currentText().remove("gradient of ");
            const core::Json range = twin.rows(
                QStringLiteral("SELECT min(minimum), max(maximum), min(weight_update), "
                               "max(weight_update) FROM v_tensor_statistics WHERE tensor = '%1' AND "
                               "(kind = 'gradient') = %2 AND %3")
                    .arg(name)
                    .arg(int(isGradient))
                    .arg(m_ofRun))[0];
            const QStringList texts = written(panel);
            for (const double end : {number(range[0]), number(range[1])})
                QVERIFY2(texts.contains(shortText(end, 3)),
                         qPrintable(name + ": " + shortText(end, 3) + " not in " + texts.join(", ")));
            for (const double update : {number(range[2]), number(range[3])})
                QVERIFY2(texts.contains(QString::number(update)), qPrintable(name + ": " + texts.join(", ")));
        }
    }
};

REGISTER_WIDGET_TEST("training_figures_window", TrainingFiguresWindowTest)
#include "training_figures_window_test.moc"
