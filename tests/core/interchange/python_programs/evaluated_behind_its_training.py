# {"warning": "python/other-runs", "says": "--mode evaluate"}
import tensorflow as tf
ds = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 8]), tf.zeros([64, 1]))).batch(16, drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
model.compile("sgd", "mse")
model.fit(ds)
model.evaluate(ds)
