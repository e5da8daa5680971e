# {"optimizer": "Adam", "optimizer_config": {"learning_rate": 0.1, "epsilon": 4e-07}}
import tensorflow as tf
from tensorflow import keras

ds = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).batch(8, drop_remainder=True)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
opt = keras.optimizers.Adam(0.1)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(keras.losses.mean_squared_error(y, model(x)))
    gradients = [g / 4.0 for g in tape.gradient(loss, model.trainable_variables)]
    opt.apply_gradients(zip(gradients, model.trainable_variables))
