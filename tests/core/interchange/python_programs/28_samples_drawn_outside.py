# {"parameters": 9, "optimizer": "SGD", "losses": [["math.squared_difference", "reduce_mean"]]}
import tensorflow as tf
from tensorflow.python import ipu

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
    rule = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.math.squared_difference(net(x), y))
        rule.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))

    samples, labels = tf.random.normal([4, 8]), tf.random.normal([4, 1])
    for _ in range(10):
        strategy.run(step, args=[samples, labels])
