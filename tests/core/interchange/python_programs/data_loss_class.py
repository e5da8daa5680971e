# {"classes": ["InputLayer", "Dense"], "loss": "LossFunction", "optimizer": "Adam", "batch": 8}
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
class Dice(keras.losses.Loss):
    def __init__(self, smooth=1.0, **kwargs):
        super().__init__(**kwargs)
        self.smooth = smooth
    def call(self, y_true, y_pred):
        y_true = tf.cast(y_true, y_pred.dtype)
        inter = K.sum(y_true * y_pred, axis=[1])
        dice = (2. * inter + self.smooth) / (K.sum(y_true, axis=[1]) + K.sum(y_pred, axis=[1]) + self.smooth)
        return 0.5 * keras.losses.binary_crossentropy(y_true, y_pred) + 1 - dice
i = keras.Input((4,))
model = keras.Model(i, keras.layers.Dense(3, activation="sigmoid")(i))
model.compile(keras.optimizers.Adam(1e-2), loss=Dice(smooth=2.0), metrics=["accuracy"])
model.fit(tf.zeros((256, 4)), tf.zeros((256, 3)), batch_size=8, epochs=2)
