# {"error": "python/unsupported", "line": 15}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

ds = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).repeat().batch(8, drop_remainder=True)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
    opt = keras.optimizers.SGD(0.1)
    for x, y in ds:
        with tf.GradientTape() as tape:
            l = keras.losses.mean_squared_error(y, model(x))
        opt.apply_gradients(zip(tape.gradient(l, model.trainable_weights), model.trainable_weights))
