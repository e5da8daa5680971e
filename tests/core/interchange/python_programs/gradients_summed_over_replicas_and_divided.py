# {"average_replica_gradients": true, "optimizer_config": {"learning_rate": 0.04}, "batch": 16}
"""Custom loop on two replicas with an explicit gradient sum."""
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import cross_replica_ops, replication_ops

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.optimizations.maximum_cross_replica_sum_buffer_size = 2000000
cfg.configure_ipu_system()

REPLICAS, BATCH, STEPS = 2, 16, 12

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  model = tf.keras.Sequential([
      tf.keras.layers.InputLayer((28, 28)),
      tf.keras.layers.Flatten(),
      tf.keras.layers.Dense(120, activation="relu"),
      tf.keras.layers.Dense(10),
  ])
  opt = tf.keras.optimizers.SGD(0.04)
  (x, y), _ = tf.keras.datasets.mnist.load_data()
  ds = tf.data.Dataset.from_tensor_slices((x.astype("float32") / 255., y.astype("int32")))
  it = iter(ds.batch(BATCH, drop_remainder=True).repeat())
  q = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

  @tf.function(jit_compile=True)
  def train(iterator):
    for _ in tf.range(STEPS):
      images, labels = next(iterator)
      with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
      grads = tape.gradient(loss, model.trainable_variables)
      grads = [cross_replica_ops.cross_replica_sum(g) / REPLICAS for g in grads]
      opt.apply_gradients(zip(grads, model.trainable_variables))
      q.enqueue((loss, replication_ops.replication_index()))

  for i in range(20):
    strategy.run(train, args=[it])
    losses, index = q.dequeue()
    print(i, losses.shape)
