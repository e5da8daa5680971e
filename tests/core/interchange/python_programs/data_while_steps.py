# {"classes": ["InputLayer", "Dense"], "input": [null, 4], "steps_per_epoch": 40, "optimizer": "SGD"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
    opt = keras.optimizers.SGD(0.1)
    it = iter(tf.data.Dataset.from_tensors((tf.zeros([8, 4]), tf.zeros([8, 2]))).repeat())
    step = 0
    while step < 40:
        x, y = next(it)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.mse(y, model(x)))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients([(g, v) for g, v in zip(grads, model.trainable_variables)])
        step += 1
