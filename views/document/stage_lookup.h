#pragma once

#include "core/project/project.h"
#include "views/document/selection.h"

#include <map>
#include <optional>

namespace views {

/// The stage of every call of a project, by what survives edits.
class StageLookup {
public:
    explicit StageLookup(const core::Project& project);

    /// Nothing for inputs, for calls that are not there, and while the list does not fit the model.
    [[nodiscard]] std::optional<core::StageId> stageOf(const InvocationKey& key) const;

private:
    std::map<InvocationKey, core::StageId> m_stages;
};

} // namespace views
