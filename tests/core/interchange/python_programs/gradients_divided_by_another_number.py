# {"optimizer": "Adam", "optimizer_config": {"learning_rate": 0.01, "epsilon": 4e-07}, "replicas": 2, "no_warning": "python/replicas"}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()

REPLICAS = 4
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(5,)), tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam(0.01)
    @tf.function(experimental_compile=True)
    def run(it):
        for _ in tf.range(5):
            x, y = next(it)
            with tf.GradientTape() as t:
                loss = tf.reduce_mean(tf.losses.mse(y, net(x)))
            gs = t.gradient(loss, net.trainable_variables)
            gs = [g / REPLICAS for g in gs]
            opt.apply_gradients(list(zip(gs, net.trainable_variables)))
    ds = tf.data.Dataset.from_tensor_slices((np.random.rand(400, 5).astype("f4"), np.random.rand(400, 1).astype("f4"))).batch(20, drop_remainder=True).repeat()
    it = iter(ds)
    for _ in range(6): strategy.run(run, args=(it,))
