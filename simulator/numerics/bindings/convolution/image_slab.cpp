#include "simulator/numerics/bindings/convolution/image_slab.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <array>

namespace simulator {
namespace {

/// The range of an axis that lies in the image, counted from the slab's begin.
struct Inside {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Zeros everywhere but in the box `inside`: the image itself is copied there.
void clearAround(const ImageSlab& slab, const std::array<Inside, fieldAxes>& inside, float* to) {
    const auto fill = kernels().movement.fill;
    const auto clear = [&](std::int64_t begin, std::int64_t end) { fill(to, 0, begin, end); };
    const auto isOutside = [&](int axis, std::int64_t at) {
        const Inside& range = inside[static_cast<std::size_t>(axis)];
        return at < range.first || at >= range.last;
    };
    for (std::int64_t i = 0; i < slab.extents[0]; ++i) {
        const std::int64_t plane = i * slab.stride(0);
        if (isOutside(0, i)) {
            clear(plane, plane + slab.stride(0));
            continue;
        }
        for (std::int64_t j = 0; j < slab.extents[1]; ++j) {
            const std::int64_t row = plane + j * slab.stride(1);
            if (isOutside(1, j)) {
                clear(row, row + slab.stride(1));
                continue;
            }
            clear(row, row + inside[2].first * slab.channels);
            clear(row + inside[2].last * slab.channels, row + slab.stride(1));
        }
    }
}

void copySlab(const ImageSlab& slab, const float* image, const std::int64_t* imageExtents, float* to) {
    const auto& movement = kernels().movement;
    const auto move = movement.move(sizeof(float));
    StridedMove box;
    std::array<Inside, fieldAxes> inside;
    std::int64_t imageStride = slab.channels;
    std::int64_t from = 0;
    std::int64_t into = 0;
    for (int axis = fieldAxes - 1; axis >= 0; --axis) {
        const auto i = static_cast<std::size_t>(axis);
        const std::int64_t first = std::max<std::int64_t>(0, slab.begin[i]);
        const std::int64_t last = std::min(imageExtents[i], slab.begin[i] + slab.extents[i]);
        if (last <= first) {
            movement.fill(to, 0, 0, slab.size());
            return;
        }
        inside[i] = {first - slab.begin[i], last - slab.begin[i]};
        box.extents[movementAxes - 4 + axis] = last - first;
        box.fromStrides[movementAxes - 4 + axis] = imageStride;
        box.toStrides[movementAxes - 4 + axis] = slab.stride(axis);
        from += first * imageStride;
        into += inside[i].first * slab.stride(axis);
        imageStride *= imageExtents[i];
    }
    clearAround(slab, inside, to);
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
