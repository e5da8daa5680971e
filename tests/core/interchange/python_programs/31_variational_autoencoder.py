# {"classes": ["InputLayer", "Dense", "Dense", "Dense", "Functional", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "TFOpLambda", "AddLoss"], "optimizer": "Adam", "steps_per_execution": 4}
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu


def make_encoder():
    inputs = keras.Input((16,), batch_size=4)
    hidden = keras.layers.Dense(8, activation="relu")(inputs)
    return keras.Model(inputs, [keras.layers.Dense(2)(hidden), keras.layers.Dense(2)(hidden)], name="encoder")


def make_decoder():
    inputs = keras.Input((2,), batch_size=4)
    return keras.Model(inputs, keras.layers.Dense(16, activation="sigmoid")(inputs), name="decoder")


class Autoencoder(keras.Model):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def call(self, x):
        return self.decoder(self.encoder(x)[0])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_variance = self.encoder(data)
            loss = tf.reduce_mean(keras.losses.binary_crossentropy(data, self.decoder(mean)))
            divergence = -0.5 * tf.reduce_mean(1 + log_variance - tf.square(mean) - tf.exp(log_variance))
            total = loss + divergence
        gradients = tape.gradient(total, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": total}


config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()
with ipu.ipu_strategy.IPUStrategy().scope():
    model = Autoencoder(make_encoder(), make_decoder())
    model.compile(optimizer="Adam", steps_per_execution=4)
    samples = tf.data.Dataset.from_tensor_slices(np.random.rand(64, 16).astype("float32")).batch(4, drop_remainder=True)
    model.fit(samples, epochs=2)
