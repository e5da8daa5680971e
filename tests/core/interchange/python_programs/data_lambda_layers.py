# {"classes": ["InputLayer", "TFOpLambda", "TFOpLambda", "Flatten", "Dense", "TFOpLambda"], "input": [null, 8, 8]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

from tensorflow.keras import backend as K
def center(t):
    return t - 0.5
with strategy.scope():
    model = keras.Sequential([
        keras.layers.Lambda(lambda t: t / 255.0, input_shape=(8, 8)),
        keras.layers.Lambda(center, name="center"),
        keras.layers.Flatten(),
        keras.layers.Dense(4),
        keras.layers.Lambda(lambda t: K.softmax(t)),
    ])
    model.compile("sgd", "categorical_crossentropy")
