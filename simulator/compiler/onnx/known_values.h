#pragma once

#include "core/interchange/onnx/onnx_model.h"
#include "simulator/graph/operation.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// The value of a small tensor while the program is compiled.
struct KnownValue {
    Extents extents;
    core::OnnxType type = core::OnnxType::Int64;
    std::vector<double> values;
};

/// Values of tensors that decide extents: shapes and what is worked out from them, constants, and the fed
/// values of inputs. Worked out only when asked for.
class KnownValues {
public:
    /// `extentsOf` answers the extents of a tensor that was lowered already.
    KnownValues(const core::OnnxGraph& graph,
                std::function<std::optional<Extents>(const std::string&)> extentsOf);

    void set(const std::string& name, KnownValue value) { m_values[name] = std::move(value); }
    /// The value changes from run to run though one is known.
    void markFed(const std::string& name) { m_isFed.insert(name); }

    /// Nothing when it depends on what is not known, or is too large.
    [[nodiscard]] const KnownValue* find(const std::string& name);
    /// Known and the same in every run.
    [[nodiscard]] bool isStatic(const std::string& name);

private:
    const KnownValue* evaluate(const core::OnnxNode& node, const std::string& name, int depth);
    const KnownValue* find(const std::string& name, int depth);

    std::function<std::optional<Extents>(const std::string&)> m_extentsOf;
    std::map<std::string, const core::OnnxNode*> m_writers;
    std::map<std::string, KnownValue> m_values;
    std::set<std::string> m_unknown;
    std::set<std::string> m_isFed;
};

} // namespace simulator
