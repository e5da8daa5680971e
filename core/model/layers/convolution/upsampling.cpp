#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

template <std::size_t Rank>
RuleResult<CallFacts> describeUpsampling(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    const auto factors = call.attributes.integers("size");
    const std::size_t first = firstFieldAxis(call.attributes);
    for (std::size_t i = 0; i < Rank; ++i)
        shape[first + i] = (Count(shape[first + i]) * factors[i]).known();
    return output(shape, call.inputType());
}

LayerDefinition upsamplingRow(std::string className, std::string documentation, std::size_t rank,
                              LayerRule rule) {
    return layerRow(
        std::move(className), LayerCategory::Reshaping, std::move(documentation),
        {tuple("size", rank, "How often each element is repeated along each field axis.").defaults(2),
         dataFormat()},
        rule);
}

} // namespace

LayerFamily upsamplingLayers() {
    LayerFamily family{
        upsamplingRow("UpSampling1D", "Repeats the steps of a sequence.", 1, describeUpsampling<1>),
        upsamplingRow("UpSampling2D", "Enlarges an image.", 2, describeUpsampling<2>),
        upsamplingRow("UpSampling3D", "Enlarges a volume.", 3, describeUpsampling<3>),
    };
    family[1].attributes.push_back(choice(
        "interpolation",
        {"nearest", "bilinear", "bicubic", "area", "gaussian", "lanczos3", "lanczos5", "mitchellcubic"},
        "How new elements are found."));
    return family;
}

} // namespace core
