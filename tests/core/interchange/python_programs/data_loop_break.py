# {"classes": ["InputLayer", "Dense"], "input": [null, 4], "steps_per_epoch": 200, "batch": 8, "optimizer": "SGD"}
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
    opt = keras.optimizers.SGD(learning_rate=0.1, momentum=0.9)
    def step(x, y):
        with tf.GradientTape() as tape:
            l = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x)))
        g = tape.gradient(l, model.trainable_weights)
        opt.apply_gradients(zip(g, model.trainable_weights))
        return l
    for i, (x, y) in enumerate(ds):
        if i >= 200:
            break
        strategy.run(step, args=[x, y])
