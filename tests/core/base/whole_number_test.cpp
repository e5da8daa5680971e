#include "core/base/whole_number.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class WholeNumberTest : public QObject {
    Q_OBJECT

private slots:
    void isWhatTheValueStandsFor_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("number");
        QTest::newRow("a whole number") << "3"
                                        << "3";
        QTest::newRow("one written with a point") << "3.0"
                                                  << "3";
        QTest::newRow("negative") << "-7"
                                  << "-7";
        QTest::newRow("the largest") << "9223372036854775807"
                                     << "9223372036854775807";
        QTest::newRow("one more") << "9223372036854775808"
                                  << "";
        QTest::newRow("the last that a float tells from its neighbours") << "9007199254740992.0"
                                                                         << "9007199254740992";
        QTest::newRow("a larger float") << "1e18"
                                        << "";
        QTest::newRow("no whole number") << "2.5"
                                         << "";
        QTest::newRow("a text") << "\"3\""
                                << "";
        QTest::newRow("a truth value") << "true"
                                       << "";
        QTest::newRow("nothing") << "null"
                                 << "";
    }
    void isWhatTheValueStandsFor() {
        QFETCH(const QString, text);
        QFETCH(const QString, number);
        const auto whole = core::wholeNumber(core::Json::parse(text.toStdString()));
        QCOMPARE(whole ? QString::number(*whole) : QString(), number);
    }
};

REGISTER_TEST("whole_number", WholeNumberTest)
#include "whole_number_test.moc"
