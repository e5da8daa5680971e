#pragma once

#include "core/base/result.h"
#include "core/model/onnx/onnx_model.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// An input of a graph that a program cannot be fed, because its extents are static and its inputs share the
/// batch axis: it needs a value when the model is imported.
struct OnnxFixedInput {
    std::string name;
    /// The node that the input decides extents of; empty where it only lacks the batch axis.
    std::string node;
    std::string operation;

    bool operator==(const OnnxFixedInput&) const = default;
};
/// Inputs whose values decide extents (a shape, an axis, a count), and inputs whose first extent is another
/// than that of the first fed input.
[[nodiscard]] std::vector<OnnxFixedInput> inputsToFix(const OnnxModel& model);

/// The same file with values for inputs. A message of protocol buffers that follows another in a file adds to
/// it, so the values are at the end as initializers.
[[nodiscard]] std::string withInputValues(std::string_view bytes,
                                          const std::map<std::string, OnnxTensor>& values);

/// A value for an input from a list of numbers ("2,3,-1"). Extents and type are the input's where they are
/// known. Errors: "onnx/input-value".
[[nodiscard]] Result<OnnxTensor> inputValue(const OnnxValue& input, std::string_view numbers);

} // namespace core
