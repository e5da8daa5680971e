# {"classes": ["InputLayer", "Dense", "Dense"], "parameters": 58, "batch": 8, "epochs": 3}
import configparser

import numpy as np
from tensorflow import keras

config = configparser.ConfigParser()
config.read_string("""
[DEFAULT]
base = 8
; widths of the layers
[model]
Width = %(base)s
bias: yes
[train]
epochs = 3
rate = 0.5
""")
config.read_dict({"run": {"batch": 8}})
model = keras.Sequential([
    keras.layers.Dense(config.getint("model", "width"), input_shape=(4,), use_bias=config["model"].getboolean("bias")),
    keras.layers.Dense(int(config["run"].get("outputs", "2")))])
model.compile("sgd", "mse")
model.fit(np.zeros((64, 4)), np.zeros((64, 2)), batch_size=int(config["run"]["batch"]),
          epochs=config["train"].getint("epochs") if config.has_option("train", "epochs") else 1)
