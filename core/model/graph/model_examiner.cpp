#include "core/model/graph/model_examiner.h"

#include <algorithm>

namespace core {

namespace {

/// Batch sizes and precisions of a sweep come in turn; a large model takes about a megabyte for each.
constexpr std::size_t mostExaminations = 16;

} // namespace

ExaminedModel examineModel(const ModelGraph& model, const InferenceOptions& options) {
    ExaminedModel examined;
    auto flattened = flattenModel(model, options.file);
    if (!flattened) {
        examined.findings = std::move(flattened.error());
        return examined;
    }
    examined.flattened = std::move(*flattened);
    InferredModel inferred = inferKnownShapes(model, options);
    examined.findings = std::move(inferred.findings);
    examined.graph = std::make_shared<const TypedGraph>(std::move(inferred.graph));
    return examined;
}

std::shared_ptr<const ExaminedModel> ModelExaminer::examined(const InferenceOptions& options) {
    const auto known =
        std::ranges::find_if(m_known, [&](const auto& entry) { return entry.first == options; });
    if (known != m_known.end()) {
        m_known.splice(m_known.begin(), m_known, known);
        return m_known.front().second;
    }
    m_known.emplace_front(options, std::make_shared<const ExaminedModel>(examineModel(*m_model, options)));
    if (m_known.size() > mostExaminations)
        m_known.pop_back();
    return m_known.front().second;
}

} // namespace core
