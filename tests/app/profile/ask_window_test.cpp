#include "core/profile/notes/store/note_store.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/test_registry.h"
#include "views/ask/ask_view.h"
#include "views/profile/tables/table_panel.h"

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

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name] : {std::pair("encoder/encoder.ipuproj", "small"),
                                            std::pair("resnet50/resnet50.ipuproj", "large")}) {
            const RanWindow ran(example);
            QVERIFY(ran.isReady);
            auto* view = openPage(*ran.bench.window);
            const int question = view->questions().findText("The costliest layers, all phases together.");
            view->questions().setCurrentIndex(question);
            emit view->questions().activated(question);
            QTRY_VERIFY(!view->answer().content().rows.empty());
            ran.takePictures(QStringLiteral("ask-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("ask_window", AskWindowTest)
#include "ask_window_test.moc"
