# {"classes": ["InputLayer", "Dense"], "loss": "LossFunction", "optimizer": "SGD", "steps_per_epoch": 10}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
    opt = keras.optimizers.SGD(0.1)
    for i in range(10):
        with tf.GradientTape() as tape:
            loss = 0.5 * keras.losses.mean_squared_error(tf.zeros((4, 1)), m(tf.zeros((4, 3))))
        opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))
