# {"parameters": 35}
import numpy as np, tensorflow as tf
from tensorflow.python import ipu
import dataclasses, argparse
@dataclasses.dataclass
class C:
    units: int = 7
    rate: float = 0.1
p = argparse.ArgumentParser()
for f in dataclasses.fields(C):
    p.add_argument("--" + f.name, type=f.type, default=str(f.default))
U = p.parse_args().units
with ipu.ipu_strategy.IPUStrategy().scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(U, input_shape=(4,))])
    m.compile("sgd", "mse")
    m.fit(np.zeros((64, 4), "f4"), np.zeros((64, U), "f4"), batch_size=8)
