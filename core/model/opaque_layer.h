#pragma once

#include "core/model/shape.h"

#include <cstdint>
#include <map>
#include <string>

namespace core {

/// A declared shape and cost for a layer the catalogue does not know.
struct OpaqueLayer {
    Shape outputShape;
    std::int64_t parameters = 0;
    std::int64_t flops = 0;

    bool operator==(const OpaqueLayer&) const = default;
};

/// By layer name.
using OpaqueLayers = std::map<std::string, OpaqueLayer>;

} // namespace core
