#pragma once

#include "core/model/onnx/onnx_model.h"
#include "core/model/shape.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace core {

/// Stands for the extent of an open batch axis while a model is imported: a multiple of a prime, so that few
/// other extents are, and of small numbers, so that batches cut into parts are whole.
inline constexpr std::int64_t openBatchPrime = 4999;
inline constexpr std::int64_t openBatch = 12 * openBatchPrime;

/// value + perSample · extent of the batch axis.
struct BatchNumber {
    double value = 0;
    double perSample = 0;

    [[nodiscard]] bool isConstant() const { return perSample == 0; }
    bool operator==(const BatchNumber&) const = default;
};

/// The value of a small tensor that is the same in every run, but for the batch.
struct KnownValue {
    std::vector<std::int64_t> extents;
    OnnxType type = OnnxType::Int64;
    std::vector<BatchNumber> elements;

    [[nodiscard]] bool dependsOnBatch() const;
    /// Its own numbers; those that depend on the batch without their share of it.
    [[nodiscard]] std::vector<double> numbers() const;
    [[nodiscard]] std::vector<double> perSample() const;
};

/// The one place where constants of a graph are folded: initializers, `Constant` nodes, shapes, and what is
/// worked out from them. Worked out only when asked for.
class KnownValues {
public:
    /// `shapeOf` answers the shape of a tensor that is no constant; in it the multiples of `openBatchPrime`,
    /// where the batch is open, are parts and multiples of the extent of the batch axis.
    KnownValues(const OnnxGraph& graph, bool hasOpenBatch,
                std::function<std::optional<Shape>(const std::string&)> shapeOf);

    /// Nothing when it depends on data, or is too large.
    [[nodiscard]] const KnownValue* find(const std::string& name);
    /// Worked out from initializers of several real numbers: weights that a training changes.
    [[nodiscard]] bool isTrained(const std::string& name) const { return m_isTrained.contains(name); }
    /// Every element is 0, also where the extents are not known.
    [[nodiscard]] bool isZero(const std::string& name);

private:
    [[nodiscard]] const KnownValue* find(const std::string& name, int depth);
    [[nodiscard]] const KnownValue* evaluate(const OnnxNode& node, const std::string& name, int depth);
    [[nodiscard]] std::optional<KnownValue> ofShape(const OnnxNode& node) const;
    [[nodiscard]] BatchNumber extentNumber(std::int64_t extent) const;
    [[nodiscard]] bool isZero(const std::string& name, int depth);

    bool m_hasOpenBatch;
    std::function<std::optional<Shape>(const std::string&)> m_shapeOf;
    std::map<std::string, const OnnxNode*> m_writers;
    std::map<std::string, KnownValue> m_values;
    std::set<std::string> m_unknown;
    std::set<std::string> m_isTrained;
};

} // namespace core
