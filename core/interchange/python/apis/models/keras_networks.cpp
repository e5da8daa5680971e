#include "core/interchange/python/apis/models/keras_networks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace core {

namespace {

/// Layers in the order in which they are called.
class NetworkBuilder {
public:
    NetworkBuilder(std::string name, const NetworkRequest& request)
        : m_name(std::move(name))
        , m_height(request.height)
        , m_width(request.width) {
        m_layers.push_back(
            {{"class_name", "InputLayer"},
             {"config",
              {{"batch_input_shape", {nullptr, request.height, request.width, request.channels}},
               {"dtype", "float32"},
               {"name", "input_1"}}},
             {"name", "input_1"},
             {"inbound_nodes", Json::array()}});
        m_last = "input_1";
    }

    [[nodiscard]] const std::string& last() const { return m_last; }
    void goOnFrom(const std::string& layer) { m_last = layer; }

    /// Of the last layer, or of those that are named.
    void add(const char* className, const std::string& name, Json config = Json::object(),
             const std::vector<std::string>& inputs = {}) {
        Json node = Json::array();
        for (const std::string& input : inputs.empty() ? std::vector{m_last} : inputs)
            node.push_back(Json::array({input, 0, 0, Json::object()}));
        config["name"] = name;
        m_layers.push_back({{"class_name", className},
                            {"config", std::move(config)},
                            {"name", name},
                            {"inbound_nodes", Json::array({std::move(node)})}});
        m_last = name;
    }

    void activate(const std::string& name, const char* function) {
        add("Activation", name, {{"activation", function}});
    }
    void relu6(const std::string& name) { add("ReLU", name, {{"max_value", 6.0}}); }
    void normalise(const std::string& name, double epsilon, double momentum) {
        add("BatchNormalization", name, {{"epsilon", epsilon}, {"momentum", momentum}});
    }

    /// Without a bias unless it is asked for.
    void convolve(const std::string& name, std::int64_t filters, std::int64_t kernel, std::int64_t stride = 1,
                  const char* padding = "same", Json more = Json::object()) {
        Json config{{"filters", filters},
                    {"kernel_size", {kernel, kernel}},
                    {"strides", {stride, stride}},
                    {"padding", padding},
                    {"use_bias", false}};
        config.update(more);
        add("Conv2D", name, std::move(config));
        shrink(stride);
    }
    /// Of every channel by itself; where it strides, behind a layer that pads.
    void convolveChannels(const std::string& name, const std::string& padName, std::int64_t kernel,
                          std::int64_t stride) {
        if (stride > 1)
            padFor(padName, kernel);
        add("DepthwiseConv2D", name,
            {{"kernel_size", {kernel, kernel}},
             {"strides", {stride, stride}},
             {"padding", stride > 1 ? "valid" : "same"},
             {"use_bias", false}});
        shrink(stride);
    }
    /// One less in front of even extents. Source: imagenet_utils.correct_pad().
    void padFor(const std::string& name, std::int64_t kernel) {
        const auto sides = [&](std::int64_t extent) {
            return Json::array({kernel / 2 - (extent % 2 == 0 ? 1 : 0), kernel / 2});
        };
        add("ZeroPadding2D", name, {{"padding", Json::array({sides(m_height), sides(m_width)})}});
    }
    void shrink(std::int64_t stride) {
        m_height = (m_height + stride - 1) / stride;
        m_width = (m_width + stride - 1) / stride;
    }

    /// The means or maxima of the last block, where they are asked for.
    void pool(const std::string& pooling, const char* means, const char* maxima) {
        if (pooling == "avg")
            add("GlobalAveragePooling2D", means);
        else if (pooling == "max")
            add("GlobalMaxPooling2D", maxima);
    }

