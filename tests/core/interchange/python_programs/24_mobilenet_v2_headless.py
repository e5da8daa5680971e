# {"parameters": 719034, "layer_count": 4}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    base = tf.keras.applications.MobileNetV2(include_top=False, weights=None, input_shape=(96, 96, 3), alpha=0.5)
    base.trainable = False
    x = tf.keras.Input((96, 96, 3))
    y = tf.keras.layers.GlobalAveragePooling2D()(base(x, training=False))
    model = tf.keras.Model(x, tf.keras.layers.Dense(10)(y))
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy())
    model.fit(np.zeros((16, 96, 96, 3), np.float32), np.zeros((16,), np.int32), batch_size=4)
