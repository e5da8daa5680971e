#include "tests/app/editor/drawn_projects.h"

#include <string>

namespace tests {

namespace {

using core::Json;

/// A Functional model that is written layer by layer.
class Layers {
public:
    std::string input(const std::string& name, const Json& shape) {
        m_list.push_back({{"class_name", "InputLayer"},
                          {"name", name},
                          {"config", {{"name", name}, {"batch_input_shape", shape}, {"dtype", "float32"}}},
                          {"inbound_nodes", Json::array()}});
        m_inputs.push_back({name, 0, 0});
        return name;
    }
    std::string add(const std::string& className, const std::string& name, Json config,
                    const std::vector<std::string>& reads) {
        config["name"] = name;
        Json node = Json::array();
        for (const std::string& each : reads)
            node.push_back({each, 0, 0, Json::object()});
        m_list.push_back({{"class_name", className},
                          {"name", name},
                          {"config", config},
                          {"inbound_nodes", Json::array({node})}});
        return name;
    }
    [[nodiscard]] Json model(const std::string& output) const {
        return {{"class_name", "Functional"},
                {"config",
                 {{"name", "by_hand"},
                  {"layers", m_list},
                  {"input_layers", m_inputs},
                  {"output_layers", Json::array({Json::array({output, 0, 0})})}}}};
    }

private:
    Json m_list = Json::array();
    Json m_inputs = Json::array();
};

Json classification() {
    return {{"class_name", "SparseCategoricalCrossentropy"}, {"config", {{"from_logits", true}}}};
}

Json project(Json model, const Json& stages, std::int64_t microBatches, std::int64_t ipus) {
    return {{"format", "ipu-workbench-project"},
            {"version", 1},
            {"name", "by-hand"},
            {"model", std::move(model)},
            {"pipeline", {{"stages", stages}, {"gradient_accumulation_steps_per_replica", microBatches}}},
            {"training",
             {{"batch_size", 32},
              {"steps_per_execution", microBatches},
              {"loss", classification()},
              {"dataset", {{"kind", "synthetic"}}}}},
            {"replicas", 2},
            {"system", {{"ipus", ipus}, {"target", "ipu2"}}}};
}

} // namespace

Json handWrittenMlp() {
    const Json layers = Json::array(
        {{{"class_name", "InputLayer"},
          {"config", {{"name", "pixels"}, {"batch_input_shape", {nullptr, 784}}}}},
         {{"class_name", "Dense"}, {"config", {{"name", "wide"}, {"units", 256}, {"activation", "relu"}}}},
         {{"class_name", "Dense"}, {"config", {{"name", "narrow"}, {"units", 128}, {"activation", "relu"}}}},
         {{"class_name", "Dense"}, {"config", {{"name", "logits"}, {"units", 10}}}}});
    return project({{"class_name", "Sequential"}, {"config", {{"name", "by_hand"}, {"layers", layers}}}},
                   {0, 1, 1}, 8, 4);
}

Json handWrittenResidual(const std::vector<std::size_t>& stages) {
    const Json convolution{{"filters", 8}, {"kernel_size", {3, 3}}, {"padding", "same"}};
    Layers layers;
    const std::string image = layers.input("image", {nullptr, 16, 16, 3});
    const std::string first = layers.add("Conv2D", "first", convolution, {image});
    const std::string norm = layers.add("BatchNormalization", "norm", Json::object(), {first});
    const std::string shortcut = layers.add("ReLU", "shortcut", Json::object(), {norm});
    const std::string second = layers.add("Conv2D", "second", convolution, {shortcut});
    const std::string sum = layers.add("Add", "sum", Json::object(), {second, shortcut});
    const std::string pooled = layers.add("GlobalAveragePooling2D", "pooled", Json::object(), {sum});
    const std::string logits = layers.add("Dense", "logits", {{"units", 10}}, {pooled});
    return project(layers.model(logits), stages, 4, 4);
}

Json handWrittenTwoInputs(const std::vector<std::size_t>& stages) {
    Layers layers;
    const std::string left = layers.input("left", {nullptr, 32});
    const std::string right = layers.input("right", {nullptr, 48});
    const std::string a = layers.add("Dense", "of_left", {{"units", 24}}, {left});
    const std::string b = layers.add("Dense", "of_right", {{"units", 24}}, {right});
    const std::string both = layers.add("Concatenate", "both", Json::object(), {a, b});
    const std::string logits = layers.add("Dense", "logits", {{"units", 6}}, {both});
    return project(layers.model(logits), stages, 4, 4);
}

Json handWrittenTransformer(const std::vector<std::size_t>& stages) {
    Layers layers;
    std::string hidden = layers.input("tokens", {nullptr, 16, 32});
    for (int block = 0; block < 12; ++block) {
        const std::string of = "block" + std::to_string(block) + "_";
        const std::string attention =
            layers.add("MultiHeadAttention", of + "attention", {{"num_heads", 2}, {"key_dim", 16}}, {hidden});
        const std::string added = layers.add("Add", of + "added", Json::object(), {attention, hidden});
        const std::string norm = layers.add("LayerNormalization", of + "norm", Json::object(), {added});
        const std::string wide = layers.add("Dense", of + "wide", {{"units", 64}}, {norm});
        const std::string narrow = layers.add("Dense", of + "narrow", {{"units", 32}}, {wide});
        const std::string sum = layers.add("Add", of + "sum", Json::object(), {narrow, norm});
        hidden = layers.add("LayerNormalization", of + "out", Json::object(), {sum});
    }
    const std::string pooled = layers.add("GlobalAveragePooling1D", "pooled", Json::object(), {hidden});
    const std::string logits = layers.add("Dense", "logits", {{"units", 8}}, {pooled});
    return project(layers.model(logits), stages, 8, 8);
}

} // namespace tests
