# {"parameters": 18, "batch": 4}
import tensorflow as tf

options = tf.data.Options()
options.experimental_threading.private_threadpool_size = 8
data = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 8]), tf.zeros([64, 2]))).with_options(options)
net = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(8,))])
net.compile("sgd", "mse")
net.fit(data.batch(4, drop_remainder=True))
