#include "core/profile/notes/store/note_store.h"
#include "tests/app/profile/ran_window.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/timeline/lane_finder.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_view.h"

#include <QLineEdit>
#include <QTableView>

using tests::RanWindow;

namespace {

QLineEdit* visibleField(const QWidget& parent) {
    for (auto* field : parent.findChildren<QLineEdit*>())
        if (field->isVisible())
            return field;
    return nullptr;
}

} // namespace

/// What one writes and looks for in the timeline of a real run.
class NotesWindowTest : public QObject {
    Q_OBJECT

private slots:
    void aNoteIsThereAgainWhenTheWindowIsOpenedAnew() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Timeline);
        auto& timeline = window.workspaces().view<views::TimelineView>();
        QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
        QTest::mouseMove(&timeline.canvas(), timeline.canvas().scene().layout.lanes().center().toPoint());
        QTest::keyClick(&timeline.canvas(), Qt::Key_T);
        QLineEdit* field = visibleField(timeline.canvas());
        QVERIFY(field != nullptr);
        QTest::keyClicks(field, "look here");
        QTest::keyClick(field, Qt::Key_Return);
        const auto database = core::ProfileDatabase::open(window.files().database(),
                                                          {.access = core::DatabaseAccess::ReadOnly});
        const auto notes = core::loadNotes(*database, *window.selection().state().run);
        QCOMPARE(notes->size(), std::size_t(1));
        QCOMPARE(notes->front().text, std::string("look here"));

        views::Selection selection;
        tests::RecordedIntents intents;
        views::TimelineView other(window.document(), selection, window.source(), intents);
        other.resize(900, 500);
        selection.selectRun(window.selection().state().run);
        other.show();
        QTRY_COMPARE(other.canvas().notes(), *notes);
        // Another run has none of it.
        QVERIFY(ran.bench.run());
        QTRY_VERIFY(window.selection().state().run != selection.state().run);
        QTRY_VERIFY(timeline.canvas().notes().empty());
    }

    void lanesAreFilteredByKeysWithoutRunningAnything() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Timeline);
        auto& timeline = window.workspaces().view<views::TimelineView>();
        QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
        timeline.canvas().setFocus();
        QTest::keyClick(&timeline.canvas(), Qt::Key_P, Qt::ControlModifier);
        auto* finder = timeline.findChild<views::LaneFinder*>();
        QVERIFY(finder != nullptr);
        auto* field = finder->findChild<QLineEdit*>();
        QTest::keyClicks(field, "stage 1");
        QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(timeline.canvas().state().hidden, std::set<std::size_t>{0});
        QVERIFY(!window.runs().isRunning());
    }

    void aTensorThatIsFoundIsChosenInMemory() {
        const RanWindow ran;
        QVERIFY(ran.isReady);
        app::MainWindow& window = *ran.bench.window;
        window.workspaces().show(views::WorkspaceId::Timeline);
        auto& timeline = window.workspaces().view<views::TimelineView>();
        QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
        QTest::keyClick(&timeline.canvas(), Qt::Key_F, Qt::ControlModifier);
        auto* search = qobject_cast<QLineEdit*>(window.focusWidget());
        QVERIFY(search != nullptr);
        QTest::keyClicks(search, "hidden1");
        views::TablePanel* found = nullptr;
        for (auto* panel : timeline.findChildren<views::TablePanel*>())
            if (panel->table().accessibleName() == "Found")
                found = panel;
        QTRY_VERIFY(!found->content().rows.empty());
        int row = -1;
        for (std::size_t i = 0; i < found->content().rows.size() && row < 0; ++i)
            if (found->content().rows[i][0].text == "tensor")
                row = int(i);
        QVERIFY(row >= 0);
        const std::string name = found->content().rows[std::size_t(row)][1].text.toStdString();
        found->setCurrentRow(row);
        found->table().setFocus();
        QTest::keyClick(&found->table(), Qt::Key_Return);
        auto& memory = window.workspaces().view<views::LivenessView>();
        QTRY_VERIFY(memory.chart().state().selected.has_value());
        QCOMPARE(memory.chart().scene().data->ranges[*memory.chart().state().selected].name, name);
    }

    void picturesToLookAt() {
        if (!qEnvironmentVariableIsSet("IPU_WORKBENCH_PICTURES"))
            QSKIP("IPU_WORKBENCH_PICTURES names no folder");
        for (const auto& [example, name, word] :
             {std::tuple("encoder/encoder.ipuproj", "small", "layer0_self_attention backward"),
              std::tuple("resnet50/resnet50.ipuproj", "large", "conv2_block1_2_conv backward")}) {
            const RanWindow ran(example);
            QVERIFY(ran.isReady);
            app::MainWindow& window = *ran.bench.window;
            window.workspaces().show(views::WorkspaceId::Timeline);
            auto& timeline = window.workspaces().view<views::TimelineView>();
            QTRY_VERIFY(timeline.canvas().scene().window != nullptr);
            const core::Cycles step = timeline.canvas().scene().frame->step;
            const std::vector<core::NoteRecord> notes{
                {core::Cycles(step.value() / 5), "the ramp ends here"},
                {core::Cycles(step.value() / 2), "why does stage 1 wait?"},
                {core::Cycles(step.value() * 9 / 10), ""}};
            const auto database = core::ProfileDatabase::open(window.files().database());
            QVERIFY(core::storeNotes(*database, *window.selection().state().run, notes).has_value());
            window.source().announceChange();
            QTRY_COMPARE(timeline.canvas().notes().size(), std::size_t(3));
            ran.takePictures(QStringLiteral("notes-") + name);
            QTest::keyClick(&timeline.canvas(), Qt::Key_F, Qt::ControlModifier);
            auto* search = qobject_cast<QLineEdit*>(window.focusWidget());
            QTest::keyClicks(search, word);
            QTest::qWait(300);
            QTest::keyClick(search, Qt::Key_Return);
            QTest::qWait(300);
            ran.takePictures(QStringLiteral("found-") + name);
        }
    }
};

REGISTER_WIDGET_TEST("notes_window", NotesWindowTest)
#include "notes_window_test.moc"
