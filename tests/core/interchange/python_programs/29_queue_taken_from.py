# {"classes": ["InputLayer", "Dense", "Dense"], "input": [null, 128], "batch": 8, "steps_per_execution": 50, "steps_per_epoch": 50, "epochs": 2, "optimizer": "SGD"}
import tensorflow as tf
from tensorflow.python import ipu
data = tf.data.Dataset.from_tensors((tf.ones([128]), tf.constant([1.0]))).repeat().batch(8, drop_remainder=True)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.01)
    infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(data)
    outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        outfeed.enqueue(loss)
    @tf.function(experimental_compile=True)
    def train(n):
        for _ in tf.range(n):
            step(*infeed._dequeue())
    for epoch in range(2):
        strategy.run(train, args=[50])
