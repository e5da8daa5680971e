# {"classes": ["InputLayer", "Conv2D", "BatchNormalization", "TFOpLambda", "Conv2D", "Conv2D", "ReLU", "Add", "Conv2D", "BatchNormalization", "TFOpLambda", "Conv2D", "Conv2D", "ReLU", "Add", "Conv2D", "BatchNormalization", "TFOpLambda", "Conv2D", "ReLU", "Add", "GlobalAveragePooling2D", "Dense"], "input": [null, 16, 16, 3], "loss": "SparseCategoricalCrossentropy"}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

L = keras.layers
def res(x, filters, downsample=False):
    stride = 2 if downsample else 1
    y = L.Conv2D(filters, 3, strides=stride, padding="same")(x)
    y = L.BatchNormalization()(y)
    y = tf.nn.relu(y)
    y = L.Conv2D(filters, 3, padding="same")(y)
    if downsample or x.shape[-1] != filters:
        x = L.Conv2D(filters, 1, strides=stride)(x)
    return L.ReLU()(L.Add()([x, y]))
with strategy.scope():
    i = keras.Input(shape=(16, 16, 3))
    x = i
    for n, (f, d) in enumerate([(8, False), (16, True), (16, False)]):
        x = res(x, f, downsample=d)
    x = L.GlobalAveragePooling2D()(x)
    m = keras.Model(i, L.Dense(10, name="out")(x))
    m.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
