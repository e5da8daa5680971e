# {"stage_list": [0, 0, 1, 1], "stages": 2}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu


class Scale(keras.layers.Layer):
    def call(self, x):
        return x * 2.0


config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(4,)), Scale(), keras.layers.Dense(8), keras.layers.Dense(2)])
    split = len(model.layers) // 2
    model.set_pipeline_stage_assignment([int(i >= split) for i, _ in enumerate(model.layers)])
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile("sgd", "mse")
    model.build((4, 4))
