# {"steps_per_execution": 464, "steps_per_epoch": 928, "batch": 64, "epochs": 3, "stages": 2, "accumulation": 8, "no_warning": "python/replaced"}
import numpy as np
import tensorflow.keras as keras
from tensorflow.python import ipu

batch_size = 64
ipus = 4
replicas = ipus // 2
accumulation = 8


def divisible(number, divisor):
    return number - number % divisor


(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train, x_test = [np.expand_dims(x.astype("float32") / 255, -1) for x in (x_train, x_test)]
y_train, y_test = [keras.utils.to_categorical(y, 10) for y in (y_train, y_test)]
train_steps = divisible(x_train.shape[0] // (batch_size * replicas), accumulation)
length = divisible(x_train.shape[0], train_steps * batch_size)
x_train, y_train = x_train[:length], y_train[:length]
test_steps = divisible(x_test.shape[0] // (batch_size * replicas), accumulation)
length = divisible(x_test.shape[0], test_steps * batch_size)
x_test, y_test = x_test[:length], y_test[:length]

config = ipu.config.IPUConfig()
config.auto_select_ipus = ipus
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    images = keras.Input((28, 28, 1))
    with ipu.keras.PipelineStage(0):
        x = keras.layers.Conv2D(8, 3, activation="relu")(images)
    with ipu.keras.PipelineStage(1):
        x = keras.layers.Dense(10, activation="softmax")(keras.layers.Flatten()(x))
    model = keras.Model(images, x)
    model.set_pipelining_options(gradient_accumulation_steps_per_replica=accumulation)
    model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"], steps_per_execution=train_steps)
    model.fit(x_train, y_train, epochs=3, batch_size=batch_size)
    # Evaluation runs fewer steps at a time.
    model.compile("sgd", "categorical_crossentropy", metrics=["accuracy"], steps_per_execution=test_steps)
    model.evaluate(x_test, y_test, batch_size=batch_size)
