# {"warning": "python/ignored"}
import tensorflow as tf
from tensorflow.python import ipu
@tf.function(jit_compile=True)
def loop(it, n, out, model, opt):
    for _ in tf.range(n):
        x, y = next(it)
        with tf.GradientTape() as tape:
            p = model(x, training=True)
            loss = tf.reduce_mean(tf.keras.losses.mean_squared_error(y, p))
        g = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
        flat = tf.reshape(g[0], [-1])
        bins = ipu.statistics_ops.fixed_width_bins(flat, 8)
        out.enqueue((loss, ipu.statistics_ops.histogram(flat, bins)))
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(8,))])
    opt = tf.keras.optimizers.SGD(0.1)
    out = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 6))))
    it = iter(ds.batch(4, drop_remainder=True).repeat())
    strategy.run(loop, args=(it, 10, out, model, opt))
