#include "tests/views/graph/canvas_samples.h"

#include "views/graph/model/group_detection.h"

#include <map>

namespace tests {

using views::CanvasModel;
using views::CanvasNode;

namespace {

QString iconOf(const QString& className) {
    static const std::map<QString, QString> icons{
        {"Conv2D", "conv"},       {"BatchNormalization", "norm"},
        {"Activation", "act"},    {"ReLU", "act"},
        {"Add", "merge"},         {"Concatenate", "merge"},
        {"MaxPooling2D", "pool"}, {"GlobalAveragePooling2D", "pool"},
        {"ZeroPadding2D", "pad"}, {"UpSampling2D", "reshape"},
        {"InputLayer", "input"},  {"Dropout", "drop"},
    };
    const auto found = icons.find(className);
    return found == icons.end() ? QStringLiteral("dense") : found->second;
}

/// One bottleneck of ResNet-50; answers its last call.
int bottleneck(CanvasSample& sample, const QString& name, int input, int filters, int stride, bool shortcut,
               const QString& shape) {
    const QString size = QString::number(filters);
    int main = input;
    const auto convolution = [&](const QString& part, int from, const QString& kernel, int channels,
                                 int step) {
        const QString tail = step > 1 ? QStringLiteral(", /2") : QString();
        const int conv = sample.add(name + "_" + part + "_conv", "Conv2D", {from},
                                    kernel + ", " + QString::number(channels) + tail,
                                    shape + "×" + QString::number(channels));
        return sample.add(name + "_" + part + "_bn", "BatchNormalization", {conv}, {},
                          shape + "×" + QString::number(channels));
    };
    int side = input;
    if (shortcut)
        side = convolution("0", input, "1×1", 4 * filters, stride);
    main = convolution("1", main, "1×1", filters, stride);
    main = sample.add(name + "_1_relu", "Activation", {main}, "relu", shape + "×" + size);
    main = convolution("2", main, "3×3", filters, 1);
    main = sample.add(name + "_2_relu", "Activation", {main}, "relu", shape + "×" + size);
    main = convolution("3", main, "1×1", 4 * filters, 1);
    const QString out = shape + "×" + QString::number(4 * filters);
    main = sample.add(name + "_add", "Add", {side, main}, {}, out);
    return sample.add(name + "_out", "Activation", {main}, "relu", out);
}

} // namespace

int CanvasSample::add(const QString& name, const QString& className, const std::vector<int>& inputs,
                      const QString& attributes, const QString& shape) {
    CanvasNode node;
    node.key = {name.toStdString(), 0};
    node.name = name;
    node.className = className;
    node.attributes = attributes;
    node.icon = iconOf(className);
    node.isInput = className == "InputLayer";
    node.isMerge = className == "Add" || className == "Concatenate";
    node.isFollower = className == "BatchNormalization" || className == "Activation" || className == "ReLU" ||
                      className == "Dropout";
    node.stage = core::StageId(0);
    node.inputCount = int(inputs.size());
    node.outputShapes = {shape};
    const int index = int(m_model.nodes.size());
    node.drawn = core::InvocationId(std::size_t(index));
    node.assignable = std::size_t(index);
    m_model.nodes.push_back(node);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        m_model.edges.push_back({inputs[i], 0, index, int(i)});
    return index;
}

void CanvasSample::split(const std::vector<int>& lasts) {
    std::size_t stage = 0;
    for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
        while (stage + 1 < lasts.size() && int(i) > lasts[stage])
            ++stage;
        m_model.nodes[i].stage = core::StageId(stage);
    }
    m_model.stageCount = lasts.size();
}

CanvasModel CanvasSample::finish() {
    m_model.groupOf.assign(m_model.nodes.size(), -1);
    m_model.index();
    views::detectNameGroups(m_model);
    return std::move(m_model);
}

