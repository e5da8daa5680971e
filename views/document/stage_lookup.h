#pragma once

#include "core/project/project.h"
#include "views/document/selection.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace views {

/// The stage of every call of a project, by what survives edits. Of a model whose structure is broken it
/// knows none.
class StageLookup {
public:
    explicit StageLookup(const core::Project& project);

    /// Nothing for inputs, for calls that are not there, and while the list does not fit the model.
    [[nodiscard]] std::optional<core::StageId> stageOf(const InvocationKey& key) const;
    /// Place in the list of the stage assignment, whether or not there is one; nothing for inputs and for
    /// calls that are not there.
    [[nodiscard]] std::optional<std::size_t> entryOf(const InvocationKey& key) const;

private:
    struct KeyHash {
        std::size_t operator()(const InvocationKey& key) const {
            return std::hash<std::string>()(key.path) + key.call;
        }
    };

    std::unordered_map<InvocationKey, std::size_t, KeyHash> m_entries;
    /// By entry; empty while the list does not fit the model.
    std::vector<core::StageId> m_stages;
};

} // namespace views
