#include "views/document/selection.h"

#include "tests/support/test_registry.h"

#include <QSignalSpy>
#include <QtTest/QTest>

using views::InvocationKey;
using views::Selection;

class SelectionTest : public QObject {
    Q_OBJECT

private slots:
    void onlyRealChangesAreAnnounced() {
        Selection selection;
        QSignalSpy changed(&selection, &Selection::changed);
        selection.selectLayer("dense");
        selection.selectLayer("dense");
        QCOMPARE(changed.count(), 1);
    }

    void togglingAddsAndTakesAway() {
        Selection selection;
        selection.selectLayer("a");
        selection.toggleInvocation({"b", 0});
        QCOMPARE(selection.state().invocations.size(), std::size_t{2});
        QCOMPARE(selection.state().current->path, std::string("b"));
        selection.toggleInvocation({"b", 0});
        QCOMPARE(selection.state().current->path, std::string("a"));
        selection.toggleInvocation({"a", 0});
        QVERIFY(!selection.state().current);
    }

    void clearingKeepsTheRun() {
        Selection selection;
        selection.selectRun(core::RunId(3));
        selection.selectLayer("a");
        selection.selectMicroBatch(2);
        selection.clear();
        QVERIFY(selection.state().invocations.empty());
        QVERIFY(!selection.state().microBatch);
        QCOMPARE(selection.state().run->index(), std::size_t{3});
    }

    void theCurrentOneStaysWhenItIsStillSelected() {
        Selection selection;
        selection.selectLayer("b");
        selection.selectInvocations({{"a", 0}, {"b", 0}});
        QCOMPARE(selection.state().current->path, std::string("b"));
        selection.selectInvocations({{"a", 0}});
        QCOMPARE(selection.state().current->path, std::string("a"));
    }
};

REGISTER_TEST("selection", SelectionTest)
#include "selection_test.moc"
