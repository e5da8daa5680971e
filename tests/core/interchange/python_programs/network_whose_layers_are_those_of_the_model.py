# {"layer_count": 177, "trainable": 20490}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    base = tf.keras.applications.ResNet50(include_top=False, weights=None, input_shape=(224, 224, 3))
    m = tf.keras.Model(base.input, tf.keras.layers.Dense(10, activation="softmax")(tf.keras.layers.GlobalAveragePooling2D()(base.output)))
    n = len(m.layers)
    assert n == len(base.layers) + 2
    for l in m.layers[:-2]: l.trainable = False

    m.compile("sgd", "sparse_categorical_crossentropy")
    m.fit(np.zeros((64,224,224,3), np.float32), np.zeros((64,), np.int32), batch_size=8)
