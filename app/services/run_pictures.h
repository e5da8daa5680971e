#pragma once

#include "core/base/ids.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace app {

/// What is asked of the picture of a run: runs in the order in which they are named.
struct RunPictureRequest {
    std::vector<core::RunId> runs;
    core::RunId baseline;
    QSizeF size;
    std::optional<core::IpuId> ipu;
    std::optional<std::int64_t> microBatch;
};

/// A view of stored runs that has a picture, drawn by the view's own painter.
struct RunPicture {
    std::string_view name;
    /// "Memory over the program": for menus.
    std::string_view title;
    core::Result<views::Picture> (*paint)(const core::ProfileDatabase&, const RunPictureRequest&,
                                          const views::Theme&) = nullptr;
};

[[nodiscard]] std::span<const RunPicture> runPictures();
/// Null for an unknown name.
[[nodiscard]] const RunPicture* findRunPicture(std::string_view name);

} // namespace app
