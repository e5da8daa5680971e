# {"classes": ["InputLayer", "Dense"], "optimizer": "SGD", "optimizer_config": {"learning_rate": 0.1, "clipvalue": 0.5}}
import tensorflow as tf
from tensorflow import keras

ds = tf.data.Dataset.from_tensor_slices((tf.zeros((160, 4)), tf.zeros((160, 1)))).batch(8, drop_remainder=True)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
opt = keras.optimizers.SGD(0.1)
for x, y in ds:
    with tf.GradientTape() as tape:
        loss = keras.losses.mean_squared_error(y, tf.clip_by_value(model(x), -10.0, 10.0))
    pairs = zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
    opt.apply_gradients([(tf.clip_by_value(g, -0.5, 0.5), v) for g, v in pairs])
