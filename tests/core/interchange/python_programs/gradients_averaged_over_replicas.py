# {"average_replica_gradients": true, "optimizer_config": {"learning_rate": 0.01, "momentum": 0.9, "clipnorm": 1.0}}
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import cross_replica_ops
cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 2
cfg.configure_ipu_system()
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  model = tf.keras.Sequential([tf.keras.layers.InputLayer((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
  opt = tf.keras.optimizers.SGD(0.01, momentum=0.9, clipnorm=1.0)
  ds = tf.data.Dataset.from_tensor_slices((tf.ones((64, 4)), tf.ones((64, 1)))).batch(4, drop_remainder=True).repeat()
  it = iter(ds)
  q = ipu.ipu_outfeed_queue.IPUOutfeedQueue()

  @tf.function(jit_compile=True)
  def train(iterator):
    for _ in tf.range(5):
      x, y = next(iterator)
      with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
      grads = tape.gradient(loss, model.trainable_variables)
      grads = [cross_replica_ops.cross_replica_mean(g) for g in grads]
      opt.apply_gradients(zip(grads, model.trainable_variables))
      q.enqueue(loss)

  strategy.run(train, args=[it])
