#include "app/services/features/feature_commands.h"
#include "app/services/features/feature_rows.h"

#include <fmt/format.h>

namespace app {

namespace {

/// A run of the row's own small project with layers put in; a sample is 8 numbers unless `input` says more.
std::string layerRun(std::string_view row, std::string_view options, const std::vector<std::string>& layers,
                     std::string_view input = "8", std::string_view type = "float32") {
    return fmt::format("run {0}.ipuproj {1} --set training.batch_size=16 {2} --database {0}.sqlite", row,
                       options, modelSetting(input, type, layers));
}

std::string smallProject(std::string_view row) {
    return fmt::format("new mlp inputs=8 hidden=8 classes=4 --force -o {}.ipuproj", row);
}

const std::string logits = layerText("Dense", "out", R"("units": 4)");

Feature kerasLayers() {
    return {
        "P20",
        "Keras layers of the IPU: Dropout, Embedding, normalisations by group, instance and layer, GRU, "
        "LSTM, RecomputationCheckpoint",
        "",
        {smallProject("p20"),
         layerRun("p20", "--set training.epochs=3",
                  {layerText("Embedding", "rows", R"("input_dim": 30, "output_dim": 8)"),
                   layerText("PopnnLSTM", "lstm", R"("units": 8, "return_sequences": true)"),
                   layerText("RecomputationCheckpoint", "checkpoint"),
                   layerText("LayerNormalization", "layer_norm"),
                   layerText("PopnnGRU", "gru", R"("units": 8)"),
                   layerText("Dropout", "drop", R"("rate": 0.2)"), logits},
                  "6", "int32"),
         layerRun("p20", "--set training.epochs=3",
                  {layerText("Conv2D", "conv", R"("filters": 8, "kernel_size": [3, 3])"),
                   layerText("GroupNormalization", "group_norm", R"("groups": 4)"),
                   layerText("InstanceNormalization", "instance_norm"), layerText("Flatten", "flat"), logits},
                  "8, 8, 3")}};
}

std::string serialDense(int pieces) {
    return layerText(
        "SerialDense", "serial",
        fmt::format(R"("units": 64, "serialization_factor": {}, "serialization_dimension": "kernel_rows")",
                    pieces));
}

Feature popnnOperations() {
    return {
        "P21",
        "Popnn and popops operations: activations, softmax, products and lookups in pieces, connectionist "
        "temporal classification, convolutions side by side, sampled losses, slices of sequences, "
        "histograms, images, dropout",
        "",
        {smallProject("p21"), layerRun("p21", "", {serialDense(1), logits}),
         layerRun("p21", "", {serialDense(4), logits}),
         layerRun("p21", "--mode predict --predictions p21.csv --force",
                  {layerText("Histogram", "bins", R"("levels": [0.25, 0.5, 0.75])")}),
         layerRun("p21", "",
                  {layerText("Dense", "a", R"("units": 8, "activation": "gelu")"),
                   layerText("Dense", "b", R"("units": 8, "activation": "hard_sigmoid")"),
                   layerText("Dense", "c", R"("units": 8, "activation": "swish")"), logits}),
         "cost conv batch=4 height=16 width=16 in_channels=16 out_channels=16 kernel=3 type=float16"}};
}

Feature recurrentOperations() {
    const auto cell = [](std::string_view className, std::string_view attributes) {
        return std::vector{layerText(className, "cell", fmt::format(R"("units": 8, {})", attributes)),
                           logits};
    };
    return {"P22",
            "Recurrent operations: GRU, DynamicGRU, AUGRU, LSTM, reset_after, activations",
            "",
            {smallProject("p22"), layerRun("p22", "", cell("PopnnGRU", R"("reset_after": true)"), "5, 3"),
             layerRun("p22", "", cell("PopnnGRU", R"("reset_after": false)"), "5, 3"),
             layerRun("p22", "", cell("PopnnLSTM", R"("activation": "relu")"), "5, 3"),
             fmt::format("validate p22.ipuproj {}",
                         modelSetting("5, 3", "float32", cell("PopnnLSTM", R"("activation": "elu")")))}};
}

Feature replicaOperations() {
    const auto with = [](const std::vector<std::string>& between) {
        std::vector<std::string> layers{layerText("Dense", "front", R"("units": 8)")};
        layers.insert(layers.end(), between.begin(), between.end());
        layers.push_back(logits);
        return layers;
    };
    const auto sum = [&](int group) {
        return with({layerText("CrossReplicaSum", "sum", fmt::format(R"("replica_group_size": {})", group))});
    };
    constexpr std::string_view four = "--set replicas=4 --set system.ipus=4";
    return {
        "P23",
        "Replica operations: all_gather, all_to_all, cross_replica_sum, reduce_scatter with every operator, "
        "replication_index, assume_equal, groups",
        "",
        {smallProject("p23"), layerRun("p23", four, with({})),
         layerRun("p23", four, with({layerText("CrossReplicaSum", "sum")})), layerRun("p23", four, sum(1)),
         fmt::format("validate p23.ipuproj {} {}", four, modelSetting("8", "float32", sum(3))),
         "cost all-gather bytes=1000000 replicas=4"}};
}

Feature hostEmbeddings() {
    const auto rows = [](std::string_view attributes) {
        return std::vector{layerText("HostEmbedding", "rows",
                                     fmt::format(R"("input_dim": 5000, "output_dim": 8, {})", attributes)),
                           layerText("Flatten", "flat"), logits};
    };
    constexpr std::string_view remote = "--set replicas=2 --set system.ipus=2 --set "
                                        "ipu_config.experimental.enable_remote_buffer_embedding=true";
    return {
        "P24",
        "Host embedding: lookup, SGD with and without accumulation, partition by token or encoding",
        "",
        {smallProject("p24"), layerRun("p24", "", rows(R"("optimizer": null)"), "6", "int32"),
         layerRun("p24", "", rows(R"("optimizer": "SGD", "learning_rate": 0.5)"), "6", "int32"),
         layerRun("p24", remote,
                  rows(R"("optimizer": "SGD", "learning_rate": 0.5, "partition_strategy": "TOKEN")"), "6",
                  "int32"),
         layerRun("p24", remote,
                  rows(R"("optimizer": "SGD", "learning_rate": 0.5, "partition_strategy": "ENCODING")"), "6",
                  "int32"),
         layerRun(
             "p24",
             "--set pipeline.gradient_accumulation_steps_per_replica=2 --set training.steps_per_execution=2",
             rows(R"("optimizer": "SGDGA", "learning_rate": 0.5, "accumulation_factor": 2)"), "6", "int32")}};
}

Feature customOperations() {
    const auto blocks = [](std::string_view function) {
        std::vector<std::string> layers;
        for (const char* name : {"a", "b", "c"})
            layers.push_back(layerText(
                "OutlinedFunction", name,
                fmt::format(
                    R"("function": "{}", "layer": {{"class_name": "Dense", "config": {{"units": 8}}}})",
                    function)));
        layers.push_back(logits);
        return layers;
    };
    return {"P25",
            "Custom operations: element-wise expressions, functions of a user's shared library, outlined "
            "functions",
            "",
            {smallProject("p25"),
             layerRun("p25", "--mode predict --predictions p25.csv --force",
                      {layerText("ElementwiseExpression", "formula", R"("expression": "x0 * 0 + 3")")}),
             layerRun("p25", "", blocks("")), layerRun("p25", "", blocks("block")),
             layerRun("p25", "",
                      {layerText("UserOperation", "user",
                                 R"("library_path": "missing.so", "op_name": "ScaledSquare")"),
                       logits})},
            "a library of one's own is built first, as resources/user_operation/README.md shows, and loaded "
            "only with --allow-user-code"};
}

} // namespace

std::vector<Feature> operationFeatures() {
    return {kerasLayers(),       popnnOperations(), recurrentOperations(),
            replicaOperations(), hostEmbeddings(),  customOperations()};
}

} // namespace app
