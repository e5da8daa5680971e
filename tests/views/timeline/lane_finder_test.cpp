#include "views/timeline/lane_finder.h"

#include "tests/support/test_registry.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

namespace {

const QStringList lanes{"IPU 0 · stage 0", "IPU 1 · stage 1", "IPU 2 · stage 2 · stage 5",
                        "IPU 12 · stage 12"};

QToolButton* toggle(const LaneFinder& finder, const char* text) {
    for (auto* button : finder.findChildren<QToolButton*>())
        if (button->text() == text)
            return button;
    return nullptr;
}

} // namespace

class LaneFinderTest : public QObject {
    Q_OBJECT

private slots:
    void lettersExpressionsAndTheirOppositesAdmitLanes() {
        QCOMPARE(*admittedLanes({"stage 5", false, false}, lanes), std::vector<int>{2});
        QCOMPARE(*admittedLanes({"stage 5", false, true}, lanes), (std::vector<int>{0, 1, 3}));
        QCOMPARE(*admittedLanes({"IPU [01]\\b", true, false}, lanes), (std::vector<int>{0, 1}));
        QCOMPARE(*admittedLanes({"ipu 12|stage 2", true, true}, lanes), (std::vector<int>{0, 1}));
        QCOMPARE(admittedLanes({}, lanes)->size(), std::size_t(4));
        QVERIFY(!admittedLanes({"stage (", true, false}, lanes));
        QCOMPARE(admittedLanes({"stage (", false, false}, lanes)->size(), std::size_t(0));
    }

    void theListIsWhatWillBeShownAndAWrongExpressionSaysSo() {
        LaneFinder finder(lanes, {}, nullptr);
        finder.setAttribute(Qt::WA_DeleteOnClose, false);
        finder.openAt({0, 0});
        auto* list = finder.findChild<QListWidget*>();
        auto* only = finder.findChild<QPushButton*>();
        QCOMPARE(list->count(), 4);
        QTest::mouseClick(toggle(finder, ".*"), Qt::LeftButton);
        auto* field = finder.findChild<QLineEdit*>();
        QTest::keyClicks(field, "IPU [");
        QVERIFY(field->property("invalid").toBool());
        QVERIFY(!only->isEnabled());
        QTest::keyClicks(field, "12]");
        QVERIFY(!field->property("invalid").toBool());
        QCOMPARE(list->count(), 3);
        QSignalSpy filtered(&finder, &LaneFinder::filtered);
        QTest::mouseClick(only, Qt::LeftButton);
        QCOMPARE(filtered.count(), 1);
        QVERIFY(qvariant_cast<LaneFilter>(filtered.front().front()) == (LaneFilter{"IPU [12]", true, false}));
    }

    void enterGoesToALane() {
        LaneFinder finder(lanes, {}, nullptr);
        finder.setAttribute(Qt::WA_DeleteOnClose, false);
        finder.openAt({0, 0});
        QSignalSpy chosen(&finder, &LaneFinder::chosen);
        auto* field = finder.findChild<QLineEdit*>();
        QTest::keyClicks(field, "stage 12");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(chosen.front().front().toInt(), 3);
    }
};

REGISTER_WIDGET_TEST("lane_finder", LaneFinderTest)
#include "lane_finder_test.moc"
