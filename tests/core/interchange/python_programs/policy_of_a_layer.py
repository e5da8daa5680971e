# {"precision": "float16", "parameters": 7850}
import tensorflow as tf
tf.keras.mixed_precision.set_global_policy("float16")
m = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(28, 28)), tf.keras.layers.Dense(10)])
assert m.layers[1].dtype_policy.name == "float16"
m.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
