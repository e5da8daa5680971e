# {"layer_count": 156, "trainable": 2225570}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    base = keras.applications.MobileNetV2(include_top=False, weights=None, input_shape=(64, 64, 3))
    m = keras.Model(base.input, layers.Dense(2)(layers.GlobalAveragePooling2D()(base.output)))
    m.layers[1].trainable = False
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(64, 64, 3), np.float32), np.zeros((64,)+(2,), np.float32), batch_size=8)
