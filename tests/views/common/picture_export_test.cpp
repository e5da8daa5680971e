#include "views/common/widgets/picture_export.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/hatch.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest/QTest>

namespace {

views::Picture hatchedSquare() {
    return {"square", {100, 60}, [](QPainter& painter) {
                painter.fillRect(QRectF(10, 10, 40, 40), Qt::white);
                views::fillHatch(painter, QRectF(10, 10, 40, 40), views::HatchPattern::Slash, Qt::black);
                painter.drawText(QPointF(60, 30), "text");
            }};
}

} // namespace

class PictureExportTest : public QObject {
    Q_OBJECT

private slots:
    void thePngHasTwoPixelsPerPx() {
        const auto bytes = views::renderPicture(hatchedSquare(), views::PictureFormat::Png);
        QVERIFY(bytes.has_value());
        const QImage image = QImage::fromData(*bytes, "PNG");
        QCOMPARE(image.size(), QSize(200, 120));
        QCOMPARE(image.pixelColor(4, 4).alpha(), 0);
        QCOMPARE(image.pixelColor(50, 50).alpha(), 255);
    }

    void hatchesBecomeLinesInSvg() {
        const auto bytes = views::renderPicture(hatchedSquare(), views::PictureFormat::Svg);
        QVERIFY(bytes.has_value());
        QVERIFY(QSvgRenderer(*bytes).isValid());
        QVERIFY(!bytes->contains("<image"));
        QVERIFY(bytes->contains("viewBox=\"0 0 100 60\""));
    }

    /// Blocks of two colours beside each other, and a frame of a third over every tenth.
    void anSvgOfManyBlocksIsSmallAndShowsThemAll() {
        constexpr int count = 20000;
        const views::Picture picture{"blocks", {400, 400}, [](QPainter& painter) {
                                         painter.setRenderHint(QPainter::Antialiasing, false);
                                         for (int i = 0; i < count; ++i) {
                                             const QRectF block(i % 200 * 2, i / 200 * 4, 2, 3);
                                             painter.fillRect(block, i % 2 != 0 ? Qt::darkBlue : Qt::yellow);
                                             if (i % 10 == 0)
                                                 painter.fillRect(block.adjusted(1, 0, 1, -1), Qt::red);
                                         }
                                     }};
        const auto bytes = views::renderPicture(picture, views::PictureFormat::Svg);
        QVERIFY(bytes.has_value());
        QVERIFY2(bytes->size() < 40 * count, qPrintable(QString::number(bytes->size())));
        QImage painted(400, 400, QImage::Format_RGB32);
        painted.fill(Qt::white);
        QImage rendered = painted;
        QPainter direct(&painted);
        picture.paint(direct);
        direct.end();
        QSvgRenderer svg(*bytes);
        QVERIFY(svg.isValid());
        QPainter again(&rendered);
        svg.render(&again);
        again.end();
        QCOMPARE(rendered, painted);
    }

    void anSvgHoldsNoMarkupAndNoControlsOfNames() {
        const QString name = QStringLiteral("</title><script>a()</script>\u001b[31m\u202e\ufffe");
        const views::Picture picture{
            name, {100, 60}, [&name](QPainter& painter) { painter.drawText(QPointF(10, 30), name); }};
        const auto bytes = views::renderPicture(picture, views::PictureFormat::Svg);
        QVERIFY(bytes.has_value());
        QVERIFY2(!bytes->contains("<script") && !bytes->contains('\x1b'), bytes->constData());
        QVERIFY2(bytes->contains("<title>&lt;/title&gt;&lt;script&gt;a()&lt;/script&gt;\\x1b[31m\\u202e"),
                 bytes->constData());
        QXmlStreamReader reader(*bytes);
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void thePdfIsOnePageAndTheSameEachTime() {
        const auto first = views::renderPicture(hatchedSquare(), views::PictureFormat::Pdf);
        QVERIFY(first.has_value());
        QVERIFY(first->startsWith("%PDF"));
        QTest::qWait(1100); // the writer's clock has seconds
        const auto second = views::renderPicture(hatchedSquare(), views::PictureFormat::Pdf);
        QCOMPARE(*first, *second);
    }

    void anUnknownEndingIsRefused() {
        const auto result = views::savePicture(hatchedSquare(), "picture.gif");
        QVERIFY(!result);
        QCOMPARE(result.error().front().code, std::string("picture/format"));
    }

    void theFileIsWritten() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("square.svg");
        QVERIFY(views::savePicture(hatchedSquare(), path));
        QVERIFY(QFile::exists(path));
        QVERIFY(!views::savePicture(hatchedSquare(), folder.filePath("no/such/folder.svg")));
    }
};

REGISTER_WIDGET_TEST("picture_export", PictureExportTest)
#include "picture_export_test.moc"
