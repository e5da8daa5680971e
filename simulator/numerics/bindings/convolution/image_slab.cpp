#include "simulator/numerics/bindings/convolution/image_slab.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>

namespace simulator {
namespace {

void copySlab(const ImageSlab& slab, const float* image, const std::int64_t* imageExtents, float* to) {
    const auto& movement = kernels().movement;
    const auto move = movement.move(sizeof(float));
    movement.fill(to, 0, 0, slab.size());
    StridedMove box;
    std::int64_t imageStride = slab.channels;
    std::int64_t from = 0;
    std::int64_t into = 0;
    for (int axis = fieldAxes - 1; axis >= 0; --axis) {
        const auto i = static_cast<std::size_t>(axis);
        const std::int64_t first = std::max<std::int64_t>(0, slab.begin[i]);
        const std::int64_t last = std::min(imageExtents[i], slab.begin[i] + slab.extents[i]);
        if (last <= first)
            return;
        box.extents[movementAxes - 4 + axis] = last - first;
        box.fromStrides[movementAxes - 4 + axis] = imageStride;
        box.toStrides[movementAxes - 4 + axis] = slab.stride(axis);
        from += first * imageStride;
        into += (first - slab.begin[i]) * slab.stride(axis);
        imageStride *= imageExtents[i];
    }
    box.extents[movementAxes - 1] = slab.channels;
    box.fromStrides[movementAxes - 1] = 1;
    box.toStrides[movementAxes - 1] = 1;
    box.from = image + from;
    box.to = to + into;
    std::int64_t rows = 1;
    for (int axis = 0; axis < movementAxes - 1; ++axis)
        rows *= box.extents[axis];
    move(box, 0, rows);
}

} // namespace

ImageSlab wholeImage(ImageSlab slab, const std::int64_t* extents) {
    for (std::size_t i = 0; i < fieldAxes; ++i)
        slab.extents[i] = extents[i];
    return slab;
}

SlabSource::SlabSource(const ImageSlab& wanted, const float* image, const std::int64_t* extents,
                       float* scratch)
    : data(scratch)
    , slab(wanted) {
    if (wanted.isInside(extents)) {
        isDirect = true;
        slab = wholeImage(wanted, extents);
        data = image;
        for (int i = 0; i < fieldAxes; ++i)
            data += wanted.begin[static_cast<std::size_t>(i)] * slab.stride(i);
    } else {
        copySlab(wanted, image, extents, scratch);
    }
}

} // namespace simulator
