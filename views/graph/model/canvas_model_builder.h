#pragma once

#include "core/project/project.h"
#include "views/document/document.h"
#include "views/graph/model/canvas_model.h"

#include <set>
#include <string>

namespace views {

/// The drawing of a project's model: nested models opened, grouped, with the stage of every call. Shapes come
/// from the analysis where it has them. A model whose structure is broken (only files by hand can do that) is
/// drawn call by call without stages.
[[nodiscard]] CanvasModel makeCanvasModel(const core::Project& project, const ProjectAnalysis& analysis);

/// Id of the group of a block that is repeated, by the block's.
[[nodiscard]] std::string repeatGroupId(const std::string& block);

/// Ids of the groups that are collapsed: as the user left them, else all groups of a large model and
/// blocks that are repeated in any.
[[nodiscard]] std::set<std::string> collapsedGroups(const core::Project& project, const CanvasModel& model);

/// Project edits of what only the canvas keeps.
[[nodiscard]] core::Project withCollapsed(const core::Project& project, const std::string& group,
                                          bool collapsed);
[[nodiscard]] core::Project withGroup(const core::Project& project, const std::string& name,
                                      const std::vector<std::string>& layers);
[[nodiscard]] core::Project withoutGroup(const core::Project& project, const std::string& name);
/// Forgets where boxes were put by hand.
[[nodiscard]] core::Project withoutPositions(const core::Project& project);

} // namespace views
