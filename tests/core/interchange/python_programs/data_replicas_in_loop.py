# {"ipus": 4, "steps_per_epoch": 800, "steps_per_execution": 200, "replicas": 4}
# data-parallel custom loop, cross replica sum
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import cross_replica_ops as cro
import argparse
p = argparse.ArgumentParser()
p.add_argument("--replicas", type=int, default=4)
p.add_argument("--batch-size", type=int, default=16)
p.add_argument("--steps", type=int, default=200)
args = p.parse_args()
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = args.replicas
cfg.configure_ipu_system()
(x, y), _ = tf.keras.datasets.cifar10.load_data()
x = x.astype("float32") / 255.0
y = y.astype("int32").squeeze()
ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10000).repeat().batch(args.batch_size, drop_remainder=True)
infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(ds)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, padding="same", input_shape=(32, 32, 3)),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.ReLU(),
        tf.keras.layers.MaxPool2D(),
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.GlobalAvgPool2D(),
        tf.keras.layers.Dense(10)])
    opt = ipu.keras.optimizers.CrossReplicaOptimizer(tf.keras.optimizers.SGD(0.05, momentum=0.9))
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function(experimental_compile=True)
    def loop(n):
        for _ in tf.range(n):
            images, labels = next(iterator)
            with tf.GradientTape() as tape:
                logits = model(images, training=True)
                loss = loss_fn(labels, logits)
            g = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            outfeed.enqueue(cro.cross_replica_sum(loss) / args.replicas)
    iterator = iter(infeed)
    strategy.run(loop, args=[args.steps])
print(outfeed.dequeue())
