# {"parameters": 35}
import argparse, copy, dataclasses
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
cfg = ipu.config.IPUConfig(); cfg.auto_select_ipus = 1; cfg.configure_ipu_system()
L = tf.keras.layers
p = argparse.ArgumentParser(); p.add_argument("--units", type=int, default=3); a = p.parse_args()
class C:
    def __init__(self): self.units = 3
@dataclasses.dataclass
class D:
    units: int = 3
d = vars(a)
for k, v in {"units": 7}.items():
    d[k] = v
U = a.units
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([L.Dense(U, input_shape=(4,))])
    m.compile("sgd", "mse")
