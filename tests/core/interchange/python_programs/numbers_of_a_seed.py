# {"layer_count": 5, "config": [2, "kernel_initializer", {"class_name": "Constant", "config": {"value": [0.5488135039273248, 0.7151893663724195, 0.6027633760716439, 0.5448831829968969]}}], "steps_per_epoch": 8}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

# The numbers that NumPy draws, as its own documentation and everybody's programs show them.
np.random.seed(0)
kernel = np.random.rand(2, 2)
np.random.seed(0)
assert [round(float(x), 4) for x in np.random.randn(4)] == [1.7641, 0.4002, 0.9787, 2.2409]
np.random.seed(0)
assert list(np.random.randint(0, 10, 5)) == [5, 0, 3, 3, 7]
state = np.random.RandomState(42)
assert abs(state.normal(size=3)[2] - 0.64768854) < 1e-8
rng = np.random.default_rng(42)
assert abs(rng.random() - 0.7739560485559633) < 1e-15
rng = np.random.default_rng(42)
assert list(rng.integers(0, 10, 10)) == [0, 7, 6, 4, 4, 8, 0, 6, 2, 0]
rng = np.random.default_rng(42)
offsets = rng.normal(size=(3, 2)).astype(np.float32)
assert abs(offsets[0, 1] + 1.03998411) < 1e-6

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((3, 2), batch_size=8)
    x = tf.keras.layers.Lambda(lambda t: t + offsets)(i)
    x = tf.keras.layers.Dense(2, use_bias=False, kernel_initializer=tf.keras.initializers.Constant(kernel))(x)
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    m = tf.keras.Model(i, tf.keras.layers.Dense(3)(x))
    m.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), steps_per_execution=4)
    x = np.random.rand(64, 3, 2).astype(np.float32)
    y = np.random.randint(0, 3, size=64)
    m.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True), epochs=2)
