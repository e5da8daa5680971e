# {"classes": ["InputLayer", "InputLayer", "Sequential", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda"], "input": [null, 28, 28]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

from tensorflow.keras import backend as K
def euclidean(vects):
    x, y = vects
    return K.sqrt(K.maximum(K.sum(K.square(x - y), axis=1, keepdims=True), K.epsilon()))
with strategy.scope():
    base = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(32, activation="relu")])
    a, b = keras.Input((28, 28)), keras.Input((28, 28))
    d = keras.layers.Lambda(euclidean, output_shape=lambda s: (s[0][0], 1))([base(a), base(b)])
    m = keras.Model([a, b], d)
    m.compile(loss="mse", optimizer=keras.optimizers.RMSprop())
