#pragma once

#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/liveness/liveness_scene.h"

namespace views {

/// Curve and lifetimes of an IPU (nothing: the one with the highest peak) as a picture for a file; an empty
/// size takes 1200 × 700. Errors: "run/no-memory" when the run recorded none.
[[nodiscard]] core::Result<Picture> livenessPicture(const core::ProfileDatabase& database, core::RunId run,
                                                    const Theme& theme, const QSizeF& size = {},
                                                    std::optional<core::IpuId> ipu = {},
                                                    const Units& units = {});

/// The IPU of the highest peak.
[[nodiscard]] core::Result<core::IpuId> fullestIpu(const core::ProfileDatabase& database, core::RunId run);

/// The picture of what a chart shows.
[[nodiscard]] Picture pictureOf(const LivenessScene& scene, const QSizeF& size, const Theme& theme);

} // namespace views
