# {"classes": ["InputLayer", "Dense", "TFOpLambda", "TFOpLambda", "Dense", "AddLoss"], "stage_list": [0, 0, 0, 0, 1]}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

config = ipu.config.IPUConfig()
config.auto_select_ipus = 2
config.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    inputs = keras.Input((8,))
    with ipu.keras.PipelineStage(0):
        hidden = keras.layers.Dense(4)(inputs)
        size = tf.reduce_mean(tf.square(hidden))
    with ipu.keras.PipelineStage(1):
        outputs = keras.layers.Dense(2)(hidden)
    model = keras.Model(inputs, outputs)
    model.add_loss(size)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=4)
    model.compile('sgd', 'mse', steps_per_execution=8)
    model.fit(np.zeros((64, 8), np.float32), np.zeros((64, 2), np.float32), batch_size=4, epochs=1)
