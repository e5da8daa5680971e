# {"classes": ["InputLayer", "Dense", "Dense"], "batch": 50, "epochs": 3, "steps_per_epoch": 1200, "loss": "SparseCategoricalCrossentropy", "optimizer": "SGD", "optimizer_config": {"learning_rate": 0.1, "clipnorm": 0.5}}
import tensorflow as tf
from tensorflow import keras


class Clipped(keras.Sequential):
    max_norm = 0.5

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compiled_loss(y, y_pred, regularization_losses=self.losses)
        variables = self.trainable_variables
        gradients = [tf.clip_by_norm(g, self.max_norm) for g in tape.gradient(loss, variables)]
        self.optimizer.apply_gradients(zip(gradients, variables))
        self.compiled_metrics.update_state(y, y_pred)
        return {m.name: m.result() for m in self.metrics}


(x, y), _ = keras.datasets.mnist.load_data()
x = x.reshape((-1, 784)).astype("float32") / 255
ds = tf.data.Dataset.from_tensor_slices((x, y.astype("int32"))).shuffle(2048).batch(50, drop_remainder=True)
model = Clipped([keras.layers.Dense(64, activation="relu", input_shape=(784,)), keras.layers.Dense(10)])
model.compile(keras.optimizers.SGD(0.1), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=3)
