# {"classes": ["InputLayer", "Dense"], "input": [null, 4], "steps_per_epoch": 8, "epochs": 2, "batch": 10}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

full = tf.data.Dataset.from_tensor_slices((tf.zeros([100, 4]), tf.zeros([100, 1])))
val, train = full.take(20), full.skip(20)
with strategy.scope():
    m = keras.Sequential([keras.layers.Dense(1)])
    m.compile("sgd", "mse")
    m.fit(train.batch(10, drop_remainder=True), validation_data=val.batch(10, drop_remainder=True), epochs=2)
