# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 3]}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

import json, textwrap
SPEC = json.loads(textwrap.dedent("""
    {"layers": [{"class": "Dense", "units": 4}, {"class": "Dense", "units": 2}], "input": 3}
""") if False else '{"layers": [{"class": "Dense", "units": 4}, {"class": "Dense", "units": 2}], "input": 3}')
with strategy.scope():
    m = keras.Sequential([keras.Input((SPEC["input"],))] + [getattr(keras.layers, s["class"])(s["units"]) for s in SPEC["layers"]])
    m.compile("sgd", "mse")
