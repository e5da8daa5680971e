# {"classes": ["InputLayer", "Dense"], "input": [null, 2], "steps_per_epoch": 60, "steps_per_execution": 20, "batch": 4, "optimizer": "SGD"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

ds = tf.data.Dataset.from_tensors((tf.ones([2]), tf.ones([1]))).repeat().batch(4, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    opt = tf.optimizers.SGD(0.05)
    @tf.function(jit_compile=True)
    def loop(it, n):
        for _ in tf.range(n):
            a, b = next(it)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(b - model(a))) if False else tf.keras.losses.mse(b, model(a))
            opt.minimize(loss, model.trainable_variables, tape=tape)
            outfeed.enqueue(loss)
    for _ in range(3):
        strategy.run(loop, args=(iter(infeed), 20))
        print(np.mean([float(v) for v in outfeed]) if False else "done")
