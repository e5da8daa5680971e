# {"classes": ["InputLayer", "Dense", "Dense"], "batch": 4}
import tensorflow as tf
from tensorflow import keras
from tensorflow.python import ipu
with ipu.ipu_strategy.IPUStrategy().scope():
    i = keras.Input((8,), name="image")
    h = keras.layers.Dense(4, name="hidden")(i)
    m = keras.Model(i, keras.layers.Dense(2, name="out")(h))
    m.compile("adam", "mse", steps_per_execution=4)
    m.fit(tf.data.Dataset.from_tensor_slices((tf.zeros([64, 8]), tf.zeros([64, 2]))).batch(4, drop_remainder=True), epochs=2)
    f = keras.Model(m.get_layer("image").input, m.get_layer("hidden").output)
    f.predict(tf.zeros([16, 8]), batch_size=4)
