# {"batch": 5, "optimizer": "SGD", "parameters": 18}
import fire
import numpy as np
import typer
from tensorflow import keras


def build(units=2, *, inputs=8):
    return keras.Sequential([keras.layers.Dense(units, input_shape=(inputs,))])


def main(rate: float = typer.Option(0.1, "--lr"), batch: int = 5, units: int = 2):
    model = fire.Fire(build)
    model.compile(keras.optimizers.SGD(rate), "mse")
    model.fit(np.zeros((50, 8)), np.zeros((50, units)), batch_size=batch)


typer.run(main)
