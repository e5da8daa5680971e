# {"stage_list": [0, 0, 0, 0, 1, 1], "accumulation": 4, "classes": ["InputLayer", "InputLayer", "Conv2D", "Flatten", "Dense", "Subtract"]}
import collections

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    left = layers.Input((8, 8, 1), batch_size=2, name="left")
    right = layers.Input((8, 8, 1), batch_size=2, name="right")
    with ipu.keras.PipelineStage(0):
        conv = layers.Conv2D(4, 3, name="conv")
        flat = layers.Flatten(name="flat")
        a, b = [flat(conv(t)) for t in (left, right)]
    with ipu.keras.PipelineStage(1):
        out = layers.Dense(1, name="out")(layers.Subtract(name="gap")([a, b]))
    model = tf.keras.Model([left, right], out)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4, name="siamese",
                                 gradient_accumulation_dtype=lambda variable: tf.float32)
    model.compile("sgd", "mse", steps_per_execution=8)
    print(collections.Counter(a.pipeline_stage for a in model.get_pipeline_stage_assignment()).most_common(1))
