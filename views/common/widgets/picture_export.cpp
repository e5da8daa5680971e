#include "views/common/widgets/picture_export.h"

#include "core/base/file.h"
#include "core/text/markup_text.h"
#include "core/text/visible_text.h"
#include "views/common/text/svg_rectangles.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <array>

namespace views {

namespace {

QByteArray renderPng(const Picture& picture) {
    const double ratio = 2;
    QImage image((picture.size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

/// QSvgGenerator writes a title as it is, markup included, and the controls of every text, which XML may not
/// hold.
QByteArray withTitle(const QByteArray& svg, const QString& title) {
    std::string document =
        core::visibleLines(std::string_view(svg.constData(), static_cast<std::size_t>(svg.size())));
    const std::size_t root = document.find("<svg");
    const std::size_t end = root == std::string::npos ? root : document.find('>', root);
    if (end != std::string::npos && !title.isEmpty())
        document.insert(end + 1, "\n<title>" + core::markupText(title.toStdString()) + "</title>");
    return QByteArray::fromStdString(withJoinedRectangles(document));
}

QByteArray renderSvg(const Picture& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), picture.size));
    // 72 dpi makes one unit of the file one px of the painter.
    generator.setResolution(72);
    QPainter painter(&generator);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    painter.end();
    return withTitle(bytes, picture.title);
}

QByteArray renderPdf(const Picture& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(picture.title);
    writer.setCreator(QStringLiteral("IPU Workbench"));
    // At 96 dpi a px is 0.75 pt.
    writer.setResolution(96);
    writer.setPageSize(QPageSize(picture.size * 0.75, QPageSize::Point));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QPainter painter(&writer);
    painter.setRenderHint(QPainter::Antialiasing);
    picture.paint(painter);
    painter.end();
    // The writer stamps the time of day, which would make every file differ. The length stays, as the table
    // of offsets at the end counts bytes.
    static const QRegularExpression date(QStringLiteral("D:\\d{14}"));
    static const QRegularExpression isoDate(QStringLiteral("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"));
    QString text = QString::fromLatin1(bytes);
    text.replace(date, QStringLiteral("D:20000101000000"));
    text.replace(isoDate, QStringLiteral("2000-01-01T00:00:00"));
    return text.toLatin1();
}

} // namespace

QSizeF sizeOr(const QSizeF& asked, const QSizeF& natural) {
    return {asked.width() > 0 ? asked.width() : natural.width(),
            asked.height() > 0 ? asked.height() : natural.height()};
}

std::optional<PictureFormat> pictureFormatOf(const QString& path) {
    static const std::array<std::pair<QLatin1String, PictureFormat>, 3> endings{{
        {QLatin1String(".png"), PictureFormat::Png},
        {QLatin1String(".svg"), PictureFormat::Svg},
        {QLatin1String(".pdf"), PictureFormat::Pdf},
    }};
    for (const auto& [ending, format] : endings) {
        if (path.endsWith(ending, Qt::CaseInsensitive))
            return format;
    }
    return std::nullopt;
}

core::Result<QByteArray> renderPicture(const Picture& picture, PictureFormat format) {
    QByteArray bytes;
    switch (format) {
    case PictureFormat::Png:
        bytes = renderPng(picture);
        break;
    case PictureFormat::Svg:
        bytes = renderSvg(picture);
        break;
    case PictureFormat::Pdf:
        bytes = renderPdf(picture);
        break;
    }
    if (bytes.isEmpty())
        return core::failure(core::makeError(core::Trouble::World, "picture/size", {},
                                             "the picture is too large to be drawn",
                                             {"choose a smaller part or save it as SVG"}));
    return bytes;
}

core::Result<void> savePicture(const Picture& picture, const QString& path) {
    const std::optional<PictureFormat> format = pictureFormatOf(path);
    if (!format)
        return core::failure(core::makeError(core::Trouble::Usage, "picture/format", {path.toStdString(), {}},
                                             "pictures end in .svg, .png or .pdf",
                                             {"give the file one of these endings"}));
    const core::Result<QByteArray> bytes = renderPicture(picture, *format);
    if (!bytes)
        return core::failure(bytes.error());
    return core::writeFileAtomically(path.toStdString(),
                                     std::string_view(bytes->constData(), std::size_t(bytes->size())),
                                     core::Overwrite::Replace);
}

} // namespace views
