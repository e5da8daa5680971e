# {"steps_per_execution": 20, "steps_per_epoch": 80, "optimizer": "SGD"}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
ds = tf.data.Dataset.from_tensor_slices((np.zeros((320, 4), np.float32), np.zeros((320,), np.int32))).repeat().batch(8, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with ipu.ipu_strategy.IPUStrategy().scope():
    m = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(3)])
    opt = keras.optimizers.SGD(0.1)
    it = iter(ds)
    
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, m(x, training=True), from_logits=True))
        g = tape.gradient(loss, m.trainable_weights)
        opt.apply_gradients(zip(g, m.trainable_weights))
        return loss
    
    @tf.function(experimental_compile=True)
    def train():
        for _ in tf.range(20):
            x, y = next(it)
            step(x, y)
    for _ in range(4):
        tf.distribute.get_strategy().run(train)
