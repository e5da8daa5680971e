# {"parameters": 15, "batch": 8}
import functools
import glob
import json
import sys

import numpy as np
import tensorflow as tf

DEFAULTS = {"width": 3}


def main(args):
    files = []
    files.extend(glob.glob("data/*.npy"))
    print(f"{len(files)} files", ",".join(files), *files, sep="\n")
    scores = json.load(open("scores.json")) if files else {}
    table = {**scores, "best": max(scores, key=len) if scores else None}
    total = functools.reduce(lambda a, b: a + b, map(float, table))
    while total > 1:
        total = total / 2
    net = tf.keras.Sequential([tf.keras.layers.Dense(DEFAULTS["width"], input_shape=(4,))])
    net.compile("sgd", "mse")
    net.fit(np.zeros((64, 4)), np.zeros((64, 3)), batch_size=8)
    return 0 if total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

tf.keras.Sequential([tf.keras.layers.Dense(7, input_shape=(4,))]).fit(np.zeros((64, 4)), np.zeros((64, 7)))
