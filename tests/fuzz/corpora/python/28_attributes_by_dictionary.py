# {"parameters": 18, "batch": 4, "epochs": 3}
import tensorflow as tf


class Settings:
    def __init__(self, **given):
        self.__dict__.update(given)
        self.__dict__["epochs"] = 3


settings = Settings(units=2, batch=4)
net = tf.keras.Sequential([tf.keras.layers.Dense(settings.units, input_shape=(8,))])
net.compile("sgd", "mse")
net.fit(tf.zeros([64, 8]), tf.zeros([64, 2]), batch_size=settings.batch, epochs=settings.epochs)
