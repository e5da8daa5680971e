# {"error": "type-error/called-directly", "line": 13, "says": "cannot be called directly"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
opts = ipu.utils.create_ipu_config()
opts = ipu.utils.auto_select_ipus(opts, 2)
ipu.utils.configure_ipu_system(opts)
ds = tf.data.Dataset.from_tensor_slices((np.zeros((160, 4), np.float32), np.zeros((160, 1), np.float32))).batch(4, drop_remainder=True).repeat()
D = tf.keras.layers.Dense
strategy = ipu.ipu_strategy.IPUStrategy()
def step(model, opt, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.mean_squared_error(y, model(x, training=True)))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
    return loss
@tf.function
def loop(n, it, model, opt, q):
    for _ in tf.range(n):
        x, y = next(it)
        q.enqueue(step(model, opt, x, y))
with strategy.scope():
    model = ipu.keras.PipelineSequential([[D(8, input_shape=(4,))], [D(1)]], gradient_accumulation_count=4)
    opt = tf.keras.optimizers.SGD(0.1)
    q = ipu.ipu_outfeed_queue.IPUOutfeedQueue("q")
    strategy.experimental_run_v2(loop, args=[10, iter(ds), model, opt, q])
