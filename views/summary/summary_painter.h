#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/summary/summary_page.h"

#include <QPainter>

namespace views {

/// The page; what is beyond `clip` is left out.
void paintSummary(QPainter& painter, const SummaryScene& scene, const SummaryPage& page, const Theme& theme,
                  const QRectF& clip);

/// The page for a file; an empty size takes 1000 × as much as it needs. A lower one cuts nothing: the page is
/// scaled to fit.
[[nodiscard]] Picture summaryPicture(const SummaryScene& scene, const Theme& theme, const QSizeF& size = {});

/// The page of a stored run, with what would help where somebody has found it.
[[nodiscard]] core::Result<Picture> summaryPicture(const core::ProfileDatabase& database, core::RunId run,
                                                   std::optional<SummaryAdvice> advice, const Theme& theme,
                                                   const QSizeF& size = {});

} // namespace views
