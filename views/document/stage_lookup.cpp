#include "views/document/stage_lookup.h"

#include "core/plan/assignment_entries.h"

namespace views {

StageLookup::StageLookup(const core::Project& project) {
    if (project.assignment.stages.empty())
        return;
    const std::vector<core::AssignmentEntry> entries =
        core::flattened(core::assignmentEntries(project.model));
    if (entries.size() != project.assignment.stages.size())
        return;
    for (const core::AssignmentEntry& entry : entries)
        m_stages[{entry.path, entry.call}] = project.assignment.stages[entry.index];
}

std::optional<core::StageId> StageLookup::stageOf(const InvocationKey& key) const {
    const auto found = m_stages.find(key);
    return found == m_stages.end() ? std::nullopt : std::optional(found->second);
}

} // namespace views
