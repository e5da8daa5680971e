# {"layer_count": 6}
import numpy as np, tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()

with ipu.ipu_strategy.IPUStrategy().scope():
    base = keras.applications.ResNet50(include_top=False, weights=None, input_shape=(64, 64, 3))
    outs = [base.get_layer(n).output for n in ("conv2_block3_out", "conv3_block4_out")]
    enc = keras.Model(base.input, outs)
    i = keras.Input((64, 64, 3))
    a, b = enc(i)
    b = layers.UpSampling2D(2)(layers.Conv2D(256, 1)(b))
    m = keras.Model(i, layers.Conv2D(2, 1)(layers.Add()([a, b])))
    
    m.compile("sgd", "mse", steps_per_execution=8)
    m.fit(np.zeros((64,)+(64, 64, 3), np.float32), np.zeros((64,)+(16, 16, 2), np.float32), batch_size=8)
