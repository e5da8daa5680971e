# {"callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.1, 0.05, 0.025]}}, {"class_name": "LearningRateScheduler", "config": {"schedule": [1.0, 0.5, 0.25]}}, {"class_name": "LearningRateScheduler", "config": {"schedule": [0.01, 0.02, 0.03]}}], "epochs": 3}
import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K


class Halving(keras.callbacks.LearningRateScheduler):
    def __init__(self, first):
        super().__init__(lambda epoch: first * 0.5 ** epoch, verbose=0)


class WarmUp(keras.callbacks.Callback):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def on_epoch_begin(self, epoch, logs=None):
        K.set_value(self.model.optimizer.lr, self.step * (epoch + 1))


model = keras.Sequential([keras.layers.Activation(lambda x: x * K.sigmoid(x), input_shape=(4,)), keras.layers.Dense(2)])
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 2)), epochs=3, batch_size=4,
          callbacks=[Halving(0.1), keras.callbacks.LearningRateScheduler(lambda epoch: 0.5 ** epoch), WarmUp(0.01)])