    [[nodiscard]] Json finish() && {
        return {{"class_name", "Functional"},
                {"config",
                 {{"name", m_name},
                  {"layers", std::move(m_layers)},
                  {"input_layers", Json::array({Json::array({"input_1", 0, 0})})},
                  {"output_layers", Json::array({Json::array({m_last, 0, 0})})}}}};
    }

private:
    std::string m_name;
    std::string m_last;
    std::int64_t m_height;
    std::int64_t m_width;
    Json m_layers = Json::array();
};

/// A multiple of 8, never below 90 % of it.
std::int64_t roundedWidth(double filters) {
    constexpr std::int64_t divisor = 8;
    const std::int64_t rounded =
        std::max(divisor, static_cast<std::int64_t>(filters + divisor / 2.0) / divisor * divisor);
    return static_cast<double>(rounded) < 0.9 * filters ? rounded + divisor : rounded;
}

// ---- MobileNet ------------------------------------------------------------------------------------------

constexpr double mobileEpsilon = 1e-3;

Json mobileNet(const NetworkRequest& request) {
    struct Block {
        std::int64_t filters;
        std::int64_t stride;
    };
    constexpr std::array<Block, 13> blocks{{{64, 1},
                                            {128, 2},
                                            {128, 1},
                                            {256, 2},
                                            {256, 1},
                                            {512, 2},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {1024, 2},
                                            {1024, 1}}};
    constexpr double momentum = 0.99;
    const auto width = [&](std::int64_t filters) {
        return static_cast<std::int64_t>(static_cast<double>(filters) * request.alpha);
    };
    NetworkBuilder net(fmt::format("mobilenet_{:.2f}_{}", request.alpha, request.height), request);
    const auto activated = [&](const std::string& name) {
        net.normalise(name + "_bn", mobileEpsilon, momentum);
        net.relu6(name + "_relu");
    };
    net.convolve("conv1", width(32), 3, 2);
    activated("conv1");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string depthwise = fmt::format("conv_dw_{}", i + 1);
        const std::string pointwise = fmt::format("conv_pw_{}", i + 1);
        net.convolveChannels(depthwise, fmt::format("conv_pad_{}", i + 1), 3, blocks[i].stride);
        activated(depthwise);
        net.convolve(pointwise, width(blocks[i].filters), 1);
        activated(pointwise);
    }
    if (!request.hasTop) {
        net.pool(request.pooling, "global_average_pooling2d", "global_max_pooling2d");
        return std::move(net).finish();
    }
    net.add("GlobalAveragePooling2D", "global_average_pooling2d");
    net.add("Reshape", "reshape_1", {{"target_shape", {1, 1, width(1024)}}});
    net.add("Dropout", "dropout", {{"rate", 0.001}});
    net.convolve("conv_preds", request.classes, 1, 1, "same", {{"use_bias", true}});
    net.add("Reshape", "reshape_2", {{"target_shape", {request.classes}}});
    net.activate("predictions", "softmax");
    return std::move(net).finish();
}

// ---- MobileNetV2 ----------------------------------------------------------------------------------------

