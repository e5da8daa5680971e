#include "views/common/text/fuzzy_match.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using views::fuzzyMatch;

class FuzzyMatchTest : public QObject {
    Q_OBJECT

private slots:
    void aWholeNameComesBeforeLongerOnes() {
        QVERIFY(views::fuzzyMatch("add", "Add")->score > views::fuzzyMatch("add", "AddLoss")->score);
        QVERIFY(views::fuzzyMatch("add", "Add")->score >
                views::fuzzyMatch("add", "Additive attention")->score);
    }

    void lettersMatchInOrder() {
        QVERIFY(fuzzyMatch("slv", "Solve split"));
        QVERIFY(!fuzzyMatch("vls", "Solve split"));
        QVERIFY(fuzzyMatch("", "anything"));
        QVERIFY(fuzzyMatch("cv2d", "Conv2D"));
    }

    void wordStartsAndRunsScoreHigher() {
        QVERIFY(fuzzyMatch("sol", "Solve split")->score > fuzzyMatch("sol", "resolution_pool")->score);
        QVERIFY(fuzzyMatch("sp", "Solve split")->score > fuzzyMatch("sp", "dispatch")->score);
        QVERIFY(fuzzyMatch("conv", "Conv2D")->score > fuzzyMatch("conv", "DepthwiseConv2D")->score);
    }

    void initialsOfWordsAreAMatch() {
        QVERIFY(fuzzyMatch("gap", "GlobalAveragePooling2D")->score >
                fuzzyMatch("gap", "GaussianDropout")->score);
        QVERIFY(fuzzyMatch("mha", "MultiHeadAttention")->score > fuzzyMatch("mha", "MishActivation")->score);
        QCOMPARE(fuzzyMatch("gap", "GlobalAveragePooling2D")->positions, (std::vector<int>{0, 6, 13}));
    }

    void positionsNameTheMatchedLetters() {
        QCOMPARE(fuzzyMatch("split", "Solve split")->positions, (std::vector<int>{6, 7, 8, 9, 10}));
    }
};

REGISTER_TEST("fuzzy_match", FuzzyMatchTest)
#include "fuzzy_match_test.moc"
