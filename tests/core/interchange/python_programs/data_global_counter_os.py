# {"classes": ["InputLayer", "Dense", "Dense", "Dense"], "input": [null, 3]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import os, platform, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
os.environ.setdefault("TF_POPLAR_FLAGS", "--use_synthetic_data")
if sys.version_info < (3, 6):
    raise SystemExit("too old")
print(platform.node(), tf.__version__)
DEPTH = int(os.environ.get("DEPTH", 2))
counter = 0
def dense(*args, **kwargs):
    global counter
    counter += 1
    return keras.layers.Dense(*args, name=f"d{counter:02d}", **kwargs)
with strategy.scope():
    m = keras.Sequential([dense(4, input_shape=(3,)), *(dense(8) for _ in range(DEPTH))])
    m.compile("sgd", "mse")
