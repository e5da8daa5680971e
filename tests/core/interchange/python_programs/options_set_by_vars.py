# {"parameters": 35}
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
L = tf.keras.layers
import argparse
p = argparse.ArgumentParser(); p.add_argument("--units", type=int, default=3); a = p.parse_args()
d = vars(a); d["units"] = 7
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([L.Dense(a.units, input_shape=(4,))])
    m.compile("sgd", "mse")
