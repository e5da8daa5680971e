#pragma once

#include "core/base/result.h"

#include <QSizeF>
#include <QString>
#include <functional>

class QPainter;

namespace views {

enum class PictureFormat : std::uint8_t { Png, Svg, Pdf };

/// By the end of the file name; nothing for another end.
[[nodiscard]] std::optional<PictureFormat> pictureFormatOf(const QString& path);

/// Draws a picture of `size` px into a painter whose origin is its top left corner.
using PicturePainter = std::function<void(QPainter&)>;

/// What is asked for where it is positive, else what is natural.
[[nodiscard]] QSizeF sizeOr(const QSizeF& asked, const QSizeF& natural);

struct Picture {
    QString title;
    QSizeF size;
    PicturePainter paint;
};

/// The bytes of the picture. PNG has 2 pixels per px. The same picture gives the same bytes: no dates inside.
[[nodiscard]] core::Result<QByteArray> renderPicture(const Picture& picture, PictureFormat format);

/// Writes the picture to `path`, replacing a file there. Errors: "picture/format" for an unknown ending, and
/// those of core::writeFileAtomically.
[[nodiscard]] core::Result<void> savePicture(const Picture& picture, const QString& path);

} // namespace views
