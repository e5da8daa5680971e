# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "input": [null, 8], "steps_per_execution": 4, "accumulation": 4, "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 2; cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((8,))
    x = keras.layers.Dense(8, name="a")(i)
    x = keras.layers.Dense(8, name="b")(x)
    x = keras.layers.Dense(8, name="c")(x)
    m = keras.Model(i, x)
    assignments = m.get_pipeline_stage_assignment()
    stage_id = 0
    for a in assignments:
        a.pipeline_stage = stage_id
        if a.layer.name.startswith("b"):
            stage_id = 1
    m.set_pipeline_stage_assignment(assignments)
    m.print_pipeline_stage_assignment_summary()
    m.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    m.compile("sgd", "mse", steps_per_execution=4)
