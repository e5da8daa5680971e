#pragma once

#include "core/project/project.h"
#include "views/document/document.h"
#include "views/graph/model/canvas_model.h"

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace views {

/// What boxes show of layers as such. Edits share the layers that they do not change, so that those of the
/// last drawing need no new texts.
class LayerLooks {
public:
    struct Look {
        QString name;
        QString className;
        QString attributes;
        QString icon;
        bool isInput = false;
        bool isFollower = false;
    };

    /// Layers of this model, and of models nested in it, are asked for from now on.
    void begin(const core::ModelGraph& model);
    [[nodiscard]] const Look& of(const core::Layer& layer);

private:
    std::unordered_map<const core::Layer*, Look> m_looks;
    /// Keep the layers alive that the looks are found by.
    std::vector<core::SharedList<core::Layer>> m_kept;
    /// Of which the layers are not kept yet.
    const core::ModelGraph* m_model = nullptr;
};

/// The drawing of a project's model: nested models opened, grouped, with the stage of every call. Shapes come
/// from the analysis where it has them. A model whose structure is broken (only files by hand can do that) is
/// drawn call by call without stages.
///
/// `looks` keeps what is drawn of single layers from one drawing to the next.
[[nodiscard]] CanvasModel makeCanvasModel(const core::Project& project, const ProjectAnalysis& analysis,
                                          LayerLooks* looks = nullptr);

/// Whether the drawing has the shapes that an analysis tells.
[[nodiscard]] bool hasShapesOf(const CanvasModel& model, const ProjectAnalysis& analysis);

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
