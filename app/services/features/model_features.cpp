#include "app/services/features/feature_commands.h"
#include "app/services/features/feature_rows.h"

namespace app {

namespace {

/// Two inputs, a layer called twice, a nested model, a merge, two outputs.
std::string branchedModel() {
    return functionalSetting(
        {calledLayer("InputLayer", "a", R"("batch_input_shape": [null, 8], "dtype": "float32")", {}),
         calledLayer("InputLayer", "b", R"("batch_input_shape": [null, 8], "dtype": "float32")", {}),
         calledLayer("Dense", "shared", R"("units": 8)", {{"a"}, {"b"}}),
         R"({"class_name": "Sequential", "name": "inner", "config": {"name": "inner", "layers": [)" +
             layerText("InputLayer", "x", R"("batch_input_shape": [null, 8], "dtype": "float32")") + ", " +
             layerText("Dense", "hidden", R"("units": 8)") +
             R"(]}, "inbound_nodes": [[["shared", 0, 0, {}]]]})",
         calledLayer("Add", "merge", "", {{"inner:1", "shared:1"}}),
         calledLayer("Dense", "first", R"("units": 4)", {{"merge"}}),
         calledLayer("Dense", "second", R"("units": 2)", {{"merge"}})},
        {"a", "b"}, {"first", "second"});
}

} // namespace

std::vector<Feature> modelFeatures() {
    return {
        {"P1",
         "Keras Sequential on one IPU: train, evaluate, predict",
         "",
         {"run projects/tutorial/2-single-sequential.ipuproj --database p1.sqlite",
          "run projects/tutorial/2-single-sequential.ipuproj --mode evaluate --database p1.sqlite",
          "run projects/tutorial/2-single-sequential.ipuproj --mode predict --predictions p1.csv --force "
          "--database p1.sqlite"}},
        {"P2",
         "Keras Functional: several inputs and outputs, shared layers, nested models",
         "",
         {"new mlp inputs=8 hidden=8 classes=4 --force -o p2.ipuproj",
          "summary p2.ipuproj " + branchedModel(),
          "run p2.ipuproj --set training.batch_size=8 --database p2.sqlite " + branchedModel()}},
        {"P3",
         "steps_per_execution: batches per execution, host round trips, divisibility",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "training.steps_per_execution=4 --database p3.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "training.steps_per_execution=60 --database p3.sqlite",
          "compare 1 2 --database p3.sqlite",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set training.steps_per_execution=6"}},
        {"P4",
         "Gradient accumulation: count, element type, reduction, effective batch",
         "",
         {"run projects/accumulation/accumulation.ipuproj --set training.optimizer=SGD --set "
          "pipeline.gradient_accumulation_reduction_method=sum --database p4.sqlite",
          "run projects/accumulation/accumulation.ipuproj --set training.optimizer=SGD --set "
          "pipeline.gradient_accumulation_reduction_method=mean --database p4.sqlite",
          "run projects/accumulation/accumulation.ipuproj --set training.optimizer=SGD --set "
          "pipeline.gradient_accumulation_reduction_method=running_mean --set "
          "pipeline.gradient_accumulation_dtype=float16 --database p4.sqlite"}},
    };
}

} // namespace app
