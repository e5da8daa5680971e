#include "simulator/catalogue/loss_formulas.h"
#include "simulator/cost/query/planned_operation.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using Kind = CostKeyKind;
constexpr std::string_view rowGroup = plannedGroup;

core::Result<CostAnswer> priceReduce(const CostArguments& arguments, const CostOperation&) {
    const std::int64_t rows = arguments.integer("rows");
    const std::int64_t columns = arguments.integer("columns");
    const bool overColumns = arguments.text("over") == "columns";
    return priced(arguments, Reduce{ReduceFunction::Sum, {overColumns ? 1 : 0}, false},
                  {{{rows, columns}, arguments.type("type")}},
                  {{{overColumns ? rows : columns}, arguments.type("type")}});
}

core::Result<CostAnswer> priceSoftmax(const CostArguments& arguments, const CostOperation&) {
    const TensorForm form{{arguments.integer("rows"), arguments.integer("columns")}, arguments.type("type")};
    if (arguments.isOn("gradient"))
        return priced(arguments, SoftmaxGradient{}, {form, form}, {form});
    return priced(arguments, Softmax{}, {form}, {form});
}

core::Result<CostAnswer> priceLoss(const CostArguments& arguments, const CostOperation&) {
    const core::DataType type = arguments.type("type");
    const TensorForm prediction{{arguments.integer("rows"), arguments.integer("columns")}, type};
    Loss loss;
    loss.className = arguments.text("name");
    loss.fromLogits = arguments.isOn("from_logits");
    if (arguments.isOn("gradient"))
        return priced(arguments, LossGradient{loss}, {prediction, prediction, {{}, type}}, {prediction});
    return priced(arguments, loss, {prediction, prediction}, {{{}, core::DataType::Float32}});
}

core::Result<CostAnswer> priceNormalization(const CostArguments& arguments, const CostOperation& operation) {
    constexpr std::array<std::string_view, 4> names{"batch_norm", "layer_norm", "group_norm",
                                                    "instance_norm"};
    const auto kind =
        static_cast<NormalizationKind>(std::ranges::find(names, operation.name) - names.begin());
    const core::DataType type = arguments.type("type");
    const Extents extents{arguments.integer("batch"), arguments.integer("positions"),
                          arguments.integer("channels")};
    const TensorForm x{extents, type};
    const TensorForm scale{{extents.back()}, type};
    const TensorForm statistic{{extents.back()}, core::DataType::Float32};
    const std::int64_t groups = arguments.integer("groups");
    Normalization norm;
    norm.kind = kind;
    norm.axes = {2};
    norm.groups = groups;
    if (arguments.isOn("gradient"))
        return priced(arguments, NormalizationGradient{norm}, {x, scale, statistic, statistic, x},
                      {x, scale, scale});
    norm.useMovingStatistics = arguments.isOn("inference") && kind == NormalizationKind::Batch;
    return priced(arguments, norm, {x, scale, scale}, {x, statistic, statistic});
}

} // namespace

std::vector<PricedOperation> rowOperations() {
    const CostKey rows = required("rows", "rows", 0, 1e9);
    const CostKey columns = required("columns", "elements of a row", 1, 1e9);
    std::vector<PricedOperation> operations{
        {{"reduce",
          rowGroup,
          "sums of a matrix",
          {rows,
           columns,
           {"over", Kind::Choice, "columns", "the axis that disappears", 0, 0, {"columns", "rows"}},
           {"type", Kind::Type, "float32", "element type"},
           tilesKey}},
         priceReduce},
        {{"softmax", rowGroup, "softmax of every row", {rows, columns, typeKey, gradientKey, tilesKey}},
         priceSoftmax},
        {{"loss",
          rowGroup,
          "a loss over rows of classes or values",
          {rows,
           columns,
           {"name", Kind::Choice, "SparseCategoricalCrossentropy", "Keras' class name", 0, 0,
            lossOperationNames()},
           {"from_logits", Kind::Switch, "true", "the rows are logits"},
           typeKey,
           gradientKey,
           tilesKey}},
         priceLoss},
    };
    for (const char* name : {"batch_norm", "layer_norm", "group_norm", "instance_norm"})
        operations.push_back({{name,
                               rowGroup,
                               "normalisation",
                               {optional("batch", "1", "samples", 0, 1e9),
                                required("positions", "field elements or tokens", 0, 1e9),
                                required("channels", "channels", 1, 1e7),
                                optional("groups", "1", "groups of group_norm", 1, 1e7),
                                {"inference", Kind::Switch, "false", "batch_norm with moving statistics"},
                                typeKey,
                                gradientKey,
                                tilesKey}},
                              priceNormalization});
    return operations;
}

} // namespace simulator
