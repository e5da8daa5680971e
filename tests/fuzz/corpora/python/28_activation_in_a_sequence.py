# {"parameters": 65, "layer_count": 4}
import tensorflow as tf

net = tf.keras.Sequential()
net.add(tf.keras.layers.Dense(8, activation=lambda t: tf.nn.relu(t), input_shape=(6,)))
net.add(tf.keras.layers.Dense(1))
net.compile("sgd", "mse")
net.fit(tf.zeros([64, 6]), tf.zeros([64, 1]), batch_size=8)
