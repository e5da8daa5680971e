#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/diagnostics/diagnostics_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>

using tests::RanWindow;
using tests::WindowBench;

namespace {

/// Controls that say neither by a text nor to assistive tools what they are.
QStringList unnamed(const QWidget& window) {
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->accessibleName().isEmpty())
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const bool isControl = button != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
                               qobject_cast<const QTableView*>(widget) != nullptr;
        // Parts of Qt's own widgets are named with these.
        const bool isPart = widget->objectName().startsWith("qt_") ||
                            QString(widget->metaObject()->className()).startsWith("QTable") ||
                            qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr;
        if (isControl && !isPart &&
            (button == nullptr || (button->text().isEmpty() && button->toolTip().isEmpty())))
            found << QStringLiteral("%1 in %2")
                         .arg(widget->metaObject()->className(),
                              widget->parentWidget()->metaObject()->className());
    }
    return found;
}

/// Words of labels that have not the room they need.
QStringList clipped(const QWidget& window) {
    QStringList found;
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        const bool isPlain = !label->text().isEmpty() && !label->wordWrap() && label->pixmap().isNull();
        if (label->isVisible() && isPlain && label->width() + 1 < label->sizeHint().width() &&
            label->minimumWidth() > 0)
            found << label->text();
    }
    return found;
}

QString columnsOf(const QTableView& table) {
    QStringList widths;
    for (int i = 0; i < table.horizontalHeader()->count(); ++i)
        widths << QString::number(table.columnWidth(i));
    return QStringLiteral("%1 px in %2").arg(widths.join(" + ")).arg(table.viewport()->width());
}

} // namespace

/// Every view of a window.
class ViewPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void everythingOfEveryViewHasAName() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        ran.bench.window->resize(1280, 800);
        for (const app::WorkspaceRow& row : app::workspaceRows()) {
            ran.bench.window->workspaces().show(row.id);
            QTest::qWait(200);
            const QStringList names = unnamed(*ran.bench.window);
            QVERIFY2(names.isEmpty(), qPrintable(QString(row.title) + ": " + names.join(", ")));
            const QStringList texts = clipped(*ran.bench.window);
            QVERIFY2(texts.isEmpty(), qPrintable(QString(row.title) + ": " + texts.join(", ")));
        }
    }

    /// A table that scrolls sideways hides figures from who does not look for them.
    void noTableOfALowWindowScrollsSideways() {
        const RanWindow ran("resnet50/resnet50.ipuproj");
        QVERIFY(ran.isReady);
        ran.bench.window->resize(1280, 800);
        // Every property of an operation is a column of it, for who sorts and saves them.
        const QStringList wide{"Operations"};
        QStringList found;
        for (const app::WorkspaceRow& row : app::workspaceRows()) {
            ran.bench.window->workspaces().show(row.id);
            QTest::qWait(400);
            for (QTabWidget* tabs : ran.bench.window->findChildren<QTabWidget*>())
                for (int tab = 0; tabs->isVisible() && tab < tabs->count(); ++tab) {
                    QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {},
                                      tabs->tabBar()->tabRect(tab).center());
                    QTest::qWait(tabs->tabText(tab).startsWith("Critical") ? 1500 : 100);
                    for (const QTableView* table : ran.bench.window->findChildren<QTableView*>())
                        if (table->isVisible() && table->horizontalScrollBar()->maximum() > 0 &&
                            !wide.contains(table->accessibleName()))
                            found << QStringLiteral("%1, %2: %3 by %4 px (%5)")
                                         .arg(QLatin1String(row.key), tabs->tabText(tab),
                                              table->accessibleName())
                                         .arg(table->horizontalScrollBar()->maximum())
                                         .arg(columnsOf(*table));
                }
        }
        found.removeDuplicates();
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void whatIsSwitchedBeforeARunIsThereDoesNoHarm() {
        const WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()) && bench.waitForEstimate());
        int switched = 0;
        for (const app::WorkspaceRow& row : app::workspaceRows()) {
            window.workspaces().show(row.id);
            QTest::qWait(50);
            const QList<QAbstractButton*> buttons = window.centralWidget()->findChildren<QAbstractButton*>();
            for (QAbstractButton* button : buttons)
                if (button->isVisible() && button->isEnabled() && button->isCheckable()) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    QTest::mouseClick(button, Qt::LeftButton);
                    ++switched;
                }
            for (QComboBox* choice : window.centralWidget()->findChildren<QComboBox*>())
                for (int i = 0; choice->isVisible() && i < choice->count(); ++i)
                    choice->setCurrentIndex(i);
            for (QLineEdit* field : window.centralWidget()->findChildren<QLineEdit*>())
                if (field->isVisible() && field->isEnabled() && !field->isReadOnly()) {
                    QTest::keyClicks(field, "conv");
                    QTest::keyClick(field, Qt::Key_Return);
                    field->clear();
                }
        }
        QVERIFY2(switched > 20, qPrintable(QString::number(switched)));
    }

    /// IPU_WORKBENCH_PICTURES=FOLDER app_profile_tests view_pictures picturesOfEveryView
    void picturesOfEveryView_data() {
        QTest::addColumn<QString>("example");
        QTest::newRow("small") << "encoder/encoder.ipuproj";
        QTest::newRow("large") << "resnet50/resnet50.ipuproj";
    }
    void picturesOfEveryView() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        QFETCH(const QString, example);
        const RanWindow ran(qPrintable(example));
        QVERIFY(ran.isReady);
        for (const app::WorkspaceRow& row : app::workspaceRows()) {
            ran.bench.window->workspaces().show(row.id);
            QTest::qWait(1500);
            ran.takePictures(QStringLiteral("%1-%2").arg(QLatin1String(row.key), QTest::currentDataTag()));
        }
    }
};

REGISTER_WIDGET_TEST("view_pictures", ViewPicturesTest)
#include "view_pictures_test.moc"
