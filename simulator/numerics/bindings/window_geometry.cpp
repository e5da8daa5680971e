#include "simulator/numerics/bindings/window_geometry.h"

namespace simulator {

WindowMap windowMap(const WindowGeometry& window, const Extents& input, const Extents& output) {
    WindowMap map;
    map.channels = input.back();
    const std::size_t axes = window.kernel.size();
    for (std::size_t i = 0; i < axes; ++i) {
        const std::size_t at = fieldAxes - axes + i;
        map.inputs[at] = input[i + 1];
        map.outputs[at] = output[i + 1];
        map.kernel[at] = window.kernel[i];
        map.stride[at] = window.stride[i];
        map.dilation[at] = window.dilation[i];
        map.paddingLow[at] = window.paddingLow[i];
        map.paddingHigh[at] = window.paddingHigh[i];
    }
    return map;
}

} // namespace simulator
