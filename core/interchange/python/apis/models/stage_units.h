#pragma once

#include "core/base/result.h"
#include "core/interchange/python/draft/program_builder.h"

#include <string>
#include <vector>

namespace core {

/// What Keras has one stage for: a call of a layer of the catalogue, or of a layer of the program with all
/// calls that it is made of.
struct PythonStageUnit {
    /// Its calls are several where it is a layer of the program.
    PythonStageEntry entry;
    /// The stage of the scope that each call was made in; null: it was made in none.
    std::vector<Json> scopes = {};
};

/// Of a model, in the order of Keras' list. Errors: those of the model.
[[nodiscard]] Result<std::vector<PythonStageUnit>> stageUnits(const PythonDraft& draft, std::int64_t model,
                                                              const std::string& file);
[[nodiscard]] std::size_t countCalls(const std::vector<PythonStageUnit>& units);
/// The stages of the scopes, a flat list; null: no call was made in one.
[[nodiscard]] Json stagesOfScopes(const std::vector<PythonStageUnit>& units);
/// A list of a stage for each unit as one of a stage for each call; any other list stays as it is.
[[nodiscard]] Json stagesOfCalls(const std::vector<PythonStageUnit>& units, Json stages);

/// While it lives, what is called is a part of this layer of the program, unless it is one of another
/// already.
class PythonGroupScope {
public:
    PythonGroupScope(PythonProgramBuilder& builder, PythonLayerGroup group);
    PythonGroupScope(const PythonGroupScope&) = delete;
    PythonGroupScope& operator=(const PythonGroupScope&) = delete;
    PythonGroupScope(PythonGroupScope&&) = delete;
    PythonGroupScope& operator=(PythonGroupScope&&) = delete;
    ~PythonGroupScope() { m_builder.group = m_before; }

private:
    PythonProgramBuilder& m_builder;
    std::int64_t m_before;
};

} // namespace core
