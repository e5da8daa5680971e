#include "core/model/shape.h"

#include <fmt/format.h>

namespace core {

Dimension Shape::elementCount() const {
    std::int64_t count = 1;
    for (const Dimension& extent : dimensions) {
        if (!extent || __builtin_mul_overflow(count, *extent, &count))
            return std::nullopt;
    }
    return count;
}

std::string toText(const Shape& shape) {
    std::string text = "(";
    for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
        text += axis == 0 ? "" : ", ";
        text += shape[axis] ? std::to_string(*shape[axis]) : "None";
    }
    return text + (shape.rank() == 1 ? ",)" : ")");
}

} // namespace core
