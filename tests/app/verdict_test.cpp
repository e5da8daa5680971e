#include "core/project/choices/pipeline_choices.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/profile/verdict_button.h"
#include "views/profile/verdict_strip.h"

#include <QApplication>
#include <QMenu>
#include <QRegularExpression>
#include <QToolButton>
#include <algorithm>

using tests::WindowBench;

namespace {

/// A window whose project has just run.
struct Ran {
    Ran() {
        bench.window->show();
        isRun = bench.window->files().open(bench.writeProject()) && bench.waitForEstimate() && bench.run();
        strip = bench.window->findChild<views::VerdictStrip*>();
    }

    WindowBench bench;
    bool isRun = false;
    views::VerdictStrip* strip = nullptr;
};

} // namespace

/// What the window says of a run without a click.
class VerdictTest : public QObject {
    Q_OBJECT

private slots:
    void everyQuestionIsAnsweredAfterARun() {
        const Ran ran;
        QVERIFY(ran.isRun && ran.strip != nullptr);
        QTRY_VERIFY(ran.strip->isVisible());
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        const QString text = ran.strip->text();
        for (const char* said : {"slot", "Idle ", "holds most", "No run before it to compare with"})
            QVERIFY2(text.contains(said), qPrintable(text));
    }

    void timeIsInTheUnitsOfThePerson() {
        const Ran ran;
        QVERIFY(ran.isRun);
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        QVERIFY2(!ran.strip->text().contains("cycles"), qPrintable(ran.strip->text()));
        ran.bench.window->document().setUnits({views::TimeUnit::Cycles, views::ByteUnit::KiB});
        QTRY_VERIFY2(ran.strip->text().contains("cycles of work"), qPrintable(ran.strip->text()));
        static const QRegularExpression time(QStringLiteral("[0-9] (ms|µs|us)\\b"));
        QVERIFY2(!ran.strip->text().contains(time), qPrintable(ran.strip->text()));
    }

    void theSecondRunIsHeldAgainstTheFirst() {
        const Ran ran;
        QVERIFY(ran.isRun && ran.bench.run());
        QTRY_VERIFY2(!ran.strip->text().contains("No run before it") && ran.strip->clauses().size() == 5,
                     qPrintable(ran.strip->text()));
    }

    void whatWasChangedHasTheNamesOfTheWindow() {
        const Ran ran;
        QVERIFY(ran.isRun);
        QVERIFY(ran.bench.window->document().apply(
            "Eight", [](const core::Project& project) { return core::withMicroBatchChoice(project, 8); }));
        QVERIFY(ran.bench.waitForEstimate() && ran.bench.run());
        QTRY_VERIFY2(ran.strip->text().contains(QString::fromUtf8("micro-batches 4 → 8")),
                     qPrintable(ran.strip->text()));
    }

    void aClauseShowsItsEvidence() {
        const Ran ran;
        QVERIFY(ran.isRun);
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        QTest::mouseClick(ran.strip->clauses()[2], Qt::LeftButton);
        QCOMPARE(ran.bench.window->workspaces().current(), std::optional(views::WorkspaceId::Memory));
        QVERIFY(ran.strip->isVisible());
        QTest::mouseClick(ran.strip->clauses()[0], Qt::LeftButton);
        QCOMPARE(ran.bench.window->workspaces().current(), std::optional(views::WorkspaceId::Timeline));
    }

    void aLowWindowHasItsHeadlinesAlone() {
        const Ran ran;
        QVERIFY(ran.isRun);
        ran.bench.window->resize(1280, 1000);
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        QTRY_VERIFY(ran.strip->clauses()[0]->height() > 40);
        const QString text = ran.strip->text();
        ran.bench.window->resize(1280, 800);
        QTRY_VERIFY(ran.strip->clauses()[0]->height() < 30);
        QTRY_VERIFY2(ran.strip->height() <= 2 * 27 + 1, qPrintable(QString::number(ran.strip->height())));
        QCOMPARE(ran.strip->text(), text);
    }

    void overTheModelOfALowWindowItHasOneRowAndTheRestInAMenu() {
        const Ran ran;
        QVERIFY(ran.isRun);
        ran.bench.window->workspaces().show(views::WorkspaceId::Model);
        ran.bench.window->resize(1280, 800);
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        QTRY_VERIFY2(ran.strip->height() <= 27 + 1, qPrintable(QString::number(ran.strip->height())));
        const auto& clauses = ran.strip->clauses();
        QVERIFY(clauses.back()->isVisible());
        const auto hidden = std::ranges::count_if(clauses, &QWidget::isHidden);
        QVERIFY(hidden > 0);
        auto* more = ran.strip->findChild<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
        for (QToolButton* button : ran.strip->findChildren<QToolButton*>())
            more = button->accessibleName() == "More of the verdict" ? button : more;
        QCOMPARE(more->text(), QStringLiteral("+%1").arg(hidden));
        for (const views::VerdictButton* clause : clauses)
            QVERIFY(clause->isHidden() || clause->width() >= clause->headlineWidth());
        // What is in the menu shows its evidence as the rest does.
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), hidden);
        for (QAction* action : menu->actions()) {
            if (action->text().contains("holds most"))
                action->trigger();
        }
        menu->close();
        QCOMPARE(ran.bench.window->workspaces().current(), std::optional(views::WorkspaceId::Memory));
        // Over the views of a run all of it stands.
        QTRY_VERIFY(std::ranges::none_of(ran.strip->clauses(), &QWidget::isHidden));
        QVERIFY(more->isHidden());
    }

    void itIsAsHighAsItsRows() {
        const Ran ran;
        QVERIFY(ran.isRun);
        QTRY_COMPARE(ran.strip->clauses().size(), std::size_t(5));
        for (const int width : {1280, 2560}) {
            ran.bench.window->resize(width, 800);
            QTRY_VERIFY(ran.strip->width() > width / 3);
            QCoreApplication::processEvents();
            const views::VerdictButton* last = ran.strip->clauses().back();
            QTRY_COMPARE(ran.strip->height(), last->geometry().bottom() + 1);
            // The view below begins where it ends.
            const QWidget* central = ran.strip->parentWidget();
            QTRY_COMPARE(
                central->mapFrom(ran.bench.window.get(), ran.strip->mapTo(ran.bench.window.get(), QPoint()))
                    .y(),
                0);
            const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
            if (!folder.isEmpty())
                ran.bench.window->grab().save(QStringLiteral("%1/verdict-%2.png").arg(folder).arg(width));
        }
    }
};

REGISTER_WIDGET_TEST("verdict", VerdictTest)
#include "verdict_test.moc"
