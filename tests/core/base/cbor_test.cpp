#include "core/base/cbor.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

std::string bytesOf(const Json& value) {
    const std::vector<std::uint8_t> bytes = Json::to_cbor(value);
    return {bytes.begin(), bytes.end()};
}

QString outcome(std::string_view bytes) {
    const auto read = core::parseCbor(bytes, "f");
    return read ? QString() : QString::fromStdString(read.error().front().code);
}

} // namespace

class CborTest : public QObject {
    Q_OBJECT
private slots:
    void readsWhatIsWritten() {
        Json value = Json::parse(
            R"({"z": [1, -2, 300, 70000, 1e10, 0.5, "text", null, true, [], {}], "a": {"b": ""}})");
        value["long"] = std::string(70000, 'x');
        value["many"] = std::vector<int>(70000, 7);
        const auto read = core::parseCbor(bytesOf(value), "f");
        QVERIFY(read);
        QCOMPARE(core::toText(*read), core::toText(value));
    }

    void refusesWhatIsDeeperThanJsonMayBe() {
        QCOMPARE(outcome(std::string(199, '\x81') + '\x01'), QString());
        QCOMPARE(outcome(std::string(200, '\x81') + '\x01'), QString());
        QCOMPARE(outcome(std::string(201, '\x81') + '\x01'), QString("json/depth"));
        QCOMPARE(outcome(std::string(1'000'000, '\x81')), QString("json/depth"));
    }

    void refusesWhatIsNotWritten_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a list cut off") << QByteArray("\x82\x01");
        QTest::newRow("a list of 2^64 - 1") << QByteArray("\x9b\xff\xff\xff\xff\xff\xff\xff\xff");
        QTest::newRow("an object of 2^63") << QByteArray("\xbb\x80\x00\x00\x00\x00\x00\x00\x00", 9);
        QTest::newRow("a text longer than the file") << QByteArray("\x79\xff\xff x");
        QTest::newRow("texts of pieces in pieces") << QByteArray(1'000'000, '\x7f');
        QTest::newRow("a list without length") << QByteArray("\x9f\x01\xff");
        QTest::newRow("a tag") << QByteArray("\xc1\x01");
        QTest::newRow("a text that is no UTF-8") << QByteArray("\x62\xc3x");
        QTest::newRow("a key that is no UTF-8") << QByteArray("\xa1\x61\xff\x01");
        QTest::newRow("something behind") << QByteArray("\x01\x01");
    }

    void refusesWhatIsNotWritten() {
        QFETCH(const QByteArray, bytes);
        QCOMPARE(outcome(bytes.toStdString()), QString("cbor/structure"));
    }
};

REGISTER_TEST("cbor", CborTest)
#include "cbor_test.moc"
