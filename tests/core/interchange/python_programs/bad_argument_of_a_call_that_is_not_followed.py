# {"error": "python/value", "line": 5, "says": "os.popen() at 4:10"}
import os
import tensorflow as tf
layers = os.popen("layers").read()
model = tf.keras.Sequential(layers)
model.compile("sgd", "mse")
