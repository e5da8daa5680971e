# {"loss": "SparseCategoricalCrossentropy", "losses": ["SparseCategoricalCrossentropy"]}
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
    
    
    @tf.function(jit_compile=True)
    def train(n):
        for _ in tf.range(n):
            x, y = next(it)
            with tf.GradientTape() as tape:
                p = m(x, training=True)
                loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)(y, p)
                loss = tf.nn.compute_average_loss(keras.losses.sparse_categorical_crossentropy(y, p, from_logits=True), global_batch_size=8)
            g = tape.gradient(loss, m.trainable_variables)
            opt.apply_gradients(zip(g, m.trainable_variables))
    
    for e in range(3):
        strategy.run(train, args=(10,))
