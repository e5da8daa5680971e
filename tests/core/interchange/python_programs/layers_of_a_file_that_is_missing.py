# {"error": "python/value", "line": 6, "says": "depends on what the file \"config.json\" answers"}
import json
from tensorflow import keras
with open("config.json") as file:
    config = json.load(file)
model = keras.Sequential([keras.layers.Dense(n) for n in config["widths"]] + [keras.layers.Dense(1)])
