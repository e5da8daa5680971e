#include "core/model/layers/attribute_groups.h"

namespace core {

using namespace attribute;

Attributes joined(std::initializer_list<Attributes> lists) {
    Attributes all;
    for (const Attributes& list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

Attributes weightObjects(std::initializer_list<std::string> weights) {
    Attributes list{boolean("use_bias", true, "Whether a bias is added.").alias("bias")};

    for (const std::string& weight : weights) {
        const char* start = weight == "bias"        ? "zeros"
                            : weight == "recurrent" ? "orthogonal"
                                                    : "glorot_uniform";
        list.push_back(initializer(weight + "_initializer", start, "How the " + weight + " weights start."));
    }
    for (const std::string& weight : weights)
        list.push_back(regularizer(weight + "_regularizer", "Penalty on the " + weight + " weights."));
    list.push_back(regularizer("activity_regularizer", "Penalty on the layer's output."));
    for (const std::string& weight : weights)
        list.push_back(constraint(weight + "_constraint",
                                  "Projection of the " + weight + " weights after each update."));
    return list;
}

AttributeDefinition paddingMode(bool withCausal) {
    std::vector<std::string> choices{"valid", "same"};
    if (withCausal)
        choices.emplace_back("causal");
    return choice("padding", std::move(choices),
                  "\"valid\" keeps to whole windows; \"same\" pads so that a stride of 1 keeps the extent.")
        .alias("border_mode");
}

AttributeDefinition dataFormat() {
    return choice("data_format", {"channels_last", "channels_first"},
                  "Whether the channel axis is the last one or the one after the batch axis.");
}

AttributeDefinition strides(std::size_t rank) {
    return tuple("strides", rank, "Step of the window along each field axis.").defaults(1).alias("subsample");
}

AttributeDefinition dilationRate(std::size_t rank) {
    return tuple("dilation_rate", rank, "Spacing of the window's elements along each field axis.")
        .defaults(1);
}

AttributeDefinition rate(std::string name, std::string documentation) {
    return number(std::move(name), std::move(documentation)).between(0, 1);
}

AttributeDefinition seed() {
    return json("seed", nullptr, "Seed of the random numbers; null takes the run's.");
}

AttributeDefinition epsilon(double byDefault) {
    return number("epsilon", "Added to the variance so that it is never 0.")
        .between(0, 1)
        .defaults(byDefault);
}

} // namespace core
