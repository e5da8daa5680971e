#include "views/document/stage_lookup.h"

#include "core/model/graph/flattened_model.h"

namespace views {

StageLookup::StageLookup(const core::Project& project) {
    const core::Result<core::FlattenedModel> model = core::flattenModel(project.model);
    if (!model)
        return;
    const std::vector<core::InvocationId>& assignable = model->assignable();
    if (assignable.size() == project.assignment.stages.size())
        m_stages = project.assignment.stages;
    m_entries.reserve(assignable.size());
    for (std::size_t entry = 0; entry < assignable.size(); ++entry) {
        const core::FlattenedInvocation& call = model->invocations[assignable[entry].index()];
        m_entries.try_emplace({model->layers[call.layer.index()].path, call.call}, entry);
    }
}

std::optional<core::StageId> StageLookup::stageOf(const InvocationKey& key) const {
    const std::optional<std::size_t> entry = entryOf(key);
    return entry && *entry < m_stages.size() ? std::optional(m_stages[*entry]) : std::nullopt;
}

std::optional<std::size_t> StageLookup::entryOf(const InvocationKey& key) const {
    const auto found = m_entries.find(key);
    return found == m_entries.end() ? std::nullopt : std::optional(found->second);
}

} // namespace views
