# {"losses": [["zeros_like", "math.reduce_sum", "math.add", "LossValue", "reduce_mean", "cast", "math.reduce_sum", "math.multiply", "math.add"]], "optimizer": "Adam"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
B = 8
def step(model, opt, x):
    with tf.GradientTape() as tape:
        z = model(x, training=True)
        loss = tf.reduce_mean(keras.losses.mean_squared_error(tf.ones([B, 8]) * 0.5, z))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
    return loss
@tf.function(jit_compile=True)
def loop(it, n, q, model, opt):
    for _ in tf.range(n):
        x = next(it)
        q.enqueue(step(model, opt, x))
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(8, input_shape=(16,))])
    opt = keras.optimizers.Adam(1e-3)
    ds = tf.data.Dataset.from_tensor_slices(tf.zeros([64, 16])).repeat().batch(B, drop_remainder=True)
    it = iter(ds)
    q = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    for s in range(0, 80, 8):
        strategy.run(loop, args=(it, 8, q, m, opt))
