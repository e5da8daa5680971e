#pragma once

#include "core/base/ids.h"
#include "core/profile/analysis/time_tree.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/document/view_intents.h"
#include "views/roofline/roofline_data.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

class QWidget;
struct QMetaObject;

namespace views {
class Document;
class ProfileSource;
class Selection;
} // namespace views

namespace app {

class ProjectChecks;

/// What views are made from; all of it outlives every view.
struct ViewContext {
    views::Document& document;
    views::Selection& selection;
    views::ProfileSource& source;
    views::ViewIntents& intents;
    ProjectChecks& checks;
};

/// What is asked of the picture of a run: runs in the order in which they are named.
struct RunPictureRequest {
    std::vector<core::RunId> runs;
    core::RunId baseline;
    QSizeF size;
    std::optional<core::IpuId> ipu;
    std::optional<std::int64_t> microBatch;
    /// Of the program of the IPU, at which its tiles are shown; nothing: their peak.
    std::optional<std::int64_t> step;
    /// What a point of the roofline is; what the time of a flame graph is divided by first.
    views::RooflineGrouping grouping = views::RooflineGrouping::Operation;
    core::TimeGrouping timeGrouping = core::TimeGrouping::Stage;
    /// The first so many IPUs are a row each in the timeline.
    std::int64_t foldedIpus = 0;
};

/// The picture of stored runs that a view has, drawn by the view's own painter.
struct RunPicture {
    /// As `render --view` names it; empty where a view has no picture.
    std::string_view name;
    /// "Memory over the program": for menus.
    std::string_view title;
    core::Result<views::Picture> (*paint)(const core::ProfileDatabase&, const RunPictureRequest&,
                                          const views::Theme&) = nullptr;
    /// Shows several runs next to one another.
    bool ofSeveralRuns = false;
};

/// The view of a row: how it is made, and which class it is.
struct ViewFactory {
    QWidget* (*make)(const ViewContext& context) = nullptr;
    const QMetaObject* type = nullptr;
};

/// A task of the window: what is in its middle.
struct WorkspaceRow {
    views::WorkspaceId id;
    /// Names it in the settings.
    const char* key;
    const char* title;
    const char* icon;
    const char* tip;
    ViewFactory view;
    RunPicture picture = {};
};

enum class DockId : std::uint8_t { Layers, Project, Properties, Problems, Schedule, Tiles };

/// A page of a dock.
struct PanelRow {
    /// Nothing where no view and no action asks for the page.
    std::optional<views::PanelId> id;
    DockId dock;
    const char* title;
    ViewFactory view;
    RunPicture picture = {};
};

/// Every workspace in the order of their keys, and every page of every dock in the order of its tabs. A new
/// view is one row here.
[[nodiscard]] std::span<const WorkspaceRow> workspaceRows();
[[nodiscard]] std::span<const PanelRow> panelRows();

/// The pictures of the rows, workspaces first.
[[nodiscard]] std::vector<RunPicture> runPictures();
/// Nothing for an unknown name.
[[nodiscard]] std::optional<RunPicture> findRunPicture(std::string_view name);

} // namespace app