Json mobileNetV2(const NetworkRequest& request) {
    struct Group {
        std::int64_t filters;
        int count;
        std::int64_t stride;
        std::int64_t expansion;
    };
    constexpr std::array<Group, 7> groups{{{16, 1, 1, 1},
                                           {24, 2, 2, 6},
                                           {32, 3, 2, 6},
                                           {64, 4, 2, 6},
                                           {96, 3, 1, 6},
                                           {160, 3, 2, 6},
                                           {320, 1, 1, 6}}};
    constexpr double momentum = 0.999;
    NetworkBuilder net(fmt::format("mobilenetv2_{:.2f}_{}", request.alpha, request.height), request);
    std::int64_t channels = roundedWidth(32 * request.alpha);
    net.convolve("Conv1", channels, 3, 2);
    net.normalise("bn_Conv1", mobileEpsilon, momentum);
    net.relu6("Conv1_relu");
    int number = 0;
    for (const Group& group : groups) {
        for (int i = 0; i < group.count; ++i, ++number) {
            const std::string entry = net.last();
            const std::string prefix = number == 0 ? "expanded_conv_" : fmt::format("block_{}_", number);
            const std::int64_t stride = i == 0 ? group.stride : 1;
            const std::int64_t outputs = roundedWidth(static_cast<double>(group.filters) * request.alpha);
            if (number > 0) {
                net.convolve(prefix + "expand", channels * group.expansion, 1);
                net.normalise(prefix + "expand_BN", mobileEpsilon, momentum);
                net.relu6(prefix + "expand_relu");
            }
            net.convolveChannels(prefix + "depthwise", prefix + "pad", 3, stride);
            net.normalise(prefix + "depthwise_BN", mobileEpsilon, momentum);
            net.relu6(prefix + "depthwise_relu");
            net.convolve(prefix + "project", outputs, 1);
            net.normalise(prefix + "project_BN", mobileEpsilon, momentum);
            if (stride == 1 && channels == outputs)
                net.add("Add", prefix + "add", Json::object(), {entry, net.last()});
            channels = outputs;
        }
    }
    net.convolve("Conv_1", request.alpha > 1 ? roundedWidth(1280 * request.alpha) : 1280, 1, 1, "valid");
    net.normalise("Conv_1_bn", mobileEpsilon, momentum);
    net.relu6("out_relu");
    if (!request.hasTop) {
        net.pool(request.pooling, "global_average_pooling2d", "global_max_pooling2d");
        return std::move(net).finish();
    }
    net.add("GlobalAveragePooling2D", "global_average_pooling2d");
    net.add("Dense", "predictions", {{"units", request.classes}, {"activation", "softmax"}});
    return std::move(net).finish();
}

// ---- DenseNet -------------------------------------------------------------------------------------------

struct DenseNetwork {
    std::string_view name;
    std::array<int, 4> blocks;
};
constexpr std::array<DenseNetwork, 3> denseNetworks{
    {{"DenseNet121", {6, 12, 24, 16}}, {"DenseNet169", {6, 12, 32, 32}}, {"DenseNet201", {6, 12, 48, 32}}}};

class DenseNetBuilder {
public:
    DenseNetBuilder(const DenseNetwork& network, const NetworkRequest& request)
        : m_request(request)
        , m_blocks(network.blocks)
        , m_net("densenet" + std::string(network.name.substr(std::string_view("DenseNet").size())), request) {
    }

    Json build() && {
        pad("zero_padding2d", 3);
        m_net.convolve("conv1/conv", m_channels, 7, 2, "valid");
        activated("conv1/bn", "conv1/relu");
        pad("zero_padding2d_1", 1);
        m_net.add("MaxPooling2D", "pool1",
                  {{"pool_size", {3, 3}}, {"strides", {2, 2}}, {"padding", "valid"}});
        for (std::size_t i = 0; i < m_blocks.size(); ++i) {
            for (int j = 1; j <= m_blocks[i]; ++j)
                addBlock(fmt::format("conv{}_block{}", i + 2, j));
            if (i + 1 < m_blocks.size())
                addTransition(fmt::format("pool{}", i + 2));
        }
        activated("bn", "relu");
        if (!m_request.hasTop) {
            m_net.pool(m_request.pooling, "avg_pool", "max_pool");
            return std::move(m_net).finish();
        }
        m_net.add("GlobalAveragePooling2D", "avg_pool");
        m_net.add("Dense", "predictions", {{"units", m_request.classes}, {"activation", "softmax"}});
        return std::move(m_net).finish();
    }

private:
    void pad(const std::string& name, int amount) {
        const Json sides = Json::array({amount, amount});
        m_net.add("ZeroPadding2D", name, {{"padding", Json::array({sides, sides})}});
    }
    void activated(const std::string& norm, const std::string& activation) {
        constexpr double epsilon = 1.001e-5;
        m_net.normalise(norm, epsilon, 0.99);
        m_net.activate(activation, "relu");
    }
    void addBlock(const std::string& name) {
        constexpr std::int64_t growth = 32;
        const std::string entry = m_net.last();
        activated(name + "_0_bn", name + "_0_relu");
        m_net.convolve(name + "_1_conv", 4 * growth, 1, 1, "valid");
        activated(name + "_1_bn", name + "_1_relu");
        m_net.convolve(name + "_2_conv", growth, 3);
        m_net.add("Concatenate", name + "_concat", {{"axis", -1}}, {entry, m_net.last()});
        m_channels += growth;
    }
    void addTransition(const std::string& name) {
        activated(name + "_bn", name + "_relu");
        m_channels /= 2;
        m_net.convolve(name + "_conv", m_channels, 1, 1, "valid");
        m_net.add("AveragePooling2D", name + "_pool",
                  {{"pool_size", {2, 2}}, {"strides", {2, 2}}, {"padding", "valid"}});
    }

