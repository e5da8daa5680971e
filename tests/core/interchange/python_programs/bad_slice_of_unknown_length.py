# {"error": "python/value", "line": 6}
import random
import tensorflow as tf
values = [0] * 20
i = random.randrange(20)
m = tf.keras.Sequential([tf.keras.layers.Dense(len(values[i:i + 30]), input_shape=(4,))])
