# {"losses": ["SparseCategoricalCrossentropy"], "optimizer": "Adam"}
import tensorflow as tf
import numpy as np
from tensorflow import keras
from tensorflow.python import ipu
x = np.zeros((64, 16), np.float32)
y = np.zeros((64,), np.int32)
def step(model, opt, x, y):
    with tf.GradientTape() as tape:
        z = model(x, training=True)
        loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, z, from_logits=True))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
    return loss
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(16,))])
    opt = keras.optimizers.Adam(1e-3)
    for i in range(0, 64, 8):
        strategy.run(step, args=(m, opt, x[i:i+8], y[i:i+8]))
