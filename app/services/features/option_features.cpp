#include "app/services/features/feature_rows.h"

namespace app {

std::vector<Feature> optionFeatures() {
    return {
        {"P14",
         "Automatic data parallelism: replication factor, all-reduce, effective batch",
         "",
         {"run projects/replicas/replicas.ipuproj --no-numerics --set replicas=null --database p14.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set replicas=1 --database p14.sqlite",
          "cost all-reduce bytes=1000000 replicas=4",
          "validate projects/replicas/replicas.ipuproj --set replicas=5"}},
        {"P15",
         "Callbacks: synchronous and asynchronous timing",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --database p15.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "training.asynchronous_callbacks=true --database p15.sqlite",
          R"(sql "SELECT run, callback, count(*) AS calls FROM v_callback GROUP BY run, callback" --database p15.sqlite)"}},
        {"P16",
         "IPUConfig: every option with type, default, meaning, and what it changes",
         "",
         {"config", "config matmuls.poplar_options",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set "
          "ipu_config.matmuls.clear_pas_type=true",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "ipu_config.matmuls.clear_pass_type=true --database p16.sqlite"},
         "14 of the 50 options change nothing in the simulated system; config says why, and a run names "
         "them"},
        {"P17",
         "Devices: listing, selection, selection orders and their hops",
         "",
         {"devices --ipus 16",
          "devices projects/encoder/encoder.ipuproj --set ipu_config.selection_order=HOOF",
          "run projects/encoder/encoder.ipuproj --no-numerics --set ipu_config.selection_order=SNAKE "
          "--database p17.sqlite",
          "run projects/encoder/encoder.ipuproj --no-numerics --set ipu_config.selection_order=ZIGZAG "
          "--database p17.sqlite",
          "compare 1 2 --database p17.sqlite",
          "validate projects/encoder/encoder.ipuproj --set ipu_config.select_ipus=99"}},
        {"P18",
         "Infeeds and outfeeds: prefetch depth, buffer depth, modes, host stalls in the timeline",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --database p18.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "ipu_config.optimizations.prefetch_data_streams=false --database p18.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "system.host_bytes_per_second=1e9 --set training.infeed.prefetch_depth=1 --database p18.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "system.host_bytes_per_second=1e9 --set training.infeed.prefetch_depth=3 --database p18.sqlite",
          "validate projects/tutorial/4-pipelined-sequential.ipuproj --set "
          "training.infeed.prefetch_depth=256",
          "run projects/accumulation/accumulation.ipuproj --set training.outfeed_mode=LAST --database "
          "p18.sqlite"},
         "LAST is for training; evaluation and prediction give all results"},
        {"P19",
         "Dataset and infeed benchmark: statistics per epoch",
         "",
         {"benchmark-dataset projects/tutorial/4-pipelined-sequential.ipuproj --epochs 2 --elements 500 "
          "--json"},
         "the infeed is measured with its dataset, always with the copy into its buffers (do_memcpy)"},
    };
}

} // namespace app