CanvasModel resnet50(std::size_t stages) {
    CanvasSample sample;
    int at = sample.add("input_1", "InputLayer", {}, {}, "224×224×3");
    at = sample.add("conv1_pad", "ZeroPadding2D", {at}, "3", "230×230×3");
    at = sample.add("conv1_conv", "Conv2D", {at}, "7×7, 64, /2", "112×112×64");
    at = sample.add("conv1_bn", "BatchNormalization", {at}, {}, "112×112×64");
    at = sample.add("conv1_relu", "Activation", {at}, "relu", "112×112×64");
    at = sample.add("pool1_pad", "ZeroPadding2D", {at}, "1", "114×114×64");
    at = sample.add("pool1_pool", "MaxPooling2D", {at}, "3×3, /2", "56×56×64");
    std::vector<int> ends;
    const std::vector<std::tuple<int, int, const char*>> parts{
        {3, 64, "56×56"}, {4, 128, "28×28"}, {6, 256, "14×14"}, {3, 512, "7×7"}};
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto& [count, filters, shape] = parts[p];
        for (int b = 1; b <= count; ++b) {
            const QString name = QStringLiteral("conv%1_block%2").arg(p + 2).arg(b);
            at = bottleneck(sample, name, at, filters, b == 1 && p > 0 ? 2 : 1, b == 1, shape);
            ends.push_back(at);
        }
    }
    at = sample.add("avg_pool", "GlobalAveragePooling2D", {at}, {}, "2048");
    at = sample.add("predictions", "Dense", {at}, "1000, softmax", "1000");
    std::vector<int> lasts;
    for (std::size_t k = 1; k < stages; ++k)
        lasts.push_back(ends[k * ends.size() / stages]);
    lasts.push_back(at);
    sample.split(lasts);
    return sample.finish();
}

CanvasModel chain(int count, std::size_t stages) {
    CanvasSample sample;
    int at = sample.add("input", "InputLayer", {}, {}, "784");
    for (int i = 0; i < count; ++i)
        at = sample.add(QStringLiteral("layer%1").arg(i), "Dense", {at}, "128, relu", "128");
    std::vector<int> lasts;
    for (std::size_t k = 1; k <= stages; ++k)
        lasts.push_back(int(k * std::size_t(count) / stages));
    sample.split(lasts);
    return sample.finish();
}

CanvasModel unet(std::size_t stages) {
    CanvasSample sample;
    int at = sample.add("image", "InputLayer", {}, {}, "512×512×1");
    std::vector<int> skips;
    for (int level = 0; level < 4; ++level) {
        const QString shape = QStringLiteral("%1×%1×%2").arg(512 >> level).arg(64 << level);
        at = sample.add(QStringLiteral("down%1_conv").arg(level), "Conv2D", {at}, "3×3", shape);
        at = sample.add(QStringLiteral("down%1_relu").arg(level), "Activation", {at}, "relu", shape);
        skips.push_back(at);
        at = sample.add(QStringLiteral("down%1_pool").arg(level), "MaxPooling2D", {at}, "2×2", shape);
    }
    for (int level = 3; level >= 0; --level) {
        const QString shape = QStringLiteral("%1×%1×%2").arg(512 >> level).arg(64 << level);
        at = sample.add(QStringLiteral("up%1_up").arg(level), "UpSampling2D", {at}, "2×2", shape);
        at = sample.add(QStringLiteral("up%1_cat").arg(level), "Concatenate", {skips[std::size_t(level)], at},
                        {}, shape);
        at = sample.add(QStringLiteral("up%1_conv").arg(level), "Conv2D", {at}, "3×3", shape);
    }
    at = sample.add("mask", "Conv2D", {at}, "1×1, 1, sigmoid", "512×512×1");
    std::vector<int> lasts;
    for (std::size_t k = 1; k <= stages; ++k)
        lasts.push_back(int(k * std::size_t(at) / stages));
    sample.split(lasts);
    return sample.finish();
}

} // namespace tests
