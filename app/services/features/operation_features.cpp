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

/// The same of a model with several inputs; what it answers goes to a table.
std::string predictionOf(std::string_view row, std::string_view table, const std::string& model) {
    return fmt::format(
        "run {0}.ipuproj --mode predict --set training.batch_size=16 {2} --predictions {1} --force "
        "--database {0}.sqlite",
        row, table, model);
}

std::string inputLayer(std::string_view name, std::string_view shape, std::string_view type) {
    return calledLayer("InputLayer", name,
                       fmt::format(R"("batch_input_shape": [null{}], "dtype": "{}")", shape, type), {});
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
    const std::string sequence = inputLayer("sequence", ", 6, 8", "float32");
    const std::string labels = inputLayer("labels", ", 4", "int32");
    const std::string lengths = inputLayer("lengths", "", "int32");
    const std::string image = inputLayer("image", ", 8, 8, 3", "float32");
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
         "cost conv batch=4 height=16 width=16 in_channels=16 out_channels=16 kernel=3 type=float16",
         predictionOf("p21", "ctc.csv",
                      functionalSetting({sequence, labels, lengths,
                                         calledLayer("CTCLoss", "ctc", R"("blank_index": 0)",
                                                     {{"sequence", "labels", "lengths", "lengths"}})},
                                        {"sequence", "labels", "lengths"}, {"ctc"})),
         predictionOf("p21", "nce.csv",
                      functionalSetting({inputLayer("x", ", 16", "float32"), labels,
                                         calledLayer("NceLoss", "nce",
                                                     R"("num_classes": 50, "num_sampled": 8, "num_true": 4)",
                                                     {{"x", "labels"}})},
                                        {"x", "labels"}, {"nce"})),
         predictionOf(
             "p21", "slices.csv",
             functionalSetting({sequence, lengths,
                                calledLayer("SequenceSlice", "part", R"("zero_unused": true)",
                                            {{"sequence", "sequence", "lengths", "lengths", "lengths"}})},
                               {"sequence", "lengths"}, {"part"})),
         predictionOf(
             "p21", "images.csv",
             functionalSetting(
                 {image,
                  calledLayer(
                      "NormaliseImage", "normal",
                      R"("channel_offsets": [1.0, 2.0, 3.0], "channel_scales": [1.0, 0.5, 2.0], "scale": 0.5)",
                      {{"image"}})},
                 {"image"}, {"normal"})),
         fmt::format(
             "run p21.ipuproj --set training.batch_size=16 {} --database p21.sqlite",
             functionalSetting(
                 {image,
                  calledLayer("MultiConv", "both",
                              R"("layers": [{"class_name": "Conv2D", "config": {"name": "c0", "filters": 4, )"
                              R"("kernel_size": [3, 3]}}, {"class_name": "Conv2D", "config": {"name": "c1", )"
                              R"("filters": 4, "kernel_size": [3, 3]}}])",
                              {{"image", "image"}}),
                  calledLayer("Flatten", "flat", "", {{"both"}}),
                  calledLayer("Dense", "out", R"("units": 4)", {{"flat"}})},
                 {"image"}, {"out"}))}};
}

Feature recurrentOperations() {
    const auto cell = [](std::string_view className, std::string_view attributes) {
        return std::vector{layerText(className, "cell", fmt::format(R"("units": 8, {})", attributes)),
                           logits};
    };
    /// A cell that is told how long each sequence is, and how much each of its steps counts.
    const auto ofLengths = [](std::string_view className, std::string_view attributes,
                              const std::vector<std::string_view>& inputs) {
        std::vector<std::string> layers{inputLayer("sequence", ", 6, 8", "float32"),
                                        inputLayer("lengths", "", "int32")};
        if (inputs.size() > layers.size())
            layers.push_back(inputLayer("attention", ", 6, 1", "float32"));
        layers.push_back(calledLayer(className, "cell", attributes, {inputs}));
        layers.push_back(calledLayer("Dense", "out", R"("units": 4)", {{"cell"}}));
        return fmt::format("run p22.ipuproj --set training.batch_size=16 {} --database p22.sqlite",
                           functionalSetting(layers, inputs, {"out"}));
    };
    return {
        "P22",
        "Recurrent operations: GRU, DynamicGRU, AUGRU, LSTM, reset_after, activations",
        "",
        {smallProject("p22"), layerRun("p22", "", cell("PopnnGRU", R"("reset_after": true)"), "5, 3"),
         layerRun("p22", "", cell("PopnnGRU", R"("reset_after": false)"), "5, 3"),
         layerRun("p22", "", cell("PopnnLSTM", R"("activation": "relu")"), "5, 3"),
         fmt::format("validate p22.ipuproj {}",
                     modelSetting("5, 3", "float32", cell("PopnnLSTM", R"("activation": "elu")"))),
         ofLengths("DynamicGRU", R"("units": 8)", {"sequence", "lengths"}),
         ofLengths("AUGRU", R"("units": 8, "reset_after": false)", {"sequence", "lengths", "attention"})}};
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
         "cost all-gather bytes=1000000 replicas=4",
         layerRun("p23", four, with({layerText("CrossReplicaMean", "mean")})),
         layerRun(
             "p23", four,
             with({layerText("AllToAll", "exchange",
                             R"("split_dimension": 1, "concat_dimension": 1, "number_of_replicas": 4)")})),
         layerRun("p23", four, with({layerText("AssumeEqualAcrossReplicas", "equal")})),
         "cost all-gather bytes=1000000 replicas=4 group_size=2",
         "cost reduce-scatter bytes=1000000 replicas=4", "cost all-to-all bytes=1000000 replicas=4"}};
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
