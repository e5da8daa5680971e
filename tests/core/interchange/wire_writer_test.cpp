#include "core/interchange/archive/wire_writer.h"

#include "core/interchange/archive/wire_reader.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <limits>

using core::WireField;
using core::WireReader;
using core::WireWriter;

class WireWriterTest : public QObject {
    Q_OBJECT

private slots:
    /// The examples of https://protobuf.dev/programming-guides/encoding.
    void writesTheBytesOfTheGuide() {
        WireWriter writer;
        writer.number(1, 150);
        writer.text(2, "testing");
        writer.message(3, [](WireWriter& inner) { inner.number(1, 150); });
        QCOMPARE(QByteArray::fromStdString(writer.bytes()).toHex(' '),
                 QByteArray("08 96 01 12 07 74 65 73 74 69 6e 67 1a 03 08 96 01"));
        WireWriter negative;
        negative.signedNumber(1, -2);
        QCOMPARE(QByteArray::fromStdString(negative.bytes()).toHex(' '),
                 QByteArray("08 fe ff ff ff ff ff ff ff ff 01"));
    }

    void whatIsWrittenIsRead() {
        for (const std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1} << 35U,
              std::numeric_limits<std::uint64_t>::max()}) {
            WireWriter writer;
            writer.number(1000, value);
            writer.fixed64(536870911, value);
            writer.real(7, 0.1);
            writer.text(8, std::string(300, 'x'));
            WireReader reader(writer.bytes());
            const auto number = reader.next();
            QVERIFY(number && number->number == 1000 && number->bits == value);
            const auto fixed = reader.next();
            QVERIFY(fixed && fixed->number == 536870911 && fixed->type == WireField::Type::Fixed64);
            QCOMPARE(fixed->bits, value);
            QCOMPARE(std::bit_cast<double>(reader.next()->bits), 0.1);
            QCOMPARE(reader.next()->bytes.size(), std::size_t(300));
            QVERIFY(!reader.next() && reader.isAtEnd() && !reader.isDamaged());
        }
    }
};

REGISTER_TEST("wire_writer", WireWriterTest)
#include "wire_writer_test.moc"
