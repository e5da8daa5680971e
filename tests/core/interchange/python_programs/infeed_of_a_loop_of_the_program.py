# {"infeed": {"prefetch_depth": 4}, "outfeed": {"buffer_depth": 2}, "steps_per_execution": 50}
"""TF2 custom loop with an explicit infeed queue and ipu.loops.repeat."""
import tensorflow as tf
from tensorflow.python import ipu

BATCH_SIZE = 16
ITERATIONS = 50
ROUNDS = 4

config = ipu.config.IPUConfig()
config.auto_select_ipus = 1
config.configure_ipu_system()

(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
x_train = (x_train / 255.0).astype("float32").reshape((-1, 28, 28, 1))
y_train = y_train.astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
dataset = dataset.shuffle(1024).batch(BATCH_SIZE, drop_remainder=True).repeat()

infeed_queue = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset, prefetch_depth=4)
outfeed_queue = ipu.ipu_outfeed_queue.IPUOutfeedQueue(buffer_depth=2)

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(8, 5, strides=2, activation="relu", input_shape=(28, 28, 1)),
        tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(10),
    ])
    opt = tf.keras.optimizers.SGD(learning_rate=0.01, momentum=0.9)

    def body(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images, training=True)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        gradients = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(gradients, model.trainable_variables))
        outfeed_queue.enqueue(loss)

    @tf.function(jit_compile=True)
    def training():
        ipu.loops.repeat(ITERATIONS, body, [], infeed_queue)

    infeed_queue.initializer
    for r in range(ROUNDS):
        strategy.run(training)
        losses = outfeed_queue.dequeue()
        print("round", r, "mean loss", tf.reduce_mean(losses).numpy())
