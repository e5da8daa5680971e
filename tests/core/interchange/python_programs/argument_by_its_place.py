# {"error": "python/unsupported", "line": 4, "says": "the program asks for its command line: import with --arguments"}
import sys
import tensorflow as tf
batch = int(sys.argv[1])
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
model.compile("sgd", "mse")
model.fit(tf.zeros((64, 4)), tf.zeros((64, 3)), batch_size=batch)
