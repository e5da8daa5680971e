#include "app/window/lessons/manual.h"

#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"

#include <QLineEdit>
#include <QListWidget>
#include <QTextBlock>
#include <QTextBrowser>

using tests::WindowBench;

namespace {

app::Manual* opened(const WindowBench& bench) {
    bench.window->show();
    bench.window->actions().action("help.help")->trigger();
    return bench.window->findChild<app::Manual*>();
}

/// Whether the picture of this name was drawn.
bool hasPicture(const app::Manual& manual, const QString& name) {
    const QVariant picture =
        manual.text().document()->resource(QTextDocument::ImageResource, QUrl("picture:" + name));
    return picture.canConvert<QImage>() && !picture.value<QImage>().isNull();
}

} // namespace

/// The manual inside the program.
class ManualTest : public QObject {
    Q_OBJECT

private slots:
    void opensByItsKeyAndShowsEveryPage() {
        WindowBench bench;
        app::Manual* manual = opened(bench);
        QVERIFY(manual != nullptr && manual->isVisible());
        QVERIFY(app::manualPages().size() >= 7);
        QCOMPARE(manual->pages().count(), int(app::manualPages().size()));
        for (int row = 0; row < manual->pages().count(); ++row) {
            QTest::keyClick(&manual->pages(), row == 0 ? Qt::Key_Home : Qt::Key_Down);
            QCOMPARE(manual->pages().currentRow(), row);
            const QString text = manual->text().toPlainText();
            QVERIFY2(text.startsWith(manual->pages().currentItem()->text()), qPrintable(text.left(80)));
            QVERIFY(text.size() > 400);
            QVERIFY2(!text.contains("picture:") && !text.contains("**"), qPrintable(text));
            if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty())
                manual->grab().save(QString("%1/manual-%2.png").arg(folder).arg(row));
        }
    }

    void drawsItsPictures() {
        WindowBench bench;
        app::Manual* manual = opened(bench);
        QVERIFY(hasPicture(*manual, "project"));
        manual->pages().setCurrentRow(3);
        QVERIFY(hasPicture(*manual, "schedule"));
        QVERIFY(!hasPicture(*manual, "nothing"));
    }

    void aSearchNarrowsMarksAndGoesOn() {
        WindowBench bench;
        app::Manual* manual = opened(bench);
        QTest::keyClicks(&manual->search(), "bubble");
        QCOMPARE(manual->pages().count(), 1);
        QCOMPARE(manual->pages().currentItem()->text(), QString("Schedules"));
        QVERIFY(!manual->text().extraSelections().isEmpty());
        QTest::keyClick(&manual->search(), Qt::Key_Return);
        QCOMPARE(manual->text().textCursor().selectedText().toLower(), QString("bubble"));

        manual->search().clear();
        QTest::keyClicks(&manual->search(), "recomputation");
        QVERIFY(manual->pages().count() >= 2);
        const QString first = manual->pages().currentItem()->text();
        for (int i = 0; i < 20 && manual->pages().currentItem()->text() == first; ++i)
            QTest::keyClick(&manual->search(), Qt::Key_Return);
        QVERIFY(manual->pages().currentItem()->text() != first);
        QCOMPARE(manual->text().textCursor().selectedText().toLower(), QString("recomputation"));

        manual->search().clear();
        QTest::keyClicks(&manual->search(), "no such words");
        QCOMPARE(manual->pages().count(), 0);
        QVERIFY(manual->text().toPlainText().startsWith("No page"));
    }

    /// What the manual tells one to choose is there.
    void namesMenusThatAreThere() {
        WindowBench bench;
        bench.window->show();
        QString all;
        for (const app::ManualPage& page : app::manualPages())
            all += page.text;
        for (const char* id : {"pipeline.solve", "pipeline.plan", "pipeline.system", "help.tour"}) {
            QString text = bench.window->actions().action(id)->text();
            const QString menu = QString::fromLatin1(id).startsWith("help") ? "Help" : "Pipeline";
            QVERIFY2(all.contains(menu + " > " + text), qPrintable(text));
        }
    }
};

REGISTER_WIDGET_TEST("manual", ManualTest)
#include "manual_test.moc"
