# {"warning": "python/older-steps", "says": "16 steps are 64 of the project", "steps_per_epoch": 64}
from tensorflow.python import ipu
import tensorflow as tf

opts = ipu.utils.create_ipu_config(profiling=False, merge_infeed_io_copies=True)
opts = ipu.utils.auto_select_ipus(opts, 1)
opts = ipu.utils.set_floating_point_behaviour_options(opts, esr=False)
ipu.utils.configure_ipu_system(opts)


def get_data():
  (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()
  x = x / 255.0
  ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10000).batch(25, drop_remainder=True)
  ds = ds.map(lambda d, l: (tf.cast(d, tf.float32), tf.cast(l, tf.int32)))
  return ds.repeat()


strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  model = ipu.keras.Sequential([
      tf.keras.layers.Flatten(),
      tf.keras.layers.Dense(100, activation='relu'),
      tf.keras.layers.Dense(10, activation='softmax')],
      gradient_accumulation_count=4)
  model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(),
                optimizer=tf.keras.optimizers.SGD(0.02))
  model.fit(get_data(), epochs=3, steps_per_epoch=16)
