# {"classes": ["Dense", "Dense", "InputLayer", "TFOpLambda", "FixedWidthBins", "Histogram"], "no_warning": "python/ignored"}
"""Watch activation statistics on the device during inference."""
import numpy as np
import tensorflow as tf
from tensorflow.python import ipu
from tensorflow.python.ipu.ops import statistics_ops

BATCH, BINS, N = 20, 16, 30

cfg = ipu.config.IPUConfig()
cfg.auto_select_ipus = 1
cfg.configure_ipu_system()

data = np.random.randn(600, 48).astype(np.float32)
ds = tf.data.Dataset.from_tensor_slices(data).batch(BATCH, drop_remainder=True).repeat()

strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  net = tf.keras.Sequential([
      tf.keras.layers.Dense(80, activation="tanh", input_shape=(48,)),
      tf.keras.layers.Dense(40, activation="tanh"),
  ])
  outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
  it = iter(ds)

  @tf.function(jit_compile=True)
  def monitor(iterator):
    for _ in tf.range(N):
      y = net(next(iterator), training=False)
      flat = tf.reshape(y, [-1])
      levels = statistics_ops.fixed_width_bins(flat, BINS)
      hist = statistics_ops.histogram(flat, levels, absolute_of_input=False)
      outfeed.enqueue({"levels": levels, "hist": hist})

  strategy.run(monitor, args=[it])
  for r in outfeed:
    print(r["hist"].numpy())
