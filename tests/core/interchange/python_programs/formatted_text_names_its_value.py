# {"parameters": 28}
import tensorflow as tf
epoch, rate, name = 3, 0.125, "a"
assert f"{epoch=}" == "epoch=3" and f"{rate = :.2f}!" == "rate = 0.12!" and f"{name=}" == "name='a'"
assert f"{epoch == 3}" == "True"
m = tf.keras.Sequential([tf.keras.layers.Dense(len(f"{epoch=}"), input_shape=(3,))])
m.compile("sgd", "mse")
