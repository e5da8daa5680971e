#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <string>

namespace core {

/// Where samples come from. `kind` names a reader of simulator/data ("idx", "csv", "npy", "npz", "synthetic",
/// …) and `parameters` holds that reader's own keys as the project file has them. Paths are relative to the
/// folder of the project file.
struct DatasetSpec {
    std::string kind;
    Json parameters = Json::object();

    bool operator==(const DatasetSpec&) const = default;
};

} // namespace core
