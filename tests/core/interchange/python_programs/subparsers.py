# {"batch": 6, "optimizer": "RMSprop", "epochs": 2}
import argparse
import textwrap

import numpy as np
import tensorflow as tf
from tensorflow.python import ipu

HELP = textwrap.dedent("""
    batch: 6
      epochs: 2
""")
DEFAULTS = {key.strip(): int(value) for key, value in (line.split(":") for line in HELP.strip().splitlines())}
assert HELP.splitlines()[1] == "batch: 6"


def train(args):
    config = ipu.config.IPUConfig()
    config.auto_select_ipus = args.ipus
    config.configure_ipu_system()
    with ipu.ipu_strategy.IPUStrategy().scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
        model.compile(args.optimizer, "mse", steps_per_execution=10)
        x = np.zeros((600, 4), np.float32)
        model.fit(x, np.zeros((600, 2), np.float32), batch_size=args.batch, epochs=args.epochs)


def evaluate(args):
    raise RuntimeError("not this one")


parser = argparse.ArgumentParser()
parser.add_argument("--ipus", type=int, default=1)
commands = parser.add_subparsers(dest="command")
one = commands.add_parser("train", aliases=["fit"])
one.add_argument("--batch", type=int, default=DEFAULTS["batch"])
one.add_argument("--epochs", type=int, default=DEFAULTS["epochs"])
one.add_argument("optimizer", choices=["sgd", "rmsprop"])
one.set_defaults(run=train)
other = commands.add_parser("evaluate")
other.set_defaults(run=evaluate)
options = parser.parse_args()
if options.command is None:
    options = parser.parse_args(["--ipus", "1", "fit", "rmsprop"])
options.run(options)
