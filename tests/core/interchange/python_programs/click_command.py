# {"batch": 12, "optimizer": "Adam", "epochs": 3, "classes": ["InputLayer", "Dense", "BatchNormalization", "Dense"], "steps_per_execution": 10}
import click
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu


@click.group()
@click.option("--ipus", default=1)
@click.pass_context
def cli(context, ipus):
    context.ensure_object(dict)
    context.obj["ipus"] = ipus


@cli.command()
@click.argument("units", type=int, default=16)
@click.option("--batch-size", "-b", default=4, show_default=True)
@click.option("--norm/--no-norm", default=True)
@click.option("--optimizer", type=click.Choice(["sgd", "adam"]), default="sgd")
@click.option("--epochs", type=click.IntRange(1), default=3)
@click.option("--verbose", is_flag=True)
@click.pass_obj
def train(options, units, batch_size, norm, optimizer, epochs, verbose):
    config = ipu.config.IPUConfig()
    config.auto_select_ipus = options["ipus"]
    config.configure_ipu_system()
    with ipu.ipu_strategy.IPUStrategy().scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(4,))])
        if norm:
            model.add(tf.keras.layers.BatchNormalization())
        model.add(tf.keras.layers.Dense(1))
        model.compile(optimizer, "mse", steps_per_execution=10)
        x = np.zeros((1200, 4), np.float32)
        model.fit(x, np.zeros((1200, 1), np.float32), batch_size=batch_size, epochs=epochs, verbose=int(verbose))


if __name__ == "__main__":
    cli(["train", "-b", "12", "--optimizer", "adam"])
