#pragma once

#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/timeline/painting/timeline_scene.h"

namespace views {

/// Everything a picture of a run's timeline needs, read at once: the part `state.view` (empty: the first
/// update), at `width` px, as high as its rows need or `height`.
[[nodiscard]] core::Result<TimelineScene> loadTimelineScene(const core::ProfileDatabase& database,
                                                            core::RunId run, TimelineState state,
                                                            double width, double height, double scale);

/// The timeline of a run as a picture for a file; an empty size takes 1600 px and the height its rows need.
[[nodiscard]] core::Result<Picture> timelinePicture(const core::ProfileDatabase& database, core::RunId run,
                                                    const Theme& theme, const QSizeF& size = {},
                                                    const TimelineState& state = {});

/// The reasons why a run has no timeline; nothing when it has one.
[[nodiscard]] std::optional<core::Diagnostic> timelineObjection(const TimelineFrame& frame);

} // namespace views
