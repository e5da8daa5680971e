# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "loss": "MeanSquaredError", "steps_per_execution": 4}
import tensorflow as tf
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

reference = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu", input_shape=(16,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
], name="reference")

with ipu.ipu_strategy.IPUStrategy().scope():
    model = tf.keras.models.clone_model(reference)
    model.compile(tf.keras.optimizers.SGD(0.01), "mse", steps_per_execution=4)
    model.fit(tf.zeros((256, 16)), tf.zeros((256, 1)), batch_size=32)