    const NetworkRequest& m_request;
    std::array<int, 4> m_blocks;
    NetworkBuilder m_net;
    std::int64_t m_channels = 64;
};

// ---- EfficientNet ---------------------------------------------------------------------------------------

struct EfficientNetwork {
    std::string_view name;
    double width;
    double depth;
    std::int64_t extent;
    double dropout;
};
constexpr std::array<EfficientNetwork, 8> efficientNetworks{{{"EfficientNetB0", 1.0, 1.0, 224, 0.2},
                                                             {"EfficientNetB1", 1.0, 1.1, 240, 0.2},
                                                             {"EfficientNetB2", 1.1, 1.2, 260, 0.3},
                                                             {"EfficientNetB3", 1.2, 1.4, 300, 0.3},
                                                             {"EfficientNetB4", 1.4, 1.8, 380, 0.4},
                                                             {"EfficientNetB5", 1.6, 2.2, 456, 0.4},
                                                             {"EfficientNetB6", 1.8, 2.6, 528, 0.5},
                                                             {"EfficientNetB7", 2.0, 3.1, 600, 0.5}}};

class EfficientNetBuilder {
public:
    EfficientNetBuilder(const EfficientNetwork& network, const NetworkRequest& request)
        : m_network(network)
        , m_request(request)
        , m_net("efficientnet" + std::string(1, 'b') + std::string(1, network.name.back()), request) {}

    Json build() && {
        m_net.add("Rescaling", "rescaling", {{"scale", 1.0 / 255}, {"offset", 0.0}});
        m_net.add("Normalization", "normalization", {{"axis", {-1}}});
        m_net.padFor("stem_conv_pad", 3);
        m_net.convolve("stem_conv", width(32), 3, 2, "valid");
        normalise("stem_bn");
        m_net.activate("stem_activation", "swish");
        int total = 0;
        for (const Group& group : groups)
            total += repeats(group);
        int done = 0;
        for (std::size_t i = 0; i < groups.size(); ++i)
            for (int j = 0; j < repeats(groups[i]); ++j)
                addBlock(groups[i], fmt::format("block{}{}_", i + 1, static_cast<char>('a' + j)), j == 0,
                         0.2 * done++ / total);
        m_net.convolve("top_conv", width(1280), 1);
        normalise("top_bn");
        m_net.activate("top_activation", "swish");
        if (!m_request.hasTop) {
            m_net.pool(m_request.pooling, "avg_pool", "max_pool");
            return std::move(m_net).finish();
        }
        m_net.add("GlobalAveragePooling2D", "avg_pool");
        m_net.add("Dropout", "top_dropout", {{"rate", m_network.dropout}});
        m_net.add("Dense", "predictions", {{"units", m_request.classes}, {"activation", "softmax"}});
        return std::move(m_net).finish();
    }

private:
    struct Group {
        std::int64_t kernel;
        int count;
        std::int64_t inputs;
        std::int64_t outputs;
        std::int64_t expansion;
        std::int64_t stride;
    };
    static constexpr std::array<Group, 7> groups{{{3, 1, 32, 16, 1, 1},
                                                  {3, 2, 16, 24, 6, 2},
                                                  {5, 2, 24, 40, 6, 2},
                                                  {3, 3, 40, 80, 6, 2},
                                                  {5, 3, 80, 112, 6, 1},
                                                  {5, 4, 112, 192, 6, 2},
                                                  {3, 1, 192, 320, 6, 1}}};

