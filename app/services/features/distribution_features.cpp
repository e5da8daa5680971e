#include "app/services/features/feature_rows.h"

namespace app {

std::vector<Feature> distributionFeatures() {
    return {
        {"P26",
         "Optimizers of Keras, and the wrappers: gradient accumulation, cross replica, both, map gradient, "
         "sharded",
         "",
         {"run projects/accumulation/accumulation.ipuproj --set training.optimizer=SGD --set "
          "training.epochs=1 --database p26.sqlite",
          "run projects/accumulation/accumulation.ipuproj --set training.optimizer=Adam --set "
          "training.epochs=1 --database p26.sqlite",
          R"(run projects/accumulation/accumulation.ipuproj --set 'training.optimizer={"class_name": "LossScaleOptimizer", "config": {"inner_optimizer": {"class_name": "Adam", "config": {}}, "dynamic": false, "initial_scale": 128}}' --set training.epochs=1 --database p26.sqlite)"},
         "a function that map gradient applies is read where it clips, multiplies or lets variables decay, "
         "also by the variable's name; else refused"},
        {"P27",
         "Sharding without pipelining: a shard per layer, idle IPUs, compared with a pipeline",
         "",
         {"run projects/sharding/sharding.ipuproj --no-numerics --database p27.sqlite",
          R"(run projects/sharding/sharding.ipuproj --no-numerics --set 'pipeline={"stages": [0, 0, 1, 1, 1, 1], "gradient_accumulation_steps_per_replica": 4, "offload_weight_update_variables": false}' --database p27.sqlite)",
          "compare 1 2 --database p27.sqlite"}},
        {"P28",
         "Loops: repeat, while with a maximum, in the program tree",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set "
          "training.steps_per_execution=60 --database p28.sqlite",
          "new lstm sequence=12 vocabulary=0 features=8 units=8 --force -o p28.ipuproj",
          "run p28.ipuproj --no-numerics --database p28.sqlite",
          R"(sql "SELECT run, label, count FROM v_program_step WHERE kind = 'Repeat' ORDER BY run, step" --database p28.sqlite)"},
         "a loop whose number of rounds only the data says is refused on import"},
        {"P29",
         "Estimator-like runs: modes, iterations per loop, checkpoints, warm start, logs",
         "",
         {"new mlp inputs=8 hidden=8 classes=4 --force -o p29.ipuproj",
          R"(run p29.ipuproj --set training.batch_size=16 --set training.steps_per_execution=8 --set training.epochs=3 --set 'training.callbacks=[{"class_name": "ModelCheckpoint", "config": {"filepath": "p29.weights.h5", "save_weights_only": true}}, {"class_name": "CSVLogger", "config": {"filename": "p29.csv"}}]' --database p29.sqlite)",
          "run p29.ipuproj --set training.batch_size=16 --set training.weights=p29.weights.h5 --database "
          "p29.sqlite",
          "run p29.ipuproj --mode evaluate --set training.batch_size=16 --set "
          "training.weights=p29.weights.h5 --database p29.sqlite",
          "run p29.ipuproj --mode predict --set training.batch_size=16 --set "
          "training.weights=p29.weights.h5 --database p29.sqlite"},
         "hooks of a session are callbacks here; there is no session"},
        {"P30",
         "Distribution: processes × local replicas, what is reduced where, its cost",
         "",
         {"run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --database "
          "p30.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --set "
          "ipu_config.experimental.multi_replica_distribution.process_count=2 --database p30.sqlite",
          "compare 1 2 --database p30.sqlite",
          "run projects/replicas/replicas.ipuproj --no-numerics --set training.optimizer=Adam --set "
          "ipu_config.experimental.multi_replica_distribution.process_count=2 --set "
          "training.distribution=IPUHorovodStrategy --database p30.sqlite",
          "validate projects/replicas/replicas.ipuproj --set "
          "ipu_config.experimental.multi_replica_distribution.process_count=3"},
         "variables stay on the IPU (variables_on_host is not simulated)"},
        {"P31",
         "Connection types and executables",
         "",
         {"compile projects/tutorial/2-single-sequential.ipuproj --force -o p31.ipuexe",
          "run projects/tutorial/2-single-sequential.ipuproj --executable p31.ipuexe --database p31.sqlite",
          "run projects/tutorial/2-single-sequential.ipuproj --database p31.sqlite",
          "compile projects/tutorial/2-single-sequential.ipuproj --set "
          "ipu_config.device_connection.type=NEVER --set ipu_config.device_connection.version=ipu2 "
          "--force -o never.ipuexe",
          "run projects/tutorial/2-single-sequential.ipuproj --set ipu_config.device_connection.type=NEVER "
          "--set ipu_config.device_connection.version=ipu2 --database p31.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --executable p31.ipuexe --database "
          "p31.sqlite"}},
        {"P32",
         "Floating point: exceptions, stochastic rounding, partials, loss scaling",
         "",
         {"run projects/tutorial/4-pipelined-sequential.ipuproj --set training.precision=float16 --set "
          "training.epochs=1 --database p32.sqlite",
          "run projects/tutorial/4-pipelined-sequential.ipuproj --set training.precision=float16 --set "
          "training.epochs=1 --set ipu_config.floating_point_behaviour.esr=true --database p32.sqlite",
          R"(run projects/tutorial/4-pipelined-sequential.ipuproj --set training.precision=float16 --set training.epochs=1 --set 'training.optimizer={"class_name": "SGD", "config": {"learning_rate": 1e6}}' --set ipu_config.floating_point_behaviour.oflo=true --database p32.sqlite)",
          R"(run projects/tutorial/4-pipelined-sequential.ipuproj --no-numerics --set training.precision=float16 --set 'ipu_config.matmuls.poplar_options={"partialsType": "half"}' --database p32.sqlite)"}},
    };
}

} // namespace app
