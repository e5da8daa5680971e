# {"error": "value-error/unknown-batch"}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
r = np.random.RandomState(0)
x = r.rand(128, 8).astype(np.float32)
y = x[:, :1]
with ipu.ipu_strategy.IPUStrategy().scope():
    model = keras.Sequential([keras.layers.Dense(8, input_shape=(8,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    data = keras.preprocessing.image_dataset_from_directory("train", image_size=(64, 64), batch_size=16)
    net = keras.Sequential([keras.layers.Flatten(input_shape=(64, 64, 3)), keras.layers.Dense(3)])
    net.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(data.repeat(), steps_per_epoch=20)
