# {"classes": ["InputLayer", "Dense"], "batch": 8, "optimizer": "LossScaleOptimizer", "loss": "MeanSquaredError"}
import tensorflow as tf
from tensorflow import keras

SCALE = 1024.0
ds = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).batch(8, drop_remainder=True)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
opt = keras.optimizers.SGD(0.1)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x))) * SCALE
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients = [g / SCALE for g in gradients]
    opt.apply_gradients(zip(gradients, model.trainable_variables))
