#include "app/services/features/feature_commands.h"
#include "app/services/features/feature_rows.h"

namespace app {

namespace {

/// What the first of three stages makes is read by the second and by the third.
std::string skippingModel() {
    return functionalSetting(
        {calledLayer("InputLayer", "in", R"("batch_input_shape": [null, 8], "dtype": "float32")", {}),
         calledLayer("Dense", "a", R"("units": 8)", {{"in"}}),
         calledLayer("Dense", "b", R"("units": 8)", {{"a"}}), calledLayer("Add", "join", "", {{"a", "b"}}),
         calledLayer("Dense", "out", R"("units": 4)", {{"join"}})},
        {"in"}, {"out"});
}

std::vector<Feature> assignmentFeatures() {
    return {
        {"P5",
         "Pipelined Sequential: the stage list and each of its errors",
         "",
         {"summary projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.stages=[0,0,0,1,1,1]",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.stages=[0,0,1,1,1]",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.stages=[0,1,0,1,1,1]",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.stages=[0,0,1,null,1,1]",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.stages=[0,0,2,2,2,2]"}},
        {"P6",
         "Pipelined Functional: a stage per call in post-order; ResNet-50 split at conv4_block2_add",
         "",
         {"summary projects/resnet50/resnet50.ipuproj"}},
        {"P7",
         "Stage assignment summary",
         "In the window: the panel Project lists stages and their layers.",
         {"summary projects/tutorial/3-pipelined-functional.ipuproj",
          "summary projects/tutorial/4-pipelined-sequential.ipuproj"}},
        {"P8",
         "Schedules Grouped, Interleaved, Sequential, slot by slot",
         "In the window: the workspace Schedule shows every schedule of the open project.",
         {"schedule --stages 2 --micro-batches 4",
          "schedule --stages 4 --micro-batches 8 --schedule Interleaved --recompute Auto",
          "schedule --stages 2 --micro-batches 4 --schedule Sequential",
          "schedule --stages 3 --micro-batches 6 --inference", "schedule --stages 2 --micro-batches 3"}},
    };
}

std::vector<Feature> memoryFeatures() {
    return {
        {"P9",
         "Recomputation: modes, checkpoints, allow_recompute",
         "",
         {"run projects/encoder/encoder.ipuproj --no-numerics --database p9.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set ipu_config.allow_recompute=true "
          "--database p9.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set ipu_config.allow_recompute=true --set "
          "pipeline.schedule=Sequential --database p9.sqlite",
          "validate projects/encoder/encoder.ipuproj --set pipeline.schedule=Interleaved --set "
          "pipeline.recomputation_mode=RecomputeAndBackpropagateInterleaved"},
         "a model without stages is not recomputed, which a warning says"},
        {"P10",
         "Offloading to remote memory and sharding over replicas",
         "",
         {"run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --set "
          "pipeline.offload_weight_update_variables=false --set "
          "pipeline.replicated_optimizer_state_sharding=false --database p10.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --set "
          "pipeline.offload_activations=true --database p10.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --set "
          "pipeline.offload_gradient_accumulation_buffers=true --database p10.sqlite",
          "validate projects/replicas/replicas.ipuproj --set pipeline.offload_activations=true --set "
          "system.remote_memory=false"}},
        {"P11",
         "device_mapping, shared weights, pass-through tensors",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "pipeline.device_mapping=[1,0] --database p11.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set replicas=1 --set "
          "pipeline.device_mapping=[0,0] --database p11.sqlite",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set replicas=1 --set "
          "pipeline.device_mapping=[0,0] --set pipeline.schedule=Interleaved",
          "new mlp inputs=8 hidden=8 classes=4 --force -o p11.ipuproj",
          R"(run p11.ipuproj --no-numerics --set training.steps_per_epoch=60 --set training.steps_per_execution=60 --set system.ipus=4 --set 'pipeline={"stages": [0, 1, 2, 2], "gradient_accumulation_steps_per_replica": 6}' --database p11.sqlite )" +
              skippingModel(),
          R"(sql "SELECT tensor, from_stage, to_stage FROM v_transfer WHERE run = 3 AND phase = 'forward'" --database p11.sqlite)"}},
        {"P12",
         "batch_serialization_iterations, repeat_count, accumulate_outfeed, outfeed_mask, outfeed_loss",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --database p12.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "pipeline.accumulate_outfeed=true --database p12.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set pipeline.schedule=null "
          "--set replicas=1 --set pipeline.batch_serialization_iterations=2 --database p12.sqlite",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.outfeed_loss=true --set "
          "pipeline.outfeed_mask=[true,false]",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set pipeline.repeat_count=2"},
         "repeat_count has the one value that Keras works out"},
        {"P13",
         "Poplar options per stage",
         "",
         {"run projects/encoder/encoder.ipuproj --no-numerics --database p13.sqlite",
          R"(run projects/encoder/encoder.ipuproj --no-numerics --set 'pipeline.forward_propagation_stages_poplar_options=[{"matmul_options": {"availableMemoryProportion": "0"}}, {}, {}, {}]' --database p13.sqlite)",
          "compare 1 2 --database p13.sqlite"}},
    };
}

} // namespace

std::vector<Feature> pipelineFeatures() {
    std::vector<Feature> rows = assignmentFeatures();
    for (Feature& row : memoryFeatures())
        rows.push_back(std::move(row));
    return rows;
}

} // namespace app
