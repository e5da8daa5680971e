# {"classes": ["InputLayer", "Conv2D", "MaxPooling2D", "Flatten", "Dense"], "input": [null, 28, 28, 1], "steps_per_epoch": 480, "epochs": 12, "batch": 125}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()

(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()
x_train = x_train.reshape(x_train.shape[0], 28, 28, 1)
x_test = x_test.reshape((x_test.shape[0], 28, 28, 1))
input_shape = x_train.shape[1:]
with strategy.scope():
    model = keras.models.Sequential()
    model.add(keras.layers.Conv2D(32, kernel_size=(3, 3), activation="relu", input_shape=input_shape))
    model.add(keras.layers.MaxPooling2D(pool_size=(2, 2)))
    model.add(keras.layers.Flatten())
    model.add(keras.layers.Dense(10, activation="softmax"))
    model.compile(loss=keras.losses.sparse_categorical_crossentropy, optimizer=keras.optimizers.Adadelta(), metrics=["accuracy"])
    model.fit(x_train, y_train, batch_size=125, epochs=12, validation_data=(x_test, y_test))
