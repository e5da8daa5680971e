// Matrix products.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/product_finish.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>

namespace simulator {
namespace {

/// Multiply-adds of one part: long enough to be worth a thread.
constexpr std::int64_t workPerPart = 2'000'000;

/// How one product is cut: by columns while they last, then by rows.
struct ProductPartition {
    WorkPartition columns;
    WorkPartition rows;

    ProductPartition(const MatrixProduct& product, std::int64_t columnGrain) {
        const std::int64_t work = product.rows * product.columns * std::max<std::int64_t>(product.inner, 1);
        const std::int64_t parts = std::clamp<std::int64_t>(work / workPerPart, 1, 8);
        // A packed right operand is packed once per block of columns, so whole columns go first.
        const std::int64_t columnParts =
            std::clamp<std::int64_t>(product.columns / (2 * columnGrain), 1, parts);
        const std::int64_t rowParts = std::clamp<std::int64_t>(product.rows / 64, 1, parts / columnParts);
        columns = {product.columns,
                   roundedUp((product.columns + columnParts - 1) / columnParts, columnGrain)};
        rows = {product.rows, roundedUp((product.rows + rowParts - 1) / rowParts, 8)};
    }
    static std::int64_t roundedUp(std::int64_t value, std::int64_t grain) {
        return std::max<std::int64_t>(1, (value + grain - 1) / grain) * grain;
    }
    [[nodiscard]] std::int64_t parts() const { return columns.parts() * rows.parts(); }
};

/// Offsets of every product of a batch: the leading axes broadcast.
struct BatchOffsets {
    std::vector<std::int64_t> left;
    std::vector<std::int64_t> right;
    std::vector<std::int64_t> out;
};

Extents leading(const Extents& extents) {
    return {extents.begin(), extents.end() - 2};
}

std::int64_t offsetOf(std::int64_t position, const Extents& batch, const Extents& own, std::int64_t block) {
    std::int64_t offset = 0;
    std::int64_t stride = block;
    for (std::size_t back = 1; back <= own.size(); ++back) {
        const std::int64_t extent = own[own.size() - back];
        const std::int64_t index = position % batch[batch.size() - back];
        position /= batch[batch.size() - back];
        offset += (extent == 1 ? 0 : index) * stride;
        stride *= extent;
    }
    return offset;
}

BatchOffsets batchOffsets(const MatrixProduct& product, const Extents& left, const Extents& right) {
    const Extents batch = broadcastExtents(leading(left), leading(right));
    BatchOffsets offsets;
    for (std::int64_t i = 0; i < elementCount(batch); ++i) {
        offsets.left.push_back(offsetOf(i, batch, leading(left), product.rows * product.inner));
        offsets.right.push_back(offsetOf(i, batch, leading(right), product.inner * product.columns));
        offsets.out.push_back(i * product.rows * product.columns);
    }
    return offsets;
}

/// Elements of a gradient that are computed before the update takes them: what the second level of the cache
/// holds.
constexpr std::int64_t panelElements = 48 * 1024;
constexpr std::int64_t panelWidth = 384;

/// A product whose rows a weight update takes as soon as they are there: panels of whole rows, or of parts of
/// long ones.
void bindUpdatedProduct(const MatrixProduct& product, const FusedEnd& end, BoundOperation& bound) {
    const MatrixKernels& kernel = kernels().matrix;
    const auto work = static_cast<std::size_t>(kernel.productScratch()) * sizeof(float);
    // Each panel brings its part of the right operand into order: rather many rows than wide ones.
    const std::int64_t widest = panelWidth / kernel.columnGrain * kernel.columnGrain;
    const std::int64_t width = std::clamp<std::int64_t>(product.columns, 1, widest);
    const WorkPartition columns{product.columns, width};
    const WorkPartition rows{product.rows, std::max<std::int64_t>(8, panelElements / width / 8 * 8)};
    bound.threadScratch =
        std::max(bound.threadScratch, work + static_cast<std::size_t>(rows.grain * width) * sizeof(float));
    const ElementUpdate update =
        elementUpdate(std::get<OptimizerUpdate>(end.update->attributes), end.updated);
    const auto run = [=, &kernel](const StepState& state, std::int64_t part, std::byte* scratch) {
        auto* panel = reinterpret_cast<float*>(scratch + work);
        const std::int64_t row = rows.begin(part / columns.parts());
        const std::int64_t column = columns.begin(part % columns.parts());
        const std::int64_t rowCount = rows.end(part / columns.parts()) - row;
        const std::int64_t columnCount = columns.end(part % columns.parts()) - column;
        MatrixProduct one = product;
        one.left += row * product.leftRow;
        one.right += column * product.rightColumn;
        one.out = panel;
        one.outRow = columnCount;
        kernel.product(one, 0, rowCount, 0, columnCount, reinterpret_cast<float*>(scratch));
        if (columnCount == product.columns)
            update(state, panel, row * columnCount, rowCount * columnCount);
        else
            for (std::int64_t i = 0; i < rowCount; ++i)
                update(state, panel + i * columnCount, (row + i) * product.columns + column, columnCount);
    };
    bound.phases.push_back({rows.parts() * columns.parts(), run});
}

} // namespace

static void bindMatMul(BindRequest& request, BoundOperation& bound) {
    const auto& matMul = request.attributes<MatMul>();
    const Extents& left = request.inputs[0].extents();
    const Extents& right = request.inputs[1].extents();
    const auto last = [](const Extents& extents, std::size_t back) { return extents[extents.size() - back]; };
    MatrixProduct product;
    product.rows = last(left, matMul.transposeLeft ? 1 : 2);
    product.inner = last(left, matMul.transposeLeft ? 2 : 1);
    product.columns = last(right, matMul.transposeRight ? 2 : 1);
    product.leftRow = matMul.transposeLeft ? 1 : product.inner;
    product.leftColumn = matMul.transposeLeft ? product.rows : 1;
    product.rightRow = matMul.transposeRight ? 1 : product.columns;
    product.rightColumn = matMul.transposeRight ? product.inner : 1;
    product.outRow = product.columns;
    product.left = request.inputs[0].as();
    product.right = request.inputs[1].as();
    product.out = request.outputs[0].as();
    const ProductFinish finish = productFinish(request, bound);
    finish.applyTo(product);
    product.addend = finish.addend;
    product.partials = request.partials(matMul.halfPartials);
    if (request.end.update != nullptr) {
        bindUpdatedProduct(product, request.end, bound);
        return;
    }
    BatchOffsets offsets = batchOffsets(product, left, right);
    if (right.size() == 2 && !matMul.transposeLeft) {
        // One right operand for the whole batch: its leading axes are more rows.
        product.rows *= static_cast<std::int64_t>(offsets.left.size());
        offsets = {{0}, {0}, {0}};
    }
    const MatrixKernels& kernel = kernels().matrix;
    const ProductPartition partition(product, kernel.columnGrain);
    const bool accumulates = request.end.accumulate;
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(kernel.productScratch()) * sizeof(float));
    const std::int64_t parts = partition.parts();
    const auto run = [product, partition, parts, offsets, accumulates,
                      &kernel](const StepState& state, std::int64_t part, std::byte* scratch) {
        MatrixProduct one = product;
        const auto batch = static_cast<std::size_t>(part / parts);
        one.left += offsets.left[batch];
        one.right += offsets.right[batch];
        one.out += offsets.out[batch];
        if (one.addend != nullptr)
            one.addend += offsets.out[batch];
        one.accumulate = accumulates && state.microBatch > 0;
        const std::int64_t local = part % parts;
        const std::int64_t column = local % partition.columns.parts();
        const std::int64_t row = local / partition.columns.parts();
        kernel.product(one, partition.rows.begin(row), partition.rows.end(row),
                       partition.columns.begin(column), partition.columns.end(column),
                       reinterpret_cast<float*>(scratch));
    };
    bound.phases.push_back({parts * static_cast<std::int64_t>(offsets.left.size()), run});
}

std::span<const PartRow<Binding>> productsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<MatMul>(), {bindMatMul}}};
    return rows;
}

} // namespace simulator
