#include "app/services/features/feature_commands.h"
#include "app/services/features/feature_rows.h"

#include <fmt/format.h>

namespace app {

std::vector<Feature> compilationFeatures() {
    // One table that is looked up twice.
    const std::string lookups = functionalSetting(
        {calledLayer("InputLayer", "ids", R"("batch_input_shape": [null, 8], "dtype": "int32")", {}),
         calledLayer("Embedding", "rows", R"("input_dim": 5000, "output_dim": 16)", {{"ids"}, {"ids"}}),
         calledLayer("Add", "sum", "", {{"rows", "rows:1"}}), calledLayer("Flatten", "flat", "", {{"sum"}}),
         calledLayer("Dense", "out", R"("units": 4)", {{"flat"}})},
        {"ids"}, {"out"});
    return {
        {"P33",
         "Scheduling algorithms and their liveness",
         "",
         {"new resnext --force -o p33.ipuproj", "compare --schedulers p33.ipuproj"}},
        {"P34",
         "Optimizations: fused lookups and products, outlining, merged copies, buffers of collectives and "
         "copies, remote buffers, fast math",
         "",
         {"run projects/encoder/encoder.ipuproj --no-numerics --database p34.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set "
          "ipu_config.optimizations.combine_matmuls=true --database p34.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set "
          "ipu_config.optimizations.enable_graph_outlining=false --database p34.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set "
          "ipu_config.optimizations.enable_fast_math=true --database p34.sqlite",
          "config optimizations.cholesky_block_size",
          "run projects/encoder/encoder.ipuproj --no-numerics --set "
          "ipu_config.optimizations.minimum_remote_tensor_size=100000000 --database p34.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set "
          "'ipu_config.optimizations.merge_remote_buffers=\"NO_MERGING\"' --database p34.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --database p34.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set "
          "ipu_config.optimizations.maximum_cross_replica_sum_buffer_size=1000000 --database p34.sqlite",
          "new mlp inputs=8 hidden=8 classes=4 --force -o p34.ipuproj",
          fmt::format("run p34.ipuproj --no-numerics --set training.batch_size=16 {} --database p34.sqlite",
                      lookups),
          fmt::format("run p34.ipuproj --no-numerics --set training.batch_size=16 --set "
                      "ipu_config.optimizations.combine_embedding_lookups=true {} --database p34.sqlite",
                      lookups)},
         "send and receive clusters, the gather simplifier and the block sizes of Cholesky and of triangular "
         "solves change nothing"},
        {"P35",
         "Norm options, I/O tiles, IPU Model options",
         "",
         {"run projects/resnet50/resnet50.ipuproj --no-numerics --database p35.sqlite",
          "run projects/resnet50/resnet50.ipuproj --no-numerics --set "
          "ipu_config.norms.use_stable_statistics=true --database p35.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "pipeline.gradient_accumulation_steps_per_replica=12 --database p35.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "pipeline.gradient_accumulation_steps_per_replica=12 --set ipu_config.io_tiles.num_io_tiles=64 "
          "--set ipu_config.io_tiles.place_ops_on_io_tiles=true --database p35.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set system.target=ipu1 "
          "--database p35.sqlite",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set "
          "ipu_config.io_tiles.num_io_tiles=1472",
          "config ipu_model.version"},
         "the options of the IPU Model change nothing: hardware is simulated, which system.target names"},
        {"P36",
         "Reports: profiles of device, IPUs or tiles",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --profile none --database "
          "p36.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --profile device --database "
          "p36.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --profile ipu --database "
          "p36.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --profile tile --database "
          "p36.sqlite",
          R"(sql "SELECT lane.run, count(*) AS spans FROM v_span AS lane GROUP BY lane.run" --database p36.sqlite)",
          "show 1 --database p36.sqlite"}},
        {"P37",
         "Graph and eager execution side by side",
         "",
         {"compare --execution projects/tutorial/2-single-sequential.ipuproj"}},
        {"P38",
         "Porting: Python programs of both API generations, written and read",
         "",
         {"export projects/tutorial/4-pipelined-sequential.ipuproj --format python --api 2.1",
          "export projects/tutorial/4-pipelined-sequential.ipuproj --format python --api 2.4",
          "export projects/encoder/encoder.ipuproj --format python --api 2.4 --force -o p38.py",
          "import p38.py --force -o p38.ipuproj", "run p38.ipuproj --no-numerics --database p38.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --database p38.sqlite",
          "export projects/tutorial/4-pipelined-sequential.ipuproj --format python --api 2.2"}},
        {"P39",
         "Synthetic data by category, seeds, identical replicas",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --set training.epochs=1 --database "
          "p39.sqlite",
          R"(run projects/tutorial/4-pipelined-sequential.ipuproj --set training.epochs=1 --set 'training.synthetic_data=["infeed", "outfeed"]' --database p39.sqlite)",
          "run projects/replicas/replicas.ipuproj --set training.epochs=1 --seed 7 --database p39.sqlite",
          "run projects/replicas/replicas.ipuproj --set training.epochs=1 --seed 7 --database p39.sqlite",
          "compare 3 4 --database p39.sqlite"},
         "transfers are not encrypted, so verification options are left out on import; replicas draw numbers "
         "of their own, also where a program asks for identical ones"},
        {"P40",
         "The tutorial's five programs",
         "",
         {"run projects/tutorial/1-single-functional.ipuproj --database p40.sqlite",
          "run projects/tutorial/2-single-sequential.ipuproj --database p40.sqlite",
          "run projects/tutorial/3-pipelined-functional.ipuproj --database p40.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --database p40.sqlite",
          "run projects/tutorial/5-interleaved.ipuproj --database p40.sqlite"}},
    };
}

} // namespace app
