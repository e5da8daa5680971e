# {"error": "python/arguments", "line": 9}
import argparse

from tensorflow import keras

parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
commands.add_parser("train")
options = parser.parse_args()
model = keras.Sequential([keras.layers.Dense(2, input_shape=(4,))])