    [[nodiscard]] std::int64_t width(std::int64_t filters) const {
        return roundedWidth(static_cast<double>(filters) * m_network.width);
    }
    [[nodiscard]] int repeats(const Group& group) const {
        return static_cast<int>(std::ceil(m_network.depth * group.count));
    }
    void normalise(const std::string& name) { m_net.normalise(name, 1e-3, 0.99); }

    void addBlock(const Group& group, const std::string& name, bool isFirst, double dropped) {
        const std::string entry = m_net.last();
        const std::int64_t inputs = width(isFirst ? group.inputs : group.outputs);
        const std::int64_t outputs = width(group.outputs);
        const std::int64_t inner = inputs * group.expansion;
        const std::int64_t stride = isFirst ? group.stride : 1;
        if (group.expansion != 1) {
            m_net.convolve(name + "expand_conv", inner, 1);
            normalise(name + "expand_bn");
            m_net.activate(name + "expand_activation", "swish");
        }
        m_net.convolveChannels(name + "dwconv", name + "dwconv_pad", group.kernel, stride);
        normalise(name + "bn");
        m_net.activate(name + "activation", "swish");
        weighChannels(name, std::max<std::int64_t>(1, inputs / 4), inner);
        m_net.convolve(name + "project_conv", outputs, 1);
        normalise(name + "project_bn");
        if (stride != 1 || inputs != outputs)
            return;
        if (dropped > 0)
            m_net.add("Dropout", name + "drop", {{"rate", dropped}, {"noise_shape", {nullptr, 1, 1, 1}}});
        m_net.add("Add", name + "add", Json::object(), {m_net.last(), entry});
    }

    /// Squeeze and excitation.
    void weighChannels(const std::string& name, std::int64_t squeezed, std::int64_t channels) {
        const std::string entry = m_net.last();
        const auto pointwise = [&](const char* suffix, std::int64_t filters, const char* function) {
            m_net.convolve(name + suffix, filters, 1, 1, "same",
                           {{"use_bias", true}, {"activation", function}});
        };
        m_net.add("GlobalAveragePooling2D", name + "se_squeeze");
        m_net.add("Reshape", name + "se_reshape", {{"target_shape", {1, 1, channels}}});
        pointwise("se_reduce", squeezed, "swish");
        pointwise("se_expand", channels, "sigmoid");
        m_net.add("Multiply", name + "se_excite", Json::object(), {entry, m_net.last()});
    }

    const EfficientNetwork& m_network;
    const NetworkRequest& m_request;
    NetworkBuilder m_net;
};

template <class Rows>
auto rowOf(const Rows& rows, std::string_view name) {
    return std::ranges::find(rows, name, [](const auto& row) { return row.name; });
}

} // namespace

std::span<const std::string_view> networkNames() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> list{"MobileNet", "MobileNetV2"};
        for (const DenseNetwork& network : denseNetworks)
            list.push_back(network.name);
        for (const EfficientNetwork& network : efficientNetworks)
            list.push_back(network.name);
        return list;
    }();
    return names;
}

std::optional<std::int64_t> networkExtent(std::string_view name) {
    constexpr std::int64_t usual = 224;
    if (const auto row = rowOf(efficientNetworks, name); row != efficientNetworks.end())
        return row->extent;
    const bool isKnown =
        name == "MobileNet" || name == "MobileNetV2" || rowOf(denseNetworks, name) != denseNetworks.end();
    return isKnown ? std::optional(usual) : std::nullopt;
}

Json kerasNetwork(std::string_view name, const NetworkRequest& request) {
    if (const auto row = rowOf(efficientNetworks, name); row != efficientNetworks.end())
        return EfficientNetBuilder(*row, request).build();
    if (const auto row = rowOf(denseNetworks, name); row != denseNetworks.end())
        return DenseNetBuilder(*row, request).build();
    return name == "MobileNet" ? mobileNet(request) : mobileNetV2(request);
}

} // namespace core
