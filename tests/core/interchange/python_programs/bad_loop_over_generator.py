# {"error": "python/endless", "line": 9}
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
model.compile("sgd", "mse")
x = tf.zeros((64, 2))
def batches():
    while True:
        yield x
for batch in iter(batches()):
    rows = batch.shape[0]
